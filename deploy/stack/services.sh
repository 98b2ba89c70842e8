# shellcheck shell=bash
# The four services of a stack: built once, each started with the few settings that it needs. Sourced, never run.

SERVICES=(command-service projector query-service mcp-server)

# Progress is cargo's own.
build_services() {
  step "Build (release; the first time takes several minutes)"
  local package packages=()
  for package in "${SERVICES[@]}" roster; do packages+=(-p "$package"); done
  # It does not keep the stack's lock, should it outlive who started it.
  (cd "$ROOT" && cargo build --release --locked "${packages[@]}") 9>&- || die "the build failed"
}

bin_folder() { printf '%s\n' "${ROSTER_BIN_DIR:-$(target_folder)/release}"; }

# The settings of one service: its listeners, its database role, digests of the tokens that it checks and the ones that it sends. It names no
# secret that `secrets_of` does not give that service.
service_settings() {
  cat <<END
KAFKA_BROKERS=$KAFKA_HOST:$KAFKA_PORT
TOPIC_PREFIX=$TOPIC_PREFIX
TOPIC_PARTITIONS=$TOPIC_PARTITIONS
OBJECT_STORE=$OBJECTS
LOG=$LOG_FILTER
END
  case $1 in
    command-service)
      cat <<END
EVENT_STORE_URL=$(postgres_url roster_command "$COMMAND_DB_PASSWORD" "$EVENT_STORE_DATABASE")
COMMAND_SERVICE_PUBLIC_LISTEN=$BIND_ADDRESS:$COMMAND_PORT
COMMAND_SERVICE_INTERNAL_LISTEN=$BIND_ADDRESS:$COMMAND_INTERNAL_PORT
COMMAND_SERVICE_ADMIN_LISTEN=$BIND_ADDRESS:$COMMAND_ADMIN_PORT
COMMAND_SERVICE_INTERNAL_ADDRESS=http://$COMMAND_HOST:$COMMAND_INTERNAL_PORT
QUERY_SERVICE_URL=http://$QUERY_HOST:$QUERY_PORT
INTERNAL_TOKENS_QUERY_SERVICE=query-service:$QUERY_DIGEST
INTERNAL_TOKENS_PROJECTOR=projector:$PROJECTOR_DIGEST
INTERNAL_TOKENS_MCP_SERVER=mcp-server:$MCP_DIGEST
INTERNAL_TOKENS_PEERS=peer:$PEER_DIGEST
PEER_TOKEN=$PEER_TOKEN
RECORDS_TOKEN=$RECORDS_TOKEN
FORWARD_SECRETS=$FORWARD_SECRET
ADMIN_TOKENS=operator:$ADMIN_DIGEST
API_KEY_PEPPER=$API_KEY_PEPPER
REQUEST_HASH_SECRET=$REQUEST_HASH_SECRET
END
      ;;
    projector)
      cat <<END
READ_MODEL_URL=$(postgres_url roster_projector "$PROJECTOR_DB_PASSWORD" "$READ_MODEL_DATABASE")
PROJECTOR_READER_ROLE=roster_query
PROJECTOR_LISTEN=$BIND_ADDRESS:$PROJECTOR_PORT
PROJECTOR_SEARCH_SPOOL=$SPOOL
COMMAND_SERVICE_URLS=http://$COMMAND_HOST:$COMMAND_INTERNAL_PORT
INTERNAL_TOKEN=$PROJECTOR_TOKEN
ADMIN_TOKENS=operator:$ADMIN_DIGEST
END
      ;;
    query-service)
      cat <<END
QUERY_SERVICE_READ_MODEL_URL=$(postgres_url roster_query "$QUERY_DB_PASSWORD" "$READ_MODEL_DATABASE")
QUERY_SERVICE_LISTEN=$BIND_ADDRESS:$QUERY_PORT
SEARCH_FOLDER=$SEARCH
COMMAND_SERVICE_URLS=http://$COMMAND_HOST:$COMMAND_INTERNAL_PORT
INTERNAL_TOKENS=command-service:$RECORDS_DIGEST
INTERNAL_TOKEN=$QUERY_TOKEN
REQUEST_HASH_SECRET=$REQUEST_HASH_SECRET
END
      ;;
    mcp-server)
      cat <<END
MCP_SERVER_LISTEN=$BIND_ADDRESS:$MCP_PORT
PUBLIC_BASE_URL=${PUBLIC_BASE_URL:-http://127.0.0.1:$GATEWAY_PORT}
COMMAND_SERVICE_URLS=http://$COMMAND_HOST:$COMMAND_INTERNAL_PORT
QUERY_SERVICE_URL=http://$QUERY_HOST:$QUERY_PORT
COMMAND_SERVICE_PUBLIC_URL=http://$COMMAND_HOST:$COMMAND_PORT
INTERNAL_TOKEN=$MCP_TOKEN
END
      ;;
  esac
  # Lines that an operator adds, for any service: OTEL_EXPORTER_OTLP_ENDPOINT, QUERY_SERVICE_…
  [ ! -f "$DATA/services.env" ] || cat "$DATA/services.env"
}

# KEY=VALUE lines as shell lines. A value that stands in quotes already, as an operator may write it, is taken without them.
quote_values() {
  sed -e "s/^\([A-Z_0-9]*\)='\(.*\)'$/\1=\2/" -e "/^[A-Z_0-9]*=/s/'/'\\\\''/g" -e "s/^\([A-Z_0-9]*\)=\(.*\)$/\1='\2'/"
}

# The name of the setting that holds the port on which a service says whether it is ready.
service_port_setting() {
  case $1 in
    command-service) echo COMMAND_PORT ;;
    projector) echo PROJECTOR_PORT ;;
    query-service) echo QUERY_PORT ;;
    mcp-server) echo MCP_PORT ;;
  esac
}

write_settings() {
  local service=$1
  mkdir -p "$DATA/config"
  service_settings "$service" | quote_values | write_private "$DATA/config/$service.env"
}

service_is_ready() { curl --noproxy '*' -fsS -m 5 "http://127.0.0.1:$SERVICE_PORT/health/ready"; }

start_service() {
  local service=$1 bin setting SERVICE_PORT
  runs "$service" && return 0
  bin=$(bin_folder)/$service
  [ -x "$bin" ] || die "$bin is not built: run make up"
  setting=$(service_port_setting "$service")
  SERVICE_PORT=${!setting}
  need_free_port "$SERVICE_PORT" "$service" "$setting"
  mkdir -p "$OBJECTS" "$SEARCH" "$SPOOL"
  write_settings "$service"
  # A clean environment: the settings are in one file that can be read, and secrets are on no command line.
  # After kill -9 of command-service its shard leases must first run out, which takes seconds.
  # shellcheck disable=SC2016
  launch_ready "$service" 120 service_is_ready -- env -i "PATH=$PATH" "HOME=$HOME" \
    bash -c 'set -a; . "$1"; cd "$2" && exec "$3"' "$service" "$DATA/config/$service.env" "$DATA" "$bin"
}

# After the event store went back (docs/BACKUP.md): by the settings of command-service, which must not run.
begin_history() {
  ! runs command-service || die "command-service runs: stop it first"
  write_settings command-service
  # shellcheck disable=SC2016
  env -i "PATH=$PATH" "HOME=$HOME" bash -c 'set -a; . "$1"; exec "$2" restored "${@:3}"' restored \
    "$DATA/config/command-service.env" "$(bin_folder)/command-service" "$@"
}

# Services drain their requests on SIGTERM; none takes longer than 30 s.
stop_service() { end_part "$1" TERM 35; }
