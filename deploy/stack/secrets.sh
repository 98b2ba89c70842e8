# shellcheck shell=bash
# Passwords, tokens and keys of a stack: generated once, kept in .data/secrets.env (mode 600). Sourced, never run.

# Every line NAME=VALUE is random; a name that a later version adds is added to an older file.
SECRET_NAMES=(
  POSTGRES_PASSWORD
  COMMAND_DB_PASSWORD PROJECTOR_DB_PASSWORD QUERY_DB_PASSWORD
  INTERNAL_TOKEN ADMIN_TOKEN
  API_KEY_PEPPER REQUEST_HASH_SECRET
)

load_secrets() {
  local file=$DATA/secrets.env name value
  {
    [ ! -f "$file" ] || cat "$file"
    for name in "${SECRET_NAMES[@]}"; do
      grep -qs "^$name=" "$file" || printf '%s=%s\n' "$name" "$(random_hex 32)"
    done
  } | write_private "$file"
  # Shell variables, not exported: each service is given its own few.
  while IFS='=' read -r name value; do
    printf -v "$name" '%s' "$value"
  done <"$file"
}
