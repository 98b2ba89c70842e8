//! The REST interface described for machines: one OpenAPI 3.1 document, made of the tables that the services themselves read.
//!
//! Reading order: `operations` (what each of `events_schema::api::operation` is) → `requests` (bodies, from
//! `events_schema::api::parameters`) → `answers` and `records` (from the types that are serialized and the tables of fields) →
//! `errors` (from the two lists of codes) → `headers`. `page` shows the same document to people.
//!
//! Guarantee: pure, made once. Nothing may be said here that a table of the code says already.

mod answers;
mod errors;
mod headers;
mod operations;
mod page;
mod records;
mod requests;

use std::sync::LazyLock;

use events_schema::api::operation::Operation;
use serde_json::{Map, Value, json};

pub use page::{CONTENT_SECURITY_POLICY, html};

use operations::Described as _;

/// The document.
static DOCUMENT: LazyLock<Value> = LazyLock::new(made);

/// The document of `GET /openapi.json`.
#[must_use]
pub fn document() -> &'static Value {
    &DOCUMENT
}

const DESCRIPTION: &str = "A self-hosted person and company data service: JSON in and JSON out, one key in the header `API-Key`. \
    In a request a key that is `null` is the same as one that is left out, and a key that is not known is refused. \
    A request is charged before its answer leaves, and only for what it returns. \
    Answers may get further keys and headers; what is described here stays.";

fn made() -> Value {
    let mut paths = Map::new();
    let mut responses = Map::new();
    for operation in Operation::all() {
        let described = described(operation, &mut responses);
        paths.insert(
            operation.path(),
            json!({operation.method().as_str().to_ascii_lowercase(): described}),
        );
    }
    let mut schemas = Map::new();
    requests::schemas(&mut schemas);
    answers::schemas(&mut schemas);
    records::schemas(&mut schemas);
    errors::schemas(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Roster",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": operations::tags(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "parameters": headers::parameters(),
            "headers": headers::responses(),
            "securitySchemes": {
                headers::API_KEY_SCHEME: {"type": "apiKey", "in": "header", "name": "API-Key"},
            },
        },
    })
}

/// One operation; refusals that it shares with others are added to `responses`.
fn described(operation: Operation, responses: &mut Map<String, Value>) -> Value {
    let mut answers = Map::new();
    answers.insert("200".to_owned(), answers::of(operation));
    for refusals in errors::of(operation) {
        answers.insert(refusals.status.to_string(), refusals.reference());
        responses
            .entry(refusals.name())
            .or_insert_with(|| refusals.response());
    }
    let mut described = json!({
        "operationId": operation.id(),
        "tags": [operation.tag()],
        "summary": operation.summary(),
        "description": operation.description(),
        "security": if operation.takes_key() { json!([{headers::API_KEY_SCHEME: []}]) } else { json!([]) },
        "parameters": headers::of_request(operation),
        "responses": answers,
    });
    if let (Some(body), Some(members)) = (requests::of(operation), described.as_object_mut()) {
        members.insert("requestBody".to_owned(), body);
    }
    described
}

/// A reference to a schema of the document.
fn schema(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The same, where null may stand instead.
fn nullable(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

/// An object with these members, all of which are there.
fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let members: Map<String, Value> = members
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let names: Vec<&String> = members.keys().collect();
    json!({"type": "object", "required": names, "properties": members})
}

/// `person_enrich` as `PersonEnrich`, for names of schemas.
fn camel(name: &str) -> String {
    let words = name.split(['_', '/']);
    words.map(capitalized).collect()
}

fn capitalized(word: &str) -> String {
    let mut signs = word.chars();
    let first = signs.next().map(|sign| sign.to_ascii_uppercase());
    first.into_iter().chain(signs).collect()
}
