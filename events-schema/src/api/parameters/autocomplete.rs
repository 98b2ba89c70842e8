//! Body of `POST /autocomplete` (`docs/SEARCH.md`, "Completing values").

use serde_json::{Value, json};

use super::pieces::{body, choice, number, text};
use crate::api::limits::{DEFAULT_COMPLETIONS, MAX_COMPLETED_CHARS, MAX_PAGE_LIMIT};
use crate::record::RecordKind;

pub(super) fn completion() -> Value {
    let entities = RecordKind::ALL.map(RecordKind::name);
    let text_so_far = json!({
        "type": "string",
        "maxLength": MAX_COMPLETED_CHARS,
        "description": "text so far; empty for the most frequent values",
    });
    let properties = vec![
        ("field", text("a field of text by its dot path")),
        ("text", text_so_far),
        (
            "limit",
            number(1, MAX_PAGE_LIMIT, DEFAULT_COMPLETIONS, "most values"),
        ),
        (
            "entity",
            choice(&entities, "whose field, where both have it; default person"),
        ),
    ];
    body(
        properties,
        &["field", "text"],
        json!({"field": "company_industry", "text": "gov", "limit": 3}),
    )
}
