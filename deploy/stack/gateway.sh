# shellcheck shell=bash
# The gateway of a stack: nginx as a process of its own, with its own configuration and folder. Sourced, never run.

nginx_command() { command -v nginx || echo /usr/sbin/nginx; }

# Fills the ${NAMES} of the template; nginx' own $names stay.
write_gateway_configuration() {
  mkdir -p "$DATA/gateway/temp"
  sed -e "s|\${GATEWAY_LISTEN}|127.0.0.1:$GATEWAY_PORT|" \
    -e "s|\${GATEWAY_ACCESS_LOG}|$GATEWAY_ACCESS_LOG|" \
    -e "s|\${GATEWAY_TEMP}|$DATA/gateway/temp|" \
    -e "s|\${GATEWAY_REFUSALS}|$DEPLOY/gateway/refusals.conf|" \
    -e "s|\${QUERY_SERVERS}|server 127.0.0.1:$QUERY_PORT;|" \
    -e "s|\${COMMAND_SERVERS}|server 127.0.0.1:$COMMAND_PORT;|" \
    -e "s|\${MCP_SERVERS}|server 127.0.0.1:$MCP_PORT;|" \
    "$DEPLOY/gateway/nginx.conf.template" | write_private "$DATA/gateway/nginx.conf"
}

gateway_answers() { port_is_open "$GATEWAY_PORT"; }

start_gateway() {
  runs gateway && return 0
  end_orphans gateway
  need_free_port "$GATEWAY_PORT" gateway GATEWAY_PORT
  write_gateway_configuration
  local global="daemon off; pid \"$DATA/gateway/nginx.pid\";"
  # Root hands the workers to a user who owns nothing; others cannot change user at all.
  ! is_root || global+=" user www-data;"
  # In a folder of its own, by which its workers are known.
  (cd "$DATA/gateway" && launch_ready gateway 15 gateway_answers -- "$(nginx_command)" -p "$DATA/gateway" -c "$DATA/gateway/nginx.conf" -g "$global")
}

# SIGQUIT lets running requests end.
stop_gateway() { end_part gateway QUIT 35; }
