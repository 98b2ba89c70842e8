//! Which edition of canon and keys a build was loaded by, and that no change of them goes without a new one.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use events_schema::record::RecordKind;
use flate2::read::GzDecoder;
use normalize::EDITION;
use projector::builds::chunk::lines;
use projector::builds::record::{Lines, Reading};
use projector::config::Levels;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::builds::{Build, maya};
use crate::stack::Stack;

/// What is read here: the sample, records that have every field, and names in other scripts.
const FILES: [(RecordKind, &str); 6] = [
    (RecordKind::Company, "../data/sample/companies.ndjson.gz"),
    (RecordKind::Person, "../data/sample/persons.ndjson.gz"),
    (RecordKind::Company, "tests/fixtures/companies.ndjson"),
    (RecordKind::Person, "tests/fixtures/persons.ndjson"),
    (RecordKind::Person, "tests/fixtures/golden_person.json"),
    (RecordKind::Person, "tests/fixtures/other_scripts.ndjson"),
];
/// About so many lines of a file are read, from all over it: the sample is long, and this is not optimized.
const LINES: usize = 3_000;

fn in_crate(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> Vec<u8> {
    let bytes = std::fs::read(in_crate(path)).unwrap();
    if !path.ends_with(".gz") {
        return bytes;
    }
    let mut text = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
    text
}

/// This edition, and digests of lines and of the records and keys that it makes of them.
fn edition() -> Value {
    let (mut read_lines, mut records) = (Sha256::new(), Sha256::new());
    let reading = Reading {
        build: "b".to_owned(),
        reference_date: NaiveDate::from_ymd_opt(2026, 11, 1).unwrap(),
        today: NaiveDate::from_ymd_opt(2026, 11, 1).unwrap(),
        levels: Levels::default(),
    };
    for (kind, path) in FILES {
        let text = text(path);
        // A golden record is one line here, though its file has many.
        let text = match serde_json::from_slice::<Value>(&text) {
            Ok(golden) => golden.to_string().into_bytes(),
            Err(_) => text,
        };
        let step = (lines(&text, 1).count() / LINES).max(1);
        let mut reader = Lines::of(kind, &reading);
        for (_, line) in lines(&text, 1).step_by(step) {
            read_lines.update(line);
            let Ok(record) = reader.read(line) else {
                records.update([0]);
                continue;
            };
            records.update(record.service_id);
            records.update(&record.doc);
            let mut keys = record.keys;
            keys.sort_by_key(|key| (key.kind, key.key));
            for key in keys {
                records.update(key.kind.to_be_bytes());
                records.update(key.key);
                records.update(key.flags.to_be_bytes());
            }
        }
    }
    json!({
        "edition": EDITION,
        "lines": hex::encode(read_lines.finalize()),
        "records": hex::encode(records.finalize()),
    })
}

#[test]
fn the_sample_is_read_as_this_edition_says() {
    let path = in_crate("tests/fixtures/edition.json");
    let recorded: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let now = edition();
    if recorded == now {
        return;
    }
    assert!(
        recorded["edition"] != now["edition"] || recorded["lines"] != now["lines"],
        "lines become other records, or are found by other keys, than before: raise normalize::EDITION by one, then UPDATE_GOLDEN=1"
    );
    assert!(
        std::env::var_os("UPDATE_GOLDEN").is_some(),
        "another edition or other lines: UPDATE_GOLDEN=1 records them"
    );
    std::fs::write(path, format!("{now:#}\n")).unwrap();
}

async fn builds_behind(stack: &Stack, admin: &str) -> Value {
    let lag = stack.get(&format!("{admin}/admin/lag")).await;
    assert_eq!(lag["edition"], EDITION);
    lag["builds_behind"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_is_of_the_edition_that_loaded_it_and_named_when_that_is_an_earlier_one() {
    let stack = Stack::new().await;
    let admin = stack.start().await;
    let mut build = Build::start(&stack, "of-today", RecordKind::Person).await;
    build.stage(&[maya(1)]).await;
    build.seal_and_activate().await;
    let edition = "select edition::bigint from build_load where build = 'of-today'";
    assert_eq!(stack.number(edition).await, i64::from(EDITION));
    assert_eq!(builds_behind(&stack, &admin).await, json!([]));
    stack
        .change("update build_load set edition = 0 where build = 'of-today'")
        .await;
    let named = json!([{"build": "of-today", "kind": "person", "status": "active", "edition": 0}]);
    assert_eq!(builds_behind(&stack, &admin).await, named);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_several_editions_loaded_is_of_the_lowest() {
    let stack = Stack::new().await;
    let life = CancellationToken::new();
    stack.start_until(&life).await;
    let as_of = NaiveDate::from_ymd_opt(2026, 11, 1);
    let mut build = Build::start_as_of(&stack, "of-two", RecordKind::Person, as_of).await;
    build.stage(&[maya(1)]).await;
    stack
        .until("the first chunk is loaded", || async {
            let loaded = "select count(*) from build_chunk where state = 'loaded'";
            (stack.number(loaded).await == 1).then_some(())
        })
        .await;
    // As a version that does not say leaves it.
    stack.change("update build_chunk set edition = 0").await;
    build.stage(&[maya(2)]).await;
    build.seal_and_be_loaded().await;
    let of_chunk = "select edition::bigint from build_chunk where chunk = 1";
    assert_eq!(stack.number(of_chunk).await, i64::from(EDITION));
    let edition = "select edition::bigint from build_load where build = 'of-two'";
    assert_eq!(stack.number(edition).await, 0);
}
