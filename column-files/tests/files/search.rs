//! Queries as the query language has them, over documents as they come: letters of any case and script, gaps, odd values.

use std::cmp::Ordering;
use std::sync::Arc;

use column_files::{Columns, Found, Page, Search, Start};
use dialect::arbitrary::{Vocabulary, queries};
use dialect::{Query, Value, interpret, order_value};
use events_schema::record::RecordKind;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value as Json};

use crate::documents::documents;
use crate::folder::Folder;

type Document = Map<String, Json>;

fn run(columns: &Arc<Columns>, query: &Query, page: Page, total: Option<u64>) -> Found {
    let search = Search::new(Arc::clone(columns), query, page, total);
    search.run().unwrap()
}

/// All ranks of a result, in its order.
fn expected(kind: RecordKind, documents: &[Document], query: &Query) -> Vec<u32> {
    let key = |row: u32| -> Vec<Option<Value>> {
        let document = &documents[row as usize - 1];
        query
            .order
            .iter()
            .map(|key| order_value(kind, document, key.column))
            .collect()
    };
    let holds = |row: &u32| {
        let document = &documents[*row as usize - 1];
        query
            .filter
            .as_ref()
            .is_none_or(|filter| interpret(filter, kind, document))
    };
    let mut rows: Vec<_> = (1..=documents.len() as u32)
        .filter(holds)
        .map(|row| (key(row), row))
        .collect();
    rows.sort_by(|(a, first), (b, second)| {
        let keys = query.order.iter().zip(a).zip(b);
        let order = keys.fold(Ordering::Equal, |order, ((key, a), b)| {
            order.then_with(|| match (a, b) {
                (Some(a), Some(b)) if key.descending => b.cmp(a),
                (Some(a), Some(b)) => a.cmp(b),
                (a, b) if key.nulls_first => a.is_some().cmp(&b.is_some()),
                (a, b) => a.is_none().cmp(&b.is_none()),
            })
        });
        order.then(first.cmp(second))
    });
    rows.into_iter().map(|(_, row)| row).collect()
}

fn check(kind: RecordKind, rows: u32, tried: usize, seed: u64) {
    let written = documents(kind, rows, seed);
    let folder = Folder::new();
    let columns = Arc::new(folder.open(&folder.write(kind, &written, 1 << 20).unwrap()));
    let documents: Vec<Document> = written
        .iter()
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let strategy = (
        queries(kind, &Vocabulary::of(kind, &documents, 30)),
        0..=rows,
        1..60_u32,
    );
    let mut runner = TestRunner::deterministic();
    for _ in 0..tried {
        let (query, at, limit) = strategy.new_tree(&mut runner).unwrap().current();
        let all = expected(kind, &documents, &query);
        let total = all.len() as u64;
        let place = (at as usize).min(all.len());
        let page = |places: std::ops::Range<usize>| Found {
            ranks: all[places.start.min(all.len())..places.end.min(all.len())].to_vec(),
            total,
        };
        let (from, to) = (place, place + limit as usize);
        let offset = Page {
            limit,
            start: Start::Offset(at),
        };
        assert_eq!(
            run(&columns, &query, offset, None),
            page(at as usize..at as usize + limit as usize),
            "{query:#?} {offset:?}"
        );
        let after = all.get(from.wrapping_sub(1)).copied().unwrap_or(0);
        let after = Page {
            limit,
            start: Start::After(after),
        };
        assert_eq!(
            run(&columns, &query, after, None),
            page(from..to),
            "{query:#?} {after:?}"
        );
        assert_eq!(
            run(&columns, &query, after, Some(total)),
            page(from..to),
            "{query:#?} {after:?}, total known"
        );
    }
}

/// Twenty thousand queries in all, most of them over files that are small enough to be asked thoroughly.
fn check_all(kind: RecordKind) {
    for (seed, (rows, tried)) in (1..).zip([(1, 500), (70, 8_500), (200, 1_000)]) {
        check(kind, rows, tried, seed);
    }
}

#[test]
fn queries_of_persons_find_what_the_interpreter_finds() {
    check_all(RecordKind::Person);
}

#[test]
fn queries_of_companies_find_what_the_interpreter_finds() {
    check_all(RecordKind::Company);
}
