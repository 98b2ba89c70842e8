//! What conditions mean, by the oracle, on two small documents.

use dialect::{Query, Value, interpret, order_value};
use events_schema::record::RecordKind;
use serde_json::{Map, json};

use crate::{company, person};

fn maya() -> Map<String, serde_json::Value> {
    let document = json!({
        "service_id": "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10", "full_name": "maya okafor", "city": "chicago",
        "age": 38, "is_decision_maker": true, "last_seen": "2026-06-15", "birth_date": "1988-04",
        "avg_tenure_months": 50.0, "linkedin_url": "linkedin.com/in/Maya",
        "headline": { "cleaned": "builds tools", "raw": ["Builds tools"] },
        "emails": [
            { "address": "a@x.example", "type": "work", "current": true },
            { "address": "b@y.example", "type": "personal", "current": false },
            { "address": "c@z.example", "current": false },
        ],
        "experience": [
            { "title": { "cleaned": "chef" }, "organization": { "name": { "cleaned": "inn" } }, "current": true },
            { "title": { "cleaned": "waiter" }, "organization": { "name": { "cleaned": "bar" } } },
        ],
        "skills": [{ "cleaned": "cooking" }, { "cleaned": "french" }],
    });
    document.as_object().unwrap().clone()
}

fn finds(condition: &str) -> bool {
    let query = person(&format!("SELECT * FROM person WHERE {condition}"))
        .unwrap()
        .query;
    interpret(&query.filter.unwrap(), RecordKind::Person, &maya())
}

#[test]
fn unknown_values_are_found_by_is_null_alone() {
    assert!(finds("state IS NULL"));
    for condition in [
        "state = 'x'",
        "state <> 'x'",
        "NOT (state = 'x')",
        "state NOT IN ('x')",
        "state NOT LIKE 'x'",
        "years_of_experience > 0",
        "NOT (years_of_experience > 0)",
        "years_of_experience NOT BETWEEN 1 AND 2",
        "state = 'x' AND city = 'chicago'",
        "NOT (state = 'x' AND city = 'chicago')",
        "state IS NOT NULL",
    ] {
        assert!(!finds(condition), "{condition}");
    }
    for condition in [
        "state = 'x' OR city = 'chicago'",
        "NOT (state = 'x' AND city = 'x')",
    ] {
        assert!(finds(condition), "{condition}");
    }
}

#[test]
fn conditions_in_one_and_are_about_one_element() {
    for condition in [
        "emails.type = 'work' AND emails.current = true",
        "emails.type = 'personal' AND (emails.current = false)",
        "emails.type <> 'work'",
        "emails.type IS NULL",
        "NOT (emails.type = 'other')",
        "emails.type = 'work' AND NOT (NOT (emails.current = false))",
        "emails.type NOT IN ('work', 'other')",
        "emails.address LIKE 'a@%' AND (emails.type = 'work' OR emails.type = 'other')",
        "emails.type = 'personal' OR emails.current = true",
        "emails IS NOT NULL",
        "phones IS NULL",
        "emails.type = 'work' AND (emails.current = true OR city = 'nowhere')",
        "emails.type = 'work' AND (emails.current = false OR city = 'chicago')",
        "(emails.type = 'work' OR city = 'nowhere') AND (emails.current = true OR phones IS NOT NULL)",
    ] {
        assert!(finds(condition), "{condition}");
    }
    for condition in [
        "emails.type = 'work' AND emails.current = false",
        "NOT (emails.type = 'work')",
        "emails.type = 'work' AND (emails.current = false AND city = 'chicago')",
        "emails IS NULL",
        "emails.type = 'work' AND (emails.current = false OR emails.address LIKE 'b%')",
        "phones.type <> 'mobile'",
        "phones.type IS NULL",
        "emails.type = 'work' AND (emails.current = false OR city = 'nowhere')",
        "emails.type = 'work' AND (emails.current = false OR NOT (city = 'chicago'))",
        "(emails.type = 'work' OR city = 'nowhere') AND (emails.current = false OR phones IS NOT NULL)",
        "emails.type = 'work' AND (city = 'nowhere' OR (city = 'chicago' AND (state = 'x' OR emails.current = false)))",
    ] {
        assert!(!finds(condition), "{condition}");
    }
}

#[test]
fn shortcuts_are_about_any_element_each() {
    for condition in [
        "title = 'chef' AND organization_name = 'bar'",
        "skills = 'cooking' AND skills = 'french'",
        "headline = 'builds tools'",
        "summary IS NULL",
        "title IS NOT NULL",
        "skills IS NOT NULL",
        "experience.title = 'chef' AND experience.organization.name = 'inn'",
        "title <> 'chef'",
        "languages IS NULL",
    ] {
        assert!(finds(condition), "{condition}");
    }
    for condition in [
        "experience.title = 'chef' AND experience.organization.name = 'bar'",
        "title IS NULL",
        "NOT (title = 'chef')",
        "skills IS NULL",
        "languages = 'french'",
    ] {
        assert!(!finds(condition), "{condition}");
    }
}

#[test]
fn a_date_is_compared_as_far_as_it_is_given() {
    for condition in [
        "last_seen = '2026'",
        "last_seen = '2026-06'",
        "last_seen = '2026-06-15'",
        "last_seen <= '2026-06'",
        "last_seen >= '2026-06'",
        "last_seen > '2026-05'",
        "last_seen < '2026-07'",
        "last_seen BETWEEN '2026' AND '2026'",
        "birth_date = '1988'",
        "birth_date < '1988-04-01'",
        "last_seen LIKE '2026%'",
        "last_seen NOT IN ('2025', '2027')",
    ] {
        assert!(finds(condition), "{condition}");
    }
    for condition in [
        "last_seen > '2026'",
        "last_seen > '2026-06'",
        "birth_date = '1988-04-01'",
        "last_seen < '2026-06'",
    ] {
        assert!(!finds(condition), "{condition}");
    }
}

#[test]
fn text_is_compared_without_regard_to_case() {
    assert!(finds(
        "city = 'CHICAGO' AND linkedin_url LIKE '%/maya' AND city >= 'CHI'"
    ));
    assert!(finds(
        "city LIKE 'chic_go' AND city NOT LIKE 'chic\\_go' AND age IN (37, 38) AND avg_tenure_months = 50"
    ));
}

#[test]
fn companies_are_found_by_any_form_of_their_name_and_by_entries() {
    let document = json!({
        "name": { "cleaned": "google", "display": "Google", "raw": ["Alphabet Inc.", "GOOGLE"] },
        "service_employee_growth_rate": { "12m": 0.08 },
        "service_seniority_distribution": { "Director": 4, "vp": 1 },
        "service_seniority_growth_rate": { "vp": { "12m": -0.5 } },
        "service_employee_count_by_month": [{ "month": "2026-08", "count": 90 }],
    });
    let document = document.as_object().unwrap();
    let finds = |condition: &str| {
        let query = company(&format!("SELECT * FROM company WHERE {condition}"))
            .unwrap()
            .query;
        interpret(&query.filter.unwrap(), RecordKind::Company, document)
    };
    for condition in [
        "name = 'Alphabet Inc.'",
        "name = 'Google LLC'",
        "name LIKE 'alpha%' AND name LIKE 'goo%'",
        "name IS NOT NULL",
        "name.cleaned = 'google'",
        "service_employee_growth_rate.12m > 0.05",
        "service_seniority_distribution.director = 4",
        "NOT (service_seniority_distribution.vp > 3)",
        "service_seniority_growth_rate.vp.\"12m\" < 0",
        "service_seniority_distribution IS NOT NULL",
        "service_seniority_distribution.cxo IS NULL",
        "service_employee_count_by_month.month = '2026' AND service_employee_count_by_month.count > 80",
        "service_job_function_distribution IS NULL",
    ] {
        assert!(finds(condition), "{condition}");
    }
    for condition in [
        "name = 'meta'",
        "NOT (name LIKE 'alpha%')",
        "service_seniority_distribution.cxo < 9",
        "NOT (service_seniority_distribution.cxo < 9)",
        "service_employee_growth_rate.1m IS NOT NULL",
    ] {
        assert!(!finds(condition), "{condition}");
    }
}

#[test]
fn an_order_has_the_folded_value() {
    let query = person("SELECT * FROM person ORDER BY linkedin_url, age, state")
        .unwrap()
        .query;
    let values: Vec<Option<Value>> = query
        .order
        .iter()
        .map(|key| order_value(RecordKind::Person, &maya(), key.column))
        .collect();
    let expected = [
        Some(Value::Text("linkedin.com/in/maya".to_owned())),
        Some(Value::Integer(38)),
        None,
    ];
    assert_eq!(values, expected);
    let all: Query = person("SELECT * FROM person").unwrap().query;
    assert_eq!((all.filter, all.order), (None, Vec::new()));
}

#[test]
fn an_or_about_a_list_and_the_record_is_multiplied_out_up_to_a_limit() {
    let ors = |many: usize| vec!["(emails.type = 'work' OR city = 'x')"; many].join(" AND ");
    let parsed = |many| {
        let text = format!("SELECT * FROM person WHERE {}", ors(many));
        dialect::Query::parse(events_schema::record::RecordKind::Person, &text)
    };
    assert!(parsed(6).is_ok());
    let refusal = parsed(40).unwrap_err();
    assert_eq!(refusal.reason, dialect::Reason::TooComplex);
    assert_eq!((refusal.line, refusal.column), (1, 28));
}

/// A condition on the record beside an AND that is multiplied out into so many branches.
fn multiplied(condition: &str, branches: usize) -> Result<dialect::Parsed, dialect::Refusal> {
    let branches: Vec<String> = (1..branches).map(|at| format!("founded = {at}")).collect();
    let text = format!(
        "SELECT * FROM company WHERE {condition} AND locations.city = 'a' AND (locations.city = 'b' OR {})",
        branches.join(" OR ")
    );
    company(&text)
}

/// An `IN` is copied with all its values.
#[test]
fn long_lists_are_multiplied_out_less_often() {
    let parsed = |values: usize, branches: usize| {
        let values: Vec<String> = (0..values).map(|at| format!("'{at}'")).collect();
        multiplied(&format!("name IN ({})", values.join(", ")), branches)
    };
    assert!(parsed(10, 200).is_ok());
    assert!(parsed(900, 20).is_ok());
    let refusal = parsed(900, 200).unwrap_err();
    assert_eq!(refusal.reason, dialect::Reason::TooComplex);
}

/// A pattern is copied with all its characters.
#[test]
fn long_texts_are_multiplied_out_less_often() {
    let parsed = |length: usize, branches: usize| {
        multiplied(&format!("name LIKE '%{}'", "x".repeat(length)), branches)
    };
    assert!(parsed(100, 400).is_ok());
    assert!(parsed(50_000, 15).is_ok());
    let refusal = parsed(50_000, 400).unwrap_err();
    assert_eq!(refusal.reason, dialect::Reason::TooComplex);
    assert!(refusal.message.contains("shorter lists and texts"));
}
