#!/usr/bin/env bash
# chaos.sh [--seed N] [--short] [FAULT…]: faults on real processes while clients ask, a row for each.
# The debug build, whose assertions are on, as in the tests. Histories stay in .data/chaos.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/private.sh
. "$HERE/private.sh"

with_private_stack
# Steps the clocks of the services.
need faketime
POSTGRES_FSYNC=off start_private_stack

step "Build"
cd "$ROOT"
cargo build --locked -p command-service -p projector -p query-service -p mcp-server -p roster -p tests
ROSTER_BIN_DIR=${ROSTER_BIN_DIR:-$(target_folder)/debug}
CHAOS_FOLDER=$CHECKOUT/.data/chaos
export ROSTER_BIN_DIR CHAOS_FOLDER

step "Chaos"
"$(target_folder)/debug/chaos" "$@"
