# shellcheck shell=bash
# A Postgres and a Kafka on free ports in a folder of their own, for tests and benches, ended and removed when the script ends.
# Sourced, never run.

STACK_SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$STACK_SCRIPTS/../.." && pwd)

# Outside the checkout: its path may be too long or closed to the user `postgres`.
ROSTER_DATA=$(mktemp -d "${TMPDIR:-/tmp}/roster-private.XXXXXXXX")
export ROSTER_DATA
export ROSTER_KAFKA_LIBS=${ROSTER_KAFKA_LIBS:-$CHECKOUT/.data/kafka-libs}

for file in lib parts install secrets postgres kafka; do
  # shellcheck source=/dev/null
  . "$STACK_SCRIPTS/$file.sh"
done

# Prints a port that nobody listens on, below the range from which the system takes ports for outgoing connections.
free_port() {
  local port
  while :; do
    port=$((10000 + RANDOM % 20000))
    if port_is_free "$port"; then
      printf '%s\n' "$port"
      return
    fi
  done
}

end_private_stack() {
  local status=$?
  trap - EXIT INT TERM
  [ "$status" -eq 0 ] || show_complaints kafka
  "$STACK_SCRIPTS/stack.sh" clean-data >/dev/null 2>&1 || warn "the private stack in $ROSTER_DATA could not be removed"
  exit "$status"
}

with_private_stack() {
  trap end_private_stack EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Exports what tests read: an administrator's URL of a server on which they make their own databases, and a broker.
start_private_stack() {
  step "Private Postgres and Kafka in $ROSTER_DATA"
  need postgres mvn java curl jq nginx kill
  need_rust
  make_data_folder
  # The packages of Kafka stay in the checkout's data folder.
  mark_data_folder "$CHECKOUT/.data"
  install_kafka
  # Read by the functions of postgres.sh and kafka.sh.
  # shellcheck disable=SC2034
  POSTGRES_PORT=$(free_port) KAFKA_PORT=$(free_port) KAFKA_CONTROLLER_PORT=$(free_port)
  load_settings
  save_settings
  load_secrets
  start_postgres
  start_kafka
  TEST_POSTGRES_URL=$(postgres_url roster "$POSTGRES_PASSWORD" postgres)
  TEST_KAFKA_BROKERS=127.0.0.1:$KAFKA_PORT
  export TEST_POSTGRES_URL TEST_KAFKA_BROKERS
}
