//! Filling the full shape from a sparse document.

use events_schema::record::FieldType;
use serde_json::{Map, Value};

use super::plan::{Plan, Planned};
use super::titles;

/// The planned fields of an object: absent scalars null, absent lists and maps empty.
pub(super) fn object(plan: &Plan, doc: &Map<String, Value>, titlecase: bool) -> Map<String, Value> {
    let mut shown = Map::with_capacity(plan.0.len());
    for planned in &plan.0 {
        let value = doc.get(planned.field.name).filter(|value| !value.is_null());
        let value = field(planned, value, titlecase);
        let styled = if titlecase && planned.field.titlecase {
            titles::styled(planned.field.name, value)
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
