# shellcheck shell=bash
# What every script of the stack needs: where things are, which ports hold, saying and failing, waiting with a limit.
# Sourced, never run. Parts and their processes are in parts.sh.

# The settings' names come out of settings.env, so shellcheck cannot see where they are assigned.
# shellcheck disable=SC2034
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
DEPLOY=$ROOT/deploy

# A stack lives in one folder. Tests start private stacks with the same scripts by naming another folder.
DATA=$(realpath -m "${ROSTER_DATA:-$ROOT/.data}")
RUN=$DATA/run
LOG=$DATA/log
# Chunks of data builds: command-service writes them, projector reads them. Search files: projector, then query-service.
OBJECTS=${ROSTER_OBJECTS:-$DATA/objects}
# Search files that query-service has fetched, and those that projector has under way: local disk, made anew when lost.
SEARCH=${ROSTER_SEARCH:-$DATA/search}
SPOOL=${ROSTER_SPOOL:-$DATA/spool}

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# A connection is a file: the default of 1,024 would end a load test, and a busy day, too early.
ulimit -S -n "$(ulimit -H -n)" 2>/dev/null || true

is_root() { [ "$(id -u)" -eq 0 ]; }

# The file that says that a folder is a stack's. Without it nothing is ever removed there as a whole.
MARKER=.roster

# Makes the data folder: readable by its owner alone, as is everything that is written into it.
make_data_folder() {
  umask 077
  mark_data_folder "$DATA"
  mkdir -p "$RUN" "$LOG"
  chmod 700 "$DATA"
}

# Takes a folder for a stack: one that is empty or new, or that an earlier version made, which set no mark.
mark_data_folder() {
  local folder=$1 name
  mkdir -p "$folder"
  [ ! -e "$folder/$MARKER" ] || return 0
  for name in "$folder"/* "$folder"/.[!.]*; do
    [ -e "$name" ] || continue
    name=${name##*/}
    is_name_of_ours "$name" || die "$folder holds $name, which is not Roster's: name a folder of its own with ROSTER_DATA"
  done
  printf '%s\n' "A stack of Roster. \"make clean-data\" removes this folder with all that is in it." >"$folder/$MARKER"
}

is_name_of_ours() {
  case $1 in
    run | log | config | env | settings.env | secrets.env | services.env | demo-shown) ;;
    postgres | postgres.new | postgres.password | postgres.env | kafka | kafka.properties | kafka-libs | gateway) ;;
    objects | search | spool | bench-python | splink) ;;
    # A file system of its own.
    lost+found) ;;
    # A file that was being written when its writer was killed.
    env.?????? | *.env.?????? | kafka.properties.??????) ;;
    *) return 1 ;;
  esac
}

is_data_folder() { [ -f "$DATA/$MARKER" ]; }

# Removes the data folder, which nobody but a stack has written into.
remove_data_folder() {
  is_data_folder || die "$DATA has no file $MARKER, so it is not known to be a stack's: nothing was removed"
  rm -rf "$DATA"
}

# Takes KEY=VALUE lines of FILE for the keys that the environment does not set yet.
take_settings() {
  local file=$1 key value
  [ -f "$file" ] || return 0
  while IFS='=' read -r key value; do
    [[ $key =~ ^[A-Z][A-Z0-9_]*$ ]] || continue
    [ -n "${!key+set}" ] || printf -v "$key" '%s' "$value"
  done <"$file"
}

# Order: environment, what this stack was started with, the defaults. So `make down` finds what `GATEWAY_PORT=9080 make up` started.
load_settings() {
  take_settings "$DATA/settings.env"
  take_settings "$DEPLOY/settings.env"
}

unset_settings() {
  local key
  while IFS='=' read -r key _; do
    [[ ! $key =~ ^[A-Z][A-Z0-9_]*$ ]] || unset "$key"
  done <"$DEPLOY/settings.env"
}

# Keeps the settings of this stack for the next command.
save_settings() {
  local key
  while IFS='=' read -r key _; do
    [[ ! $key =~ ^[A-Z][A-Z0-9_]*$ ]] || printf '%s=%s\n' "$key" "${!key}"
  done <"$DEPLOY/settings.env" | write_private "$DATA/settings.env"
}

# Writes stdin to FILE in one step, mode 600: a reader sees the old file or the whole new one.
write_private() {
  local file=$1 new
  new=$(mktemp "$file.XXXXXX")
  cat >"$new"
  chmod 600 "$new"
  mv -f "$new" "$file"
}

# Prints BYTES random bytes in hexadecimal.
random_hex() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }

# Runs the rest as a command until it succeeds, at most SECONDS; false when the time is over.
within() {
  local seconds=$1 until
  shift
  until=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$until" ] || return 1
    sleep 0.1
  done
}

port_is_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port_is_free() { ! port_is_open "$1"; }

# What a part of Java complained of, most recent last: where tests fail together, their server may be why.
show_complaints() {
  local file=$LOG/$1.log
  [ -s "$file" ] || return 0
  printf -- '--- the last warnings in the log of %s\n' "$1" >&2
  grep -E ' (WARN|ERROR|FATAL) | Fencing broker' "$file" | cut -c 1-300 | tail -n 20 >&2 || true
  printf -- '---\n' >&2
}

show_log_tail() {
  local file=$LOG/$1.log
  [ -s "$file" ] || return 0
  printf -- '--- the last lines of %s\n' "$file" >&2
  tail -n 20 "$file" >&2
  printf -- '---\n' >&2
}
