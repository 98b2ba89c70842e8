#!/usr/bin/env bash
# The ratios of bench/ against limits measured in the same run, on a Postgres with fsync and a Kafka of its own.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/private.sh
. "$HERE/private.sh"

with_private_stack
start_private_stack

step "Build (release)"
cd "$ROOT"
cargo build --locked --release --workspace
ROSTER_BIN_DIR=$(target_folder)/release
# pgbench gives the limit that reads are compared with.
PGBENCH=$(postgres_bin)/pgbench
export ROSTER_BIN_DIR PGBENCH

step "Bench"
"$ROSTER_BIN_DIR/bench" "$@"
