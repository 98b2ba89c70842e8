//! The language on disk: schemas and fixtures agree with the Rust types, and the tables with the pages of docs/.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod citations;
mod endpoints;
mod fixtures;
mod pages;
mod schemas;
mod topics;

use std::path::{Path, PathBuf};

use events_schema::Event;
use events_schema::report::v1::{ReportDetailsMessage, ReportStatusMessage};
use events_schema::topics::{REPORT_DETAILS, REPORT_STATUS};
use serde_json::Value;

/// Reports have two types on the wire for one that is stored.
const REPORT_WIRE_TYPES: [&str; 2] = ["report.person.received.v1", "report.company.received.v1"];

/// A file or folder of this crate.
fn in_crate(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read_json(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// Everything that has a schema, by name: stored types, wire types, values of the compacted topics.
fn schemas() -> Vec<(&'static str, Value)> {
    let stored = Event::STORED_TYPES
        .iter()
        .map(|name| (*name, Event::schema_of(name).expect("declared with it")));
    let wire = REPORT_WIRE_TYPES.map(|name| {
        let stored = Event::stored_type_of_wire(name);
        (name, Event::schema_of(stored).expect("declared with it"))
    });
    let values = [
        (
            REPORT_DETAILS.name,
            schemars::schema_for!(ReportDetailsMessage),
        ),
        (
            REPORT_STATUS.name,
            schemars::schema_for!(ReportStatusMessage),
        ),
    ];
    stored
        .chain(wire)
        .chain(values)
        .map(|(name, schema)| (name, schema.to_value()))
        .collect()
}

/// The fixtures of one name, with their paths.
fn fixtures_of(name: &str) -> Vec<(PathBuf, Value)> {
    let folder = in_crate("fixtures").join(name);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let value = read_json(&path);
            (path, value)
        })
        .collect()
}
