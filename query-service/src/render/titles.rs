//! Title case (interface.md 4.1, contract C2): which rule of the canon fits which field.

use normalize::titlecase;
use serde_json::Value;

/// A value of a field that title case touches; of `{cleaned, raw}` only `cleaned`.
pub(super) fn styled(name: &str, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(rule(name)(&text)),
        Value::Object(mut map) => {
            if let Some(cleaned) = map.get_mut("cleaned") {
                *cleaned = styled(name, cleaned.take());
            }
            Value::Object(map)
        }
        other => other,
    }
}

fn rule(name: &str) -> fn(&str) -> String {
    match name {
        "full_name" | "first_name" | "middle_name" | "middle_initial" | "last_name"
        | "last_initial" | "prefix" | "suffix" => titlecase::person,
        "city" | "state" | "country" | "continent" | "street_address" | "address_line_2" => {
            titlecase::place
        }
        "job_title" | "title" => titlecase::title,
        _ => titlecase::organization,
    }
}
