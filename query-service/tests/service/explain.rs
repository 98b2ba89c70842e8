//! What `explain: true` says: of persons the bits of every input, which add up to the probability; of companies contributions that add up
//! to the level.

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::choose;
use query_service::enrich::explain::{Explanation, Told, explain};
use query_service::enrich::rarity::Uncounted;
use query_service::enrich::request::EnrichRequest;
use query_service::enrich::{Cut, LevelBy};
use serde_json::{Value, json};

use crate::fixture::{self, Record};
use crate::matching::candidates;

/// The first match explained, with its level.
fn explained(kind: RecordKind, body: Value) -> (Explanation, Confidence) {
    explained_among(&fixture::build(kind), kind, body)
}

/// The same among these records.
pub(crate) fn explained_among(
    records: &[Record],
    kind: RecordKind,
    body: Value,
) -> (Explanation, Confidence) {
    let request = EnrichRequest::read(kind, body.as_object().unwrap()).unwrap();
    let probes = request.query.probes();
    let found = candidates(records, &request);
    let chosen = choose(
        request.query.score(&probes, found, &Uncounted),
        &request.wanted,
    )
    .unwrap();
    let build = "2026.11.1-test".parse().unwrap();
    let first = &chosen.matches[0];
    let told = Told {
        cut: &Cut::default(),
        query: &request.query,
        probes: &probes,
        build: &build,
        counts: &Uncounted,
        not_read: &request.not_read,
    };
    let explanation = explain(&told, first, chosen.runner_up);
    (explanation, first.metadata.match_confidence)
}

fn features(explanation: &Explanation) -> Vec<(&str, f64)> {
    let features = explanation.features.iter();
    features
        .map(|one| (one.feature.as_str(), one.contribution))
        .collect()
}

#[test]
fn the_rule_that_gave_the_level_is_named() {
    let by = |kind, body| {
        let (explanation, level) = explained(kind, body);
        (explanation.level_by, level)
    };
    let person = |body| by(RecordKind::Person, body);
    let name = "Maya Okafor";
    assert_eq!(
        person(json!({"full_name": name, "country": "US"})),
        (LevelBy::OneContext, Confidence::Moderate)
    );
    assert_eq!(
        person(json!({"full_name": name, "city": "Chicago", "birth_date": "1988-04-09"})),
        (LevelBy::Probability, Confidence::High)
    );
    assert_eq!(
        person(
            json!({"full_name": name, "city": "Chicago", "birth_date": "1988-04-09", "company": "Other Works"})
        ),
        (LevelBy::Contradicted, Confidence::Moderate)
    );
    assert_eq!(
        by(RecordKind::Company, json!({"name": "Northwind Tools"})).0,
        LevelBy::Name
    );
}

#[test]
fn every_input_has_its_feature_its_value_and_its_weight() {
    let body = json!({"email": "M.Okafor@northwind-tools.example", "full_name": "Okafor, Maya", "company": "Other Works",
        "city": "Chicago", "birth_date": "1988-04", "school": "lakeside.example"});
    let (explanation, level) = explained(RecordKind::Person, body);
    assert_eq!(level, Confidence::Moderate);
    assert_eq!(explanation.level_by, LevelBy::Identifier);
    let names: Vec<&str> = features(&explanation).iter().map(|one| one.0).collect();
    assert_eq!(
        names,
        [
            "email_exact",
            "name_same",
            "company_contradicts",
            "school_unsure",
            "city_same",
            "birth_date_same"
        ]
    );
    let signs: Vec<f64> = features(&explanation)
        .iter()
        .map(|one| if one.1 == 0.0 { 0.0 } else { one.1.signum() })
        .collect();
    assert_eq!(signs, [1.0, 1.0, -1.0, 0.0, 1.0, 1.0]);
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
    assert!(explanation.probability > Some(0.99));
    assert!(explanation.not_read.is_empty());
}

#[test]
fn a_context_that_cannot_be_read_or_stands_for_none_is_named_and_says_nothing() {
    let email = "m.okafor@northwind-tools.example";
    let body = json!({"email": email, "company": "N/A", "address": "16", "city": "Chicago"});
    let (explanation, level) = explained(RecordKind::Person, body);
    assert_eq!(level, Confidence::High);
    assert_eq!(explanation.not_read, ["company", "address"]);
}

/// Some codes are words that stand for no value elsewhere: `NO`, `NA`.
#[test]
fn every_code_of_a_country_is_read() {
    let not_read = |body: Value| {
        let body = body.as_object().unwrap();
        let read = EnrichRequest::read(RecordKind::Company, body).unwrap();
        read.not_read
    };
    for country in normalize::country::all() {
        let body = json!({"name": "Telia", "country": country.code});
        assert!(not_read(body).is_empty(), "{}", country.code);
    }
    let novara = json!({"name": "Telia", "country": "Italy", "state": "NO"});
    assert!(not_read(novara).is_empty());
    let none = json!({"name": "Telia", "country": "n/a", "state": "NO"});
    assert_eq!(not_read(none), ["state", "country"]);
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
fn the_bits_of_a_person_add_up_to_the_probability() {
    for body in [
        json!({"full_name": "Maya Okafor", "company": "Northwind Tools"}),
        json!({"full_name": "Maya Okafro", "company": "Northwind Tools", "city": "Chicago"}),
        json!({"first_name": "Maya", "last_name": "Okafor", "company": "Northwind Tools", "country": "US"}),
    ] {
        let (explanation, _) = explained(RecordKind::Person, body.clone());
        let bits: f64 = explanation
            .features
            .iter()
            .map(|one| one.contribution)
            .sum();
        let alone = query_service::enrich::probability::probabilities(&[bits], 0);
        let told = explanation.probability.unwrap();
        assert!((alone[0] - told).abs() < 0.001, "{bits} {told} {body}");
    }
}

#[test]
fn the_contributions_of_a_company_add_up_to_the_level() {
    let companies = [
        json!({"domain": "northwind-tools.example", "ticker_symbol": "XXX"}),
        json!({"domain": "shop.northwind-tools.example"}),
        json!({"name": "Acme"}),
        json!({"name": "Acme", "city": "Boston"}),
        json!({"name": "Northwnid Tools", "industry": "machinery"}),
    ];
    for body in companies {
        let (explanation, level) = explained(RecordKind::Company, body.clone());
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
        assert_eq!(explanation.probability, None);
    }
}
