# shellcheck shell=bash
# The private Apache Kafka of a stack: one KRaft broker from Maven packages. Sourced, never run.

# Test stacks share the packages of the checkout instead of copying 54 MB each.
KAFKA_LIBS=${ROSTER_KAFKA_LIBS:-$DATA/kafka-libs}

install_kafka() {
  [ ! -f "$KAFKA_LIBS/complete" ] || cmp -s "$KAFKA_LIBS/complete" "$DEPLOY/kafka/pom.xml" || rm -rf "$KAFKA_LIBS"
  [ ! -f "$KAFKA_LIBS/complete" ] || return 0
  say "   fetching Apache Kafka (92 Maven packages, 54 MB)"
  mkdir -p "$KAFKA_LIBS"
  mvn -q -B -f "$DEPLOY/kafka/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$KAFKA_LIBS" \
    </dev/null >"$LOG/maven.log" 2>&1 || { show_log_tail maven; die "Maven could not fetch Kafka"; }
  cp "$DEPLOY/kafka/pom.xml" "$KAFKA_LIBS/complete"
}

kafka_tool() { java -cp "$KAFKA_LIBS/*" -Dlog4j2.configurationFile="$DEPLOY/kafka/log4j2.yaml" "$@"; }

# The settings that hold everywhere, and behind them those of this stack.
write_kafka_properties() {
  {
    cat "$DEPLOY/kafka/server.properties"
    cat <<END
listeners=PLAINTEXT://127.0.0.1:$KAFKA_PORT,CONTROLLER://127.0.0.1:$KAFKA_CONTROLLER_PORT
advertised.listeners=PLAINTEXT://127.0.0.1:$KAFKA_PORT
controller.quorum.bootstrap.servers=127.0.0.1:$KAFKA_CONTROLLER_PORT
log.dirs=$DATA/kafka
END
  } | write_private "$DATA/kafka.properties"
}

format_kafka() {
  [ ! -f "$DATA/kafka/meta.properties" ] || return 0
  local id
  id=$(kafka_tool kafka.tools.StorageTool random-uuid 2>/dev/null | tail -n 1)
  kafka_tool kafka.tools.StorageTool format --standalone -t "$id" -c "$DATA/kafka.properties" \
    >>"$LOG/kafka.log" 2>&1 || { show_log_tail kafka; die "Kafka's folder could not be formatted"; }
}

# The port opens when the broker is let in by its controller, so an open port is a broker that takes requests.
kafka_answers() { port_is_open "$KAFKA_PORT"; }

start_kafka() {
  runs kafka && return 0
  need_free_port "$KAFKA_PORT" kafka KAFKA_PORT
  need_free_port "$KAFKA_CONTROLLER_PORT" "kafka (controller)" KAFKA_CONTROLLER_PORT
  write_kafka_properties
  format_kafka
  local heap
  read -r -a heap <<<"$KAFKA_HEAP"
  launch_ready kafka 120 kafka_answers -- java "${heap[@]}" -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -cp "$KAFKA_LIBS/*" \
    -Dlog4j2.configurationFile="$DEPLOY/kafka/log4j2.yaml" kafka.Kafka "$DATA/kafka.properties"
}

stop_kafka() { end_part kafka TERM 30; }
