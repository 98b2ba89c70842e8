# shellcheck shell=bash
# The private Postgres of a stack: one cluster, a database for the event store and one for the read models. Sourced, never run.
#
# initdb and postgres refuse to run as root, so root runs them as the user `postgres`, who cannot enter .data (mode 700) nor, often,
# the checkout's parents. Then the cluster's folder is /var/lib/roster/<random>, and .data/postgres is a link to it.

as_postgres() {
  # setpriv, not runuser: it leaves no parent process behind, so that the pid is Postgres' own.
  if is_root; then setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"; else "$@"; fi
}

postgres_folder() { readlink -f "$DATA/postgres"; }

postgres_url() { printf 'postgres://%s:%s@%s:%s/%s\n' "$1" "$2" "$POSTGRES_HOST" "$POSTGRES_PORT" "$3"; }

admin_psql() {
  PGPASSWORD=$POSTGRES_PASSWORD psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$POSTGRES_PORT" -U roster "$@"
}

postgres_answers() { admin_psql -d postgres -c 'select 1'; }

create_cluster() {
  local folder passwords
  if is_root; then
    mkdir -p /var/lib/roster
    chmod 755 /var/lib/roster
    folder=$(mktemp -d /var/lib/roster/postgres.XXXXXXXX)
    chown postgres: "$folder"
  else
    folder=$DATA/postgres.new
    rm -rf "$folder"
    mkdir -p "$folder"
  fi
  # A file that only this user and `postgres` can read: a <( ) of root is closed to `postgres`.
  passwords=$folder/password
  (umask 077 && printf '%s\n' "$POSTGRES_PASSWORD" >"$passwords")
  ! is_root || chown postgres: "$passwords"
  (cd / && as_postgres "$(postgres_bin)/initdb" -D "$folder/data" -U roster --auth=scram-sha-256 --pwfile="$passwords" \
    -E UTF8 --locale=C.UTF-8 --data-checksums) >>"$LOG/postgres.log" 2>&1 ||
    { show_log_tail postgres; die "initdb failed"; }
  rm -f "$passwords"
  # Last, so that a cluster that .data names is always complete.
  if is_root; then ln -sfn "$folder" "$DATA/postgres"; else mv "$folder" "$DATA/postgres"; fi
}

postgres_command() {
  # Copied at each start: the user `postgres` may not be able to read the checkout.
  local folder=$1
  install -m 644 "$DEPLOY/postgres/postgresql.conf" "$folder/roster.conf"
  POSTGRES_COMMAND=("$(postgres_bin)/postgres" -D "$folder/data" -c "config_file=$folder/roster.conf"
    -c listen_addresses=127.0.0.1 -p "$POSTGRES_PORT" -c "shared_buffers=$POSTGRES_SHARED_BUFFERS" -c "fsync=${POSTGRES_FSYNC:-on}")
  if is_root; then
    POSTGRES_COMMAND=(setpriv --reuid=postgres --regid=postgres --init-groups -- "${POSTGRES_COMMAND[@]}")
  fi
}

start_postgres() {
  local POSTGRES_COMMAND is_new=
  runs postgres && return 0
  need_free_port "$POSTGRES_PORT" postgres POSTGRES_PORT
  if ! [ -d "$DATA/postgres/data" ]; then
    create_cluster
    is_new=yes
  fi
  end_old_backends
  # Left by a kill -9. Postgres would remove it itself, but takes a zombie of that number for a living server.
  rm -f "$(postgres_folder)/data/postmaster.pid"
  postgres_command "$(postgres_folder)"
  # After kill -9 it first reads its log again; that can take longer than a start.
  (cd / && launch_ready postgres 120 postgres_answers -- "${POSTGRES_COMMAND[@]}")
  [ -z "$is_new" ] || [ "${POSTGRES_FSYNC:-on}" = off ] || make_log_files
}

# The files of the write-ahead log that min_wal_size keeps, before anybody waits for one. A log without them is as sound: none are made
# where they would leave little room, nor for longer than a minute.
make_log_files() {
  local free next="select pg_logical_emit_message(true, 'roster', 'next'), pg_switch_wal();"
  free=$(df --output=avail -k "$(postgres_folder)" | tail -n 1)
  [ "$free" -gt $((4 * 1024 * 1024)) ] || return 0
  { printf "$next\n%.0s" {1..63} && echo checkpoint; } | PGPASSWORD=$POSTGRES_PASSWORD timeout 60 \
    psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$POSTGRES_PORT" -U roster -d postgres >/dev/null 2>>"$LOG/postgres.log" ||
    warn "the files of Postgres' log are made as they are needed"
}

# When the main process was killed, its children end by themselves shortly after, but not in the middle of a long computation; until then
# a new one refuses to start. Killing them loses nothing: what they had not committed is lost with their server.
end_old_backends() {
  local pid
  ! within 10 no_old_backends || return 0
  for pid in $(old_backends); do kill -s KILL "$pid" 2>/dev/null || true; done
  within 10 no_old_backends || die "processes of an earlier Postgres still use $(postgres_folder)"
}

old_backends() {
  local folder process
  folder=$(postgres_folder)
  for process in /proc/[0-9]*; do
    ! works_in "${process#/proc/}" postgres "$folder/data" || printf '%s\n' "${process#/proc/}"
  done
}

no_old_backends() { [ -z "$(old_backends)" ]; }

# SIGINT is Postgres' "fast" stop: it ends sessions and writes a checkpoint.
stop_postgres() { end_part postgres INT 30; }

# Roles and databases; every statement can be repeated, and is while Postgres recovers from the end of a child.
create_databases() {
  within 5 run_databases_sql || { show_log_tail postgres; die "the databases could not be made"; }
}

run_databases_sql() {
  COMMAND_DB_PASSWORD=$COMMAND_DB_PASSWORD PROJECTOR_DB_PASSWORD=$PROJECTOR_DB_PASSWORD QUERY_DB_PASSWORD=$QUERY_DB_PASSWORD \
    admin_psql -d postgres -f "$DEPLOY/postgres/databases.sql" -v events="$EVENT_STORE_DATABASE" -v reads="$READ_MODEL_DATABASE" \
    >>"$LOG/postgres.log" 2>&1
}

remove_cluster() {
  local folder
  folder=$(postgres_folder) || return 0
  rm -rf "$DATA/postgres"
  # Only a folder that create_cluster made: a link that somebody bent elsewhere is not followed.
  [[ $folder != /var/lib/roster/postgres.* ]] || rm -rf "$folder"
}
