//! Reading values out of documents, and what persons and companies are both compared by.

use normalize::compare::{self, Organisation};
use serde_json::Value;

use super::Document;
use super::compared;
use super::finding::{Finding, How};

/// Texts at a dot path of the part that is compared; lists are walked through.
pub(super) fn texts<'a>(doc: &'a Document, path: &str) -> Vec<&'a str> {
    debug_assert!(compared::is_kept(path), "{path} is not kept");
    texts_of_any(doc, path)
}

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

/// Whether something stands in a field.
#[must_use]
pub fn has_value(doc: &Document, field: &str) -> bool {
    debug_assert!(compared::is_told(field), "{field} is not kept");
    match doc.get(field) {
        None | Some(Value::Null) => false,
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
        Some(_) => true,
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
pub fn city<'a>(doc: &'a Document, city: &str) -> Finding<'a> {
    Finding::nearest(both(doc, "city"), |value| {
        How::of_near(compare::cities(city, value))
    })
}

/// A state, by code where both have one, else by name.
#[must_use]
pub fn state<'a>(doc: &'a Document, name: &str, code: Option<&str>) -> Finding<'a> {
    let codes = both(doc, "state_code");
    match code {
        Some(code) if !codes.is_empty() => Finding::nearest(codes, |value| {
            How::of_equal(value.eq_ignore_ascii_case(code))
        }),
        _ => Finding::nearest(both(doc, "state"), |value| {
            How::of_whole(compare::places(name, value))
        }),
    }
}

/// A country by its code.
#[must_use]
pub fn country<'a>(doc: &'a Document, code: &str) -> Finding<'a> {
    Finding::nearest(both(doc, "country_code"), |value| {
        How::of_equal(value.eq_ignore_ascii_case(code))
    })
}

/// The flat column and the same field of all locations.
pub(super) fn both<'a>(doc: &'a Document, field: &str) -> Vec<&'a str> {
    let mut values = texts(doc, field);
    values.extend(texts(doc, &format!("locations.{field}")));
    values
}

/// An organisation against the hosts and the names that a record has. Where it has values of the kind that is given,
/// these decide; the others can only agree.
pub fn organisation<'a>(
    given: &Organisation,
    hosts: Vec<&'a str>,
    names: Vec<&'a str>,
    read: impl Fn(&str) -> Organisation,
) -> Finding<'a> {
    let how = |value: &str| How::of_organisation(given.finding(&read(value)));
    let (alike, others) = if given.is_domain() {
        (hosts, names)
    } else {
        (names, hosts)
    };
    Finding::nearest(alike, how).or_agreeing(|| Finding::nearest(others, how))
}
