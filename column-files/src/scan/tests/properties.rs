//! Random queries over random builds: the same count and the same page as the definition says.

use dialect::{Catalog, ColumnId, Query};
use events_schema::record::RecordKind;

use super::filters::Maker;
use super::memory::Memory;
use super::oracle;
use super::records::{Dice, Record, records};
use crate::scan::engine::Engine;
use crate::scan::source::Source;
use crate::scan::{Found, Page, Start};

fn run(source: &impl Source, query: &Query, page: Page, total: Option<u64>) -> Found {
    let mut engine = Engine::new(source, query, page, total);
    loop {
        if let Some(found) = engine.advance(source) {
            return found.unwrap();
        }
    }
}

/// A few columns, so that conditions meet on them.
pub(super) fn columns_of(kind: RecordKind, dice: &mut Dice) -> Vec<ColumnId> {
    let all = Catalog::of(kind).columns().len() as u64;
    (0..12).map(|_| ColumnId(dice.roll(all) as u16)).collect()
}

fn check(kind: RecordKind, rows: usize, queries: usize, seed: u64) {
    let dice = &mut Dice(seed | 1);
    let records = records(kind, rows, dice);
    let memory = Memory::of(kind, &records, dice);
    for number in 0..queries {
        let maker = Maker {
            catalog: Catalog::of(kind),
            records: &records,
            columns: columns_of(kind, dice),
        };
        let (query, page) = (maker.query(dice), maker.page(dice));
        let expected = oracle::found(maker.catalog, &records, &query, page);
        let total = (dice.roll(3) == 0).then_some(expected.total);
        let found = run(&memory, &query, page, total);
        assert_eq!(
            found, expected,
            "seed {seed}, {rows} rows, query {number}: {query:#?} {page:?} {total:?}"
        );
    }
}

#[test]
fn random_queries_find_what_the_definition_finds() {
    for (seed, rows) in (1u64..).zip([0, 1, 63, 64, 65, 127, 200, 500, 700, 1_000, 1_027]) {
        let queries = if rows < 300 { 700 } else { 200 };
        check(RecordKind::Person, rows, queries, seed * 7_919);
        check(RecordKind::Company, rows, queries, seed * 104_729);
    }
}

#[test]
fn random_queries_over_more_than_one_chunk_find_what_the_definition_finds() {
    check(RecordKind::Company, 65_536 + 70, 12, 5);
    check(RecordKind::Person, 65_536 + 1, 12, 6);
}

#[test]
fn pages_follow_each_other_without_overlap_or_gap() {
    for (seed, kind) in [
        (11, RecordKind::Person),
        (12, RecordKind::Company),
        (13, RecordKind::Person),
    ] {
        let dice = &mut Dice(seed);
        let records = records(kind, 777, dice);
        let memory = Memory::of(kind, &records, dice);
        check_pages(kind, &records, dice, |query, page, total| {
            run(&memory, query, page, total)
        });
    }
}

/// Pages by offset and by cursor are the whole result, one after the other.
pub(super) fn check_pages(
    kind: RecordKind,
    records: &[Record],
    dice: &mut Dice,
    run: impl Fn(&Query, Page, Option<u64>) -> Found,
) {
    for _ in 0..60 {
        let maker = Maker {
            catalog: Catalog::of(kind),
            records,
            columns: columns_of(kind, dice),
        };
        let query = maker.query(dice);
        let whole = run(
            &query,
            Page {
                limit: 1_000,
                start: Start::Offset(0),
            },
            None,
        );
        assert_eq!(whole.ranks.len() as u64, whole.total);
        let limit = 1 + dice.roll(90) as u32;
        for by_rank in [false, true] {
            let mut ranks: Vec<u32> = Vec::new();
            loop {
                let start = match ranks.last() {
                    Some(last) if by_rank => Start::After(*last),
                    _ => Start::Offset(ranks.len() as u32),
                };
                let total = (dice.roll(2) == 0).then_some(whole.total);
                let found = run(&query, Page { limit, start }, total);
                assert_eq!(found.total, whole.total);
                if found.ranks.is_empty() {
                    break;
                }
                ranks.extend(found.ranks);
            }
            assert_eq!(ranks, whole.ranks);
        }
    }
}
