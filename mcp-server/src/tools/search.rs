//! `person_search` and `company_search` (docs/SEARCH.md).

use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits::{DEFAULT_SEARCH_LIMIT, MAX_OFFSET, MAX_PAGE_LIMIT};
use serde_json::{Value, json};

use super::ToolEntry;
use super::schema::{arguments, flag, matches, number, shape_of_answer, text};

pub(super) const PERSON: ToolEntry = ToolEntry {
    endpoint: Endpoint::PersonSearch,
    title: "Search people",
    summary: "SQL-like query over people",
    description: "Find people by an SQL-like query. Costs 1 credit per returned record. Text values are lowercase; \
        useful columns: full_name, job_title, seniority_level, job_function, company_name, company_domain, \
        company_industry, city, state, country, emails.type, skills.",
    input: person,
    output: page_of_records,
};

pub(super) const COMPANY: ToolEntry = ToolEntry {
    endpoint: Endpoint::CompanySearch,
    title: "Search companies",
    summary: "SQL-like query over companies",
    description: "Find companies by an SQL-like query. Costs 1 credit per returned record. Text values are lowercase; \
        useful columns: name, domain, industry, size, type, founded, city, state, country, service_employee_count.",
    input: company,
    output: page_of_records,
};

fn person() -> Value {
    page(json!({
        "query": "SELECT * FROM person WHERE company_domain = 'example.com' AND seniority_level IN ('director','vp')",
        "limit": 5,
    }))
}

fn company() -> Value {
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
        ("data_build", text("answer from this build")),
        ("dry_run", flag("only total and price; free")),
    ];
    properties.extend(shape_of_answer());
    arguments(properties, &["query"], example)
}

/// What enrich answers, and where the next page begins.
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
