#!/usr/bin/env bash
# Starts and stops a stack, whole or by part: what the Makefile's targets call, and the tests for private stacks.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for file in lib parts install secrets postgres kafka services gateway sample demo; do
  # shellcheck source=/dev/null
  . "$HERE/$file.sh"
done

# In the order in which they start; they stop in the opposite one.
PARTS=(postgres kafka command-service projector query-service mcp-server gateway)

usage() {
  cat <<END
stack.sh up                  build, start what is not running, load the sample, show answers
stack.sh demo                one answer of each kind from a running stack
stack.sh down                stop everything; the data stays
stack.sh restart PART        one of: ${PARTS[*]}
stack.sh start [PART...]     what is not running, without building, the sample and the demo
stack.sh stop PART...
stack.sh kill PART           SIGKILL, as a crash
stack.sh restored [--after-running]
                             begin a new history: the event store went back (docs/BACKUP.md)
stack.sh clean-data          stop everything and remove the data
END
}

is_part() {
  local part
  for part in "${PARTS[@]}"; do [ "$part" != "$1" ] || return 0; done
  return 1
}

start_part() {
  case $1 in
    postgres) start_postgres ;;
    kafka) start_kafka ;;
    gateway) start_gateway ;;
    *) start_service "$1" ;;
  esac
}

stop_part() {
  case $1 in
    postgres) stop_postgres ;;
    kafka) stop_kafka ;;
    gateway) stop_gateway ;;
    *) stop_service "$1" ;;
  esac
}

install_parts() {
  step "System packages"
  need postgres nginx mvn java curl jq
  need_rust
  install_kafka
}

start_all() {
  local part
  step "Parts"
  for part in "${PARTS[@]}"; do
    if runs "$part"; then
      say "   $part is up already (pid $(pid_of "$part"))"
    else
      start_part "$part"
    fi
    [ "$part" != postgres ] || create_databases
  done
}

# The gateway, Postgres and Kafka of `make up` listen on loopback alone.
need_loopback() {
  local name
  for name in BIND_ADDRESS $(sed -n 's/^\([A-Z]*_HOST\)=.*/\1/p' "$DEPLOY/settings.env"); do
    [ "${!name}" = 127.0.0.1 ] || die "$name=${!name}: all parts of make up are on 127.0.0.1; beyond it they run in containers, or one by one"
  done
}

# By these the parts that run find each other: with others, those that are started now would not find them.
need_same_addresses() {
  local key saved part
  for part in "${PARTS[@]}"; do ! runs "$part" || break; done
  runs "$part" && [ -f "$DATA/settings.env" ] || return 0
  while IFS='=' read -r key saved; do
    case $key in
      *_PORT | *_DATABASE | TOPIC_*) [ "${!key-$saved}" = "$saved" ] || die "$part runs with $key=$saved: make down first, then $key=${!key} make up" ;;
    esac
  done <"$DATA/settings.env"
}

up() {
  install_parts
  load_settings
  need_loopback
  need_same_addresses
  save_settings
  load_secrets
  build_services
  start_all
  write_env
  load_samples
  show_answers
}

down() {
  local i
  for ((i = ${#PARTS[@]} - 1; i >= 0; i--)); do stop_part "${PARTS[i]}"; done
}

# Two commands on one stack at once would start parts twice.
only_one() {
  exec 9>"$RUN/lock"
  flock -n 9 && return
  say "waiting for another command that is working on $DATA"
  flock -w 600 9 || die "another command has been working on $DATA for 10 minutes"
}

main() {
  local command=${1:-help} part
  shift || true
  case $command in
    help | -h | --help) usage && return ;;
    clean-data)
      [ -d "$DATA" ] || return 0
      is_data_folder || die "$DATA has no file $MARKER, so it is not known to be a stack's: nothing was removed"
      ;;
    down) [ -d "$DATA" ] || return 0 ;;
  esac
  make_data_folder
  only_one
  [ "$command" = up ] || { load_settings && load_secrets; }
  case $command in
    up) up ;;
    down) down ;;
    demo) show_all_answers ;;
    restored) begin_history "$@" ;;
    clean-data)
      down
      remove_cluster
      remove_data_folder
      ;;
    restart | start | stop | kill)
      if [ "$command" = start ] && [ $# -eq 0 ]; then start_all; fi
      [ $# -gt 0 ] || [ "$command" = start ] || die "name a part, as in: make restart SERVICE=query-service (one of: ${PARTS[*]})"
      for part in "$@"; do
        is_part "$part" || die "no such part: ${part:-(empty)}; one of: ${PARTS[*]}"
        case $command in
          restart) stop_part "$part" && start_part "$part" ;;
          start) start_part "$part" ;;
          stop) stop_part "$part" ;;
          kill) end_part "$part" KILL 10 ;;
        esac
      done
      ;;
    *) usage >&2 && exit 2 ;;
  esac
}

main "$@"
