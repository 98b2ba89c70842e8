//! Conditions become sentences by templates, and the sentences must become the conditions again: what a list, a NOT and a
//! second phrase reach, in combinations that nobody wrote down.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use chrono::NaiveDate;
use dialect::Query;
use discover::{NoLexicon, translate};
use events_schema::record::RecordKind;
use proptest::prelude::*;
use proptest::sample::select;

/// How it is said, and what it is.
type Said = (String, String);

fn list(words: &[&str], join: &str) -> String {
    match words {
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} {join} {last}", before.join(", ")),
        [] => String::new(),
    }
}

fn one_of(column: &str, values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
    format!("{column} IN ({})", values.join(", "))
}

/// One to three different ones of `from`.
fn some(
    from: &'static [(&'static str, &'static str)],
) -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    prop::sample::subsequence(from.to_vec(), 1..=3)
}

fn split(chosen: &[(&'static str, &'static str)]) -> (Vec<&'static str>, Vec<&'static str>) {
    chosen.iter().copied().unzip()
}

const LEVELS: &[(&str, &str)] = &[
    ("managers", "manager"),
    ("directors", "director"),
    ("VPs", "vp"),
    ("owners", "owner"),
    ("interns", "training"),
];
const FUNCTIONS: &[(&str, &str)] = &[
    ("sales", "sales"),
    ("marketing", "marketing"),
    ("finance", "finance"),
    ("HR", "human resources"),
    ("engineering", "engineering"),
    ("operations", "operations"),
];
const TITLES: &[(&str, &str)] = &[
    ("CTOs", "chief technology officer"),
    ("software engineers", "software engineer"),
    ("nurses", "nurse"),
    ("product managers", "product manager"),
    ("recruiters", "recruiter"),
    ("heads of growth", "head of growth"),
];
const COUNTRIES: &[(&str, &str)] = &[
    ("Germany", "germany"),
    ("France", "france"),
    ("the UK", "united kingdom"),
    ("Japan", "japan"),
    ("Brazil", "brazil"),
    ("the United States", "united states"),
];
const INDUSTRIES: &[(&str, &str)] = &[
    ("banks", "banking"),
    ("law firms", "law practice"),
    ("airlines", "airlines/aviation"),
    ("hospitals", "hospital & health care"),
    ("restaurants", "restaurants"),
    ("insurance companies", "insurance"),
];

fn role() -> impl Strategy<Value = Said> {
    prop_oneof![
        some(LEVELS).prop_map(|chosen| {
            let (words, values) = split(&chosen);
            (list(&words, "or"), one_of("seniority_level", &values))
        }),
        (select(LEVELS), some(FUNCTIONS), any::<bool>()).prop_map(
            |((level, value), functions, of)| {
                let (words, values) = split(&functions);
                let said = if of {
                    format!("{level} of {}", list(&words, "and"))
                } else {
                    format!("{} {level}", list(&words, "or"))
                };
                (
                    said,
                    format!(
                        "(seniority_level = '{value}' AND {})",
                        one_of("job_function", &values)
                    ),
                )
            }
        ),
        (some(LEVELS), select(FUNCTIONS)).prop_map(|(levels, (function, value))| {
            let (words, values) = split(&levels);
            (
                format!("{} of {function}", list(&words, "and")),
                format!(
                    "({} AND job_function = '{value}')",
                    one_of("seniority_level", &values)
                ),
            )
        }),
        some(TITLES).prop_map(|chosen| {
            let (words, values) = split(&chosen);
            let titles: Vec<String> = values
                .iter()
                .map(|title| format!("job_title LIKE '%{title}%'"))
                .collect();
            (list(&words, "or"), format!("({})", titles.join(" OR ")))
        }),
    ]
}

fn place() -> impl Strategy<Value = Said> {
    (some(COUNTRIES), any::<bool>(), any::<bool>()).prop_map(|(chosen, not, based)| {
        let (words, values) = split(&chosen);
        let cue = match (not, based) {
            (true, true) => "outside",
            (true, false) => "not in",
            // "At banks based in Japan" is where the banks are.
            (false, true) => "living in",
            (false, false) => "in",
        };
        let condition = one_of("country", &values);
        let condition = if not {
            format!("(country IS NULL OR NOT {condition})")
        } else {
            condition
        };
        (format!("{cue} {}", list(&words, "or")), condition)
    })
}

fn employer() -> impl Strategy<Value = Said> {
    (some(INDUSTRIES), any::<bool>()).prop_map(|(chosen, not)| {
        let (words, values) = split(&chosen);
        let condition = one_of("company_industry", &values);
        if not {
            (
                format!("not at {}", list(&words, "or")),
                format!("(company_industry IS NULL OR NOT {condition})"),
            )
        } else {
            (format!("at {}", list(&words, "or")), condition)
        }
    })
}

fn experience() -> impl Strategy<Value = Said> {
    (1u32..20, 1u32..20, 0..5).prop_map(|(a, b, form)| {
        let (low, high) = (a.min(b), a.max(b) + 1);
        let column = "years_of_experience";
        match form {
            0 => (
                format!("with {low}+ years of experience"),
                format!("{column} >= {low}"),
            ),
            1 => (
                format!("with more than {low} years of experience"),
                format!("{column} > {low}"),
            ),
            2 => (
                format!("with up to {high} years of experience"),
                format!("{column} <= {high}"),
            ),
            3 => (
                format!("with between {low} and {high} years of experience"),
                format!("{column} BETWEEN {low} AND {high}"),
            ),
            _ => (
                format!("with at least {low} but no more than {high} years of experience"),
                format!("{column} BETWEEN {low} AND {high}"),
            ),
        }
    })
}

fn contact() -> impl Strategy<Value = Said> {
    select(vec![
        ("with a work email", "work_email IS NOT NULL"),
        ("without a work email", "work_email IS NULL"),
        ("who have linkedin", "linkedin_url IS NOT NULL"),
        ("with no linkedin", "linkedin_url IS NULL"),
    ])
    .prop_map(|(words, condition)| (words.to_owned(), condition.to_owned()))
}

/// Some of the others behind a role, in any order, each once.
fn rest() -> impl Strategy<Value = Vec<Said>> {
    (
        prop::option::of(place()),
        prop::option::of(employer()),
        prop::option::of(experience()),
        prop::option::of(contact()),
    )
        .prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect::<Vec<_>>())
        .prop_shuffle()
}

fn check(sentence: &str, condition: &str) -> Result<(), TestCaseError> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let expected = Query::parse(
        RecordKind::Person,
        &format!("SELECT * FROM person WHERE {condition}"),
    )
    .unwrap()
    .query;
    let found = translate(RecordKind::Person, sentence, &NoLexicon, today);
    let found = found.map_err(|refused| TestCaseError::fail(format!("{sentence}: {refused:?}")))?;
    prop_assert_eq!(found.query.text(), expected.text(), "{}", sentence);
    prop_assert_eq!(found.interpretation.unsupported, vec![], "{}", sentence);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn one_phrase_says_what_it_was_made_of(role in role(), rest in rest(), comma: bool) {
        let between = if comma { ", " } else { " " };
        let mut words = vec![role.0];
        let mut conditions = vec![role.1];
        for (said, condition) in rest {
            words.push(said);
            conditions.push(condition);
        }
        check(&words.join(between), &conditions.join(" AND "))?;
    }

    #[test]
    fn two_phrases_are_alternatives(
        (a, b) in (role(), role()),
        (place_a, place_b) in (select(COUNTRIES), select(COUNTRIES)),
        shared in prop::option::of(contact()),
    ) {
        let phrase = |role: &Said, place: (&str, &str)| (format!("{} in {}", role.0, place.0), format!("({} AND country = '{}')", role.1, place.1));
        let (first, second) = (phrase(&a, place_a), phrase(&b, place_b));
        let (mut words, mut condition) = (format!("{} or {}", first.0, second.0), format!("({} OR {})", first.1, second.1));
        if let Some((said, also)) = shared {
            words = format!("{words}, {said}");
            condition = format!("{condition} AND {also}");
        }
        check(&words, &condition)?;
    }
}
