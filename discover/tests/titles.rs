//! Job titles that the build has and the vocabulary has not.
#![allow(clippy::unwrap_used, clippy::panic)]

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId};
use discover::{Lexicon, Refused, Translation, translate};
use events_schema::record::RecordKind;

const TITLES: &[&str] = &[
    "state representative",
    "security guard",
    "nurse practitioner",
    "product owner",
    "general partner",
    "physical therapist",
    "systems administrator",
    "network administrator",
    "state senator",
    "senator",
    "representative",
    "governor",
    "mentor",
    "pro",
    "rep",
    "assistant to governor",
    "real estate",
    "real estate director",
    "information technology",
    "information technology director",
    "human resources manager",
    "investment banking",
    "law enforcement",
    "project management",
    "social worker",
    "sales rep",
    "not employed",
    "no longer employed",
    "city hospital",
    "non executive chair",
    "city manager",
    "sales director",
    "marketing specialist",
    "bank examiner",
    "female founder",
    "ranger",
    "principal engineer",
    "secretary of state",
    "united states senator",
    "director of sales",
    "head of product",
];

/// A build of which these job titles and one city are known.
struct Build(&'static [&'static str]);

impl Lexicon for Build {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        let is = |path: &str| Catalog::of(RecordKind::Person).find(path) == Some(column);
        is("job_title") && self.0.contains(&value) || is("city") && value == "boston"
    }
}

fn read(text: &str) -> Translation {
    read_with(TITLES, text).unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

fn read_with(titles: &'static [&'static str], text: &str) -> Result<Translation, Refused> {
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    translate(RecordKind::Person, text, &Build(titles), today)
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
        ("principal engineers in Boston", "principal engineer"),
        ("security guards in Boston", "security guard"),
        ("nurse practitioners in Boston", "nurse practitioner"),
        ("product owners in Boston", "product owner"),
        ("general partners in Boston", "general partner"),
        ("physical therapists in Boston", "physical therapist"),
        ("systems administrators in Boston", "systems administrator"),
        ("network administrators in Boston", "network administrator"),
        ("secretary of state in Boston", "secretary of state"),
        ("secretaries of state in Boston", "secretary of state"),
        ("united states senators in Boston", "united states senator"),
        ("US senators in Boston", "united states senator"),
        ("American senators in Boston", "united states senator"),
        ("the state senators in Boston", "state senator"),
        ("state senatrs in Boston", "state senator"),
        ("contacts for state senators in Boston", "state senator"),
        ("list of state senators in Boston", "state senator"),
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
        // The title of the first is said of those of another place, too.
        (
            "state representatives in Boston and senators in Texas",
            "(city = 'boston' AND job_title LIKE '%state representative%') OR (state = 'texas' AND job_title LIKE '%state senator%')",
            &[],
        ),
        (
            "emails for state senators in Boston",
            "work_email IS NOT NULL AND city = 'boston' AND job_title LIKE '%state senator%'",
            &[],
        ),
        (
            "nurses for state senators in Boston",
            "city = 'boston' AND job_title LIKE '%nurse%'",
            &["state senators"],
        ),
        (
            "German senators in Boston",
            "city = 'boston' AND country = 'germany'",
            &["senators"],
        ),
        ("senatrs in Boston", "city = 'boston'", &["senatrs"]),
        // Of the title that stands in front of the OR, and of no other.
        (
            "state senators in Texas and nurses or representatives in Ohio",
            "(state = 'ohio' AND job_title LIKE '%nurse%') OR (state = 'texas' AND job_title LIKE '%state senator%')",
            &["representatives"],
        ),
        // One word is no title by itself.
        ("senators in Boston", "city = 'boston'", &["senators"]),
        (
            "governors or directors in Boston",
            "city = 'boston' AND seniority_level = 'director'",
            &["governors"],
        ),
        (
            "nurses who mentor interns in Boston",
            "city = 'boston' AND job_title LIKE '%nurse%'",
            &["mentor interns"],
        ),
        // What turns round what follows begins no title.
        (
            "nurses not employed in Boston",
            "(city <> 'boston' OR city IS NULL) AND job_title LIKE '%nurse%'",
            &[],
        ),
        // Nor does an employer.
        (
            "nurses at city hospitals in Boston",
            "city = 'boston' AND job_title LIKE '%nurse%' AND company_industry = 'hospital & health care'",
            &["city"],
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

#[test]
fn titles_of_the_build_change_nothing_that_the_vocabulary_reads() {
    for text in [
        "directors at real estate companies in Texas",
        "information technology directors in Texas",
        "human resources managers in Texas",
        "CFOs outside real estate",
        "real estate directors in Texas",
        "investment banking analysts in Texas",
        "directors in law enforcement",
        "heads of project management in Texas",
        "social workers in Texas",
        "sales reps in Texas",
        "directors of sales in Texas",
        "heads of product in the Nordics",
        "united states nurses",
        "nurses not employed by Kaiser",
        "nurses no longer employed in Texas",
        "assistants to governors in Texas",
        "nurses at rangers in Boston",
        "directors who mentor interns",
        "sales pros in Texas",
        "reps in Texas",
    ] {
        assert_eq!(read_with(TITLES, text), read_with(&[], text), "{text}");
    }
}
