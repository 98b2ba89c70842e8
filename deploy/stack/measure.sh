#!/usr/bin/env bash
# measure.sh bench|score [OPTION…]: how fast, beside limits of the same run; or how right, field by field and match by match.
# On a Postgres with fsync and a Kafka of its own; then, for score, beside Splink in the same run (splink.sh).
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/private.sh
. "$HERE/private.sh"

program=${1:?bench or score}
shift

# A Python with DuckDB, the other tool that searches stand beside. Kept between runs.
bench_python() {
  local folder=$CHECKOUT/.data/bench-python
  if [ ! -x "$folder/bin/pip" ]; then
    python3 -m venv "$folder" 2>/dev/null || {
      apt install --no-install-recommends python3-venv
      python3 -m venv "$folder"
    }
  fi
  "$folder/bin/pip" install -q --disable-pip-version-check 'duckdb==2.0.*' || die "the Python package duckdb could not be installed"
  printf '%s\n' "$folder/bin/python"
}

with_private_stack
# Records are generated and cases are scored by Python.
need python3
start_private_stack
if [ "$program" = bench ]; then
  BENCH_PYTHON=$(bench_python)
  export BENCH_PYTHON
fi

step "Build (release)"
cd "$ROOT"
cargo build --locked --release --workspace
ROSTER_BIN_DIR=$(target_folder)/release
export ROSTER_BIN_DIR

step "Measure: $program"
status=0
"$ROSTER_BIN_DIR/$program" "$@" || status=$?
if [ "$program" = score ]; then
  "$HERE/splink.sh" "$ROSTER_BIN_DIR/score" || status=1
fi
exit "$status"
