//! Bodies of `POST /person/search` and `POST /company/search` (`docs/SEARCH.md`).

use serde_json::{Value, json};

use super::pieces::{body, data_build, dry_run, max_credits, number, shape_of_answer, text};
use crate::api::limits::{DEFAULT_SEARCH_LIMIT, MAX_OFFSET, MAX_PAGE_LIMIT};

/// How a person's query is written. A test of query-service compares the columns and the closed lists with the dialect.
const PERSON: &str = "SELECT * FROM person WHERE … ORDER BY …; no LIMIT, joins or functions. \
    = reads values as the data has them (CFO, TX, US); LIKE compares stored text. \
    Columns: full_name, job_title, seniority_level, job_function, company_name, company_domain, \
    company_industry, company_size, city, state, country, work_email, mobile_phone, linkedin_url, skills, \
    years_of_experience, last_seen, emails.type, phones.type, experience.title, experience.organization.name, \
    experience.current, education.organization.name. \
    seniority_level: unpaid, training, entry, mid, senior, manager, director, vp, cxo, partner, owner. \
    job_function: accounting, administrative, arts and design, business development, community and social services, \
    consulting, customer success and support, data science, education, engineering, entrepreneurship, finance, \
    healthcare services, human resources, information technology, legal, marketing, media and communication, \
    military and protective services, operations, product management, program and project management, purchasing, \
    quality assurance, real estate, research, sales. \
    company_size: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001-50000, 50001-100000, \
    100001-500000, 500001-5000000. \
    emails.type: work, personal, other. phones.type: mobile, landline, work, voip, toll_free, other.";
const COMPANY: &str = "SELECT * FROM company WHERE … ORDER BY …; no LIMIT, joins or functions. \
    = reads values as the data has them (TX, US); LIKE compares stored text. \
    Columns: name, domain, industry, type, size, founded, city, state, country, service_employee_count, \
    service_employee_growth_rate.12m, linkedin_url, linkedin_followers, tickers.symbol, last_seen. \
    size: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001-50000, 50001-100000, 100001-500000, \
    500001-5000000. type: educational, government, nonprofit, partnership, private, public, public_subsidiary, \
    self_employed, self_owned.";

pub(super) fn person() -> Value {
    page(
        PERSON,
        json!({
            "query": "SELECT * FROM person WHERE company_domain = 'example.com' AND seniority_level IN ('director','vp')",
            "limit": 5,
        }),
    )
}

pub(super) fn company() -> Value {
    page(
        COMPANY,
        json!({"query": "SELECT * FROM company WHERE industry = 'machinery' AND founded < 2000", "limit": 5}),
    )
}

fn page(query: &str, example: Value) -> Value {
    let mut properties = vec![
        ("query", text(query)),
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
