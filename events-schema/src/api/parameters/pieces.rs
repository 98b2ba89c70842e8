//! Pieces that the schemas share.

use serde_json::{Map, Value, json};

use crate::api::limits::MAX_CREDITS;

/// A text argument.
pub(super) fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// One of a closed list of words.
pub(super) fn choice(words: &[&str], description: &str) -> Value {
    json!({"type": "string", "enum": words, "description": description})
}

/// A switch that is off by default.
pub(super) fn flag(description: &str) -> Value {
    json!({"type": "boolean", "default": false, "description": description})
}

/// A whole number.
pub(super) fn number(minimum: u32, maximum: u32, default: u32, description: &str) -> Value {
    let mut schema = number_without_default(minimum, maximum, description);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("default".to_owned(), json!(default));
    }
    schema
}

/// One that is refused beside some other arguments: a client that fills defaults in must not send it unasked.
pub(super) fn number_without_default(minimum: u32, maximum: u32, description: &str) -> Value {
    json!({"type": "integer", "minimum": minimum, "maximum": maximum, "description": description})
}

/// Where a phone number without a country code is read.
#[must_use]
pub fn region() -> Value {
    text("country code for a phone without one; default US")
}

/// A record id.
pub(super) fn record_id() -> Value {
    json!({"type": "string", "format": "uuid", "description": "record id"})
}

/// A body: nothing but what is named, with one example of the whole.
pub(super) fn body(properties: Vec<(&str, Value)>, required: &[&str], example: Value) -> Value {
    let properties: Map<String, Value> = properties
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let mut schema =
        json!({"type": "object", "additionalProperties": false, "properties": properties});
    if let Some(map) = schema.as_object_mut() {
        if !required.is_empty() {
            map.insert("required".to_owned(), json!(required));
        }
        map.insert("examples".to_owned(), json!([example]));
    }
    schema
}

/// Which fields come back, and how they are written.
pub(super) fn shape_of_answer() -> Vec<(&'static str, Value)> {
    vec![
        (
            "include_fields",
            text("fields to return, comma list; a.b for inner ones"),
        ),
        ("exclude_fields", text("fields to leave out, comma list")),
        ("titlecase", flag("names in title case")),
    ]
}

/// The build that is to answer.
pub(super) fn data_build() -> (&'static str, Value) {
    ("data_build", text("answer from this build"))
}

/// What the request lets itself cost.
pub(super) fn max_credits() -> (&'static str, Value) {
    let most = json!({
        "type": "integer", "minimum": 0, "maximum": MAX_CREDITS, "description": "refuse if it may cost more",
    });
    ("max_credits", most)
}

/// Only what it would find and cost.
pub(super) fn dry_run() -> (&'static str, Value) {
    ("dry_run", flag("only total and price; free"))
}
