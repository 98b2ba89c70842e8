#!/usr/bin/env bash
# Fuzzes every parser of what comes from outside (the canon's, the query language's, plain words, the search files'), or those named: TIME seconds each, one
# after another, until one finds something.
#
# cargo-fuzz is installed if it is missing. The committed corpus is only read; what a run finds stays in the target folder,
# and an input that breaks a law in <crate>/fuzz/artifacts.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/lib.sh
. "$HERE/lib.sh"
# shellcheck source=deploy/stack/install.sh
. "$HERE/install.sh"

TIME=${TIME:-600}

need_rust
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
cd "$HERE/../.."
found=${CARGO_TARGET_DIR:-$PWD/target/fuzz}/corpus
# Crates with a folder `fuzz`, and the longest input of each in bytes: a query is longer than a name.
declare -A max_len=([normalize]=256 [dialect]=1024 [discover]=1024 [column-files]=256)
wanted=" $* "
tried=0
for crate in normalize dialect discover column-files; do
  mapfile -t names < <(cd "$crate" && cargo fuzz list)
  for name in "${names[@]}"; do
    [ "$#" -eq 0 ] || [[ "$wanted" == *" $name "* ]] || continue
    step "Fuzz $crate: $name ($TIME s)"
    tried=$((tried + 1))
    mkdir -p "$found/$crate/$name" "$crate/fuzz/corpus/$name"
    options=(-max_total_time="$TIME" -max_len="${max_len[$crate]}" -timeout=10)
    dictionary=fuzz/dictionaries/$name.dict
    [ ! -f "$crate/$dictionary" ] || options+=(-dict="$dictionary")
    # Without a sanitizer, since nothing but the mapping of a file is unsafe and the stable compiler builds them.
    (cd "$crate" && cargo fuzz run --sanitizer none "$name" "$found/$crate/$name" "fuzz/corpus/$name" -- "${options[@]}")
  done
done
[ "$tried" -gt 0 ] || die "there is no target$wanted"
