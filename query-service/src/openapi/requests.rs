//! Bodies of requests, from the one place that the MCP tools read as well ([`parameters`]); what is added here is what agents are not told:
//! `pretty_print`, lengths, and many requests in one.

use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits::{
    MAX_BULK_ITEMS, MAX_REPORT_COMMENT_CHARS, MAX_REPORT_VALUE_CHARS, MAX_STRING_CHARS,
};
use events_schema::api::operation::{Operation, single};
use events_schema::api::parameters;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};

use super::operations::Described as _;
use super::{camel, schema};
use crate::pin::DATA_BUILD;
use crate::render::MAX_FIELD_LIST_CHARS;
use crate::spending::{DRY_RUN, MAX_CREDITS};

/// The `requestBody` of an operation.
pub(super) fn of(operation: Operation) -> Option<Value> {
    if !operation.takes_body() {
        return None;
    }
    let mut described = json!({"schema": schema(&name(operation))});
    if let (Some(example), Some(members)) = (example(operation), described.as_object_mut()) {
        members.insert("example".to_owned(), example);
    }
    Some(json!({"required": true, "content": {"application/json": described}}))
}

/// A schema for each body.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    for operation in Operation::all() {
        match operation {
            Operation::Of(endpoint) => {
                schemas.insert(name(operation), body(endpoint));
            }
            Operation::Bulk(kind) => {
                schemas.insert(name(operation), bulk(kind));
                schemas.insert(item_name(kind), item(kind));
            }
            Operation::Credits
            | Operation::Ledger
            | Operation::Report
            | Operation::Live
            | Operation::Ready => {}
        }
    }
}

fn name(operation: Operation) -> String {
    format!("{}Request", camel(&operation.id()))
}

fn item_name(kind: RecordKind) -> String {
    format!("{}Item", camel(single(kind).name()))
}

fn example(operation: Operation) -> Option<Value> {
    match operation {
        Operation::Of(endpoint) => parameters::of(endpoint).pointer("/examples/0").cloned(),
        Operation::Bulk(kind) => {
            let first = example(Operation::Of(single(kind)));
            Some(json!({"items": [first], "titlecase": true}))
        }
        Operation::Credits
        | Operation::Ledger
        | Operation::Report
        | Operation::Live
        | Operation::Ready => None,
    }
}

/// The body of a single request.
fn body(endpoint: Endpoint) -> Value {
    let mut body = without_example(endpoint);
    if let Some(properties) = properties(&mut body)
        && shows_records(endpoint)
    {
        properties.insert(parameters::PRETTY_PRINT.to_owned(), pretty_print());
    }
    body
}

/// Options that no item has of its own.
const NOT_OF_AN_ITEM: &[&str] = &[DATA_BUILD, MAX_CREDITS, DRY_RUN];

/// An item of many: it has words of the client's own, and no text of its own to be indented.
fn item(kind: RecordKind) -> Value {
    let mut item = without_example(single(kind));
    if let Some(properties) = properties(&mut item) {
        for name in NOT_OF_AN_ITEM {
            properties.remove(*name);
        }
        let words = json!({"type": "object", "description": "given back with the result"});
        properties.insert("metadata".to_owned(), words);
    }
    item
}

fn bulk(kind: RecordKind) -> Value {
    let items = json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_BULK_ITEMS,
        "items": schema(&item_name(kind)),
        "description": "one request each",
    });
    let mut members = vec![("items", items)];
    if kind == RecordKind::Person {
        members.push(("default_region", parameters::region()));
    }
    members.extend(parameters::enrich_options(kind));
    members.push((parameters::PRETTY_PRINT, pretty_print()));
    let members = members
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema));
    let mut properties: Map<String, Value> = members.collect();
    bound(single(kind), &mut properties);
    json!({"type": "object", "additionalProperties": false, "properties": properties, "required": ["items"]})
}

/// The example of a body stands beside its schema.
fn without_example(endpoint: Endpoint) -> Value {
    let mut body = parameters::of(endpoint);
    if let Some(members) = body.as_object_mut() {
        members.remove("examples");
    }
    if let Some(properties) = properties(&mut body) {
        bound(endpoint, properties);
    }
    body
}

fn properties(body: &mut Value) -> Option<&mut Map<String, Value>> {
    body.get_mut("properties")?.as_object_mut()
}

fn pretty_print() -> Value {
    json!({"type": "boolean", "default": false, "description": "indent the answer"})
}

fn shows_records(endpoint: Endpoint) -> bool {
    parameters::of(endpoint)
        .pointer("/properties/include_fields")
        .is_some()
}

/// Lengths of texts that nothing else bounds.
fn bound(endpoint: Endpoint, properties: &mut Map<String, Value>) {
    for (name, schema) in properties {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        let is_text = schema.get("type") == Some(&json!("string"));
        let is_bounded = ["enum", "format", "pattern", "maxLength"];
        if !is_text || is_bounded.iter().any(|key| schema.contains_key(*key)) {
            continue;
        }
        if let Some(longest) = longest(endpoint, name) {
            schema.insert("minLength".to_owned(), json!(1));
            schema.insert("maxLength".to_owned(), json!(longest));
        }
    }
}

/// Longest text of a parameter, in characters; none where the reader has no bound below that of the whole body, or one of its own.
fn longest(endpoint: Endpoint, name: &str) -> Option<usize> {
    match (endpoint, name) {
        (_, "include_fields" | "exclude_fields" | "required_fields") => Some(MAX_FIELD_LIST_CHARS),
        (Endpoint::PersonSearch | Endpoint::CompanySearch, "query") => Some(dialect::MAX_CHARS),
        (Endpoint::ReportPerson | Endpoint::ReportCompany, "comment") => {
            Some(MAX_REPORT_COMMENT_CHARS)
        }
        (Endpoint::ReportPerson | Endpoint::ReportCompany, "observed_value" | "correct_value") => {
            Some(MAX_REPORT_VALUE_CHARS)
        }
        (_, "default_region") => Some(MAX_STRING_CHARS),
        (
            Endpoint::UtilityClean
            | Endpoint::UtilityValidate
            | Endpoint::Autocomplete
            | Endpoint::ReportPerson
            | Endpoint::ReportCompany,
            _,
        ) => None,
        (
            Endpoint::PersonEnrich
            | Endpoint::CompanyEnrich
            | Endpoint::PersonSearch
            | Endpoint::CompanySearch
            | Endpoint::PersonDiscover
            | Endpoint::CompanyDiscover
            | Endpoint::UtilityHashEmail,
            _,
        ) => Some(MAX_STRING_CHARS),
    }
}
