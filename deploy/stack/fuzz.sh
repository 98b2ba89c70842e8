#!/usr/bin/env bash
# Fuzzes every parser of the canon, or those named: TIME seconds each, one after another, until one finds something.
#
# cargo-fuzz is installed if it is missing. The committed corpus is only read; what a run finds stays in the target folder,
# and an input that breaks a law in normalize/fuzz/artifacts.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/lib.sh
. "$HERE/lib.sh"
# shellcheck source=deploy/stack/install.sh
. "$HERE/install.sh"

TIME=${TIME:-600}

need_rust
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
cd "$HERE/../../normalize"
found=${CARGO_TARGET_DIR:-$PWD/fuzz/target}/corpus
names=("$@")
[ "$#" -gt 0 ] || mapfile -t names < <(cargo fuzz list)
for name in "${names[@]}"; do
  step "Fuzz $name ($TIME s)"
  mkdir -p "$found/$name"
  # Without a sanitizer, since the crate has no unsafe code and the stable compiler builds it.
  cargo fuzz run --sanitizer none "$name" "$found/$name" "fuzz/corpus/$name" -- \
    -max_total_time="$TIME" -max_len=256 -timeout=10
done
