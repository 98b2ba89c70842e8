//! The account of the words: each is told, and of what is left out it is told that it is.
#![allow(clippy::unwrap_used, clippy::panic)]

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId};
use discover::judge::is_made_of_its_clauses;
use discover::{Lexicon, Translation, translate};
use events_schema::record::RecordKind;

/// A build of which one city is known.
struct Boston;

impl Lexicon for Boston {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        Catalog::of(RecordKind::Person).find("city") == Some(column) && value == "boston"
    }
}

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 1).unwrap()
}

fn read(text: &str) -> Translation {
    translate(RecordKind::Person, text, &Boston, today())
        .unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

fn told(found: &Translation) -> Vec<(&str, &str)> {
    let applied = found.interpretation.applied.iter();
    applied
        .map(|one| (one.phrase.as_str(), one.clause.as_str()))
        .collect()
}

fn reported(found: &Translation) -> Vec<&str> {
    let unsupported = found.interpretation.unsupported.iter();
    unsupported.map(|one| one.phrase.as_str()).collect()
}

#[test]
fn what_is_left_out_is_told_so_with_the_word_that_says_it() {
    for (text, expected) in [
        (
            "people without linkedin in Texas",
            &[
                ("without linkedin", "linkedin_url IS NULL"),
                ("Texas", "state = 'texas'"),
            ][..],
        ),
        (
            "people not in Boston",
            &[("not in Boston", "(city IS NULL OR city <> 'boston')")],
        ),
        (
            "nobody without a work email in Boston",
            &[
                ("nobody without a work email", "work_email IS NOT NULL"),
                ("Boston", "city = 'boston'"),
            ],
        ),
        (
            "nurses with no email and no linkedin",
            &[
                ("nurses", "job_title LIKE '%nurse%'"),
                ("with no email", "work_email IS NULL"),
                ("no linkedin", "linkedin_url IS NULL"),
            ],
        ),
        (
            "CFOs excluding banks, insurers and hospitals",
            &[
                ("CFOs", "job_title LIKE '%chief financial officer%'"),
                (
                    "excluding banks, insurers and hospitals",
                    "(company_industry IS NULL OR company_industry NOT IN ('banking', 'insurance', 'hospital & health care'))",
                ),
            ],
        ),
        (
            "sales people, except directors in Boston",
            &[
                ("sales people", "job_function = 'sales'"),
                (
                    "except directors in Boston",
                    "((seniority_level IS NULL OR seniority_level <> 'director') OR (city IS NULL OR city <> 'boston'))",
                ),
            ],
        ),
        (
            "nurses in Europe but not in the UK or Foobarly or France",
            &[
                ("nurses", "job_title LIKE '%nurse%'"),
                ("Europe", ""),
                (
                    "but not in the UK",
                    "(country IS NULL OR country <> 'united kingdom')",
                ),
                ("France", "(country IS NULL OR country <> 'france')"),
            ],
        ),
        (
            "VPs in Germany or directors not in France",
            &[
                ("VPs", "seniority_level = 'vp'"),
                ("Germany", "country = 'germany'"),
                ("directors", "seniority_level = 'director'"),
                ("not in France", "(country IS NULL OR country <> 'france')"),
            ],
        ),
        (
            "directors in Germany, not (in Boston with linkedin)",
            &[
                ("directors", "seniority_level = 'director'"),
                ("Germany", "country = 'germany'"),
                (
                    "not (in Boston with linkedin",
                    "((city IS NULL OR city <> 'boston') OR linkedin_url IS NULL)",
                ),
            ],
        ),
        (
            "marketing people in Texas, interns excluded",
            &[
                ("marketing people", "job_function = 'marketing'"),
                ("Texas", "state = 'texas'"),
                (
                    "interns excluded",
                    "(seniority_level IS NULL OR seniority_level <> 'training')",
                ),
            ],
        ),
    ] {
        let found = read(text);
        let said = told(&found);
        assert_eq!(said.len(), expected.len(), "{text}: {said:#?}");
        for ((phrase, clause), (words, expected)) in said.into_iter().zip(expected) {
            assert_eq!(phrase, *words, "{text}");
            assert!(
                expected.is_empty() || clause == *expected,
                "{text}: {clause}"
            );
        }
        assert!(is_made_of_its_clauses(RecordKind::Person, &found), "{text}");
    }
}

#[test]
fn a_word_that_turns_nothing_round_is_reported() {
    for text in [
        "nurses in Boston not",
        "nurses in Boston without",
        "nurses not. In Boston",
    ] {
        let found = read(text);
        assert_eq!(
            reported(&found),
            [text
                .split(['.', ' '])
                .find(|word| word.starts_with("not") || *word == "without")
                .unwrap()],
            "{text}"
        );
    }
}
