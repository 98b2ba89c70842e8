//! The worked examples of `docs/MATCHING.md`: what is asked, and how the answer is explained.

use events_schema::record::RecordKind;
use query_service::enrich::Cut;
use query_service::enrich::choose::{Miss, choose};
use query_service::enrich::explain::{Told, explain};
use query_service::enrich::rarity::Uncounted;
use query_service::enrich::request::EnrichRequest;
use serde_json::{Value, json};

use crate::fixture::{Record, person};
use crate::matching::candidates;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/worked_examples.json");
const PAGE: &str = include_str!("../../../docs/MATCHING.md");

fn records() -> Vec<Record> {
    let okafor = |number, name: &str, more: Value| {
        let (first, last) = name.rsplit_once(' ').unwrap();
        let mut doc = json!({"full_name": name, "first_name": first, "last_name": last, "company_name": "northwind tools",
            "country_code": "US", "city": "chicago"});
        doc.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        person(number, doc)
    };
    let born = json!({"birth_date": "1988-04-09", "birth_year": 1988, "birth_month": 4, "birth_day": 9,
        "locations": [{"street_address": "12 main street", "postal_code": "60607"}]});
    vec![
        okafor(1, "maya okafor", born),
        okafor(2, "john smith", json!({})),
        okafor(3, "john a. smith", json!({"city": "boston"})),
    ]
}

fn answer(body: &Value) -> Value {
    let request = EnrichRequest::read(RecordKind::Person, body.as_object().unwrap()).unwrap();
    let probes = request.query.probes();
    let found = candidates(&records(), &request);
    let scored = request.query.score(&probes, found, &Uncounted);
    match choose(scored, &request.wanted) {
        Ok(chosen) => {
            let build = "2026.11.1-test".parse().unwrap();
            let told = Told {
                cut: &Cut::default(),
                query: &request.query,
                probes: &probes,
                build: &build,
                counts: &Uncounted,
                not_read: &request.not_read,
            };
            let first = &chosen.matches[0];
            let explanation = explain(&told, first, chosen.runner_up);
            json!({"match_metadata": first.metadata, "explanation": explanation})
        }
        Err(Miss::Ambiguous(candidates)) => {
            json!({"reason": "ambiguous", "candidates": candidates})
        }
        Err(miss) => json!({"reason": format!("{miss:?}")}),
    }
}

#[test]
fn the_worked_examples_are_explained_as_their_page_says() {
    let bodies = [
        json!({"full_name": "Okafor, Maya", "company": "Northwind Tools Inc.", "city": "Chicago"}),
        json!({"full_name": "Maya Okafro", "company": "N/A", "birth_date": "1988-04-09", "address": "12 Main St"}),
        json!({"full_name": "Maya Lind", "company": "Northwind Tools", "birth_date": "1988-04-09"}),
        json!({"full_name": "Tomas Okafor", "company": "Northwind Tools", "city": "Chicago"}),
        json!({"full_name": "John Smith", "company": "Northwind Tools"}),
    ];
    let got: Vec<Value> = bodies
        .iter()
        .map(|body| json!({"request": body, "answer": answer(body)}))
        .collect();
    let got = serde_json::to_string_pretty(&got).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &got).unwrap();
    }
    assert_eq!(std::fs::read_to_string(GOLDEN).unwrap(), got);
    for body in &bodies {
        assert!(PAGE.contains(&body.to_string()), "the page lacks {body}");
    }
}
