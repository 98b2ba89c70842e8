#!/usr/bin/env bash
# The whole test suite, with a Postgres and a Kafka of its own that end with it.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/private.sh
. "$HERE/private.sh"

with_private_stack
# A test steps the clocks of the services.
need faketime
# A crash of the machine loses nothing that a test wants to keep; crashes of processes are safe without fsync.
POSTGRES_FSYNC=off start_private_stack

step "Build"
cd "$ROOT"
cargo build --locked --workspace --all-targets
ROSTER_BIN_DIR=$(target_folder)/debug
export ROSTER_BIN_DIR

step "Tests"
cargo test --locked --workspace --no-fail-fast "$@"
