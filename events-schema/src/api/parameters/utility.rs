//! Bodies of the utilities (`docs/API.md`, `docs/CANON.md`).

use serde_json::{Value, json};

use super::pieces::{body, region, text};

pub(super) fn clean() -> Value {
    let fields = json!({
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "values by name: email, phone, full_name, first_name, last_name, state, country, social_url, \
            school, domain, company, linkedin_company_url, ticker_symbol",
    });
    body(
        vec![("fields", fields), ("default_region", region())],
        &["fields"],
        json!({"fields": {"email": "Maya+x@Example.com", "state": "IL"}}),
    )
}

pub(super) fn hash_email() -> Value {
    body(
        vec![("email", text("e-mail address"))],
        &["email"],
        json!({"email": "maya@example.com"}),
    )
}

pub(super) fn validate() -> Value {
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
    ];
    let mut properties: Vec<_> = fields
        .into_iter()
        .map(|(name, description)| (name, text(description)))
        .collect();
    properties.push(("default_region", region()));
    body(properties, &[], json!({"email": "maya@@example.com"}))
}
