//! Reading values out of documents by dot paths; lists are walked through.

use serde_json::Value;

use super::Document;

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
