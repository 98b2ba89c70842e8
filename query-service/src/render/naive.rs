//! The same as [`super::fill`] by a tree: slow, and simple enough to be believed. What tests compare with.

use events_schema::record::FieldType;
use serde_json::{Map, Value};

use super::plan::{Plan, Planned};
use super::{BuildName, Uuid, View, titles};

/// The text of a record.
pub(super) fn text(
    view: &View,
    service_id: Uuid,
    build: &BuildName,
    document: &Map<String, Value>,
) -> String {
    let mut shown = object(&view.plan, document, view.titlecase);
    if let Some(id) = shown.get_mut("service_id") {
        *id = Value::String(service_id.to_string());
    }
    if let Some(version) = shown.get_mut("build_version") {
        *version = Value::String(build.as_str().to_owned());
    }
    let text = if view.pretty_print {
        serde_json::to_string_pretty(&shown)
    } else {
        serde_json::to_string(&shown)
    };
    text.unwrap()
}

/// A value of a field that title case touches; of `{cleaned, raw}` only `cleaned`.
fn styled(name: &str, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(titles::style(name)(&text)),
        Value::Object(mut map) => {
            if let Some(cleaned) = map.get_mut("cleaned") {
                *cleaned = styled(name, cleaned.take());
            }
            Value::Object(map)
        }
        other => other,
    }
}

/// The planned fields of an object: absent scalars null, absent lists and maps empty.
fn object(plan: &Plan, doc: &Map<String, Value>, titlecase: bool) -> Map<String, Value> {
    let mut shown = Map::with_capacity(plan.0.len());
    for planned in &plan.0 {
        let value = doc.get(planned.field.name).filter(|value| !value.is_null());
        let value = field(planned, value, titlecase);
        let styled = if titlecase && planned.field.titlecase {
            styled(planned.field.name, value)
        } else {
            value
        };
        shown.insert(planned.field.name.to_owned(), styled);
    }
    shown
}

fn field(planned: &Planned, value: Option<&Value>, titlecase: bool) -> Value {
    match planned.field.kind {
        FieldType::List(_) | FieldType::CleanedList(_) => list(planned, value, titlecase),
        FieldType::TextList => value.cloned().unwrap_or_else(|| Value::Array(Vec::new())),
        FieldType::Map | FieldType::PeriodsMap => {
            value.cloned().unwrap_or_else(|| Value::Object(Map::new()))
        }
        FieldType::Object { nullable, .. } => match value {
            None if nullable => Value::Null,
            value => nested(planned, value, titlecase),
        },
        FieldType::Cleaned | FieldType::Periods => match value {
            None => Value::Null,
            value => nested(planned, value, titlecase),
        },
        FieldType::Text
        | FieldType::Enum(_)
        | FieldType::Vocabulary(_)
        | FieldType::Id
        | FieldType::Url
        | FieldType::Code
        | FieldType::Date
        | FieldType::Integer
        | FieldType::Number
        | FieldType::Boolean => value.cloned().unwrap_or(Value::Null),
    }
}

fn list(planned: &Planned, value: Option<&Value>, titlecase: bool) -> Value {
    let items = value
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    Value::Array(
        items
            .iter()
            .map(|item| nested(planned, Some(item), titlecase))
            .collect(),
    )
}

fn nested(planned: &Planned, value: Option<&Value>, titlecase: bool) -> Value {
    let empty = Map::new();
    let map = value.and_then(Value::as_object).unwrap_or(&empty);
    Value::Object(object(&planned.below, map, titlecase))
}
