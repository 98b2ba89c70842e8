//! Pages of ordered searches of a build of several chunks, beside a plain sort.

use std::cmp::Reverse;
use std::sync::Arc;

use column_files::{Columns, Found, Page, Search, Start};
use dialect::Query;
use events_schema::record::RecordKind;
use serde_json::json;

use crate::folder::Folder;

/// Two chunks and a part of a third one, which ends within a word of rows.
const ROWS: u32 = 140_001;
const LIMIT: u32 = 100;

type Condition<'a> = &'a dyn Fn(&Row) -> bool;

/// What the rows of a build say; none of it follows the rank.
struct Row {
    rank: u32,
    /// One of eight, or none.
    city: Option<String>,
    /// One of hundreds.
    title: Option<String>,
    /// One of thousands.
    family: String,
    /// Nearly every one is another.
    name: String,
}

impl Row {
    fn new(rank: u32) -> Self {
        let mixed = |salt| mixed(rank, salt);
        let one_of = |salt: u32, most: u32| {
            let at = mixed(salt) % (most + 1);
            (at < most).then(|| format!("v{at:05}"))
        };
        Self {
            rank,
            city: one_of(1, 8),
            title: one_of(2, 300),
            family: format!("f{:05}", mixed(3) % 5_000),
            name: format!("n{:07}", mixed(4) % 1_000_000),
        }
    }

    /// Of the cities, two alone are left: the more complete half of the build has many of both, the rest a few of the second.
    fn thinning(rank: u32) -> Self {
        let at = mixed(rank, 5) % 65_536;
        let city = match (rank <= ROWS / 2, at) {
            (true, 0..8_000) => Some("v00000"),
            (true, 8_000..10_000) | (false, 0..500) => Some("v00001"),
            _ => None,
        };
        Self {
            city: city.map(str::to_owned),
            ..Self::new(rank)
        }
    }

    fn document(&self) -> Vec<u8> {
        let mut document = json!({"last_name": self.family, "full_name": self.name});
        for (field, value) in [("city", &self.city), ("job_title", &self.title)] {
            if let Some(value) = value {
                document[field] = json!(value);
            }
        }
        serde_json::to_vec(&document).unwrap()
    }
}

/// 24 bits without a pattern.
fn mixed(rank: u32, salt: u32) -> u32 {
    let mixed = (rank ^ salt.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
    (mixed ^ (mixed >> 15)).wrapping_mul(0xC2B2_AE35) >> 8
}

fn open(folder: &Folder, rows: &[Row]) -> Arc<Columns> {
    let documents: Vec<Vec<u8>> = rows.iter().map(Row::document).collect();
    let manifest = folder.write(RecordKind::Person, &documents, 16 << 20);
    Arc::new(folder.open(&manifest.unwrap()))
}

fn find(columns: &Arc<Columns>, text: &str, start: Start, total: Option<u64>) -> Found {
    let query = Query::parse(RecordKind::Person, &format!("SELECT * FROM person {text}"));
    let page = Page {
        limit: LIMIT,
        start,
    };
    let search = Search::new(Arc::clone(columns), &query.unwrap().query, page, total);
    search.run().unwrap()
}

/// Pages at several depths, by offset and by cursor, with and without a known total.
fn check(columns: &Arc<Columns>, text: &str, expected: &[u32]) {
    let total = expected.len() as u64;
    let page = |from: usize| {
        let rows = expected.iter().skip(from).take(LIMIT as usize);
        rows.copied().collect::<Vec<_>>()
    };
    for offset in [
        0,
        7,
        1_000,
        10_000,
        70_000,
        expected.len() - 3,
        expected.len(),
    ] {
        for known in [None, Some(total)] {
            let found = find(columns, text, Start::Offset(offset as u32), known);
            assert_eq!(found.total, total, "{text}");
            assert_eq!(found.ranks, page(offset), "{text}, offset {offset}");
        }
    }
    for place in [0, 99, 5_000, expected.len() / 2, expected.len() - 1] {
        let place = place.min(expected.len() - 1);
        for known in [None, Some(total)] {
            let found = find(columns, text, Start::After(expected[place]), known);
            assert_eq!(found.total, total, "{text}");
            assert_eq!(found.ranks, page(place + 1), "{text}, behind {place}");
        }
    }
}

#[test]
fn pages_at_every_depth_are_those_of_a_plain_sort() {
    let rows: Vec<Row> = (1..=ROWS).map(Row::new).collect();
    let folder = Folder::new();
    let columns = open(&folder, &rows);
    let is_all = |_: &Row| true;
    let is_here = |row: &Row| row.city.as_deref() == Some("v00003");
    let is_rare = |row: &Row| row.family == "f00017" || row.title.as_deref() == Some("v00100");
    let conditions: [(&str, Condition<'_>); 3] = [
        ("", &is_all),
        ("WHERE city = 'v00003'", &is_here),
        (
            "WHERE last_name = 'f00017' OR job_title = 'v00100'",
            &is_rare,
        ),
    ];
    for (condition, holds) in conditions {
        let wanted = || rows.iter().filter(|row| holds(row)).collect::<Vec<_>>();
        let check = |order: &str, sorted: Vec<&Row>| {
            let ranks: Vec<u32> = sorted.into_iter().map(|row| row.rank).collect();
            check(&columns, &format!("{condition} ORDER BY {order}"), &ranks);
        };
        // Unknown comes last unless it is said otherwise.
        let last = |value: &Option<String>| (value.is_none(), value.clone());
        let mut sorted = wanted();
        sorted.sort_by_key(|row| last(&row.city));
        check("city", sorted);
        let mut sorted = wanted();
        sorted.sort_by_key(|row| row.name.clone());
        check("full_name", sorted);
        let mut sorted = wanted();
        sorted.sort_by_key(|row| (row.title.is_none(), Reverse(row.title.clone())));
        check("job_title DESC NULLS LAST", sorted);
        let mut sorted = wanted();
        sorted.sort_by_key(|row| (last(&row.city), Reverse(row.name.clone())));
        check("city, full_name DESC", sorted);
        let mut sorted = wanted();
        sorted.sort_by_key(|row| (row.city.clone(), last(&row.title), row.family.clone()));
        check("city NULLS FIRST, job_title, last_name", sorted);
        let mut sorted = wanted();
        sorted.sort_by_key(|row| {
            let key = (last(&row.city), last(&row.title));
            (key, Reverse(row.family.clone()), row.name.clone())
        });
        check("city, job_title, last_name DESC, full_name", sorted);
    }
}

/// No row of the result has a key up to the one that counts say is enough.
#[test]
fn pages_are_whole_where_the_values_of_the_order_thin_out_with_the_rank() {
    let rows: Vec<Row> = (1..=ROWS).map(Row::thinning).collect();
    let folder = Folder::new();
    let columns = open(&folder, &rows);
    let second = rows
        .iter()
        .filter(|row| row.city.as_deref() == Some("v00001"));
    let mut sorted: Vec<&Row> = second.collect();
    sorted.sort_by_key(|row| (row.name.clone(), row.rank));
    let ranks: Vec<u32> = sorted.iter().map(|row| row.rank).collect();
    for condition in ["city = 'v00001'", "city <> 'v00000'"] {
        for order in ["city, full_name", "city DESC, full_name"] {
            let text = format!("WHERE {condition} ORDER BY {order}");
            check(&columns, &text, &ranks);
        }
    }
    let text = "WHERE city = 'v00001' ORDER BY city, job_title DESC NULLS LAST";
    sorted.sort_by_key(|row| (row.title.is_none(), Reverse(row.title.clone()), row.rank));
    let ranks: Vec<u32> = sorted.iter().map(|row| row.rank).collect();
    check(&columns, text, &ranks);
}
