//! `roster status`: parts, shard owners, lag, active builds, in one view.

use clap::Args;
use serde_json::{Value, json};

use crate::client::Client;
use crate::commands::builds;
use crate::failure::Failure;
use crate::output::{Output, named, record, table, texts, unreadable};
use crate::settings::Settings;

/// Show parts, shard owners, lag and active builds. Exit code 1 if command-service or the projector does not answer, a shard has no owner, no query-service
/// has sent a heartbeat, publishing is refused, or no mcp-server is ready.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  roster status\n  roster status --json")]
pub(crate) struct Status {}

impl Status {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let command_service = Client::of_command_service(settings)?;
        let (status, no_status) = told(command_service.get("/admin/status").await);
        let (builds, no_builds) = told(command_service.get("/admin/builds").await);
        let lag = match Client::of_projector(settings) {
            Ok(projector) => projector.get("/admin/lag").await,
            Err(failure) => Err(failure),
        };
        let (projector, no_lag) = told(lag);
        let mcp_servers = mcp_servers(settings).await?;
        let is_active =
            |build: &Value| build.get("status").is_some_and(|status| status == "active");
        let active = no_builds.is_none().then(|| {
            let builds = builds::summaries(&builds).into_iter();
            builds.filter(is_active).collect::<Vec<_>>()
        });
        let document = json!({
            "command_service": status,
            "projector": projector,
            "mcp_servers": mcp_servers,
            "active_builds": active,
            "unreadable_builds": unreadable(&builds),
        });
        output.answer(&document, human)?;
        let failure = no_status.or(no_builds).or(no_lag);
        let down = failure.or_else(|| down(&status));
        match down.or_else(|| none_ready(&mcp_servers)) {
            None => Ok(()),
            Some(failure) => Err(failure),
        }
    }
}

/// What a part said, or that it did not and why: the rest is shown all the same.
fn told(answer: Result<Value, Failure>) -> (Value, Option<Failure>) {
    match answer {
        Ok(answer) => (answer, None),
        Err(failure) => (json!({ "error": failure.to_string() }), Some(failure)),
    }
}

/// What each instance of mcp-server says of its health: `{"url", "is_ready", "error"?}`.
async fn mcp_servers(settings: &Settings) -> Result<Vec<Value>, Failure> {
    let servers = Client::of_mcp_servers(settings)?;
    let asked = servers.iter().map(|server| async move {
        let health: Result<Value, Failure> = server.get("/health/ready").await;
        match health {
            Ok(_) => json!({"url": server.url(), "is_ready": true}),
            Err(failure) => {
                json!({"url": server.url(), "is_ready": false, "error": failure.to_string()})
            }
        }
    });
    Ok(futures::future::join_all(asked).await)
}

/// Agents are served as long as one instance is ready; where there is none, none are to be.
fn none_ready(mcp_servers: &[Value]) -> Option<Failure> {
    let is_ready = |server: &Value| server.get("is_ready") == Some(&Value::Bool(true));
    if mcp_servers.is_empty() || mcp_servers.iter().any(is_ready) {
        return None;
    }
    let reason = mcp_servers
        .iter()
        .find_map(|server| server.get("error")?.as_str());
    let reason = reason.unwrap_or("no instance is named");
    Some(Failure::unavailable_because("mcp-server", reason))
}

/// What is down, as far as command-service knows: a program that asks reads the exit code.
fn down(status: &Value) -> Option<Failure> {
    let shards = status.get("shards").and_then(Value::as_object);
    let is_nobodys = |shard: &&Value| shard.get("owner").is_none_or(Value::is_null);
    let nobodys = shards.map_or(0, |shards| shards.values().filter(is_nobodys).count());
    if nobodys > 0 {
        let reason = format!("shards without an owner: {nobodys}");
        return Some(Failure::unavailable_because("command-service", &reason));
    }
    if let Some(reason) = status.get("not_published").and_then(Value::as_str) {
        return Some(Failure::unavailable_because("publication", reason));
    }
    let query_services = status.get("query_services").and_then(Value::as_array);
    query_services
        .is_some_and(Vec::is_empty)
        .then(|| Failure::unavailable_because("query-service", "no instance has sent a heartbeat"))
}

fn human(document: &Value) -> String {
    let sections = [
        ("command-service", instances(document)),
        ("shards", shards(document)),
        ("not published", not_published(document)),
        ("query-services", query_services(document)),
        ("mcp-servers", listed(document.get("mcp_servers"))),
        ("projector", lag(document)),
        ("outcomes that nobody takes", untold(document)),
        ("active builds", active_builds(document)),
        ("builds of an earlier edition", builds_behind(document)),
    ];
    let shown = sections.map(|(title, body)| format!("{title}\n  {}", body.replace('\n', "\n  ")));
    shown.join("\n\n")
}

fn instances(document: &Value) -> String {
    let status = document.get("command_service");
    match status.filter(|status| status.get("error").is_some()) {
        Some(fault) => record(fault),
        None => listed(document.pointer("/command_service/instances")),
    }
}

fn query_services(document: &Value) -> String {
    match document.pointer("/command_service/query_services") {
        None => unknown(),
        listed_ones => listed(listed_ones),
    }
}

/// A build that cannot be read may be an active one: the list is then not complete.
fn active_builds(document: &Value) -> String {
    let Some(builds) = document.get("active_builds").and_then(Value::as_array) else {
        return unknown();
    };
    let columns = ["build", "kind", "rows", "rejected", "reference_date"];
    let names = texts(document, "unreadable_builds");
    if names.is_empty() {
        return table(Some(builds), &columns);
    }
    let shown = if builds.is_empty() {
        unknown()
    } else {
        table(Some(builds), &columns)
    };
    let names = named(&names);
    format!("{shown}\nwhat the event store holds of these builds cannot be read: {names}")
}

/// Why no event reaches Kafka, where the store went back.
fn not_published(document: &Value) -> String {
    if document.pointer("/command_service/error").is_some() {
        return unknown();
    }
    let reason = document.pointer("/command_service/not_published");
    reason.and_then(Value::as_str).unwrap_or("no").to_owned()
}

/// A list of texts or of objects, whichever the service gives.
fn listed(list: Option<&Value>) -> String {
    let list = list
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    if list.is_empty() {
        return "none".to_owned();
    }
    let one = |item: &Value| match item {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| format!("{key}={}", plain(value)))
            .collect::<Vec<_>>()
            .join(" "),
        other => plain(other),
    };
    list.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Owners with how many shards each has, and how many events wait for Kafka.
fn shards(document: &Value) -> String {
    let Some(shards) = document
        .pointer("/command_service/shards")
        .and_then(Value::as_object)
    else {
        return unknown();
    };
    let mut owners = std::collections::BTreeMap::<String, (u64, i64)>::new();
    for shard in shards.values() {
        let number = |key: &str| shard.get(key).and_then(Value::as_i64).unwrap_or(0);
        let owner = shard.get("owner").and_then(Value::as_str);
        let entry = owners.entry(owner.unwrap_or("nobody").to_owned());
        let entry = entry.or_default();
        entry.0 += 1;
        entry.1 += (number("pos") - number("published")).max(0);
    }
    let rows: Vec<Value> = owners
        .into_iter()
        .map(|(owner, (shards, unpublished))| json!({"owner": owner, "shards": shards, "unpublished": unpublished}))
        .collect();
    table(Some(&rows), &["owner", "shards", "unpublished"])
}

/// Builds whose outcome the projector could not report so far: they stay `loading`.
fn untold(document: &Value) -> String {
    let untold = document
        .pointer("/projector/untold_outcomes")
        .and_then(Value::as_array);
    untold.map_or_else(unknown, |_| {
        table(untold, &["build", "outcome", "attempts", "fault"])
    })
}

/// Builds whose records were read by an earlier edition of canon and keys than the projector has.
fn builds_behind(document: &Value) -> String {
    let behind = document.pointer("/projector/builds_behind");
    let Some(behind) = behind.and_then(Value::as_array) else {
        return unknown();
    };
    let shown = table(Some(behind), &["build", "kind", "status", "edition"]);
    match document.pointer("/projector/edition") {
        Some(edition) if !behind.is_empty() => format!(
            "{shown}\nthe edition of this version is {edition}: requests may miss records of these builds until their data is loaded again"
        ),
        _ => shown,
    }
}

/// Shown where the part that knows could not be asked: never a number, never "none".
fn unknown() -> String {
    "unknown".to_owned()
}

/// Lag by topic, all partitions together: messages of Kafka that are not read, and events of the store that the read models
/// lack, among them what Kafka has lost.
fn lag(document: &Value) -> String {
    let Some(topics) = document
        .pointer("/projector/topics")
        .and_then(Value::as_object)
    else {
        return document.get("projector").map(record).unwrap_or_default();
    };
    // If Kafka did not say where one partition ends, the sum is unknown.
    let of_topic = |topic: &Value| -> Option<i64> {
        let partitions = topic.get("partitions")?.as_array()?.iter();
        partitions.map(|one| one.get("lag")?.as_i64()).sum()
    };
    let shown = |number: Option<i64>| number.map_or_else(|| json!(unknown()), |known| json!(known));
    let rows: Vec<Value> = topics
        .iter()
        .map(|(name, topic)| {
            let behind = topic.get("events_behind").and_then(Value::as_i64);
            json!({"topic": name, "lag": shown(of_topic(topic)), "events_behind": shown(behind)})
        })
        .collect();
    table(Some(&rows), &["topic", "lag", "events_behind"])
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
