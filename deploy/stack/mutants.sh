#!/usr/bin/env bash
# mutants.sh [OPTION…]: changes the pure parts one place at a time and says which changes no test notices (.cargo/mutants.toml), then
# the share of each file that one does. Takes some 40 minutes on two cores, after five of building: `make mutants SHARD=3/20` does one
# part of twenty, FILE=… those of one file. The exit code is 2 when a change went unnoticed.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/lib.sh
. "$HERE/lib.sh"
# shellcheck source=deploy/stack/install.sh
. "$HERE/install.sh"

need_rust
need jq
cargo mutants --version >/dev/null 2>&1 || cargo install --locked --version '^27' cargo-mutants
cd "$HERE/../.."
# Enough schedules of the simulator to notice, few enough to be done with; and no change compiles what another has compiled.
export SEEDS=${SEEDS:-300} CARGO_INCREMENTAL=1
out=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# A folder of its own: cargo would take what was built of a change last for what is built of the tree, which is older.
export CARGO_TARGET_DIR=$out/mutants
[ -z "${SHARD:-}" ] || set -- --shard "$SHARD" "$@"
# Not --file, which adds to the files of the configuration.
[ -z "${FILE:-}" ] || set -- --re "^${FILE//./\\.}:" "$@"
code=0
cargo mutants --no-shuffle --output "$out" "$@" || code=$?
# Of those that compile.
jq -r 'def share: "\([.[] | select(.summary == "CaughtMutant" or .summary == "Timeout")] | length) of \(
    [.[] | select(.summary != "Unviable")] | length) noticed";
  [.outcomes[] | select(.scenario | type == "object") | {file: .scenario.Mutant.file, summary}]
  | (group_by(.file)[] | "\(.[0].file): \(share)"), "together: \(share)"' "$out/mutants.out/outcomes.json"
# 3 says that tests did not end, which is noticed as well as a test that fails.
if [ "$code" -eq 3 ]; then
  [ -s "$out/mutants.out/missed.txt" ] && code=2 || code=0
fi
exit "$code"
