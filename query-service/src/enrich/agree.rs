//! Reading values out of documents, and what persons and companies are both compared by.

use normalize::compare::{self, Organisation};
use serde_json::Value;

use super::Document;
use super::compared::Compared;
use super::finding::{Finding, How};
use super::memo::ClueMemo;

/// Texts at any dot path of a document; lists are walked through.
#[must_use]
pub fn texts_of_any<'a>(doc: &'a Document, path: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    if let Some((first, rest)) = split(path)
        && let Some(value) = doc.get(first)
    {
        collect(value, rest, &mut found);
    }
    found
}

/// What stands at a dot path: one value, or the list of those in the elements of a list; null when there is none.
#[must_use]
pub fn value(doc: &Document, path: &str) -> Value {
    split(path)
        .and_then(|(first, rest)| doc.get(first).map(|inner| value_in(inner, rest)))
        .unwrap_or_default()
}

fn value_in(value: &Value, path: &str) -> Value {
    match (value, split(path)) {
        (whole, None) => whole.clone(),
        (Value::Array(items), Some(_)) => items
            .iter()
            .map(|item| value_in(item, path))
            .filter(|inner| !inner.is_null())
            .collect(),
        (Value::Object(map), Some((first, rest))) => map
            .get(first)
            .map(|inner| value_in(inner, rest))
            .unwrap_or_default(),
        _ => Value::Null,
    }
}

fn split(path: &str) -> Option<(&str, &str)> {
    if path.is_empty() {
        None
    } else {
        Some(path.split_once('.').unwrap_or((path, "")))
    }
}

fn collect<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a str>) {
    match (value, split(path)) {
        (Value::Array(items), _) => items.iter().for_each(|item| collect(item, path, found)),
        (Value::Object(map), Some((first, rest))) => {
            if let Some(inner) = map.get(first) {
                collect(inner, rest, found);
            }
        }
        (Value::String(text), None) => found.push(text),
        _ => {}
    }
}

/// A city against the record's place and all its locations, in any language.
#[must_use]
pub fn city<'a>(doc: &'a Compared, city: &str, memo: ClueMemo<'_>) -> Finding<'a> {
    let places = doc.texts("city").chain(doc.texts("locations.city"));
    Finding::nearest(places, |value| {
        memo.how(value, || How::of_near(compare::cities(city, value)))
    })
}

/// A state, by code where both have one, else by name.
#[must_use]
pub fn state<'a>(doc: &'a Compared, name: &str, code: Option<&str>) -> Finding<'a> {
    let mut codes = doc
        .texts("state_code")
        .chain(doc.texts("locations.state_code"))
        .peekable();
    match code {
        Some(code) if codes.peek().is_some() => Finding::nearest(codes, |value| {
            How::of_equal(value.eq_ignore_ascii_case(code))
        }),
        _ => {
            let names = doc.texts("state").chain(doc.texts("locations.state"));
            Finding::nearest(names, |value| How::of_whole(compare::places(name, value)))
        }
    }
}

/// A country by its code.
#[must_use]
pub fn country<'a>(doc: &'a Compared, code: &str) -> Finding<'a> {
    Finding::nearest(countries(doc), |value| {
        How::of_equal(value.eq_ignore_ascii_case(code))
    })
}

/// Codes of the countries of a record.
pub(super) fn countries(doc: &Compared) -> impl Iterator<Item = &str> + Clone {
    let locations = doc.texts("locations.country_code");
    doc.texts("country_code").chain(locations)
}

/// An organisation against the hosts and the names that a record has. Where it has values of the kind that is given,
/// these decide; the others can only agree.
pub fn organisation<'a>(
    given: &Organisation,
    hosts: impl Iterator<Item = &'a str>,
    names: impl Iterator<Item = &'a str>,
    read: impl Fn(&str) -> Organisation,
    memo: ClueMemo<'_>,
) -> Finding<'a> {
    let how = |value: &str| memo.how(value, || How::of_organisation(given.finding(&read(value))));
    if given.is_domain() {
        Finding::nearest(hosts, how).or_agreeing(|| Finding::nearest(names, how))
    } else {
        Finding::nearest(names, how).or_agreeing(|| Finding::nearest(hosts, how))
    }
}
