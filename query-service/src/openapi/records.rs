//! Person and company, from the tables of their fields (`docs/RECORDS.md`). A record has all of its keys unless a request selects some of
//! them, so that none is required but the id, which is always there.

use events_schema::record::{Field, FieldType, RecordKind};
use serde_json::{Map, Value, json};

use super::{camel, nullable, schema};
use crate::enrich::required::closed_list;

/// The shapes that fields of several kinds share.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    for kind in RecordKind::ALL {
        let mut record = fields(kind.fields(), schemas);
        if let Some(record) = record.as_object_mut() {
            record.insert("required".to_owned(), json!(["service_id"]));
            let id = json!({"type": "string", "format": "uuid"});
            if let Some(Value::Object(properties)) = record.get_mut("properties") {
                properties.insert("service_id".to_owned(), id);
            }
        }
        schemas.insert(name(kind).to_owned(), record);
    }
    schemas.insert(
        "Date".to_owned(),
        json!({
            "type": "string",
            "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$",
            "description": "`YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as far as it is known",
        }),
    );
    schemas.insert(
        "Cleaned".to_owned(),
        json!({
            "type": "object",
            "description": "the canonical form, and what was given",
            "properties": {"cleaned": text(), "raw": texts()},
        }),
    );
    let figure = || json!({"type": ["number", "null"]});
    schemas.insert(
        "Periods".to_owned(),
        json!({
            "type": "object",
            "description": "figures of the last 1, 3, 6 and 12 months",
            "properties": {"1m": figure(), "3m": figure(), "6m": figure(), "12m": figure()},
        }),
    );
}

/// Name of a record's schema.
pub(super) const fn name(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Person => "Person",
        RecordKind::Company => "Company",
    }
}

fn fields(fields: &[Field], schemas: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for field in fields {
        properties.insert(field.name.to_owned(), of(field, schemas));
    }
    json!({"type": "object", "properties": properties})
}

/// The schema of a field; a closed list is added to `schemas` where it is met first.
fn of(field: &Field, schemas: &mut Map<String, Value>) -> Value {
    match field.kind {
        FieldType::Text | FieldType::Url | FieldType::Code => text(),
        FieldType::Enum(words) => {
            let words = words.iter().copied().map(Some).chain([None]);
            let words: Vec<Option<&str>> = words.collect();
            json!({"type": ["string", "null"], "enum": words})
        }
        FieldType::Vocabulary(list) => {
            let name = camel(list);
            schemas
                .entry(name.clone())
                .or_insert_with(|| vocabulary(list));
            nullable(schema(&name))
        }
        FieldType::Id => json!({"type": ["string", "null"], "format": "uuid"}),
        FieldType::Date => nullable(schema("Date")),
        FieldType::Integer => json!({"type": ["integer", "null"]}),
        FieldType::Number => json!({"type": ["number", "null"]}),
        FieldType::Boolean => json!({"type": ["boolean", "null"]}),
        FieldType::Cleaned => nullable(schema("Cleaned")),
        FieldType::Object {
            fields: below,
            nullable: may_be_null,
        } => {
            let object = fields(below, schemas);
            if may_be_null {
                nullable(object)
            } else {
                object
            }
        }
        FieldType::List(below) => json!({"type": "array", "items": fields(below, schemas)}),
        FieldType::CleanedList([]) => json!({"type": "array", "items": schema("Cleaned")}),
        FieldType::CleanedList(below) => {
            json!({"type": "array", "items": fields(below, schemas)})
        }
        FieldType::TextList => texts(),
        FieldType::Map => json!({"type": "object", "additionalProperties": {"type": "number"}}),
        FieldType::Periods => nullable(schema("Periods")),
        FieldType::PeriodsMap => {
            json!({"type": "object", "additionalProperties": schema("Periods")})
        }
    }
}

fn text() -> Value {
    json!({"type": ["string", "null"]})
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

/// A closed list; what no table knows is kept as it came.
fn vocabulary(list: &str) -> Value {
    json!({
        "description": "a value of the list; what no table of the service knows is kept as it came, in lower case",
        "anyOf": [{"type": "string", "enum": closed_list(list)}, {"type": "string"}],
    })
}
