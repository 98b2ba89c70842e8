//! The JSON schema of an [`super::Answer`], by which a server makes its model's output one.
//!
//! Only keywords that servers of this protocol take in a strict schema; the limits of a tree are checked when it comes.

use events_schema::record::RecordKind;
use serde_json::{Value, json};

use super::tree::Operator;
use crate::fields;

/// The schema for a kind of record.
#[must_use]
pub fn schema(kind: RecordKind) -> Value {
    let columns: Vec<&str> = fields::columns(kind).map(|(path, _)| path).collect();
    let tree = || json!({"$ref": "#/$defs/tree"});
    let list = || json!({"type": "array", "items": tree()});
    let only = |name: &str, of: Value| object(json!({ name: of }), &[name]);
    json!({
        "type": "object",
        "properties": {"tree": tree()},
        "required": ["tree"],
        "additionalProperties": false,
        "$defs": {
            "tree": {"anyOf": [
                only("all", list()),
                only("any", list()),
                only("not", tree()),
                only("condition", json!({"$ref": "#/$defs/condition"})),
            ]},
            "condition": object(
                json!({
                    "column": {"type": "string", "enum": columns},
                    "operator": {"type": "string", "enum": Operator::ALL},
                    "values": {"type": "array", "items": {"anyOf": [
                        {"type": "string"}, {"type": "number"}, {"type": "boolean"},
                    ]}},
                    "phrase": {"type": "string"},
                }),
                &["column", "operator", "values", "phrase"],
            ),
        },
    })
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
