#!/usr/bin/env bash
# mutants.sh [OPTION…]: changes the pure parts one place at a time and says which changes no test notices (.cargo/mutants.toml).
# Takes hours: `make mutants SHARD=3/20` does one part of twenty. cargo-mutants is installed if it is missing.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/lib.sh
. "$HERE/lib.sh"
# shellcheck source=deploy/stack/install.sh
. "$HERE/install.sh"

need_rust
cargo mutants --version >/dev/null 2>&1 || cargo install --locked --version '^27' cargo-mutants
cd "$HERE/../.."
# Enough schedules of the simulator to notice, few enough to be done with.
export SEEDS=${SEEDS:-1000}
[ -z "${SHARD:-}" ] || set -- --shard "$SHARD" "$@"
cargo mutants --no-shuffle --output "${CARGO_TARGET_DIR:-target}" "$@"
