//! Pieces that the schemas of answers share.

use serde_json::{Value, json};

/// `matches` and `total`, as enrich and search answer.
pub(super) fn matches() -> Value {
    json!({
        "type": "object",
        "required": ["matches", "total"],
        "properties": {
            "matches": {"type": "array", "items": {"type": "object"}},
            "total": {"type": "integer"},
        },
    })
}
