//! The account of the words: each is told, and of what is left out it is told that it is.
#![allow(clippy::unwrap_used, clippy::panic)]

mod corpus;

use std::sync::LazyLock;

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId};
use discover::judge::is_made_of_its_clauses;
use discover::{Lexicon, Translation, translate, unaccounted};
use events_schema::record::RecordKind;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

static NAMES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("cases/names.json")).unwrap());

/// A build of which one city is known.
struct Boston;

impl Lexicon for Boston {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        Catalog::of(RecordKind::Person).find("city") == Some(column) && value == "boston"
    }
}

/// A build of which these job titles are known, or none.
struct Titles(bool);

impl Lexicon for Titles {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        let names: &Value = &NAMES;
        let titles = names.get("job_titles").unwrap().as_array().unwrap();
        self.0
            && Catalog::of(RecordKind::Person).find("job_title") == Some(column)
            && titles.iter().any(|title| title == value)
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

#[test]
fn what_is_not_known_is_reported_with_the_word_that_leaves_it_out() {
    for (text, phrases, clauses) in [
        (
            "directors not at Foobarly in Texas",
            &["not at Foobarly"][..],
            &[
                ("directors", "seniority_level = 'director'"),
                ("Texas", "state = 'texas'"),
            ][..],
        ),
        (
            "directors not in Foobarly or Boston",
            &["not in Foobarly"],
            &[
                ("directors", "seniority_level = 'director'"),
                ("Boston", "(city IS NULL OR city <> 'boston')"),
            ],
        ),
        (
            "directors, excluding zorgles and quuxes, not in Boston",
            &["excluding zorgles", "quuxes"],
            &[
                ("directors", "seniority_level = 'director'"),
                ("not in Boston", "(city IS NULL OR city <> 'boston')"),
            ],
        ),
        (
            "directors (not zorgles) in Texas",
            &["not zorgles"],
            &[
                ("directors", "seniority_level = 'director'"),
                ("Texas", "state = 'texas'"),
            ],
        ),
        (
            "directors who don't speak Spanish in Texas",
            &["don't speak Spanish"],
            &[
                ("directors", "seniority_level = 'director'"),
                ("Texas", "state = 'texas'"),
            ],
        ),
    ] {
        let found = read(text);
        assert_eq!(reported(&found), phrases, "{text}");
        assert_eq!(told(&found), clauses, "{text}");
    }
}

#[test]
fn small_words_that_say_which_ones_are_meant_are_reported() {
    for (text, phrase) in [
        ("state hospitals in Texas directors", "state"),
        ("market directors in Texas", "market"),
        ("data directors in Texas", "data"),
        ("brand directors in Texas", "brand"),
        ("directors of agencies in Texas", "agencies"),
        ("directors running in Texas", "running"),
        ("opened directors in Texas", "opened"),
        ("team leads in Texas", "team leads"),
        ("specialists in Texas", "specialists"),
        ("the target directors in Texas", "target"),
        ("previous directors in Texas", "previous"),
    ] {
        assert_eq!(reported(&read(text)), [phrase], "{text}");
    }
    for text in [
        "directors in the state of Texas",
        "directors in the Texas area",
        "find records of directors in Texas",
        "role: director; location: Texas",
        "list of the sales team in Texas",
        "people working in marketing in Texas",
    ] {
        assert_eq!(reported(&read(text)), Vec::<&str>::new(), "{text}");
    }
}

/// Words of the sentences, and some that nothing knows.
fn words() -> Vec<String> {
    let lines = corpus::FILES.iter().flat_map(|cases| cases.lines());
    let queries = lines.map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        case.get("query").unwrap().as_str().unwrap().to_owned()
    });
    let mut words: Vec<String> = queries
        .flat_map(|query| query.split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    words.sort();
    words.dedup();
    let titles = NAMES.get("job_titles").unwrap().as_array().unwrap();
    words.extend(
        titles
            .iter()
            .map(|title| format!("{}s", title.as_str().unwrap())),
    );
    words.extend(["zorgle", "Foobarly", "quuxes", "state", "not", "without"].map(str::to_owned));
    words
}

/// Small words, by what the vocabulary says of them.
fn small_words() -> Vec<(String, bool)> {
    let words: Value = serde_json::from_str(include_str!("../words.json")).unwrap();
    let list = |name: &str| -> Vec<String> {
        let all = words.get(name).unwrap().as_array().unwrap();
        all.iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    let silent = [list("silent"), list("requests"), list("labels")].concat();
    let cues = words.get("cues").unwrap().as_object().unwrap();
    let joins = [
        "or", "and", "but", "either", "nor", "not", "neither", "except", "outside", "without",
    ];
    let each = cues.iter().flat_map(|(cue, all)| {
        let all = all.as_array().unwrap().iter();
        let may_be_silent = joins.contains(&cue.as_str());
        all.map(move |word| (word.as_str().unwrap().to_owned(), may_be_silent))
    });
    each.map(|(word, joins)| {
        let is_silent = joins || silent.contains(&word);
        (word, is_silent)
    })
    .collect()
}

#[test]
fn no_small_word_vanishes_in_front_of_a_role() {
    let ends = [
        "of", "in", "at", "for", "from", "by", "with", "to", "as", "on", "out", "near", "around",
        "within", "across", "is", "are",
    ];
    for (word, is_silent) in small_words() {
        let last = word.split(' ').next_back().unwrap();
        let is_plural = last.ends_with('s');
        let is_word = word.chars().all(|c| c.is_alphabetic() || c == ' ');
        if is_silent || ends.contains(&last) || is_plural || !is_word {
            continue;
        }
        let text = format!("the {word} directors in Texas");
        let found = read(&text);
        let at = text.find(&word).unwrap();
        let spans = found.interpretation.applied.iter().map(|one| one.span);
        let mut spans = spans.chain(found.interpretation.unsupported.iter().map(|one| one.span));
        let has_it = |[from, to]: [usize; 2]| from < at + word.len() && at < to;
        assert!(spans.any(has_it), "{text}: {:?}", found.interpretation);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nothing_is_dropped_without_a_word(chosen in prop::collection::vec(select(words()), 1..14), is_person: bool, has_titles: bool) {
        let kind = if is_person { RecordKind::Person } else { RecordKind::Company };
        let text = chosen.join(" ");
        prop_assert_eq!(unaccounted(kind, &text, &Titles(has_titles), today()), Vec::<String>::new(), "{}", text);
        if let Ok(found) = translate(kind, &text, &Titles(has_titles), today()) {
            prop_assert!(is_made_of_its_clauses(kind, &found), "{}: {:#?}", text, found);
        }
    }
}

/// Each word that turns round what follows it is told with what it reaches, also where two stand in front of one.
#[test]
fn of_two_words_that_leave_out_both_are_told() {
    let told = [
        ("except get not Java", &["except get", "not Java"][..]),
        ("nobody without Foobarly", &["nobody without Foobarly"]),
        ("not Foobarly, never Java", &["not Foobarly", "never Java"]),
    ];
    for (text, phrases) in told {
        let refused = translate(RecordKind::Person, text, &Boston, today()).unwrap_err();
        let said = refused.unsupported.iter().map(|one| one.phrase.as_str());
        assert_eq!(said.collect::<Vec<_>>(), phrases, "{text}");
    }
}

#[test]
fn words_that_are_no_slips_are_reported() {
    for (text, word) in [
        ("regional sales managers in Boston", "regional"),
        ("organisational designers in Boston", "organisational"),
        ("planners in Boston", "planners"),
        ("interim CFOs in Boston", "interim"),
        ("painters in Boston", "painters"),
        ("tellers in Boston", "tellers"),
        ("trainers in Boston", "trainers"),
        ("directors at packing companies in Boston", "packing"),
        ("janitors in Boston", "janitors"),
    ] {
        let found = read(text);
        assert_eq!(reported(&found), [word], "{text}");
        assert_eq!(found.interpretation.assumed, [], "{text}");
    }
    // Of the slips in words that ask nothing those of one letter are repaired.
    for (text, unsupported) in [
        ("peple in Boston", &[][..]),
        ("professonals in Boston", &[]),
        ("theatrr people in Boston", &["theatrr"]),
    ] {
        assert_eq!(reported(&read(text)), unsupported, "{text}");
    }
    // Where nothing else is asked, they are what the refusal tells.
    let refused = translate(RecordKind::Company, "tyre companies", &Boston, today()).unwrap_err();
    let phrases = refused.unsupported.iter().map(|one| one.phrase.as_str());
    assert_eq!(phrases.collect::<Vec<_>>(), ["tyre"]);
    let refused = translate(RecordKind::Person, "planers", &Boston, today()).unwrap_err();
    let phrases = refused.unsupported.iter().map(|one| one.phrase.as_str());
    assert_eq!(phrases.collect::<Vec<_>>(), ["planers"]);
}

#[test]
fn a_word_is_told_as_repaired_where_it_was_read_as_another_one() {
    for (text, assumed) in [
        ("Texan nurses", &[("Texan", "texas")][..]),
        ("nurses in Bostn", &[("Bostn", "boston")]),
        ("gold nurses in Texas", &[]),
        ("nurses with REITs in Texas", &[]),
    ] {
        let found = read(text);
        let told = found.interpretation.assumed.iter();
        let told: Vec<(&str, &str)> = told
            .map(|one| (one.phrase.as_str(), one.read_as.as_str()))
            .collect();
        assert_eq!(told, assumed, "{text}");
    }
}

#[test]
fn what_has_no_letters_is_told_too() {
    for (text, sign) in [
        ("nurses in 🇪🇺", "🇪🇺"),
        ("nurses in €", "€"),
        ("nurses without £", "without £"),
    ] {
        assert_eq!(reported(&read(text)), [sign], "{text}");
    }
    assert_eq!(reported(&read("nurses in 🇫🇷")), Vec::<&str>::new());
}
