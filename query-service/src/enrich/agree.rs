//! Reading values out of documents, and the verdicts that persons and companies share.

use normalize::compare::{self, Agreement};
use serde_json::Value;

use super::{Document, Verdict};

/// Texts at a dot path; lists are walked through.
pub fn texts<'a>(doc: &'a Document, path: &str) -> Vec<&'a str> {
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

/// The best verdict of a value against all that the record has; [`Verdict::Unknown`] if it has nothing.
pub fn any<'a>(
    values: impl IntoIterator<Item = &'a str>,
    verdict: impl Fn(&str) -> Verdict,
) -> Verdict {
    let mut best: Option<Verdict> = None;
    for value in values {
        best = Some(match (best, verdict(value)) {
            (Some(Verdict::Agrees), _) | (_, Verdict::Agrees) => return Verdict::Agrees,
            (Some(Verdict::Unknown), _) | (_, Verdict::Unknown) => Verdict::Unknown,
            _ => Verdict::Contradicts,
        });
    }
    best.unwrap_or(Verdict::Unknown)
}

/// Same agrees, a part neither agrees nor contradicts.
#[must_use]
pub const fn whole(agreement: Agreement) -> Verdict {
    match agreement {
        Agreement::Same => Verdict::Agrees,
        Agreement::Partial => Verdict::Unknown,
        Agreement::Different => Verdict::Contradicts,
    }
}

/// Equal or not.
#[must_use]
pub const fn equal(same: bool) -> Verdict {
    if same {
        Verdict::Agrees
    } else {
        Verdict::Contradicts
    }
}

/// A city against the record's place and all its locations.
#[must_use]
pub fn city(doc: &Document, city: &str) -> Verdict {
    place(doc, "city", city)
}

/// A state, by code where both have one, else by name.
#[must_use]
pub fn state(doc: &Document, name: &str, code: Option<&str>) -> Verdict {
    match code {
        Some(code) if !both(doc, "state_code").is_empty() => {
            any(both(doc, "state_code"), |value| {
                equal(value.eq_ignore_ascii_case(code))
            })
        }
        _ => place(doc, "state", name),
    }
}

/// A country by its code.
#[must_use]
pub fn country(doc: &Document, code: &str) -> Verdict {
    any(both(doc, "country_code"), |value| {
        equal(value.eq_ignore_ascii_case(code))
    })
}

fn place(doc: &Document, field: &str, given: &str) -> Verdict {
    any(both(doc, field), |value| {
        whole(compare::places(given, value))
    })
}

/// The flat column and the same field of all locations.
fn both<'a>(doc: &'a Document, field: &str) -> Vec<&'a str> {
    let mut values = texts(doc, field);
    values.extend(texts(doc, &format!("locations.{field}")));
    values
}

/// A website or domain against the hosts that a record has, by what was registered.
pub fn host<'a>(given: &str, hosts: impl IntoIterator<Item = &'a str>) -> Verdict {
    let registered = |host: &str| {
        normalize::domain::registrable(host)
            .unwrap_or(host)
            .to_owned()
    };
    let given = registered(given);
    any(hosts, |host| {
        equal(normalize::domain::clean(host).is_ok_and(|host| registered(&host) == given))
    })
}

/// The name of a company against names.
pub fn company_name<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Verdict {
    any(names, |name| whole(compare::companies(given, name)))
}
