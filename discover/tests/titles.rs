//! Job titles that the build has and the vocabulary has not.
#![allow(clippy::unwrap_used, clippy::panic)]

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId};
use discover::{Lexicon, Translation, translate};
use events_schema::record::RecordKind;

const TITLES: &[&str] = &[
    "state representative",
    "state senator",
    "senator",
    "city manager",
    "sales director",
    "marketing specialist",
    "bank examiner",
    "female founder",
    "ranger",
    "principal engineer",
];

/// A build of which the job titles and one city are known.
struct Titles;

impl Lexicon for Titles {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        let is = |path: &str| Catalog::of(RecordKind::Person).find(path) == Some(column);
        is("job_title") && TITLES.contains(&value) || is("city") && value == "boston"
    }
}

fn read(text: &str) -> Translation {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    translate(RecordKind::Person, text, &Titles, today)
        .unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

fn reported(found: &Translation) -> Vec<&str> {
    let unsupported = found.interpretation.unsupported.iter();
    unsupported.map(|one| one.phrase.as_str()).collect()
}

#[test]
fn titles_of_the_build_are_read_as_a_whole() {
    for (text, title) in [
        ("state representatives in Boston", "state representative"),
        ("every state senator in Boston", "state senator"),
        ("city managers in Boston", "city manager"),
        ("bank examiners in Boston", "bank examiner"),
        ("senators in Boston", "senator"),
        ("principal engineers in Boston", "principal engineer"),
    ] {
        let found = read(text);
        assert_eq!(reported(&found), Vec::<&str>::new(), "{text}");
        let condition = format!("city = 'boston' AND job_title LIKE '%{title}%'");
        let expected = format!("SELECT * FROM person WHERE {condition}");
        assert_eq!(found.query.text(), expected, "{text}");
    }
    for (text, condition, phrases) in [
        (
            "state senators or representatives in Boston",
            "(job_title LIKE '%state representative%' OR job_title LIKE '%state senator%') AND city = 'boston'",
            &[][..],
        ),
        // What the vocabulary says of all of it stands.
        (
            "sales directors in Boston",
            "city = 'boston' AND seniority_level = 'director' AND job_function = 'sales'",
            &[],
        ),
        (
            "marketing specialists in Boston",
            "city = 'boston' AND job_function = 'marketing'",
            &[],
        ),
        // A title never makes a filter of a protected trait, nor an employer a title.
        (
            "female founders in Boston",
            "city = 'boston' AND job_title LIKE '%founder%'",
            &["female"],
        ),
        (
            "nurses at Rangers in Boston",
            "city = 'boston' AND job_title LIKE '%nurse%'",
            &["Rangers"],
        ),
        (
            "state legislators in Boston",
            "city = 'boston'",
            &["state legislators"],
        ),
        (
            "senior or principal engineers in Boston",
            "city = 'boston' AND seniority_level = 'senior' AND job_function = 'engineering'",
            &["principal"],
        ),
    ] {
        let found = read(text);
        let expected = format!("SELECT * FROM person WHERE {condition}");
        assert_eq!(found.query.text(), expected, "{text}");
        assert_eq!(reported(&found), phrases, "{text}");
    }
}
