#!/usr/bin/env bash
# What a container of our image does: `secrets` (generates them once), `demo` (sample data, demo account, answers), `cli`, or a service's name.
# It uses the functions of `make up`, so that both kinds of stack have the same settings.
set -euo pipefail

SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/../stack" && pwd)
for file in lib parts install secrets postgres services sample demo; do
  # shellcheck source=/dev/null
  . "$SCRIPTS/$file.sh"
done

# Postgres runs under another user, who is given its own passwords in files that he can read; the volume is closed to the host's users.
make_secrets() {
  make_data_folder
  chmod 755 "$DATA"
  load_secrets
  printf '%s' "$POSTGRES_PASSWORD" >"$DATA/postgres.password"
  grep '_DB_PASSWORD=' "$DATA/secrets.env" >"$DATA/postgres.env"
  chmod 644 "$DATA/postgres.password" "$DATA/postgres.env"
}

load_settings
case ${1:-} in
  secrets) make_secrets ;;
  demo)
    mkdir -p "$RUN" "$LOG"
    load_secrets
    within 60 curl -fsS "http://$GATEWAY_HOST:$GATEWAY_PORT/health/ready" || die "the gateway does not answer"
    write_env
    load_samples
    show_answers
    ;;
  command-service | projector | query-service | mcp-server)
    load_secrets
    # A service is given its own settings and nothing of the stack's: it refuses names that it does not know.
    settings=$(service_settings "$1" | quote_values)
    unset_settings
    set -a
    eval "$settings"
    exec "$(bin_folder)/$1"
    ;;
  cli)
    load_secrets
    roster "${@:2}"
    ;;
  *) exec "$@" ;;
esac
