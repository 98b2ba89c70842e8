//! The whole way: documents are written to files, the files opened and searched, and `dialect::interpret` says of every
//! document whether it is found.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering as Atomic};

use dialect::{Catalog, Column, ListForm, Place, Query, Value, interpret, order_value};
use events_schema::record::{FieldType, RecordKind};
use serde_json::{Map, Value as Json, json};

use super::filters::Maker;
use super::properties::{check_pages, columns_of};
use super::records::{Dice, Record, Values, records};
use crate::scan::{Found, Page, Search, Start};
use crate::{Columns, Writer, WriterOptions};

type Document = Map<String, Json>;

/// A folder that is removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "column-files-scan-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Atomic::Relaxed)
        );
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Writes the files of documents and opens them; they stay mapped when the folder is gone.
pub(super) fn columns(kind: RecordKind, documents: &[Document]) -> Arc<Columns> {
    let folder = Folder::new();
    let files = folder.0.join("files");
    std::fs::create_dir_all(&folder.0).unwrap();
    let options = WriterOptions {
        memory_bytes: 64 << 20,
        spool: folder.0.join("spool"),
    };
    let mut writer = Writer::create(&files, kind, options).unwrap();
    for document in documents {
        writer.push(&serde_json::to_vec(document).unwrap()).unwrap();
    }
    let manifest = writer.finish().unwrap();
    Arc::new(Columns::open(&files, &manifest).unwrap())
}

/// A record as the loader writes it: what is unknown is left out.
fn document(kind: RecordKind, record: &Record) -> Document {
    let catalog = Catalog::of(kind);
    let mut document = Map::new();
    put_all(catalog, &mut document, "", &record.values);
    for (list, elements) in &record.lists {
        let of = catalog.list(*list);
        match of.form {
            ListForm::Elements => {
                let prefix = format!("{}.", of.path);
                let elements = elements.iter().map(|element| {
                    let mut object = Map::new();
                    put_all(catalog, &mut object, &prefix, element);
                    Json::Object(object)
                });
                put(&mut document, &of.path, Json::Array(elements.collect()));
            }
            ListForm::Entries => {
                let entries = elements
                    .iter()
                    .filter_map(|entry| Some((key(catalog, entry)?, figures(catalog, entry)?)));
                put(&mut document, &of.path, Json::Object(entries.collect()));
            }
            // The forms are those of the name.
            ListForm::NameForms => {
                let raw: Vec<Json> = elements
                    .iter()
                    .flat_map(Values::values)
                    .map(json_of)
                    .collect();
                put(&mut document, "name.raw", Json::Array(raw));
            }
        }
    }
    document
}

fn put_all(catalog: &Catalog, object: &mut Document, prefix: &str, values: &Values) {
    for (column, value) in values {
        let path = &catalog.column(*column).path;
        put(
            object,
            path.strip_prefix(prefix).unwrap_or(path),
            json_of(value),
        );
    }
}

fn put(object: &mut Document, path: &str, value: Json) {
    match path.split_once('.') {
        None => {
            object.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let below = object.entry(first).or_insert_with(|| json!({}));
            put(below.as_object_mut().unwrap(), rest, value);
        }
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => json!(text),
        Value::Integer(number) => json!(number),
        Value::Number(number) => json!(number),
        Value::Boolean(boolean) => json!(boolean),
    }
}

fn key(catalog: &Catalog, entry: &Values) -> Option<String> {
    entry.iter().find_map(
        |(column, value)| match (catalog.column(*column).place, value) {
            (Place::MapKey(_), Value::Text(key)) => Some(key.clone()),
            _ => None,
        },
    )
}

/// The figure of a map's entry, or its figures by period.
fn figures(catalog: &Catalog, entry: &Values) -> Option<Json> {
    let of = |column: &Column| matches!(column.field.kind, FieldType::PeriodsMap);
    let mut periods = Map::new();
    for (column, value) in entry {
        let column = catalog.column(*column);
        match column.place {
            Place::MapValue(_) if of(column) => {
                let period = column.path.rsplit('.').next().unwrap_or_default();
                periods.insert(period.to_owned(), json_of(value));
            }
            Place::MapValue(_) => return Some(json_of(value)),
            _ if of(column) => {}
            _ => continue,
        }
    }
    let has_periods = entry.keys().any(|column| of(catalog.column(*column)));
    Some(if has_periods {
        Json::Object(periods)
    } else {
        Json::Null
    })
}

fn expected(kind: RecordKind, documents: &[Document], query: &Query, page: Page) -> Found {
    let holds = |document: &Document| {
        query
            .filter
            .as_ref()
            .is_none_or(|filter| interpret(filter, kind, document))
    };
    let keys: Vec<Vec<Option<Value>>> = documents
        .iter()
        .map(|document| {
            query
                .order
                .iter()
                .map(|key| order_value(kind, document, key.column))
                .collect()
        })
        .collect();
    let order = |a: usize, b: usize| {
        let each = query.order.iter().zip(&keys[a]).zip(&keys[b]);
        let order = each.fold(Ordering::Equal, |order, ((key, a), b)| {
            order.then_with(|| match (a, b) {
                (Some(a), Some(b)) if key.descending => b.cmp(a),
                (Some(a), Some(b)) => a.cmp(b),
                (a, b) if key.nulls_first => a.is_some().cmp(&b.is_some()),
                (a, b) => a.is_none().cmp(&b.is_none()),
            })
        });
        order.then(a.cmp(&b))
    };
    let mut rows: Vec<usize> = (0..documents.len())
        .filter(|row| holds(&documents[*row]))
        .collect();
    rows.sort_by(|a, b| order(*a, *b));
    let total = rows.len() as u64;
    let skipped = match page.start {
        Start::Offset(offset) => offset as usize,
        Start::After(rank) if rank as usize > documents.len() => rows.len(),
        Start::After(0) => 0,
        Start::After(rank) => {
            rows.partition_point(|row| order(*row, rank as usize - 1) != Ordering::Greater)
        }
    };
    let ranks = rows
        .into_iter()
        .skip(skipped)
        .take(page.limit as usize)
        .map(|row| row as u32 + 1)
        .collect();
    Found { ranks, total }
}

fn run(columns: &Arc<Columns>, query: &Query, page: Page, total: Option<u64>) -> Found {
    let mut search = Search::new(Arc::clone(columns), query, page, total);
    loop {
        if let Some(found) = search.advance() {
            assert_eq!(search.advance(), None, "an answer is given once");
            return found.unwrap();
        }
    }
}

fn check(kind: RecordKind, rows: usize, queries: usize, seed: u64) {
    let dice = &mut Dice(seed | 1);
    let records = records(kind, rows, dice);
    let documents: Vec<Document> = records
        .iter()
        .map(|record| document(kind, record))
        .collect();
    let columns = columns(kind, &documents);
    for number in 0..queries {
        let maker = Maker {
            catalog: Catalog::of(kind),
            records: &records,
            columns: columns_of(kind, dice),
        };
        let (query, page) = (maker.query(dice), maker.page(dice));
        let expected = expected(kind, &documents, &query, page);
        let total = (dice.roll(3) == 0).then_some(expected.total);
        let found = run(&columns, &query, page, total);
        assert_eq!(
            found, expected,
            "seed {seed}, {rows} rows, query {number}: {query:#?} {page:?} {total:?}"
        );
    }
}

/// Rows of a build and queries over it: 10,000 for each kind of record.
const BUILDS: [(usize, usize); 6] = [
    (1, 500),
    (64, 4_500),
    (65, 3_500),
    (130, 1_000),
    (321, 400),
    (777, 100),
];

#[test]
fn files_of_persons_find_what_the_interpreter_finds() {
    for (seed, (rows, queries)) in (1..).zip(BUILDS) {
        check(RecordKind::Person, rows, queries, seed * 6_700_417);
    }
}

#[test]
fn files_of_companies_find_what_the_interpreter_finds() {
    for (seed, (rows, queries)) in (1..).zip(BUILDS) {
        check(RecordKind::Company, rows, queries, seed * 2_147_483_629);
    }
}

#[test]
fn files_of_more_than_one_chunk_find_what_the_interpreter_finds() {
    check(RecordKind::Company, 65_536 + 77, 8, 3);
}

#[test]
fn pages_of_files_follow_each_other() {
    for (seed, kind) in [(21, RecordKind::Person), (22, RecordKind::Company)] {
        let dice = &mut Dice(seed);
        let records = records(kind, 333, dice);
        let documents: Vec<Document> = records
            .iter()
            .map(|record| document(kind, record))
            .collect();
        let columns = columns(kind, &documents);
        check_pages(kind, &records, dice, |query, page, total| {
            run(&columns, query, page, total)
        });
    }
}
