//! Reading what operators send, with the rules of `docs/API.md`: 400 for form, 422 for values.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::{FromRequest, Request};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use serde_json::Value;
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Problem};

/// Longest text of an id or a date; longer ones are none.
const MAX_ID_CHARS: usize = 64;
/// Told of an id that is none.
pub(super) const UUID_RULE: &str = "must be a UUID";

/// Extractor: the body of a request that has no parameters: empty, or an object without any.
pub(super) struct NoFields;

impl<S: Send + Sync> FromRequest<S> for NoFields {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let RawBody(body) = RawBody::from_request(request, state).await?;
        if body.is_empty() {
            return Ok(Self);
        }
        let map = parse_object(&body)?;
        Fields::new(&map, &[]).finish()?;
        Ok(Self)
    }
}

/// A value with a text form, such as an id or a date; a fault is noted with `rule`.
pub(super) fn parsed<T: FromStr>(
    fields: &mut Fields<'_>,
    name: &'static str,
    rule: &str,
) -> Option<T> {
    let text = fields.string(name, MAX_ID_CHARS)?;
    let value = text.parse().ok();
    if value.is_none() {
        fields.fail(name, rule, None);
    }
    value
}

/// As [`parsed`], but absence is noted as a missing parameter.
pub(super) fn required<T: FromStr>(
    fields: &mut Fields<'_>,
    name: &'static str,
    rule: &str,
) -> Option<T> {
    fields.require(name);
    parsed(fields, name, rule)
}

/// `"all"`, a list of endpoint names, or `{"only": [names]}`.
pub(super) fn endpoints(fields: &mut Fields<'_>, name: &'static str) -> Option<EndpointSet> {
    fields.require(name);
    let list = match fields.value(name)? {
        Value::String(word) if word == "all" => return Some(EndpointSet::All),
        Value::Array(list) => Some(list),
        Value::Object(map) if map.len() == 1 => map.get("only").and_then(Value::as_array),
        _ => None,
    };
    let set = list.and_then(|list| {
        let names = list.iter().map(|item| item.as_str()?.parse().ok());
        names.collect::<Option<BTreeSet<Endpoint>>>()
    });
    match set {
        Some(set) if !set.is_empty() => Some(EndpointSet::Only(set)),
        _ => {
            fields.fail(name, "must be \"all\" or a list of endpoint names", None);
            None
        }
    }
}

/// A map from endpoint names to whole numbers within `range`; empty when absent.
pub(super) fn by_endpoint(
    fields: &mut Fields<'_>,
    name: &'static str,
    range: &RangeInclusive<i64>,
) -> BTreeMap<Endpoint, i64> {
    let Some(map) = fields.object(name) else {
        return BTreeMap::new();
    };
    let mut read = BTreeMap::new();
    for (key, value) in map {
        let number = value.as_i64().filter(|number| range.contains(number));
        match (key.parse::<Endpoint>(), number) {
            (Ok(endpoint), Some(number)) => {
                read.insert(endpoint, number);
            }
            (Err(_), _) => fields.fail_within(name, key, "is no endpoint name"),
            (Ok(_), None) => {
                let (low, high) = (range.start(), range.end());
                let rule = format!("must be a whole number from {low} to {high}");
                fields.fail_within(name, key, &rule);
            }
        }
    }
    read
}

/// A text that lists show on one line, and terminals: it has no control characters.
pub(super) fn required_line(
    fields: &mut Fields<'_>,
    name: &'static str,
    max_chars: usize,
) -> String {
    let text = fields.required_string(name, max_chars).to_owned();
    if text.chars().any(char::is_control) {
        fields.fail(name, "must not contain control characters", None);
    }
    text
}
