//! Sentences with the condition that they mean (what a case is: cases/README.md).
#![allow(clippy::unwrap_used)]

mod corpus;

use discover::judge::{Judged, accounts, judge};

const NAMES: &str = include_str!("cases/names.json");

fn problems(judged: &[Judged]) -> String {
    let problems: Vec<&str> = judged
        .iter()
        .filter_map(|one| one.problem.as_deref())
        .collect();
    problems.join("\n")
}

/// The same build without its job titles.
fn without_titles() -> String {
    let mut names: serde_json::Value = serde_json::from_str(NAMES).unwrap();
    *names.get_mut("job_titles").unwrap() = serde_json::json!([]);
    names.to_string()
}

#[track_caller]
fn all_are_right(cases: &str) {
    for names in [NAMES, &without_titles()] {
        let judged = judge(cases, names);
        assert!(!judged.is_empty());
        assert!(
            judged.iter().all(|one| one.problem.is_none()),
            "{}",
            problems(&judged)
        );
    }
}

#[test]
fn sentences_about_people_and_companies_mean_what_they_say() {
    all_are_right(include_str!("cases/mixed.jsonl"));
}

#[test]
fn more_sentences_about_people_mean_what_they_say() {
    all_are_right(include_str!("cases/people.jsonl"));
}

#[test]
fn more_sentences_about_companies_mean_what_they_say() {
    all_are_right(include_str!("cases/companies.jsonl"));
}

#[test]
fn sentences_of_a_third_writer_mean_what_they_say() {
    all_are_right(include_str!("cases/later.jsonl"));
}

#[test]
fn sentences_that_were_read_wrongly_once_mean_what_they_say() {
    all_are_right(include_str!("cases/once-wrong.jsonl"));
}

#[test]
fn nothing_is_reported_of_them_that_can_be_answered_or_asks_nothing() {
    for one in judge(include_str!("cases/once-wrong.jsonl"), NAMES) {
        let (said, wanted) = one.reported;
        assert_eq!(said, wanted, "{one:?}");
    }
}

#[test]
fn hard_sentences_mean_what_they_say() {
    all_are_right(include_str!("cases/people-hard.jsonl"));
}

#[test]
fn every_word_of_them_is_told_and_their_queries_are_made_of_the_clauses_told() {
    for cases in corpus::FILES {
        let wrong = accounts(cases, NAMES);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn a_wrong_answer_is_told() {
    let case = |condition: &str, unsupported: &str, expect: &str| {
        format!(
            r#"{{"id": "x", "entity": "person", "query": "directors in Germany who speak Spanish", "difficulty": "easy", "tags": [], "where": "{condition}", "unsupported": {unsupported}, "expect": "{expect}"}}"#
        )
    };
    let right = "seniority_level = 'director' and country = 'germany'";
    for (condition, unsupported, expect, is_right) in [
        (right, r#"["speak Spanish"]"#, "ok", true),
        (right, r#"["who sing"]"#, "ok", false),
        ("seniority_level = 'director'", "[]", "ok", false),
        (
            "seniority_level = 'director' or country = 'germany'",
            "[]",
            "ok",
            false,
        ),
        (
            "seniority_level = 'director' and (country is null or country <> 'germany')",
            "[]",
            "ok",
            false,
        ),
        ("false", "[]", "error", false),
    ] {
        let judged = judge(&case(condition, unsupported, expect), NAMES);
        assert_eq!(
            judged.first().unwrap().problem.is_none(),
            is_right,
            "{condition}"
        );
    }
}
