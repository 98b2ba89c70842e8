//! `schemas/*.json` is what the Rust types say. `UPDATE_SCHEMAS=1` writes the files anew.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{in_crate, schemas};

#[test]
fn every_schema_file_is_what_its_type_says() {
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some();
    let mut stale = Vec::new();
    for (name, schema) in schemas() {
        let path = in_crate("schemas").join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::fs::read_to_string(&path).is_ok_and(|stored| stored == text) {
            continue;
        }
        if update {
            std::fs::write(&path, text).unwrap();
        } else {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "not the schema of the type: {stale:?}. If the change is compatible: UPDATE_SCHEMAS=1 cargo test -p events-schema"
    );
}

#[test]
fn there_is_no_schema_of_a_type_that_does_not_exist() {
    let known: BTreeSet<_> = schemas()
        .into_iter()
        .map(|(name, _)| format!("{name}.json"))
        .collect();
    let stored: BTreeSet<_> = std::fs::read_dir(in_crate("schemas"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(stored, known);
}

#[test]
fn no_schema_of_the_report_topic_has_a_place_for_a_value() {
    let personal = [
        "observed_value",
        "stored_value",
        "correct_value",
        "comment",
        "value",
        "details",
    ];
    let events = schemas()
        .into_iter()
        .filter(|(name, _)| name.starts_with("report."));
    for (name, schema) in events {
        let found: Vec<_> = property_names(&schema)
            .into_iter()
            .filter(|property| personal.contains(&property.as_str()))
            .collect();
        assert!(found.is_empty(), "{name} has {found:?}");
    }
}

/// Names of all properties anywhere in a schema.
fn property_names(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(map) => {
            let own = map
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|properties| properties.keys().cloned());
            own.chain(map.values().flat_map(property_names)).collect()
        }
        Value::Array(list) => list.iter().flat_map(property_names).collect(),
        _ => Vec::new(),
    }
}
