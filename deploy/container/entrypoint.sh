#!/usr/bin/env bash
# What a container of our image does: `secrets` (generates them once), `demo` (sample data, demo account, answers), `cli`, or a service's name.
# It uses the functions of `make up`, so that both kinds of stack have the same settings.
set -euo pipefail

SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/../stack" && pwd)
for file in lib parts install secrets postgres services sample demo; do
  # shellcheck source=/dev/null
  . "$SCRIPTS/$file.sh"
done

# Every part has a volume of its own with its own few secrets; the volume with all of them is this container's, the demo's and the CLI's.
PARTS_FOLDER=${ROSTER_PARTS:-/var/lib/roster/parts}

make_secrets() {
  make_data_folder
  load_secrets
  local service
  for service in "${SERVICES[@]}"; do
    secret_lines_of "$service" | write_private "$PARTS_FOLDER/$service/secrets.env"
  done
  # Of a version in which every container had this volume.
  rm -f "$DATA/postgres.password" "$DATA/postgres.env"
  make_postgres_secrets "$PARTS_FOLDER/postgres"
}

# Postgres runs under another user, who must be able to read them; no other container has the volume.
make_postgres_secrets() {
  chmod 755 "$1"
  printf '%s' "$POSTGRES_PASSWORD" >"$1/postgres.password"
  secret_lines_of postgres | grep '_DB_PASSWORD=' >"$1/postgres.env"
  chmod 644 "$1/postgres.password" "$1/postgres.env"
}

load_settings
case ${1:-} in
  secrets) make_secrets ;;
  demo)
    mkdir -p "$RUN" "$LOG"
    load_secrets
    within 60 curl --noproxy '*' -fsS "http://$GATEWAY_HOST:$GATEWAY_PORT/health/ready" || die "the gateway does not answer"
    write_env
    load_samples
    show_answers
    ;;
  command-service | projector | query-service | mcp-server)
    read_secrets
    # A service is given its own settings and nothing of the stack's: it refuses names that it does not know.
    settings=$(service_settings "$1" | quote_values)
    unset_settings
    set -a
    eval "$settings"
    exec "$(bin_folder)/$1" "${@:2}"
    ;;
  cli)
    load_secrets
    roster "${@:2}"
    ;;
  *) exec "$@" ;;
esac
