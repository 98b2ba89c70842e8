#!/usr/bin/env bash
# measure.sh bench|score [OPTION…]: how fast, beside limits of the same run; or how right, field by field and match by match.
# On a Postgres with fsync and a Kafka of its own.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/private.sh
. "$HERE/private.sh"

program=${1:?bench or score}
shift

with_private_stack
# Records are generated and cases are scored by Python.
need python3
start_private_stack

step "Build (release)"
cd "$ROOT"
cargo build --locked --release --workspace
ROSTER_BIN_DIR=$(target_folder)/release
export ROSTER_BIN_DIR

step "Measure: $program"
"$ROSTER_BIN_DIR/$program" "$@"
