# shellcheck shell=bash
# Loads data/sample as two data builds, once. Sourced, never run.

roster() {
  ROSTER_ADMIN_URL=http://$COMMAND_HOST:$COMMAND_ADMIN_PORT ROSTER_ADMIN_TOKEN=$ADMIN_TOKEN OBJECT_STORE=$OBJECTS \
    "$(bin_folder)/roster" "$@"
}

# Prints the status of the sample build of KIND, or nothing; "active" also when any other build of the kind is active.
sample_status() {
  roster builds list --json | jq -r --arg kind "$1" --arg name "sample-$1" '
    [.builds[] | select(.kind == $kind)]
    | if any(.status == "active") then "active" else (map(select(.build == $name)) | .[0].status // "") end'
}

load_sample() {
  local kind=$1 file=$2 status
  status=$(sample_status "$kind") || die "the list of data builds could not be read"
  case $status in
    active) say "   a $kind build is active already" ;;
    # A `make up` that was cut off in between left one of these; `ingest` resumes a build that is still loading.
    loaded | retired) roster builds activate "sample-$kind" ;;
    "" | loading) roster ingest --kind "$kind" --build "sample-$kind" "$file" ;;
    *) die "data build sample-$kind is $status; see: roster builds show sample-$kind" ;;
  esac
}

load_samples() {
  step "Sample data"
  load_sample company "$ROOT/data/sample/companies.ndjson.gz"
  load_sample person "$ROOT/data/sample/persons.ndjson.gz"
  tell_builds_behind
}

# After an update: active builds whose records requests may miss, since an earlier version loaded them.
tell_builds_behind() {
  local behind
  behind=$(curl --noproxy '*' -fsS -m 10 -H @- "http://$PROJECTOR_HOST:$PROJECTOR_PORT/admin/lag" <<<"Authorization: Bearer $ADMIN_TOKEN" |
    jq -r '[(.builds_behind // [])[] | select(.status == "active") | .build] | join(", ")') || return 0
  [ -z "$behind" ] || warn "loaded by an earlier version, so that requests may miss records: $behind (docs/OPERATING.md, \"Data builds after an update\")"
}
