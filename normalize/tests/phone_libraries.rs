//! Where the crate `phonenumber` differs from `rlibphonenumber`, which the canon uses (docs/adr/0010-phone-numbers.md).
//!
//! Both port Google's libphonenumber. The test lists every difference on the case files by its kind, so that a new
//! version of either shows what it changes; run with `--nocapture` to see the list.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use normalize::phone;
use phonenumber::Mode;
use serde_json::Value;

/// The number in E.164 by `phonenumber`.
fn other(text: &str, region: &str) -> Option<String> {
    let country = region.parse().ok();
    let number = phonenumber::parse(country, text).ok()?;
    Some(number.format().mode(Mode::E164).to_string())
}

fn is_invalid(e164: &str) -> bool {
    phonenumber::parse(None, e164).map_or(true, |number| !number.is_valid())
}

fn cases() -> Result<Vec<Value>, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/phone.jsonl");
    let lines = std::fs::read_to_string(path)?;
    Ok(lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

fn text<'a>(case: &'a Value, key: &str) -> Option<&'a str> {
    case.get(key).and_then(Value::as_str)
}

/// The part of a case's note that names the form of the input, e.g. `national format`.
fn form(case: &Value) -> String {
    let note = text(case, "note").unwrap_or("no note");
    note.split_once(": ")
        .map_or(note, |(_, form)| form)
        .to_owned()
}

#[test]
fn the_other_library_differs_only_where_it_is_wrong() -> Result<(), Box<dyn Error>> {
    let mut differences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut total = 0;
    for case in cases()? {
        let (Some(input), expected) = (text(&case, "input"), text(&case, "expected")) else {
            continue;
        };
        let region = text(&case, "default_region").unwrap_or("US");
        let ours = phone::clean(input, region).ok();
        let theirs = other(input, region);
        total += 1;
        // Every number of the cases is valid or no number at all, so what it calls invalid it refuses, as the canon does.
        let refused = ours.is_none() && theirs.as_deref().is_some_and(is_invalid);
        if ours != theirs && !refused {
            assert_eq!(ours.as_deref(), expected, "{input:?} in {region}");
            differences
                .entry(form(&case))
                .or_default()
                .push(format!("{input:?} in {region}: {ours:?}, not {theirs:?}"));
        }
    }
    let count: usize = differences.values().map(Vec::len).sum();
    for (form, list) in &differences {
        eprintln!(
            "{form}: {} differences, e.g. {}",
            list.len(),
            list.first().map_or("", String::as_str)
        );
    }
    assert!(
        count > 0,
        "the libraries agree on all {total} cases: the decision can be taken anew"
    );
    Ok(())
}

#[test]
fn the_other_library_changes_clean_numbers_and_the_canon_does_not() -> Result<(), Box<dyn Error>> {
    let mut changed = 0;
    for case in cases()? {
        let Some(e164) = text(&case, "expected") else {
            continue;
        };
        assert_eq!(phone::clean(e164, "US").as_deref(), Ok(e164));
        changed += u32::from(other(e164, "US").as_deref() != Some(e164));
    }
    eprintln!("{changed} clean numbers changed");
    assert!(
        changed > 0,
        "clean numbers stay: the decision can be taken anew"
    );
    Ok(())
}
