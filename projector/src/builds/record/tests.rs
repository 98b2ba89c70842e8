//! Any JSON in any field: a document that the loader makes is one that search files can be written from.

use column_files::{Writer, WriterOptions};
use events_schema::record::{Field, FieldType, RecordKind};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Found, Lines, Reading, Record, Reject, Tally};
use crate::config::Levels;

/// What a customer may write where another type is expected, near the bounds of what is taken.
fn scalar() -> BoxedStrategy<Value> {
    let texts = [
        "",
        " ",
        "\0",
        "a\0b",
        "Ā ﬁ",
        "12",
        "-0",
        "1.5",
        "1e3",
        "1e16",
        "NaN",
        "inf",
        "true",
        "2026",
        "2026-02",
        "2026-02-30",
        "work",
        "owner",
        "11-50",
        "X@Y.example",
        "+13125550142",
        "linkedin.com/in/x",
        "www.acme.example",
        "6f9619ff-8b86-4011-b42d-00c04fc964ff",
    ];
    let numbers = [
        json!(0),
        json!(-1),
        json!(287.5),
        json!(-0.0),
        json!(1e16),
        json!(1e19),
        json!(1e300),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(9_007_199_254_740_993_i64),
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        select(texts.to_vec()).prop_map(Value::from),
        select(numbers.to_vec()),
    ]
    .boxed()
}

/// Any value, as deep as a record is.
fn anything() -> BoxedStrategy<Value> {
    let keys = select(vec![
        "cleaned", "raw", "1m", "12m", "month", "name", "x\0", "x",
    ]);
    scalar()
        .prop_recursive(3, 24, 4, move |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::Array),
                btree_map(keys.clone(), inner, 0..4).prop_map(object),
            ]
        })
        .boxed()
}

fn object(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

/// A value of the field's shape with anything in its parts, or anything at all.
fn value(field: &Field) -> BoxedStrategy<Value> {
    let shaped = match field.kind {
        FieldType::List(fields) | FieldType::CleanedList(fields) => {
            vec(object_of(fields), 0..3).prop_map(Value::Array).boxed()
        }
        FieldType::Object { fields, .. } => object_of(fields),
        _ => scalar(),
    };
    prop_oneof![3 => shaped, 1 => anything()].boxed()
}

fn object_of(fields: &'static [Field]) -> BoxedStrategy<Value> {
    if fields.is_empty() {
        return anything();
    }
    let entry = select(fields).prop_flat_map(|field| (Just(field.name), value(&field)));
    vec(entry, 0..8).prop_map(object).boxed()
}

fn line(kind: RecordKind) -> BoxedStrategy<Value> {
    object_of(kind.fields())
        .prop_map(move |mut line| {
            let name = match kind {
                RecordKind::Person => "full_name",
                RecordKind::Company => "domain",
            };
            if let Some(Value::String(id)) = line.get("service_id")
                && Uuid::parse_str(id).is_err()
            {
                line.as_object_mut().map(|line| line.remove("service_id"));
            }
            line.as_object_mut()
                .map(|line: &mut Map<_, _>| line.insert(name.to_owned(), json!("acme.example")));
            line
        })
        .boxed()
}

fn reading() -> Reading {
    Reading {
        build: "b".to_owned(),
        reference_date: "2026-10-02".parse().unwrap(),
        today: "2026-11-01".parse().unwrap(),
        levels: Levels::default(),
    }
}

/// A line without others.
fn read(kind: RecordKind, line: &str) -> (Result<Record, Reject>, Found) {
    let reading = reading();
    let mut lines = Lines::of(kind, &reading);
    (lines.read(line.as_bytes()), lines.into_found())
}

/// What a person's line is rejected for, and the keys of it that are not known.
fn rejected(line: &str) -> (Option<Reject>, Vec<String>) {
    let (read, found) = read(RecordKind::Person, line);
    (read.err(), found.unknown_keys.into_keys().collect())
}

#[test]
fn a_wrapped_line_is_one_whatever_stands_beside_its_record() {
    let none = || (None, Vec::new());
    assert_eq!(
        rejected(r#"{"person": {"full_name": "Ada Byron"}}"#),
        none()
    );
    let extra = r#"{"person": {"full_name": "Ada Byron"}, "extra": 1}"#;
    assert_eq!(rejected(extra), (None, vec!["extra".to_owned()]));
    let flat = r#"{"full_name": "Ada Byron", "person": {"full_name": "Bob Roe"}}"#;
    assert_eq!(rejected(flat), (None, vec!["person".to_owned()]));
    let id = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    let beside = format!(
        r#"{{"service_id": "{id}", "person": {{"full_name": "Ada Byron"}}, "full_name": null}}"#
    );
    let record = read(RecordKind::Person, &beside).0.ok().unwrap();
    assert_eq!(record.service_id.to_string(), id);
    let nameless = r#"{"person": {"city": "rome"}, "city": "rome"}"#;
    assert_eq!(rejected(nameless).0, Some(Reject::NoName));
}

#[test]
fn a_line_that_cannot_be_read_is_told_why() {
    let deep = format!(
        r#"{{"full_name": "Ada Byron", "x": {}{}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    for (line, reject) in [
        (
            r#"{"full_name": "Ada Byron", "age": 1e999}"#,
            Reject::TooLarge,
        ),
        (deep.as_str(), Reject::TooDeep),
        ("Ada Byron,Rome", Reject::NotJson),
        (r#"["Ada Byron"]"#, Reject::NotAnObject),
    ] {
        assert_eq!(rejected(line).0, Some(reject), "{line}");
    }
}

/// Read one behind the other, each is what it is alone.
fn are_independent(kind: RecordKind, lines: &[Value]) -> Result<(), TestCaseError> {
    let reading = reading();
    let (mut chunk, mut found) = (Lines::of(kind, &reading), Tally::default());
    // Twice: the second time everything was met before.
    for line in lines.iter().chain(lines) {
        let line = line.to_string();
        let (alone, found_alone) = read(kind, &line);
        found.merge(&found_alone);
        match (alone, chunk.read(line.as_bytes())) {
            (Ok(alone), Ok(behind)) => {
                prop_assert_eq!(alone.service_id, behind.service_id);
                prop_assert_eq!(alone.doc, behind.doc);
                prop_assert_eq!(alone.keys, behind.keys);
            }
            (alone, behind) => prop_assert_eq!(alone.err(), behind.err()),
        }
    }
    prop_assert_eq!(chunk.into_found(), found.into_found());
    Ok(())
}

fn is_taken(kind: RecordKind, line: &Value) -> Result<(), TestCaseError> {
    let Ok(record) = read(kind, &line.to_string()).0 else {
        return Ok(());
    };
    let folder = std::env::temp_dir().join(format!("taken-{}", Uuid::new_v4()));
    let spool = folder.join("spool");
    let options = WriterOptions {
        memory_bytes: 1 << 20,
        spool,
    };
    let mut writer = Writer::create(&folder.join("files"), kind, options).unwrap();
    let taken = writer.push(&record.doc);
    drop(writer);
    std::fs::remove_dir_all(&folder).unwrap();
    prop_assert!(taken.is_ok(), "{}", String::from_utf8_lossy(&record.doc));
    Ok(())
}

proptest! {
    #[test]
    fn whatever_a_line_holds_its_document_can_be_written_into_search_files(
        person in line(RecordKind::Person), company in line(RecordKind::Company),
    ) {
        is_taken(RecordKind::Person, &person)?;
        is_taken(RecordKind::Company, &company)?;
    }

    #[test]
    fn a_record_is_the_same_whatever_was_read_before_it(
        people in vec(line(RecordKind::Person), 1..5), companies in vec(line(RecordKind::Company), 1..5),
    ) {
        are_independent(RecordKind::Person, &people)?;
        are_independent(RecordKind::Company, &companies)?;
    }
}
