//! The nine tools as one table: `tools/list`, `tools/call` and the server card read it, so that they cannot differ.
//!
//! A tool is its endpoint with words and schemas for a model. All nine together cost an agent at most 4,500 tokens
//! and each at most 900 (`docs/AGENTS.md`, "Tools"), so every description is a few words. No rule may be put here: what an endpoint
//! refuses, it refuses itself.

mod enrich;
mod report;
mod schema;
mod search;
mod utility;

use std::sync::{Arc, LazyLock};

use events_schema::api::endpoint::Endpoint;
use events_schema::api::parameters;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

/// One tool.
#[derive(Debug)]
pub struct ToolEntry {
    /// The operation; its name is the tool's name.
    pub endpoint: Endpoint,
    /// Name for people.
    pub title: &'static str,
    /// For the server card.
    pub summary: &'static str,
    /// For a model: what it does and what it costs.
    pub description: &'static str,
    /// Schema of the REST 200 body; requires almost nothing, since field selection drops keys.
    output: fn() -> Value,
}

/// Parameters of an endpoint that are no arguments of its tool. The text of a result is always compact. The other parameters of enrich
/// would cost agents tokens in every list of tools, and they seldom want them: one match is a credit, and there is no paging that would
/// have to stay on one build.
pub const fn withheld(endpoint: Endpoint) -> &'static [&'static str] {
    match endpoint {
        Endpoint::PersonEnrich | Endpoint::CompanyEnrich => {
            &["pretty_print", "data_build", "dry_run", "max_credits"]
        }
        _ => &["pretty_print"],
    }
}

/// All tools, in the order in which they are listed.
pub static TOOLS: &[ToolEntry] = &[
    enrich::PERSON,
    search::PERSON,
    enrich::COMPANY,
    search::COMPANY,
    utility::CLEAN,
    utility::HASH_EMAIL,
    utility::VALIDATE,
    report::PERSON,
    report::COMPANY,
];

/// The tools as the protocol describes them, made once; a clone shares the schemas.
static DESCRIBED: LazyLock<Vec<Tool>> =
    LazyLock::new(|| TOOLS.iter().map(ToolEntry::describe).collect());

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static ToolEntry> {
    TOOLS.iter().find(|tool| tool.endpoint.name() == name)
}

/// The answer to `tools/list`.
pub fn described() -> &'static [Tool] {
    &DESCRIBED
}

impl ToolEntry {
    fn describe(&self) -> Tool {
        Tool::new(
            self.endpoint.name(),
            self.description,
            Arc::new(object(self.input())),
        )
        .with_title(self.title)
        .with_raw_output_schema(Arc::new(object((self.output)())))
        .with_annotations(self.annotations())
    }

    /// Schema of the arguments: the REST body less what is [`withheld`].
    fn input(&self) -> Value {
        let mut input = parameters::of(self.endpoint);
        if let Some(Value::Object(properties)) = input.get_mut("properties") {
            properties.retain(|name, _| !withheld(self.endpoint).contains(&name.as_str()));
        }
        input
    }

    /// Names of the arguments that it takes.
    pub fn argument_names(&self) -> Vec<String> {
        let input = self.input();
        let properties = input.get("properties").and_then(Value::as_object);
        properties
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default()
    }

    /// Reports write, everything else reads; nothing destroys, and nothing reaches beyond the service.
    fn annotations(&self) -> ToolAnnotations {
        let is_report = self.endpoint.is_report();
        ToolAnnotations::new()
            .read_only(!is_report)
            .destructive(false)
            .idempotent(!is_report)
            .open_world(false)
    }
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
