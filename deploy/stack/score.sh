#!/usr/bin/env bash
# Whether the answers are right: fields, vocabulary and matches, on a Postgres and a Kafka of its own.
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
export ROSTER_BIN_DIR

step "Score"
"$ROSTER_BIN_DIR/score" "$@"
