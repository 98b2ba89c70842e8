//! What holds of every text, whoever wrote it.
#![allow(clippy::unwrap_used)]

use chrono::NaiveDate;
use dialect::Query;
use discover::{NoLexicon, Translation, translate};
use events_schema::record::RecordKind;
use proptest::prelude::*;

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 1).unwrap()
}

fn read(kind: RecordKind, text: &str) -> Option<Translation> {
    translate(kind, text, &NoLexicon, today()).ok()
}

/// Words that rules are about, in any order.
const WORDS: &[&str] = &[
    "directors",
    "vp",
    "of",
    "and",
    "or",
    "not",
    "in",
    "at",
    "sales",
    "engineers",
    "berlin,",
    "germany",
    "paris",
    "texas",
    "the",
    "companies",
    "with",
    "without",
    "no",
    "more than",
    "at least",
    "up to",
    "between",
    "50",
    "200",
    "10,000",
    "5%",
    "years",
    "of experience",
    "employees",
    "founded",
    "after",
    "before",
    "2015",
    "1990s",
    "growing",
    "shrank",
    "over the last",
    "6",
    "months",
    "year",
    "work email",
    "linkedin",
    "banks",
    "fintech",
    "startups",
    "public",
    "nonprofits",
    "last seen",
    "since",
    "june",
    "2026",
    "(",
    ")",
    ",",
    ".",
    "\"labs\"",
    "named",
    "maria",
    "decision makers",
    "who speak",
    "spanish",
    "ex-google",
    "top 10",
    "female",
    "excluding",
    "but",
    "either",
    "neither",
    "nor",
    "$",
    "million",
    "revenue",
    "size",
    "51-200",
    "average tenure",
    "head of",
    "product",
    "us",
    "US",
    "C-level",
    "+",
    "/",
    "&",
    "old",
    "software engineer",
    "DROP TABLE person;",
    "--",
    "' or 1=1",
    "🦀",
    "東京",
    "a.b.c",
    "\n",
    "%",
    "_",
    "\\",
];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(WORDS), 0..40).prop_map(|words| words.join(" ")),
        prop::collection::vec(prop::sample::select(WORDS), 0..12).prop_map(|words| words.concat()),
        ".{0,200}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_gives_a_query_of_search_or_a_refusal(text in texts(), is_person: bool) {
        let kind = if is_person { RecordKind::Person } else { RecordKind::Company };
        let length = text.chars().count();
        if let Some(found) = read(kind, &text) {
            prop_assert!(found.query.filter.is_some(), "a query without a condition is everybody");
            let printed = found.query.text();
            let again = Query::parse(kind, &printed);
            prop_assert_eq!(again.map(|parsed| parsed.query).ok(), Some(found.query.clone()), "{}", printed);
            let said = found.interpretation;
            for span in said.applied.iter().map(|one| one.span).chain(said.unsupported.iter().map(|one| one.span)) {
                prop_assert!(span[0] < span[1] && span[1] <= length, "{:?} of {}", span, length);
            }
            prop_assert_eq!(read(kind, &text).map(|again| again.query), Some(found.query));
        }
    }

    #[test]
    fn words_that_ask_nothing_change_nothing(before in prop::sample::select(vec!["", "find me ", "please show me ", "I'm looking for ", "a list of "]), behind in prop::sample::select(vec!["", " please", ", thanks", ".", "?"])) {
        for text in ["VPs of marketing in Germany or Austria", "nurses in Texas with 5+ years of experience", "recruiters who are not in sales"] {
            let plain = read(RecordKind::Person, text).unwrap();
            let dressed = read(RecordKind::Person, &format!("{before}{text}{behind}")).unwrap();
            prop_assert_eq!(plain.query, dressed.query);
            prop_assert_eq!(dressed.interpretation.unsupported, vec![]);
        }
    }
}

#[test]
fn the_order_of_what_is_asked_changes_nothing() {
    let parts = [
        "in Germany",
        "with a work email",
        "at banks",
        "with 5+ years of experience",
    ];
    let first = read(
        RecordKind::Person,
        &format!("sales directors {}", parts.join(" ")),
    )
    .unwrap();
    for turn in 1..parts.len() {
        let mut turned = parts;
        turned.rotate_left(turn);
        let text = format!("sales directors {}", turned.join(" "));
        assert_eq!(
            read(RecordKind::Person, &text).unwrap().query,
            first.query,
            "{text}"
        );
    }
}

#[test]
fn what_is_not_understood_is_reported_with_its_words() {
    for (text, phrase) in [
        ("engineers in Germany who speak Spanish", "speak Spanish"),
        ("ex-Google engineers in Germany", "ex-Google"),
        ("engineers in Germany with a snarkle", "snarkle"),
        ("top 10 engineers in Germany", "top 10"),
        ("female engineers in Germany", "female"),
    ] {
        let found = read(RecordKind::Person, text).unwrap();
        assert_eq!(
            found.query.text(),
            "SELECT * FROM person WHERE country = 'germany' AND job_function = 'engineering'"
        );
        let phrases: Vec<&str> = found
            .interpretation
            .unsupported
            .iter()
            .map(|one| one.phrase.as_str())
            .collect();
        assert_eq!(phrases, [phrase], "{text}");
    }
}

#[test]
fn texts_that_repeat_themselves_are_read_to_their_end() {
    for text in [
        "not (".repeat(200),
        "directors or ".repeat(77),
        "xyzzyq ".repeat(142),
        "1 to ".repeat(200),
        "(".repeat(1_000),
    ] {
        for kind in RecordKind::ALL {
            if let Some(found) = read(kind, &text) {
                assert!(found.query.filter.is_some(), "{text:.20}");
            }
        }
    }
}

#[test]
fn a_text_that_only_tells_about_the_one_who_asks_is_refused_with_its_words() {
    for text in [
        "we sell software",
        "Our customers are hotels in Italy",
        "I'm a recruiter at a bank",
    ] {
        for kind in RecordKind::ALL {
            let refused = translate(kind, text, &NoLexicon, today()).unwrap_err();
            let phrases: Vec<&str> = refused
                .unsupported
                .iter()
                .map(|one| one.phrase.as_str())
                .collect();
            assert_eq!(phrases, [text]);
        }
    }
}
