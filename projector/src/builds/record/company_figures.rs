//! Counts and rates of a company, by period, level or function.

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map, Value};

use super::reader::Reader;

const PERIODS: [&str; 4] = ["1m", "3m", "6m", "12m"];

/// Reads the field of that name; gives its name as the schema has it. Any other key is unknown.
pub(super) fn read(
    key: &str,
    value: Value,
    reader: &mut Reader<'_>,
) -> Option<(&'static str, Value)> {
    use FieldType as T;
    let fields = RecordKind::Company.fields();
    let Some(field) = fields.iter().find(|field| field.name == key) else {
        reader.tally.unknown_key(key);
        return None;
    };
    let read = match field.kind {
        T::Periods => numbers(key, value, Some(&PERIODS), reader),
        T::Map => numbers(key, value, None, reader),
        T::PeriodsMap => reader.object(key, value).map(|object| {
            let named = object.into_iter().filter_map(|(name, periods)| {
                let periods = numbers(key, periods, Some(&PERIODS), reader)?;
                Some((printable(name), periods))
            });
            Value::Object(named.collect())
        }),
        T::List(fields) => Some(months(key, value, fields, reader)),
        _ => None,
    };
    Some((field.name, read?))
}

/// An object of numbers, with the given keys only if there are any.
fn numbers(
    field: &str,
    value: Value,
    accepted: Option<&[&str]>,
    reader: &mut Reader<'_>,
) -> Option<Value> {
    let object = reader.object(field, value)?;
    let mut read = Map::new();
    for (key, value) in object {
        if accepted.is_some_and(|accepted| !accepted.contains(&key.as_str())) {
            reader.tally.unknown_key(&format!("{field}.{key}"));
        } else if let Some(number) = figure(field, value, reader) {
            read.insert(printable(key), number);
        }
    }
    (!read.is_empty()).then_some(Value::Object(read))
}

/// `service_employee_count_by_month`: each part by the type that the schema gives it, which the search files hold.
fn months(field: &str, value: Value, fields: &[Field], reader: &mut Reader<'_>) -> Value {
    let mut read = Vec::new();
    for object in reader.objects(field, value, "month") {
        let mut month = Map::new();
        for (key, value) in object {
            let path = format!("{field}.{key}");
            let Some(part) = fields.iter().find(|part| part.name == key) else {
                reader.tally.unknown_key(&path);
                continue;
            };
            let value = match part.kind {
                FieldType::Date => reader.date(&path, value).map(Value::from),
                FieldType::Integer => reader.integer(&path, &value).map(Value::from),
                _ => figure(&path, value, reader),
            };
            month.extend(value.map(|value| (key, value)));
        }
        read.push(Value::Object(month));
    }
    Value::Array(read)
}

/// A number as a number, also where it came as text.
fn figure(field: &str, value: Value, reader: &mut Reader<'_>) -> Option<Value> {
    let read = reader.number(field, &value)?;
    Some(if value.is_number() {
        value
    } else {
        Value::from(read)
    })
}

/// Keys that data gives: jsonb holds no NUL.
fn printable(key: String) -> String {
    if key.contains('\0') {
        key.replace('\0', "")
    } else {
        key
    }
}
