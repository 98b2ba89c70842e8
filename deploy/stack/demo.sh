# shellcheck shell=bash
# A demo account with a contract and a key, made once and kept in .data/env, and an answer of each kind to look at. Sourced, never run.

# The lines of .data/env that hold without a demo account; what it holds already stays.
write_env() {
  local account contract key
  account=$(env_value ACCOUNT_ID)
  contract=$(env_value CONTRACT_ID)
  key=$(env_value API_KEY)
  write_env_lines "$account" "$contract" "$key"
  [ -n "$key" ] || make_demo_account
}

env_value() { [ ! -f "$DATA/env" ] || sed -n "s/^$1='\{0,1\}\([^']*\)'\{0,1\}$/\1/p" "$DATA/env"; }

write_env_lines() {
  cat <<END | write_private "$DATA/env"
BASE_URL='http://$GATEWAY_HOST:$GATEWAY_PORT'
API_KEY='$3'
ACCOUNT_ID='$1'
CONTRACT_ID='$2'
ROSTER_ADMIN_URL='http://$COMMAND_HOST:$COMMAND_ADMIN_PORT'
ROSTER_ADMIN_TOKEN='$ADMIN_TOKEN'
ROSTER_PROJECTOR_URL='http://$PROJECTOR_HOST:$PROJECTOR_PORT'
ROSTER_MCP_URLS='http://$MCP_HOST:$MCP_PORT'
OBJECT_STORE='$OBJECTS'
TOPIC_PREFIX='$TOPIC_PREFIX'
KAFKA_BROKERS='$KAFKA_HOST:$KAFKA_PORT'
EVENT_STORE_URL='$(postgres_url roster_command "$COMMAND_DB_PASSWORD" "$EVENT_STORE_DATABASE")'
READ_MODEL_URL='$(postgres_url roster_projector "$PROJECTOR_DB_PASSWORD" "$READ_MODEL_DATABASE")'
END
}

make_demo_account() {
  local account contract key
  step "Demo account"
  account=$(roster account create --name demo --json | jq -er .account_id) || die "no demo account"
  contract=$(roster contract create --account "$account" --credits 100000 --json | jq -er .contract_id) || die "no demo contract"
  key=$(roster key create --account "$account" --json | jq -er .api_key) || die "no demo key"
  write_env_lines "$account" "$contract" "$key"
  say "   account $account, contract $contract with 100000 credits, key in $DATA/env"
}

# ask TITLE PATH [BODY]: one request through the gateway, its answer with headers, and how to repeat it.
ask() {
  local title=$1 path=$2 body=${3:-} answer=$RUN/answer
  # The key comes from stdin: it is on no command line. The Host is one that mcp-server takes, by whatever name the gateway is reached.
  local request=(--noproxy '*' -sS -m 30 -D "$answer.headers" -o "$answer.body" -w '%{http_code}' -H @- -H "Host: 127.0.0.1:$GATEWAY_PORT")
  local shown="curl -i \"\$BASE_URL$path\" -H \"API-Key: \$API_KEY\""
  if [ -n "$body" ]; then
    request+=(-H 'Content-Type: application/json' -d "$body")
    shown+=" -H 'Content-Type: application/json' -d '${body//\'/\'\\\'\'}'"
  fi
  step "$title"
  say "\$ $shown"
  local status
  status=$(curl "${request[@]}" "http://$GATEWAY_HOST:$GATEWAY_PORT$path" <<<"API-Key: $(env_value API_KEY)") || die "$title: no answer"
  tr -d '\r' <"$answer.headers" | sed '/^$/d'
  say ""
  # A whole record fills a screen; its beginning shows enough.
  { jq . "$answer.body" 2>/dev/null || cat "$answer.body"; } | sed -n "1,${4:-24}p"
  rm -f "$answer.headers" "$answer.body"
  [ "$status" = 200 ] || die "$title answered $status"
}

# Prints what a jq filter finds in the first person of the sample for which it holds.
first_in_sample() {
  # Not a pipe: jq stops early, and gzip's broken pipe is no failure.
  jq -rn "first(inputs | $1)" < <(gzip -dc "$ROOT/data/sample/persons.ndjson.gz" 2>/dev/null)
}

# What costs credits or leaves a report behind is asked once; a second `make up` changes nothing.
show_answers() {
  if [ -e "$DATA/demo-shown" ]; then
    show_free_answers
  else
    show_all_answers
    touch "$DATA/demo-shown"
  fi
  step "Roster is up at http://127.0.0.1:$GATEWAY_PORT"
  say "   . $DATA/env      sets BASE_URL, API_KEY and the rest for the commands above"
  say "   make demo        shows one answer of each kind"
  say "   make down        stops it; the data stays"
}

show_free_answers() {
  ask "MCP: list the tools" /mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' 12
  ask "Credits" /credits
}

show_all_answers() {
  local email id
  email=$(first_in_sample 'select((.emails | length) > 0 and (.socials | length) > 0) | .emails[0].address')
  id=$(first_in_sample .service_id)
  ask "Enrich a person" /person/enrich "{\"email\":\"$email\",\"include_fields\":\"full_name,job_title,company_name,emails\"}"
  ask "Search persons" /person/search \
    "{\"query\":\"SELECT * FROM person WHERE state = 'New York' AND is_decision_maker = true ORDER BY last_seen DESC, full_name\",\"limit\":2,\"include_fields\":\"full_name,job_title,company_name,last_seen\"}"
  ask "Discover persons in plain words" /person/discover \
    '{"query":"decision makers in New York seen this year who speak Spanish","limit":2,"include_fields":"full_name,job_title,company_name,last_seen"}'
  ask "Clean values" /utility/clean '{"fields":{"email":"Maya.Okafor+x@Gmail.com","phone":"(312) 555-0142","state":"IL","company":"Northwind Tools, Inc."}}' 30
  ask "Report an issue" /utility/report/person \
    "{\"service_id\":\"$id\",\"issue_type\":\"outdated\",\"issue_level\":\"field\",\"field\":\"job_title\",\"comment\":\"the demo of make up\"}"
  ask "MCP: call a tool" /mcp "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"person_enrich\",\"arguments\":{\"email\":\"$email\",\"include_fields\":\"full_name,job_title\"}}}"
  show_free_answers
}
