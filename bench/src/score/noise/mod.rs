//! Requests as people and their systems write them, made from records: this program's own noise, beside the generator's.
//!
//! Seeded: one seed gives the same requests again. A record is spoilt in one way a field ([`names`], [`organisations`],
//! [`company_names`], [`identifiers`]), and what was done is told with the request. How a value is spoilt is written here a second time on
//! purpose: it must not share a table with the canon that is measured.

mod companies;
mod company_names;
mod dice;
mod identifiers;
mod names;
mod organisations;
mod persons;
mod strangers;

use events_schema::record::RecordKind;
use serde_json::Value;

use crate::query::Query;
use crate::world::World;
use dice::Dice;

/// Four fifths about persons, the rest about companies.
pub(crate) fn queries(world: &World, count: u32, seed: u64) -> anyhow::Result<Vec<Query>> {
    let count = usize::try_from(count)?;
    let mut dice = Dice::new(seed);
    let mut queries = Vec::with_capacity(count);
    for (kind, wanted) in [
        (RecordKind::Person, count * 4 / 5),
        (RecordKind::Company, count / 5),
    ] {
        let records = world.some(kind, wanted)?;
        if kind == RecordKind::Person {
            queries.extend(strangers::queries(world, &records));
        }
        // A small world is asked about each record several times, each time in another way.
        for at in 0..wanted {
            let Some(record) = records.get(at % records.len().max(1)) else {
                continue;
            };
            let query = match kind {
                RecordKind::Person => persons::query(record, &mut dice),
                RecordKind::Company => companies::query(record, &mut dice),
            };
            queries.extend(query.map(|query| world.judged(query)));
        }
    }
    Ok(queries)
}

/// A text field of a record.
fn text<'a>(record: &'a Value, pointer: &str) -> Option<&'a str> {
    record
        .pointer(pointer)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

/// The texts of a field in the elements of a list.
fn texts<'a>(record: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    let items = record
        .get(list)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item.get(field)?.as_str())
        .filter(|text| !text.is_empty())
        .collect()
}
