//! What a query means, said as plainly as possible.

use std::cmp::Ordering;

use dialect::{Catalog, Filter, OrderKey, Place, Query, Target, Test, Value, ValueType};

use super::records::{Record, Values};
use crate::scan::{Found, Page, Start};

pub(super) fn found(catalog: &Catalog, records: &[Record], query: &Query, page: Page) -> Found {
    let holds = |record: &Record| {
        query
            .filter
            .as_ref()
            .is_none_or(|filter| truth(catalog, filter, &record.values, Some(record)) == Some(true))
    };
    let mut rows: Vec<usize> = (0..records.len())
        .filter(|row| holds(&records[*row]))
        .collect();
    let order = |a: usize, b: usize| {
        let key = |all: Ordering, key: &OrderKey| {
            all.then_with(|| by_key(key, &records[a].values, &records[b].values))
        };
        query
            .order
            .iter()
            .fold(Ordering::Equal, key)
            .then(a.cmp(&b))
    };
    rows.sort_by(|a, b| order(*a, *b));
    let total = rows.len() as u64;
    let (skip, after) = match page.start {
        Start::Offset(offset) => (offset as usize, None),
        Start::After(rank) => (0, Some(rank as usize)),
    };
    match after {
        Some(rank) if rank > records.len() => rows.clear(),
        Some(rank) if rank > 0 => rows.retain(|row| order(*row, rank - 1) == Ordering::Greater),
        _ => {}
    }
    let ranks = rows
        .into_iter()
        .skip(skip)
        .take(page.limit as usize)
        .map(|row| row as u32 + 1)
        .collect();
    Found { ranks, total }
}

fn by_key(key: &OrderKey, a: &Values, b: &Values) -> Ordering {
    match (a.get(&key.column), b.get(&key.column)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => {
            if key.nulls_first {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (Some(_), None) => {
            if key.nulls_first {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Some(a), Some(b)) => {
            if key.descending {
                b.cmp(a)
            } else {
                a.cmp(b)
            }
        }
    }
}

/// Whether a filter is true; of an element, `record` is none.
fn truth(
    catalog: &Catalog,
    filter: &Filter,
    values: &Values,
    record: Option<&Record>,
) -> Option<bool> {
    let each = |filters: &[Filter]| -> Vec<Option<bool>> {
        filters
            .iter()
            .map(|filter| truth(catalog, filter, values, record))
            .collect()
    };
    match filter {
        Filter::And(filters) => {
            let each = each(filters);
            if each.contains(&Some(false)) {
                Some(false)
            } else if each.contains(&None) {
                None
            } else {
                Some(true)
            }
        }
        Filter::Or(filters) => {
            let each = each(filters);
            if each.contains(&Some(true)) {
                Some(true)
            } else if each.contains(&None) {
                None
            } else {
                Some(false)
            }
        }
        Filter::Test(condition) => {
            let column = catalog.column(condition.target.column);
            let value = entry(catalog, &condition.target, values, record);
            test(&condition.test, value, column.value == ValueType::Date)
        }
        Filter::Element {
            list,
            filter,
            negated,
        } => {
            let elements = record
                .unwrap()
                .lists
                .get(list)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let some = elements
                .iter()
                .any(|element| truth(catalog, filter, element, None) == Some(true));
            Some(some != *negated)
        }
        Filter::Empty { list, negated } => {
            Some(record.unwrap().lists.get(list).is_none_or(Vec::is_empty) != *negated)
        }
    }
}

fn entry<'a>(
    catalog: &Catalog,
    target: &Target,
    values: &'a Values,
    record: Option<&'a Record>,
) -> Option<&'a Value> {
    let (Some(key), Some(record)) = (&target.key, record) else {
        return values.get(&target.column);
    };
    let list = catalog.column(target.column).place.list().unwrap();
    let is_key = |entry: &&Values| {
        entry.iter().any(|(column, value)| {
            matches!(catalog.column(*column).place, Place::MapKey(_))
                && *value == Value::Text(key.clone())
        })
    };
    record
        .lists
        .get(&list)?
        .iter()
        .find(is_key)?
        .get(&target.column)
}

fn test(test: &Test, value: Option<&Value>, date: bool) -> Option<bool> {
    if let Test::Null { negated } = test {
        return Some(value.is_none() != *negated);
    }
    let value = value?;
    Some(match test {
        Test::In { values, negated } => {
            let equals = |literal: &Value| match (value, literal) {
                (Value::Text(text), Value::Text(literal)) if date => {
                    text.starts_with(literal.as_str())
                }
                (value, literal) => value == literal,
            };
            values.iter().any(equals) != *negated
        }
        Test::Range { low, high } => {
            let compare = |bound: &Value| match (value, bound) {
                (Value::Text(text), Value::Text(bound)) if date => text
                    .chars()
                    .take(bound.chars().count())
                    .collect::<String>()
                    .cmp(bound),
                (value, bound) => value.cmp(bound),
            };
            low.as_ref()
                .is_none_or(|(bound, closed)| match compare(bound) {
                    Ordering::Less => false,
                    Ordering::Equal => *closed,
                    Ordering::Greater => true,
                })
                && high
                    .as_ref()
                    .is_none_or(|(bound, closed)| match compare(bound) {
                        Ordering::Less => true,
                        Ordering::Equal => *closed,
                        Ordering::Greater => false,
                    })
        }
        Test::Like { pattern, negated } => {
            let Value::Text(text) = value else {
                panic!("LIKE is for text")
            };
            let (pattern, text): (Vec<char>, Vec<char>) =
                (pattern.chars().collect(), text.chars().collect());
            like(&pattern, &text) != *negated
        }
        Test::Null { .. } => unreachable!("answered above"),
    })
}

/// Whether a text matches, by a table of all pairs of beginnings.
fn like(pattern: &[char], text: &[char]) -> bool {
    let mut parts = Vec::new();
    let mut rest = pattern.iter();
    while let Some(character) = rest.next() {
        parts.push(match character {
            '%' => None,
            '_' => Some(None),
            '\\' => Some(Some(*rest.next().unwrap_or(&'\\'))),
            literal => Some(Some(*literal)),
        });
    }
    let mut row = vec![false; text.len() + 1];
    row[0] = true;
    for part in parts {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            next[at] = match part {
                None => row[at] || (at > 0 && next[at - 1]),
                Some(one) => at > 0 && row[at - 1] && one.is_none_or(|one| one == text[at - 1]),
            };
        }
        row = next;
    }
    row[text.len()]
}
