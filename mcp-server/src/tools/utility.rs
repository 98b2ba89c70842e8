//! `utility_clean`, `utility_hash_email` and `utility_validate` (`docs/API.md`, `docs/CANON.md`).

use events_schema::api::endpoint::Endpoint;
use serde_json::{Value, json};

use super::ToolEntry;
use super::schema::{arguments, text};

pub(super) const CLEAN: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityClean,
    title: "Clean fields",
    summary: "Clean and normalize fields",
    description: "Bring values into their normal form, e.g. before a search. Costs 1 credit per call.",
    input: clean,
    output: cleaned,
};

pub(super) const HASH_EMAIL: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityHashEmail,
    title: "Hash an e-mail",
    summary: "Hash an e-mail",
    description: "SHA-256, SHA-1 and MD5 of an e-mail, for email_hash. Costs 1 credit per call.",
    input: hash_email,
    output: hashed,
};

pub(super) const VALIDATE: ToolEntry = ToolEntry {
    endpoint: Endpoint::UtilityValidate,
    title: "Validate fields",
    summary: "Validate fields",
    description: "Check the format of values and get suggestions. Give at least one field. Costs 1 credit per call.",
    input: validate,
    output: validated,
};

const REGION: &str = "country code for a phone without one; default US";

fn clean() -> Value {
    let fields = json!({
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "values by name: email, phone, full_name, first_name, last_name, state, country, social_url, \
            school, domain, company, linkedin_company_url, ticker_symbol",
    });
    arguments(
        vec![("fields", fields), ("default_region", text(REGION))],
        &["fields"],
        json!({"fields": {"email": "Maya+x@Example.com", "state": "IL"}}),
    )
}

fn hash_email() -> Value {
    arguments(
        vec![("email", text("e-mail address"))],
        &["email"],
        json!({"email": "maya@example.com"}),
    )
}

fn validate() -> Value {
    let fields = [
        ("email", "e-mail address"),
        ("phone", "phone number"),
        ("first_name", "first name"),
        ("last_name", "last name"),
        ("full_name", "whole name"),
        ("birth_date", "YYYY, YYYY-MM or YYYY-MM-DD"),
        ("social_url", "profile URL"),
        ("school", "name, URL or domain"),
        ("address", "street address"),
        ("state", "name or code"),
        ("country", "name or code"),
        ("company", "name, URL or domain"),
        ("domain", "domain or URL"),
        ("ticker_symbol", "stock ticker"),
        ("linkedin_company_url", "LinkedIn page"),
        ("default_region", REGION),
    ];
    let properties = fields
        .into_iter()
        .map(|(name, description)| (name, text(description)))
        .collect();
    arguments(properties, &[], json!({"email": "maya@@example.com"}))
}

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
