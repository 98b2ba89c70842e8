//! The endpoint table, written out once more: a price or a limit is not changed by accident.

use events_schema::Credits;
use events_schema::api::endpoint::Endpoint;

/// Name, path, price in credits a unit, requests a minute.
const TABLE: [(&str, &str, i64, u32); 12] = [
    ("person_enrich", "/person/enrich", 1, 100),
    ("person_search", "/person/search", 1, 50),
    ("person_discover", "/person/discover", 1, 50),
    ("company_enrich", "/company/enrich", 1, 100),
    ("company_search", "/company/search", 1, 50),
    ("company_discover", "/company/discover", 1, 50),
    ("utility_clean", "/utility/clean", 1, 100),
    ("utility_hash_email", "/utility/hash/email", 1, 100),
    ("utility_validate", "/utility/validate", 1, 100),
    ("autocomplete", "/autocomplete", 0, 600),
    ("report_person", "/utility/report/person", 0, 50),
    ("report_company", "/utility/report/company", 0, 50),
];

#[test]
fn the_endpoint_table_is_as_it_was_agreed() {
    let table: Vec<_> = Endpoint::ALL
        .iter()
        .map(|e| {
            (
                e.name(),
                e.path(),
                e.default_price().0,
                e.default_rate_limit(),
            )
        })
        .collect();
    assert_eq!(table, TABLE);
}

#[test]
fn the_name_of_an_endpoint_is_the_same_in_text_and_in_json() {
    for (endpoint, (name, ..)) in Endpoint::ALL.iter().zip(TABLE) {
        assert_eq!(serde_json::to_value(endpoint).unwrap(), name);
        assert_eq!(name.parse::<Endpoint>().unwrap(), *endpoint);
    }
}

#[test]
fn only_reports_and_completions_are_free_whatever_a_price_book_says() {
    for endpoint in Endpoint::ALL {
        assert_eq!(
            endpoint.is_free(),
            endpoint.default_price() == Credits::ZERO,
            "{endpoint}"
        );
    }
}
