//! Random queries, with literals that are often stored somewhere.

use dialect::{
    Catalog, ColumnId, Condition, Filter, ListId, OrderKey, Place, Query, Target, Test, Value,
    ValueType,
};

use super::records::{Dice, Record, value};
use crate::scan::{Page, Start};

pub(super) struct Maker<'a> {
    pub(super) catalog: &'static Catalog,
    pub(super) records: &'a [Record],
    /// Columns that queries are about.
    pub(super) columns: Vec<ColumnId>,
}

impl Maker<'_> {
    pub(super) fn query(&self, dice: &mut Dice) -> Query {
        let filter = (dice.roll(20) > 0).then(|| self.filter(dice, 3));
        let mut order = Vec::new();
        for _ in 0..*dice.pick(&[0, 0, 1, 1, 2, 3, 4, 5]) {
            let column = *dice.pick(&self.columns);
            if self.catalog.column(column).place == Place::Record {
                order.push(OrderKey {
                    column,
                    descending: dice.roll(2) == 0,
                    nulls_first: dice.roll(3) == 0,
                });
            }
        }
        Query {
            kind: self.catalog.kind(),
            filter,
            order,
        }
    }

    pub(super) fn page(&self, dice: &mut Dice) -> Page {
        let rows = self.records.len() as u64;
        let start = match dice.roll(4) {
            0 => Start::Offset(0),
            1 => Start::Offset(dice.roll(rows + 20) as u32),
            _ => Start::After(dice.roll(rows + 4) as u32),
        };
        Page {
            limit: *dice.pick(&[0, 1, 5, 100, 100, 1_000]),
            start,
        }
    }

    fn filter(&self, dice: &mut Dice, depth: u64) -> Filter {
        match dice.roll(if depth == 0 { 5 } else { 9 }) {
            5 | 6 => Filter::And(
                (0..2 + dice.roll(3))
                    .map(|_| self.filter(dice, depth - 1))
                    .collect(),
            ),
            7 | 8 => Filter::Or(
                (0..2 + dice.roll(3))
                    .map(|_| self.filter(dice, depth - 1))
                    .collect(),
            ),
            _ => self.leaf(dice),
        }
    }

    fn leaf(&self, dice: &mut Dice) -> Filter {
        let column = *dice.pick(&self.columns);
        match self.catalog.column(column).place {
            Place::Record => self.test(dice, column, None),
            Place::MapValue(_) if dice.roll(3) > 0 => {
                let key = dice
                    .pick(&["alpha", "beta", "director", "nothing"])
                    .to_string();
                self.test(dice, column, Some(key))
            }
            Place::Element(list) | Place::MapKey(list) | Place::MapValue(list) => {
                let negated = dice.roll(3) == 0;
                if dice.roll(8) == 0 {
                    return Filter::Empty { list, negated };
                }
                let filter = Box::new(self.inside(dice, list, 2));
                Filter::Element {
                    list,
                    filter,
                    negated,
                }
            }
        }
    }

    fn inside(&self, dice: &mut Dice, list: ListId, depth: u64) -> Filter {
        match dice.roll(if depth == 0 { 3 } else { 6 }) {
            3 | 4 => Filter::And(
                (0..2 + dice.roll(2))
                    .map(|_| self.inside(dice, list, depth - 1))
                    .collect(),
            ),
            5 => Filter::Or(
                (0..2 + dice.roll(2))
                    .map(|_| self.inside(dice, list, depth - 1))
                    .collect(),
            ),
            _ => {
                let columns: Vec<ColumnId> = self
                    .columns
                    .iter()
                    .copied()
                    .filter(|column| self.catalog.column(*column).place.list() == Some(list))
                    .collect();
                let column = *dice.pick(&columns);
                self.test(dice, column, None)
            }
        }
    }

    fn test(&self, dice: &mut Dice, column: ColumnId, key: Option<String>) -> Filter {
        let kind = self.catalog.column(column).value;
        let negated = dice.roll(3) == 0;
        let is_text = matches!(kind, ValueType::Text | ValueType::Id | ValueType::Date);
        let test = match dice.roll(if is_text { 10 } else { 6 }) {
            0 => Test::Null { negated },
            1..=3 => {
                let some = *dice.pick(&[1, 1, 2, 9, 200]);
                let mut values: Vec<Value> =
                    (0..some).map(|_| self.literal(dice, column)).collect();
                values.sort();
                values.dedup();
                let values = values.into();
                Test::In { values, negated }
            }
            4 | 5 if kind != ValueType::Boolean => {
                let mut bound = || Some((self.literal(dice, column), negated));
                let (low, high) = (bound(), bound());
                match dice.roll(3) {
                    0 => Test::Range { low, high: None },
                    1 => Test::Range { low: None, high },
                    _ => Test::Range { low, high },
                }
            }
            4 | 5 => Test::In {
                values: vec![Value::Boolean(negated)].into(),
                negated,
            },
            _ => Test::Like {
                pattern: self.pattern(dice, column),
                negated,
            },
        };
        Filter::Test(Condition {
            target: Target { column, key },
            test,
        })
    }

    /// Mostly a value that some record has.
    fn literal(&self, dice: &mut Dice, column: ColumnId) -> Value {
        let place = self.catalog.column(column);
        let stored = (0..5).filter(|_| !self.records.is_empty()).find_map(|_| {
            let record = dice.pick(self.records);
            match place.place.list() {
                None => record.values.get(&column),
                Some(list) => record
                    .lists
                    .get(&list)?
                    .iter()
                    .find_map(|element| element.get(&column)),
            }
        });
        let literal = match stored {
            Some(stored) if dice.roll(10) > 0 => stored.clone(),
            _ => value(place.value, 50, dice),
        };
        match literal {
            // Years and months.
            Value::Text(date) if place.value == ValueType::Date => {
                let length = *dice.pick(&[4, 7, 10]);
                Value::Text(date.chars().take(length).collect())
            }
            literal => literal,
        }
    }

    fn pattern(&self, dice: &mut Dice, column: ColumnId) -> String {
        let Value::Text(text) = self.literal(dice, column) else {
            return "%".to_owned();
        };
        let characters: Vec<char> = text.chars().collect();
        // Of addresses mostly the host.
        if let Some(at) = text.find('@').filter(|_| dice.roll(3) > 0) {
            let host = text.split_at(at).1.replace('_', "\\_");
            return match dice.roll(4) {
                0 => format!(
                    "%{}%",
                    host.split_at(1 + dice.roll(host.len() as u64 - 1) as usize)
                        .0
                ),
                1 => format!("%{}%.example", host.split_at(1).0),
                2 => format!("%@_{}", host.split_at(2).1),
                _ => format!("%{host}"),
            };
        }
        let from = dice.roll(characters.len() as u64 + 1) as usize;
        let to = from + dice.roll((characters.len() - from) as u64 + 1) as usize;
        let mut pattern = String::new();
        for (at, character) in characters.iter().enumerate() {
            if (at < from || at >= to) && dice.roll(4) > 0 {
                continue;
            }
            match (dice.roll(9), character) {
                (0, _) => pattern.push('_'),
                (1, _) => pattern.push('%'),
                (_, '%' | '_' | '\\') => pattern.extend(['\\', *character]),
                _ => pattern.push(*character),
            }
        }
        match dice.roll(6) {
            0 => pattern + "%",
            1 => "%".to_owned() + &pattern,
            2 | 3 => format!("%{pattern}%"),
            4 => format!(
                "%{}%",
                characters
                    .get(from..to)
                    .unwrap_or_default()
                    .iter()
                    .filter(|c| !['%', '_'].contains(*c))
                    .collect::<String>()
            ),
            _ => pattern,
        }
    }
}
