//! `docs/CANON.md` and the closed lists of `docs/RECORDS.md` say what the code does: every row is tried.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use normalize::check::{self, Cleaned, Field};
use normalize::{Unreadable, city, postal_code, title, vocabulary};

const CANON: &str = include_str!("../../docs/CANON.md");
const RECORDS: &str = include_str!("../../docs/RECORDS.md");
const REGION: &str = "US";
/// Sections that are no field of `/utility/validate`.
const FURTHER: [&str; 3] = ["city", "postal_code", "job_title"];

/// The cells of the rows of tables with this header, each with the heading that it stands under.
fn rows(header: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let (mut heading, mut inside, mut found) = ("", false, Vec::new());
    for line in CANON.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            heading = text.trim_matches('`');
        }
        if line == header {
            inside = true;
        } else if !line.starts_with('|') {
            inside = false;
        } else if inside && !line.starts_with("|---") {
            let cells = line.trim_matches('|').split(" | ");
            found.push((heading, cells.map(|cell| cell.trim_matches(' ')).collect()));
        }
    }
    found
}

/// What stands between backticks, spaces and all.
fn quoted(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn canonical(field: &str, value: &str) -> Result<Vec<String>, Unreadable> {
    match field {
        "city" => return Ok(vec![city::clean(value)?]),
        "postal_code" => return Ok(vec![postal_code::clean(value)?]),
        "job_title" => return Ok(vec![title::clean(value)?]),
        _ => {}
    }
    let field: Field = field.parse().unwrap_or_else(|_| panic!("{field}"));
    check::clean(field, value, REGION).map(|cleaned| match cleaned {
        Cleaned::Text(text) => vec![text],
        Cleaned::Place { full_name, code } => vec![full_name.to_owned(), code.to_owned()],
        Cleaned::Company { name, kind } => vec![name, kind.as_str().to_owned()],
    })
}

fn parts(cells: &[&'static str]) -> (&'static str, &'static str, &'static str) {
    let [field, value, said] = cells else {
        panic!("{cells:?}")
    };
    let [field] = quoted(field)[..] else {
        panic!("{cells:?}")
    };
    let [value] = quoted(value)[..] else {
        panic!("{cells:?}")
    };
    (field, value, said)
}

#[test]
fn every_example_of_the_canon_is_what_the_code_makes_of_it() {
    let rows = rows("| given | canonical |");
    assert!(rows.len() > 40, "{}", rows.len());
    for (field, cells) in rows {
        let [given, expected] = &cells[..] else {
            panic!("{field}: {cells:?}")
        };
        let [given] = quoted(given)[..] else {
            panic!("{field}: {cells:?}")
        };
        match canonical(field, given) {
            Ok(made) => assert_eq!(made, quoted(expected), "{field}: {given}"),
            Err(_) => assert_eq!(*expected, "unreadable", "{field}: {given}"),
        }
    }
}

#[test]
fn every_field_has_its_section_with_an_example() {
    let mut shown: Vec<&str> = rows("| given | canonical |")
        .into_iter()
        .map(|(field, _)| field)
        .collect();
    shown.dedup();
    let mut all: Vec<&str> = Field::ALL.iter().map(|field| field.as_str()).collect();
    all.extend(FURTHER);
    shown.sort_unstable();
    all.sort_unstable();
    assert_eq!(shown, all);
}

#[test]
fn every_suggestion_and_every_warning_of_the_page_is_given() {
    let (suggestions, warnings) = (
        rows("| field | value | suggestion |"),
        rows("| field | value | warning |"),
    );
    assert!(suggestions.len() > 5 && warnings.len() > 5);
    for (_, cells) in suggestions {
        let (field, value, said) = parts(&cells);
        let refusal = check::clean(field.parse().unwrap(), value, REGION).unwrap_err();
        let meant = refusal.suggestion.as_deref();
        assert_eq!(meant, quoted(said).first().copied(), "{value}");
    }
    for (_, cells) in warnings {
        let (field, value, said) = parts(&cells);
        let found = check::warnings(field.parse().unwrap(), value, REGION);
        let texts: Vec<&str> = found.iter().map(|warning| warning.text).collect();
        assert_eq!(texts, [said], "{value}");
    }
}

#[test]
fn the_closed_lists_of_the_page_are_those_of_the_code() {
    for (name, list) in [
        ("seniority_level", vocabulary::SENIORITY_LEVELS),
        ("job_function", vocabulary::JOB_FUNCTIONS),
        ("size", vocabulary::COMPANY_SIZES),
        ("type", vocabulary::COMPANY_TYPES),
        ("industry", vocabulary::INDUSTRIES),
    ] {
        let head = format!("- **`{name}`**: ");
        let line = RECORDS.lines().find_map(|line| line.strip_prefix(&head));
        assert_eq!(quoted(line.unwrap()), list, "{name}");
    }
}
