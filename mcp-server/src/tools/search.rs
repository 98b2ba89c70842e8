//! `person_search` and `company_search` (docs/SEARCH.md).

use events_schema::api::endpoint::Endpoint;
use serde_json::{Value, json};

use super::ToolEntry;
use super::schema::matches;

pub(super) const PERSON: ToolEntry = ToolEntry {
    endpoint: Endpoint::PersonSearch,
    title: "Search people",
    summary: "SQL-like query over people",
    description: "Find people by an SQL-like query. Costs 1 credit per returned record. Text values are lowercase; \
        columns and their closed lists stand at query.",
    output: page_of_records,
};

pub(super) const COMPANY: ToolEntry = ToolEntry {
    endpoint: Endpoint::CompanySearch,
    title: "Search companies",
    summary: "SQL-like query over companies",
    description: "Find companies by an SQL-like query. Costs 1 credit per returned record. Text values are lowercase; \
        columns and their closed lists stand at query.",
    output: page_of_records,
};

/// The fields of an enrich answer, and where the next page begins.
fn page_of_records() -> Value {
    let mut schema = matches();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let cursor = json!({"type": ["string", "null"]});
        properties.insert("next_cursor".to_owned(), cursor);
        let credits = json!({"type": "integer"});
        properties.insert("credits_required".to_owned(), credits);
    }
    schema
}
