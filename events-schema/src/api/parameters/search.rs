//! Bodies of `POST /person/search` and `POST /company/search` (`docs/SEARCH.md`).

use serde_json::{Value, json};

use super::pieces::{body, data_build, dry_run, max_credits, number, shape_of_answer, text};
use crate::api::limits::{DEFAULT_SEARCH_LIMIT, MAX_OFFSET, MAX_PAGE_LIMIT};

pub(super) fn person() -> Value {
    page(json!({
        "query": "SELECT * FROM person WHERE company_domain = 'example.com' AND seniority_level IN ('director','vp')",
        "limit": 5,
    }))
}

pub(super) fn company() -> Value {
    page(
        json!({"query": "SELECT * FROM company WHERE industry = 'machinery' AND founded < 2000", "limit": 5}),
    )
}

fn page(example: Value) -> Value {
    let mut properties = vec![
        (
            "query",
            text("SELECT * FROM … WHERE … ORDER BY …; no LIMIT, joins or functions"),
        ),
        (
            "limit",
            number(1, MAX_PAGE_LIMIT, DEFAULT_SEARCH_LIMIT, "most records"),
        ),
        ("offset", number(0, MAX_OFFSET, 0, "records to skip")),
        ("cursor", text("next_cursor of the page before")),
        data_build(),
        max_credits(),
        dry_run(),
    ];
    properties.extend(shape_of_answer());
    body(properties, &["query"], example)
}
