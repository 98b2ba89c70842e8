# The commands that a newcomer needs: scripts under deploy/stack, but for `sim` (a test of cargo) and `ci` (.ci/run). `make help` lists them.
# Ports and settings: deploy/settings.env; each can be set, as in `GATEWAY_PORT=9080 make up`.

.DEFAULT_GOAL := help
.PHONY: help up demo down restart clean-data test bench sim mutants chaos score fuzz ci

STACK := deploy/stack/stack.sh

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

up: ## build, start everything that is not running, load the sample, show answers
	@$(STACK) up

demo: ## one answer of each kind, with its headers and how to ask again
	@$(STACK) demo

down: ## stop everything; the data stays
	@$(STACK) down

restart: ## restart one part: make restart SERVICE=query-service
	@$(STACK) restart "$(SERVICE)"

clean-data: ## stop everything and remove .data with all that is in it
	@$(STACK) clean-data

test: ## the whole test suite, with its own Postgres and Kafka
	@deploy/stack/test.sh

sim: ## the ledger in a simulator, by seeds: make sim SEEDS=1000000 FIRST=0
	@SEEDS="$(or $(SEEDS),1000000)" FIRST="$(or $(FIRST),0)" cargo test --locked --release -p command-service --lib simulation::no_schedule -- --nocapture

mutants: ## changes that no test of the pure parts notices: make mutants SHARD=1/20 FILE=command-service/src/domain/contract.rs
	@SHARD="$(SHARD)" FILE="$(FILE)" deploy/stack/mutants.sh

chaos: ## faults on real processes under load, a row for each: make chaos ONLY=kafka-down SEED=1
	@deploy/stack/chaos.sh --seed "$(or $(SEED),1)" $(ONLY)

bench: ## the ratios of bench/, with its own Postgres and Kafka
	@deploy/stack/measure.sh bench

score: ## whether the answers are right, with its own Postgres and Kafka, and beside Splink (SPLINK=no leaves it out); exit code 1 when a bar is missed
	@deploy/stack/measure.sh score

fuzz: ## every parser of the canon and of queries for ten minutes each: make fuzz TIME=600
	@TIME="$(or $(TIME),600)" deploy/stack/fuzz.sh

ci: ## what .ci/run does: linters, documentation, tests
	@.ci/run
