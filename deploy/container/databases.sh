#!/usr/bin/env bash
# Run by the postgres image when its volume is new: makes the roles and databases of a stack.
set -euo pipefail

# Written by `entrypoint.sh secrets`.
set -a
# shellcheck source=/dev/null
. /run/roster/postgres.env
set +a
psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -f /etc/roster/databases.sql \
  -v events="$EVENT_STORE_DATABASE" -v reads="$READ_MODEL_DATABASE"
