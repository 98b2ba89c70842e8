//! Laws that hold for every filter and every text.

use std::sync::LazyLock;

use dialect::arbitrary::{Vocabulary, filters, queries};
use dialect::{Catalog, Filter, ListForm, Query, truth};
use events_schema::record::RecordKind;
use proptest::prelude::*;

use crate::stored::sample;

/// Unless `PROPTEST_CASES` says otherwise.
const CASES: u32 = 1_000;

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases.unwrap_or(CASES))
    }
}

fn any_query() -> impl Strategy<Value = Query> {
    let of = |kind| queries(kind, &Vocabulary::made_up(kind));
    prop_oneof![of(RecordKind::Person), of(RecordKind::Company)]
}

/// Pieces of queries, joined to texts that are nearly queries.
fn nearly_a_query() -> impl Strategy<Value = String> {
    const PIECES: [&str; 51] = [
        "SELECT * FROM person WHERE",
        "SELECT * FROM person",
        "SELECT * FROM company WHERE",
        "ORDER BY",
        "AND",
        "OR",
        "NOT",
        "(",
        ")",
        "city",
        "emails.type",
        "title",
        "skills",
        "age",
        "last_seen",
        "=",
        "<>",
        "<",
        ">=",
        "IN",
        "LIKE",
        "ILIKE",
        "BETWEEN",
        "IS",
        "NULL",
        "'x'",
        "''",
        "'2026-03'",
        "5",
        "-1.5",
        "1e9",
        "true",
        ",",
        ".",
        ";",
        "p",
        "\"",
        "'",
        "LIMIT",
        "lower(",
        "é",
        "🙂",
        "\n",
        "--",
        "emails",
        ".12m",
        "*",
        ".\"*\"",
        "service_seniority_growth_rate.vp",
        "DESC",
        "NULLS FIRST",
    ];
    let piece =
        prop_oneof![8 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => ".{0,6}"];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_query_is_what_its_text_says_and_its_own_normal_form(query in any_query()) {
        let text = query.text();
        let again = Query::parse(query.kind, &text).map(|parsed| parsed.query);
        prop_assert_eq!(again.as_ref(), Ok(&query), "{}", text);
        if let Some(filter) = query.filter {
            prop_assert_eq!(filter.clone().normal(query.kind), filter);
        }
    }

    #[test]
    fn a_query_has_one_digest_and_another_query_another(a in any_query(), b in any_query()) {
        let again = Query::parse(a.kind, &a.text()).map(|parsed| parsed.query.digests());
        prop_assert_eq!(again, Ok(a.digests()));
        prop_assert_eq!(a == b, a.digests().query == b.digests().query, "{}\n{}", a.text(), b.text());
        let same_condition = a.kind == b.kind && a.filter == b.filter;
        prop_assert_eq!(same_condition, a.digests().condition == b.digests().condition);
    }

    #[test]
    fn every_text_is_a_query_or_a_refusal_with_a_place(text in nearly_a_query(), kind in prop::sample::select(&RecordKind::ALL[..])) {
        match Query::parse(kind, &text) {
            Ok(parsed) => {
                let again = Query::parse(kind, &parsed.query.text());
                prop_assert_eq!(again.map(|again| again.query), Ok(parsed.query));
            }
            Err(refusal) => {
                let lines: Vec<&str> = text.split('\n').collect();
                let line = usize::try_from(refusal.line).unwrap_or(usize::MAX);
                prop_assert!((1..=lines.len()).contains(&line), "{:?} {:?}", text, refusal);
                let chars = lines[line - 1].chars().count() as u64;
                prop_assert!((1..=chars + 1).contains(&refusal.column), "{:?} {:?}", text, refusal);
            }
        }
    }
}

/// A path behind a map's name, of parts that are hard to tell from columns of the map.
fn below_a_map() -> impl Strategy<Value = String> {
    let catalog = Catalog::of(RecordKind::Company);
    let maps = catalog.lists().iter();
    let maps = maps.filter(|list| list.form == ListForm::Entries);
    let maps: Vec<&str> = maps.map(|list| list.path.as_str()).collect();
    let part = prop::sample::select(&["vp", "\"*\"", "\"12m\"", "\"a.b\"", "cleaned", "\"\""][..]);
    (
        prop::sample::select(maps),
        prop::collection::vec(part, 1..4),
    )
        .prop_map(|(map, parts)| format!("{map}.{}", parts.join(".")))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_entry_of_a_map_has_figures_alone_and_is_what_its_text_says(path in below_a_map()) {
        let of = |literal| Query::parse(RecordKind::Company, &format!("SELECT * FROM company WHERE {path} = {literal}"));
        prop_assert!(of("'vp'").is_err(), "{}", path);
        if let Ok(parsed) = of("5") {
            let again = Query::parse(RecordKind::Company, &parsed.query.text());
            prop_assert_eq!(again.map(|again| again.query), Ok(parsed.query));
        }
    }
}

type Documents = Vec<serde_json::Map<String, serde_json::Value>>;

fn documents(kind: RecordKind) -> &'static Documents {
    static PERSONS: LazyLock<Documents> = LazyLock::new(|| sample(RecordKind::Person, 60));
    static COMPANIES: LazyLock<Documents> = LazyLock::new(|| sample(RecordKind::Company, 60));
    match kind {
        RecordKind::Person => &PERSONS,
        RecordKind::Company => &COMPANIES,
    }
}

/// Parts in any form, as a parser that knows no normal form would give them.
fn loose(kind: RecordKind) -> impl Strategy<Value = (Filter, Filter)> {
    let vocabulary = Vocabulary::of(kind, documents(kind), 12);
    (filters(kind, &vocabulary), filters(kind, &vocabulary))
}

fn same_truth(kind: RecordKind, a: Filter, b: Filter) -> Result<(), TestCaseError> {
    for raw in [
        Filter::And(vec![a.clone(), b.clone()]),
        Filter::Or(vec![a, b]),
    ] {
        let normal = raw.clone().normal(kind);
        let negated = raw.clone().negated();
        let negated_normal = negated.clone().normal(kind);
        for document in documents(kind) {
            let said = truth(&raw, kind, document);
            prop_assert_eq!(
                said,
                truth(&normal, kind, document),
                "{:?}\n{:?}",
                raw,
                normal
            );
            let opposite = said.map(|said| !said);
            prop_assert_eq!(
                opposite,
                truth(&negated, kind, document),
                "{:?}\n{:?}",
                raw,
                negated
            );
            let opposite_normal = truth(&negated_normal, kind, document);
            prop_assert_eq!(opposite, opposite_normal, "{:?}\n{:?}", raw, negated_normal);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: config().cases / 10, ..config() })]

    #[test]
    fn the_normal_form_finds_the_same_persons((a, b) in loose(RecordKind::Person)) {
        same_truth(RecordKind::Person, a, b)?;
    }

    #[test]
    fn the_normal_form_finds_the_same_companies((a, b) in loose(RecordKind::Company)) {
        same_truth(RecordKind::Company, a, b)?;
    }
}
