//! What `explain: true` says: the contributions add up to the level of every match.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::choose;
use query_service::enrich::explain::{Explanation, explain};
use query_service::enrich::request::EnrichRequest;
use serde_json::{Value, json};

use crate::fixture;
use crate::matching::candidates;

/// The first match explained, with its level.
fn explained(kind: RecordKind, body: Value) -> (Explanation, Confidence) {
    let request = EnrichRequest::read(kind, body.as_object().unwrap()).unwrap();
    let probes = request.query.probes();
    let found = candidates(&fixture::build(kind), &request);
    let chosen = choose(
        request
            .query
            .score(&probes, found, request.wanted.multiple_results),
        &request.wanted,
    )
    .unwrap();
    let build = "2026.11.1-test".parse().unwrap();
    let first = &chosen.matches[0];
    let explanation = explain(&request.query, &probes, first, &build, chosen.runner_up);
    (explanation, first.metadata.match_confidence)
}

fn features(explanation: &Explanation) -> Vec<(&str, f64)> {
    let features = explanation.features.iter();
    features
        .map(|one| (one.feature.as_str(), one.contribution))
        .collect()
}

#[test]
fn every_input_has_its_feature_its_value_and_its_weight() {
    let body = json!({"email": "M.Okafor@northwind-tools.example", "full_name": "Okafor, Maya", "company": "Other Works",
        "city": "Chicago", "birth_date": "1988-04", "school": "lakeside.example"});
    let (explanation, level) = explained(RecordKind::Person, body);
    assert_eq!(level, Confidence::Moderate);
    assert_eq!(
        features(&explanation),
        [
            ("email_exact", 0.62),
            ("name_same", 0.01),
            ("company_contradicts", -0.2),
            ("school_unsure", 0.0),
            ("city_same", 0.01),
            ("birth_date_same", 0.01),
        ]
    );
    let [email, name, company, ..] = explanation.features.as_slice() else {
        panic!("six features")
    };
    assert_eq!(
        (email.input.as_str(), email.record.as_deref()),
        (
            "m.okafor@northwind-tools.example",
            Some("m.okafor@northwind-tools.example")
        )
    );
    assert_eq!(name.record.as_deref(), Some("maya ifeoma okafor"));
    assert_eq!(company.input, "other works");
    assert!(company.record.is_some());
    assert_eq!(
        (explanation.data_build.as_str(), explanation.runner_up),
        ("2026.11.1-test", None)
    );
}

#[test]
fn a_name_and_its_contexts_share_what_the_level_weighs() {
    let body = json!({"full_name": "Maya Okafor", "company": "Northwind Tools", "city": "Chicago", "country": "FR"});
    let (explanation, level) = explained(RecordKind::Person, body);
    assert_eq!(level, Confidence::Low);
    assert_eq!(
        features(&explanation),
        [
            ("name_same", 0.12),
            ("company_same", 0.15),
            ("city_same", 0.15),
            ("country_contradicts", -0.2)
        ]
    );
}

#[test]
fn the_best_candidate_that_is_not_returned_is_the_runner_up() {
    let (explanation, _) = explained(RecordKind::Person, json!({"phone": "+13125550100"}));
    let runner_up = explanation.runner_up.unwrap();
    assert_eq!(
        (runner_up.service_id, runner_up.match_confidence),
        (fixture::id(2), Confidence::Moderate)
    );
}

#[test]
fn the_contributions_add_up_to_the_level() {
    let email = "m.okafor@northwind-tools.example";
    let hash = normalize::email::hashes(email).sha1;
    let persons = [
        json!({"email": email}),
        json!({"email_hash": hash, "company": "Other Works"}),
        json!({"email": email, "company": "Other Works", "city": "Paris"}),
        json!({"email": email, "phone": "+13125550142", "full_name": "Maya Okafor", "company": "northwind-tools.example",
            "school": "Lakeside University", "state": "IL", "country": "USA", "postal_code": "60607", "birth_date": "1988"}),
        json!({"phone": "+13125550100", "first_name": "Maya", "last_name": "Okafor", "company": "Northwind Tools", "city": "Chicago"}),
        json!({"email": "tomas@old.example"}),
        json!({"full_name": "Maya Okafro", "company": "Northwind Tools", "city": "Chicago"}),
    ];
    let companies = [
        json!({"domain": "northwind-tools.example", "ticker_symbol": "XXX"}),
        json!({"domain": "shop.northwind-tools.example"}),
        json!({"name": "Acme"}),
        json!({"name": "Acme", "city": "Boston"}),
        json!({"name": "Northwnid Tools", "industry": "machinery"}),
    ];
    let persons = persons.into_iter().map(|body| (RecordKind::Person, body));
    let companies = companies
        .into_iter()
        .map(|body| (RecordKind::Company, body));
    for (kind, body) in persons.chain(companies) {
        let (explanation, level) = explained(kind, body.clone());
        let sum: f64 = explanation
            .features
            .iter()
            .map(|one| one.contribution)
            .sum();
        let of_sum = match (sum * 100.0).round() {
            60.0.. => Confidence::High,
            40.0.. => Confidence::Moderate,
            20.0.. => Confidence::Low,
            _ => panic!("{sum} is no match: {body}"),
        };
        assert_eq!(of_sum, level, "{sum} {body}");
    }
}
