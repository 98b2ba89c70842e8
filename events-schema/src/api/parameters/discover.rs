//! Bodies of `POST /person/discover` and `POST /company/discover` (`docs/DISCOVER.md`).

use serde_json::{Value, json};

use super::pieces::{body, flag, max_credits, number, number_without_default, shape_of_answer};
use crate::api::limits::{MAX_DISCOVER_CHARS, MAX_OFFSET, MAX_PAGE_LIMIT, MIN_DISCOVER_CHARS};

pub(super) fn person() -> Value {
    page(json!({"query": "vps of engineering at fintech companies in germany", "limit": 5}))
}

pub(super) fn company() -> Value {
    page(json!({"query": "public banks founded before 1900", "limit": 5}))
}

fn page(example: Value) -> Value {
    let query = json!({
        "type": "string",
        "minLength": MIN_DISCOVER_CHARS,
        "maxLength": MAX_DISCOVER_CHARS,
        "description": "who or what is sought, in plain words",
    });
    let mut properties = vec![
        ("query", query),
        (
            "limit",
            number_without_default(1, MAX_PAGE_LIMIT, "most records"),
        ),
        ("offset", number(0, MAX_OFFSET, 0, "records to skip")),
        ("strict", flag("refuse what cannot be answered in full")),
        max_credits(),
    ];
    properties.extend(shape_of_answer());
    body(properties, &["query", "limit"], example)
}
