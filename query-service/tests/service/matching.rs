//! How sure a match is (`docs/API.md`), on hand-made records, without database and HTTP.

use std::sync::Arc;

use events_schema::record::{Confidence, RecordKind};
use query_service::enrich::choose::{Miss, choose};
use query_service::enrich::compared::Compared;
use query_service::enrich::probe::{MAX_RELATIVES, Probe};
use query_service::enrich::rarity::{Counts, Uncounted};
use query_service::enrich::request::EnrichRequest;
use query_service::enrich::{Candidate, DataPoint, Hit};
use serde_json::{Value, json};

use crate::fixture::{self, Record, company, id, person};

/// The matches as (number of the record, level, what it was matched on), and the total.
pub(crate) type Matches = (Vec<(u128, Confidence, String)>, u64);

pub(crate) fn enrich(records: &[Record], kind: RecordKind, body: Value) -> Result<Matches, Miss> {
    enrich_in(&Uncounted, records, kind, body)
}

/// The same in a build whose values are counted.
pub(crate) fn enrich_in(
    counts: &dyn Counts,
    records: &[Record],
    kind: RecordKind,
    body: Value,
) -> Result<Matches, Miss> {
    let request = EnrichRequest::read(kind, body.as_object().unwrap()).unwrap();
    let probes = request.query.probes();
    let scored = request
        .query
        .score(&probes, candidates(records, &request), counts);
    let chosen = choose(scored, &request.wanted)?;
    let number = |record: uuid::Uuid| record.as_u128() - id(0).as_u128();
    let matches = chosen.matches.iter().map(|one| {
        let metadata = &one.metadata;
        (
            number(one.candidate.service_id),
            metadata.match_confidence,
            metadata.matched_on.join(" "),
        )
    });
    Ok((matches.collect(), chosen.total))
}

/// The records to which a key of the request leads, as the statement finds them.
pub(crate) fn candidates(records: &[Record], request: &EnrichRequest) -> Vec<Candidate> {
    let probes = request.query.probes();
    let own = request.query.service_id();
    let leads = |probe: &Probe, record: &Record| {
        let mut keys = record.keys.iter();
        keys.any(|(kind, key, _)| (*kind, *key) == (probe.kind, probe.key))
    };
    // Of a part of a name the statement reads the first entries alone.
    let is_read = |probe: &Probe, place: usize| {
        let before = records
            .iter()
            .take(place)
            .filter(|record| leads(probe, record));
        !probe.is_of_word() || before.count() < MAX_RELATIVES as usize
    };
    let found = records.iter().zip(1..).filter_map(|(record, rank)| {
        let place = rank as usize - 1;
        let probes = || {
            probes
                .iter()
                .enumerate()
                .filter(|(_, probe)| is_read(probe, place))
        };
        let entries = probes().flat_map(|(at, probe)| {
            let keys = record
                .keys
                .iter()
                .filter(move |(kind, key, _)| (*kind, *key) == (probe.kind, probe.key));
            keys.map(move |(_, _, flags)| Hit {
                probe: at,
                point: DataPoint::from_flags(*flags),
            })
        });
        let mut hits: Vec<Hit> = entries.collect();
        if let Some((clue, _)) = own.filter(|(_, own)| *own == record.id) {
            let (probe, _) = probes().find(|(_, probe)| probe.clue == clue).unwrap();
            hits.push(Hit {
                probe,
                point: DataPoint::from_flags(0),
            });
        }
        let json = serde_json::to_vec(&record.doc).unwrap();
        (!hits.is_empty()).then(|| Candidate {
            rank,
            service_id: record.id,
            build: Arc::new("2026.11.1-test".parse().unwrap()),
            doc: Compared::read(&json).unwrap(),
            json,
            hits,
        })
    });
    found.collect()
}

fn persons(body: Value) -> Result<Matches, Miss> {
    enrich(
        &fixture::build(RecordKind::Person),
        RecordKind::Person,
        body,
    )
}

fn companies(body: Value) -> Result<Matches, Miss> {
    enrich(
        &fixture::build(RecordKind::Company),
        RecordKind::Company,
        body,
    )
}

fn one(number: u128, level: Confidence, matched_on: &str) -> Result<Matches, Miss> {
    Ok((vec![(number, level, matched_on.to_owned())], 1))
}

const HIGH: Confidence = Confidence::High;
const MODERATE: Confidence = Confidence::Moderate;
const LOW: Confidence = Confidence::Low;

#[test]
fn a_unique_identifier_is_a_high_match() {
    let hashes = normalize::email::hashes("m.okafor@northwind-tools.example");
    let tagged = normalize::email::hashes("m.okafor+tag@northwind-tools.example");
    for (field, value) in [
        ("email", "M.Okafor+news@Northwind-Tools.example"),
        ("email_hash", hashes.sha256.as_str()),
        ("email_hash", hashes.sha1.as_str()),
        ("email_hash", hashes.md5.as_str()),
        ("email_hash", tagged.sha256.to_uppercase().as_str()),
        ("phone", "(312) 555-0142"),
        (
            "social_url",
            "https://www.linkedin.com/in/Maya-Okafor-Example/?x=1",
        ),
        ("linkedin_id", "70110042"),
        ("service_id", id(1).to_string().as_str()),
        ("service_id", id(900).to_string().as_str()),
    ] {
        assert_eq!(
            persons(json!({field: value})),
            one(1, HIGH, field),
            "{field}"
        );
    }
}

#[test]
fn a_shared_identifier_lowers_the_level() {
    let both = persons(json!({"phone": "+13125550100", "multiple_results": true})).unwrap();
    assert_eq!(
        both,
        (
            vec![(1, MODERATE, "phone".into()), (2, MODERATE, "phone".into())],
            2
        )
    );
    let three =
        persons(json!({"phone": "+13125550111", "multiple_results": true, "limit": 10})).unwrap();
    assert_eq!((three.1, three.0[0].1), (3, LOW));
}

#[test]
fn a_weak_or_old_data_point_is_a_moderate_match() {
    assert_eq!(
        persons(json!({"email": "tomas@old.example"})),
        one(2, MODERATE, "email")
    );
    let old = person(
        9,
        json!({"full_name": "a b", "emails": [{"address": "a@b.example", "current": false, "confidence": "high"}]}),
    );
    assert_eq!(
        enrich(&[old], RecordKind::Person, json!({"email": "a@b.example"})),
        one(9, MODERATE, "email")
    );
    let unknown = person(
        9,
        json!({"full_name": "a b", "emails": [{"address": "a@b.example", "confidence": "moderate"}]}),
    );
    assert_eq!(
        enrich(
            &[unknown],
            RecordKind::Person,
            json!({"email": "a@b.example"})
        ),
        one(9, HIGH, "email")
    );
}

#[test]
fn every_contradiction_lowers_by_one_and_below_low_there_is_no_match() {
    let email = "m.okafor@northwind-tools.example";
    assert_eq!(
        persons(json!({"email": email, "company": "Northwind Tools Inc."})),
        one(1, HIGH, "email company")
    );
    assert_eq!(
        persons(json!({"email": email, "company": "Other Works"})),
        one(1, MODERATE, "email")
    );
    assert_eq!(
        persons(json!({"email": email, "company": "Other Works", "city": "Paris"})),
        one(1, LOW, "email")
    );
    let three =
        json!({"email": email, "company": "Other Works", "city": "Paris", "birth_date": "1970"});
    assert_eq!(persons(three), Err(Miss::NoMatch));
}

#[test]
fn what_the_record_does_not_know_neither_agrees_nor_contradicts() {
    let body = json!({"email": "tomas@old.example", "school": "MIT", "birth_date": "1970", "country": "France"});
    assert_eq!(persons(body), one(2, MODERATE, "email"));
    let twitter = json!({"email": "m.okafor@northwind-tools.example", "social_url": "https://x.com/somebody"});
    assert_eq!(persons(twitter), one(1, HIGH, "email"));
    let placeholder =
        json!({"email": "m.okafor@northwind-tools.example", "full_name": "test test"});
    assert_eq!(persons(placeholder), one(1, HIGH, "email"));
}

#[test]
fn past_employers_schools_and_other_names_agree() {
    let body = json!({"email": "m.okafor@northwind-tools.example", "full_name": "Maya Okafor", "company": "Harbor Freight Lines",
        "school": "Lakeside University", "birth_date": "1988-04-09", "state": "IL", "country": "USA", "postal_code": "60607-1234"});
    assert_eq!(
        persons(body),
        one(
            1,
            HIGH,
            "email full_name company school state country postal_code birth_date"
        )
    );
    let alias = json!({"email": "m.okafor@northwind-tools.example", "first_name": "maya", "last_name": "okafor-lind"});
    assert_eq!(persons(alias).unwrap().0[0].1, HIGH);
}

#[test]
fn a_name_needs_its_context_to_agree() {
    let one_context = json!({"full_name": "Maya Okafor", "company": "northwind-tools.example"});
    assert_eq!(persons(one_context), one(1, MODERATE, "full_name company"));
    let two_contexts =
        json!({"full_name": "Okafor, Maya", "company": "Northwind Tools", "city": "Chicago"});
    assert_eq!(
        persons(two_contexts),
        one(1, HIGH, "full_name company city")
    );
    let parts = json!({"first_name": "Maya", "last_name": "Okafor", "country": "US"});
    assert_eq!(
        persons(parts),
        one(1, MODERATE, "first_name last_name country")
    );
    assert_eq!(
        persons(json!({"full_name": "Maya Okafor", "city": "Paris"})),
        Err(Miss::NoMatch)
    );
    assert_eq!(
        persons(json!({"full_name": "Marta Okafor", "company": "Northwind Tools"})),
        Err(Miss::NoMatch)
    );
}

#[test]
fn the_very_name_comes_before_names_that_it_could_stand_for() {
    let of = |number, name: &str, aliases: Value| {
        let (first, last) = name.split_once(' ').unwrap();
        person(
            number,
            json!({"full_name": name, "first_name": first, "last_name": last, "_name_aliases": aliases, "company_name": "state senate", "city": "austin"}),
        )
    };
    let records = [
        of(1, "jason nemes", json!(["j.m. nemes", "nemes, j."])),
        of(2, "mike nemes", json!([])),
        of(3, "michael nemes", json!([])),
    ];
    let by = |name: &str| {
        enrich(
            &records,
            RecordKind::Person,
            json!({"full_name": name, "company": "State Senate"}),
        )
    };
    assert_eq!(by("Mike Nemes"), one(2, LOW, "full_name company"));
    assert_eq!(by("Jason Nemes"), one(1, MODERATE, "full_name company"));
    assert_eq!(by("M. Nemes"), Err(Miss::Ambiguous(2)));
}

#[test]
fn three_that_tie_are_no_answer_unless_several_are_wanted() {
    assert_eq!(
        persons(json!({"phone": "+13125550111"})),
        Err(Miss::Ambiguous(3))
    );
    assert_eq!(
        persons(json!({"full_name": "Sam Reed", "company": "Harbor Lines", "city": "Boston"})),
        Err(Miss::Ambiguous(3))
    );
    let two = persons(json!({"phone": "+13125550100"})).unwrap();
    assert_eq!(two, (vec![(1, MODERATE, "phone".into())], 2));
    let named = persons(json!({"phone": "+13125550100", "full_name": "Tomas Lindqvist"})).unwrap();
    assert_eq!(named, (vec![(2, MODERATE, "phone full_name".into()),], 2));
}

#[test]
fn a_miss_names_the_filter_that_emptied_the_list() {
    let below = json!({"phone": "+13125550111", "min_confidence": "moderate"});
    assert_eq!(persons(below), Err(Miss::BelowMinConfidence));
    let email = "m.okafor@northwind-tools.example";
    for (required, miss) in [
        (
            "work_email,emails.type:work,phones.type:mobile,socials.network:linkedin",
            None,
        ),
        (
            "seniority_level:director, emails.current:true,num_sources:6,headline",
            None,
        ),
        ("headline:operations leader", None),
        ("emails.type:personal", Some(Miss::MissingRequiredFields)),
        ("work_email,summary", Some(Miss::MissingRequiredFields)),
        ("certifications", Some(Miss::MissingRequiredFields)),
    ] {
        let found = persons(json!({"email": email, "required_fields": required}));
        assert_eq!(found.err(), miss, "{required}");
    }
    assert_eq!(
        persons(json!({"email": "nobody@nowhere.example"})),
        Err(Miss::NoMatch)
    );
}

#[test]
fn total_counts_the_candidates_before_filters_and_limit() {
    let body =
        json!({"phone": "+13125550100", "multiple_results": true, "required_fields": "work_email"});
    assert_eq!(
        persons(body).unwrap(),
        (vec![(1, MODERATE, "phone".into())], 2)
    );
    let limited = json!({"phone": "+13125550111", "multiple_results": true});
    let limited = persons(limited).unwrap();
    assert_eq!((limited.0.len(), limited.1), (2, 3));
}

#[test]
fn a_company_is_found_by_each_of_its_identifiers() {
    for (field, value) in [
        ("domain", "https://www.Northwind-Tools.example/about"),
        (
            "linkedin_url",
            "https://www.linkedin.com/company/Northwind-Tools-Example/about/",
        ),
        ("social_url", "linkedin.com/company/northwind-tools-example"),
        ("linkedin_id", "4410021"),
        ("ticker_symbol", " nwt "),
        ("service_id", id(101).to_string().as_str()),
        ("service_id", id(901).to_string().as_str()),
    ] {
        assert_eq!(
            companies(json!({field: value})),
            one(101, HIGH, field),
            "{field}"
        );
    }
}

#[test]
fn a_bare_company_name_is_moderate_when_unique_and_low_when_shared() {
    assert_eq!(
        companies(json!({"name": "Northwind Tools, Inc."})),
        one(101, MODERATE, "name")
    );
    let shared = companies(json!({"name": "Acme"})).unwrap();
    assert_eq!(shared, (vec![(102, LOW, "name".into())], 2));
    let placed = companies(json!({"name": "Acme", "city": "Boston"})).unwrap();
    assert_eq!(placed, (vec![(103, MODERATE, "name city".into())], 1));
    let third = company(104, json!({"name": {"cleaned": "acme"}}));
    let mut records = fixture::build(RecordKind::Company);
    records.push(third);
    assert_eq!(
        enrich(&records, RecordKind::Company, json!({"name": "ACME"})),
        Err(Miss::Ambiguous(3))
    );
}

#[test]
fn a_company_that_contradicts_its_other_inputs_is_lowered() {
    let domain = "northwind-tools.example";
    assert_eq!(
        companies(json!({"domain": domain, "industry": "machinery", "country": "US"})),
        one(101, HIGH, "domain industry country")
    );
    assert_eq!(
        companies(json!({"domain": domain, "name": "Other Works"})),
        one(101, MODERATE, "domain")
    );
    assert_eq!(
        companies(json!({"domain": domain, "ticker_symbol": "XXX", "city": "Paris"})),
        one(101, LOW, "domain")
    );
    assert_eq!(
        companies(json!({"name": "acme", "domain": domain, "multiple_results": true}))
            .unwrap()
            .0[0]
            .0,
        101
    );
}

#[test]
fn the_host_itself_comes_before_what_was_registered_above_it() {
    let mut records = fixture::build(RecordKind::Company);
    records.push(company(
        105,
        json!({"name": {"cleaned": "northwind shop"}, "domain": "shop.northwind-tools.example"}),
    ));
    let by = |host: &str| enrich(&records, RecordKind::Company, json!({"domain": host}));
    assert_eq!(by("northwind-tools.example"), one(101, HIGH, "domain"));
    assert_eq!(by("shop.northwind-tools.example"), one(105, HIGH, "domain"));
}

#[test]
fn a_host_below_a_known_domain_is_another_part_of_its_owner() {
    assert_eq!(
        companies(json!({"domain": "shop.northwind-tools.example"})),
        one(101, MODERATE, "domain")
    );
}
