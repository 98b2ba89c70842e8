#!/usr/bin/env bash
# Run by the postgres image when its volume is new: makes the roles and databases of a stack.
set -euo pipefail

# Written by `entrypoint.sh secrets`.
# shellcheck source=/dev/null
. /run/roster/postgres.env
psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -f /etc/roster/databases.sql \
  -v events="$EVENT_STORE_DATABASE" -v reads="$READ_MODEL_DATABASE" \
  -v command_password="$COMMAND_DB_PASSWORD" -v projector_password="$PROJECTOR_DB_PASSWORD" -v query_password="$QUERY_DB_PASSWORD"
