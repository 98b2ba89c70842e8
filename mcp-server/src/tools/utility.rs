//! `utility_clean`, `utility_hash_email` and `utility_validate` (`docs/API.md`, `docs/CANON.md`).

use events_schema::api::endpoint::Endpoint;
use serde_json::{Value, json};

use super::ToolEntry;

pub(super) const CLEAN: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityClean,
    title: "Clean fields",
    summary: "Clean and normalize fields",
    description: "Bring values into their normal form, e.g. before a search. Costs 1 credit per call.",
    output: cleaned,
};

pub(super) const HASH_EMAIL: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityHashEmail,
    title: "Hash an e-mail",
    summary: "Hash an e-mail",
    description: "SHA-256, SHA-1 and MD5 of an e-mail, for email_hash. Costs 1 credit per call.",
    output: hashed,
};

pub(super) const VALIDATE: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityValidate,
    title: "Validate fields",
    summary: "Validate fields",
    description: "Check the format of values and get suggestions. Give at least one field. Costs 1 credit per call.",
    output: validated,
};

fn cleaned() -> Value {
    json!({"type": "object", "required": ["results"], "properties": {"results": {"type": "object"}}})
}

fn hashed() -> Value {
    json!({"type": "object", "required": ["hashes"], "properties": {
        "email": {"type": "string"}, "normalized_email": {"type": "string"}, "hashes": {"type": "object"}}})
}

fn validated() -> Value {
    let list = json!({"type": "array", "items": {"type": "object"}});
    json!({"type": "object", "required": ["valid"], "properties": {
        "valid": {"type": "boolean"}, "errors": list, "warnings": list, "suggestions": list}})
}
