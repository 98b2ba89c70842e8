//! Random filters and queries, for tests of this crate and of those that execute filters.
//!
//! They are in normal form, hold values that occur in the documents at hand, and can all be written as text.

use std::collections::BTreeMap;

use events_schema::record::RecordKind;
use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::{Map, Value as Json};

use crate::canon::stored_forms;
use crate::column::{Catalog, ColumnId, ListForm, ListId, Place, ValueType};
use crate::filter::{Condition, Filter, OrderKey, Query, Target, Test, Value};
use crate::fold;
use crate::interpret::{keys_of, values_of};

/// The values and keys that random filters are made of.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Values by column, folded.
    pub values: BTreeMap<ColumnId, Vec<Value>>,
    /// Keys of entries by map, folded.
    pub keys: BTreeMap<ListId, Vec<String>>,
}

impl Vocabulary {
    /// At most `limit` different values of each column of the documents, and the keys of their maps.
    #[must_use]
    pub fn of(kind: RecordKind, documents: &[Map<String, Json>], limit: usize) -> Self {
        let catalog = Catalog::of(kind);
        let mut vocabulary = Self::default();
        for (id, column) in ids(catalog) {
            let held = vocabulary.values.entry(id).or_default();
            for document in documents {
                for value in values_of(kind, document, id) {
                    if held.len() < limit && !held.contains(&value) {
                        held.push(value);
                    }
                }
            }
            let Place::MapKey(list) = column.place else {
                continue;
            };
            let keys = vocabulary.keys.entry(list).or_default();
            for key in documents
                .iter()
                .flat_map(|document| keys_of(kind, document, list))
            {
                if keys.len() < limit && !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        vocabulary
    }

    /// Made-up values of every column, with quotes, wildcards, blanks and signs of many scripts in them.
    #[must_use]
    pub fn made_up(kind: RecordKind) -> Self {
        const TEXTS: [&str; 12] = [
            "",
            "a",
            "o'brien",
            "director of operations",
            "100% _ \\ x",
            "line\nbreak\ttab\0nul",
            "münchen",
            "中文",
            "-- ; /* $1",
            "\"quoted\"",
            "1-10",
            "2026",
        ];
        const DATES: [&str; 6] = [
            "2026",
            "2026-03",
            "2026-03-31",
            "1999",
            "1999-12",
            "2024-02-29",
        ];
        let catalog = Catalog::of(kind);
        let mut vocabulary = Self::default();
        for (id, column) in ids(catalog) {
            let texts = |texts: &[&str]| texts.iter().map(|text| Value::Text(fold(text))).collect();
            let values: Vec<Value> = match column.value {
                ValueType::Text => texts(&TEXTS),
                ValueType::Date => texts(&DATES),
                ValueType::Id => texts(&[
                    "5b0d6a0e-5d1f-4c0c-9a53-3c1f8a7f2b10",
                    "00000000-0000-0000-0000-000000000000",
                ]),
                ValueType::Integer => [0, 1, -7, 2026, i64::MAX, i64::MIN]
                    .map(Value::Integer)
                    .into(),
                ValueType::Number => [0.0, 0.05, -1.5, 1e300, 5e-324, 12.0, 1e16]
                    .map(Value::Number)
                    .into(),
                ValueType::Boolean => vec![Value::Boolean(true), Value::Boolean(false)],
            };
            vocabulary.values.insert(id, values);
            if let Place::MapKey(list) = column.place {
                let keys = [
                    "director",
                    "human resources",
                    "1.5",
                    "12m",
                    "select",
                    "é\"x",
                    "0-1",
                ];
                vocabulary.keys.insert(list, keys.map(fold).into());
            }
        }
        vocabulary
    }
}

/// Random queries.
pub fn queries(kind: RecordKind, vocabulary: &Vocabulary) -> BoxedStrategy<Query> {
    let catalog = Catalog::of(kind);
    let sortable: Vec<ColumnId> = ids(catalog)
        .filter(|(_, column)| column.place == Place::Record)
        .map(|(id, _)| id)
        .collect();
    let key = (prop::sample::select(sortable), any::<bool>(), any::<bool>());
    let keys = prop::collection::vec(key, 0..3).prop_map(|keys| {
        let mut order: Vec<OrderKey> = Vec::new();
        for (column, descending, nulls_first) in keys {
            if !order.iter().any(|key| key.column == column) {
                order.push(OrderKey {
                    column,
                    descending,
                    nulls_first,
                });
            }
        }
        order
    });
    (
        prop::option::weighted(0.95, filters(kind, vocabulary)),
        keys,
    )
        .prop_map(move |(filter, order)| Query {
            kind,
            filter,
            order,
        })
        .boxed()
}

/// Random filters in normal form.
pub fn filters(kind: RecordKind, vocabulary: &Vocabulary) -> BoxedStrategy<Filter> {
    let catalog = Catalog::of(kind);
    let mut leaves: Vec<(u32, BoxedStrategy<Filter>)> = Vec::new();
    for (id, column) in ids(catalog) {
        let keys = match column.place {
            Place::Record => Just(None).boxed(),
            Place::MapValue(list) => {
                match vocabulary.keys.get(&list).filter(|keys| !keys.is_empty()) {
                    Some(keys) => prop::sample::select(keys.clone()).prop_map(Some).boxed(),
                    None => continue,
                }
            }
            Place::Element(_) | Place::MapKey(_) => continue,
        };
        leaves.push((2, conditions(catalog, id, keys, vocabulary)));
    }
    for (at, list) in catalog.lists().iter().enumerate() {
        let Ok(id) = u8::try_from(at).map(ListId) else {
            continue;
        };
        leaves.push((
            1,
            any::<bool>()
                .prop_map(move |negated| Filter::Empty { list: id, negated })
                .boxed(),
        ));
        if list.form == ListForm::Entries {
            continue;
        }
        let inner = elements(catalog, id, vocabulary);
        let element = (inner, any::<bool>()).prop_map(move |(filter, negated)| Filter::Element {
            list: id,
            filter: Box::new(filter),
            negated,
        });
        leaves.push((8, element.boxed()));
    }
    Union::new_weighted(leaves)
        .prop_recursive(4, 24, 4, joined)
        .prop_map(move |filter| filter.normal(kind))
        .boxed()
}

/// Filters on an element of a list.
fn elements(
    catalog: &'static Catalog,
    list: ListId,
    vocabulary: &Vocabulary,
) -> BoxedStrategy<Filter> {
    let columns = catalog.list(list).columns.iter();
    let leaves =
        Union::new(columns.map(|&id| conditions(catalog, id, Just(None).boxed(), vocabulary)));
    if catalog.list(list).form == ListForm::NameForms {
        // Text cannot say two things about one form of a name.
        return prop::collection::vec(leaves, 1..4)
            .prop_map(Filter::any)
            .boxed();
    }
    leaves.prop_recursive(2, 6, 3, joined).boxed()
}

fn joined(inner: BoxedStrategy<Filter>) -> BoxedStrategy<Filter> {
    let parts = prop::collection::vec(inner, 2..5);
    (parts, any::<bool>())
        .prop_map(|(parts, and)| {
            if and {
                Filter::And(parts)
            } else {
                Filter::Or(parts)
            }
        })
        .boxed()
}

fn conditions(
    catalog: &'static Catalog,
    id: ColumnId,
    keys: BoxedStrategy<Option<String>>,
    vocabulary: &Vocabulary,
) -> BoxedStrategy<Filter> {
    let values = vocabulary.values.get(&id).cloned().unwrap_or_default();
    (keys, tests(catalog, id, values))
        .prop_map(move |(key, test)| {
            Filter::Test(Condition {
                target: Target { column: id, key },
                test,
            })
        })
        .boxed()
}

fn tests(catalog: &'static Catalog, id: ColumnId, values: Vec<Value>) -> BoxedStrategy<Test> {
    let column = catalog.column(id);
    let is_form = column
        .place
        .list()
        .is_some_and(|list| catalog.list(list).form == ListForm::NameForms);
    let null = any::<bool>()
        .prop_map(|negated| Test::Null { negated })
        .boxed();
    if values.is_empty() {
        return null;
    }
    let value =
        (prop::sample::select(values), 0_usize..3).prop_map(move |(value, cut)| match value {
            Value::Text(text) if column.value == ValueType::Date => Value::Text(
                text.chars()
                    .take([4, 7, 10].get(cut).copied().unwrap_or(10))
                    .collect(),
            ),
            value => value,
        });
    let one_of = (prop::collection::vec(value.clone(), 1..5), any::<bool>());
    let one_of = one_of.prop_map(move |(values, negated)| {
        let mut values: Vec<Value> = values
            .into_iter()
            .flat_map(|value| closed(catalog, id, value))
            .collect();
        values.sort_unstable();
        values.dedup();
        Test::In {
            values: values.into(),
            negated,
        }
    });
    let mut tests = vec![(6, one_of.boxed())];
    if column.value != ValueType::Boolean {
        let low = (value.clone(), any::<bool>());
        let high = (value.clone(), any::<bool>());
        let range = (low, high, 0..3).prop_map(move |(low, high, ends)| match ends {
            0 => Test::Range {
                low: Some(low),
                high: None,
            },
            1 => Test::Range {
                low: None,
                high: Some(high),
            },
            _ if is_form => Test::Range {
                low: Some((low.0, true)),
                high: Some((high.0, true)),
            },
            _ => Test::Range {
                low: Some(low),
                high: Some(high),
            },
        });
        tests.push((3, range.boxed()));
    }
    if matches!(
        column.value,
        ValueType::Text | ValueType::Id | ValueType::Date
    ) {
        let like = (value, 0..6, any::<bool>()).prop_map(|(value, shape, negated)| {
            let Value::Text(text) = value else {
                return Test::Null { negated };
            };
            Test::Like {
                pattern: fold(&pattern(&text, shape)),
                negated,
            }
        });
        tests.push((3, like.boxed()));
    }
    if !is_form {
        tests.push((2, null));
    }
    Union::new_weighted(tests).boxed()
}

/// A pattern made of a text.
fn pattern(text: &str, shape: i32) -> String {
    let escaped = |part: &str| {
        part.replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_")
    };
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    match shape {
        0 => format!("{}%", escaped(&half)),
        1 => format!("%{}", escaped(text)),
        2 => format!("%{}%", escaped(&half)),
        3 => format!("_{}", escaped(&text.chars().skip(1).collect::<String>())),
        4 => format!(
            "%{}_%",
            text.chars()
                .next()
                .map(String::from)
                .as_deref()
                .map(escaped)
                .unwrap_or_default()
        ),
        _ => escaped(text),
    }
}

/// The values that the text of this value is read as.
fn closed(catalog: &Catalog, id: ColumnId, value: Value) -> Vec<Value> {
    match value {
        Value::Text(text) => {
            let forms = stored_forms(catalog.kind(), catalog.column(id), &text);
            forms.into_iter().map(Value::Text).collect()
        }
        value => vec![value],
    }
}

fn ids(catalog: &'static Catalog) -> impl Iterator<Item = (ColumnId, &'static crate::Column)> {
    let columns = catalog.columns().iter().enumerate();
    columns.filter_map(|(at, column)| Some((ColumnId(u16::try_from(at).ok()?), column)))
}
