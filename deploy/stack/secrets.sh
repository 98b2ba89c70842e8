# shellcheck shell=bash
# Passwords, tokens and keys of a stack: generated once, kept in .data/secrets.env (mode 600). Sourced, never run.

# Every line NAME=VALUE is random; a name that a later version adds is added to an older file.
SECRET_NAMES=(
  POSTGRES_PASSWORD
  COMMAND_DB_PASSWORD PROJECTOR_DB_PASSWORD QUERY_DB_PASSWORD
  QUERY_TOKEN PROJECTOR_TOKEN MCP_TOKEN PEER_TOKEN RECORDS_TOKEN ADMIN_TOKEN
  FORWARD_SECRET API_KEY_PEPPER REQUEST_HASH_SECRET
)

# The tokens that a part only checks: it is given their digests, with which nobody can ask anything.
CHECKED_TOKENS=(QUERY_TOKEN PROJECTOR_TOKEN MCP_TOKEN PEER_TOKEN RECORDS_TOKEN ADMIN_TOKEN)

# Prints the names of what one part is given, and nothing that only others need.
secrets_of() {
  case $1 in
    command-service)
      echo COMMAND_DB_PASSWORD QUERY_DIGEST PROJECTOR_DIGEST MCP_DIGEST PEER_DIGEST ADMIN_DIGEST \
        PEER_TOKEN RECORDS_TOKEN FORWARD_SECRET API_KEY_PEPPER REQUEST_HASH_SECRET
      ;;
    projector) echo PROJECTOR_DB_PASSWORD PROJECTOR_TOKEN ADMIN_DIGEST ;;
    query-service) echo QUERY_DB_PASSWORD QUERY_TOKEN RECORDS_DIGEST REQUEST_HASH_SECRET ;;
    mcp-server) echo MCP_TOKEN ;;
    postgres) echo POSTGRES_PASSWORD COMMAND_DB_PASSWORD PROJECTOR_DB_PASSWORD QUERY_DB_PASSWORD ;;
  esac
}

load_secrets() {
  local file=$DATA/secrets.env name value
  {
    [ ! -f "$file" ] || cat "$file"
    for name in "${SECRET_NAMES[@]}"; do
      grep -qs "^$name=" "$file" || printf '%s=%s\n' "$name" "$(random_hex 32)"
    done
  } | write_private "$file"
  read_secrets
  for name in "${CHECKED_TOKENS[@]}"; do
    printf -v "${name/%TOKEN/DIGEST}" 'sha256:%s' "$(printf '%s' "${!name}" | sha256sum | cut -d ' ' -f 1)"
  done
}

# Shell variables, not exported: each service is given its own few.
read_secrets() {
  local name value
  while IFS='=' read -r name value; do
    printf -v "$name" '%s' "$value"
  done <"$DATA/secrets.env"
}

# What one part is given, as KEY=VALUE lines.
secret_lines_of() {
  local name
  for name in $(secrets_of "$1"); do printf '%s=%s\n' "$name" "${!name}"; done
}
