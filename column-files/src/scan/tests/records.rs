//! Random records in which values come again and again, next to each other and alone.

use std::collections::{BTreeMap, BTreeSet};

use dialect::{Catalog, ColumnId, ListId, Place, Value, ValueType};
use events_schema::record::RecordKind;

use crate::email_hash;
use crate::view::HashAlgorithm;

/// A record or an element: its known values.
pub(super) type Values = BTreeMap<ColumnId, Value>;

/// A record.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub(super) values: Values,
    pub(super) lists: BTreeMap<ListId, Vec<Values>>,
}

/// Numbers that look random.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % sides
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len() as u64) as usize]
    }
}

/// How the hashes of addresses are called.
pub(super) fn algorithm(path: &str) -> Option<HashAlgorithm> {
    match path.rsplit_once(".hash_")?.1 {
        "sha256" => Some(HashAlgorithm::Sha256),
        "sha1" => Some(HashAlgorithm::Sha1),
        _ => Some(HashAlgorithm::Md5),
    }
}

pub(super) fn hash_of(algorithm: HashAlgorithm, address: &Value) -> Value {
    let Value::Text(address) = address else {
        panic!("an address is text")
    };
    let mut hex = Vec::new();
    email_hash::write_hex(algorithm, address.as_bytes(), &mut hex);
    Value::Text(String::from_utf8(hex).unwrap())
}

/// Random records in which values come again and again, next to each other and alone.
pub(super) fn records(kind: RecordKind, rows: usize, dice: &mut Dice) -> Vec<Record> {
    let catalog = Catalog::of(kind);
    let columns: Vec<ColumnId> = (0..catalog.columns().len() as u16).map(ColumnId).collect();
    // Most columns are sparse, so that those that are not are often met.
    let known: Vec<u64> = columns
        .iter()
        .map(|_| *dice.pick(&[0, 20, 60, 95, 100]))
        .collect();
    let variety: Vec<u64> = columns
        .iter()
        .map(|_| *dice.pick(&[2, 9, 40, 700, 100_000]))
        .collect();
    let lengths: Vec<u64> = catalog
        .lists()
        .iter()
        .map(|_| *dice.pick(&[1, 2, 4, 12]))
        .collect();
    let fill = |place: Option<ListId>, dice: &mut Dice| {
        let mut values = Values::new();
        for (at, id) in columns.iter().enumerate() {
            let column = catalog.column(*id);
            if column.place.list() == place && dice.roll(100) < known[at] {
                values.insert(*id, value(column.value, variety[at], dice));
            }
            if let Some(algorithm) = algorithm(&column.path)
                && let Some(address) = catalog
                    .find("emails.address")
                    .and_then(|address| values.get(&address))
                && column.place.list() == place
                && dice.roll(3) > 0
            {
                values.insert(*id, hash_of(algorithm, address));
            }
            if matches!(column.place, Place::MapKey(_)) && column.place.list() == place {
                values.insert(
                    *id,
                    Value::Text(
                        dice.pick(&["alpha", "beta", "gamma", "director"])
                            .to_string(),
                    ),
                );
            }
        }
        values
    };
    (0..rows)
        .map(|_| {
            let mut record = Record {
                values: fill(None, dice),
                lists: BTreeMap::new(),
            };
            for (list, length) in (0u8..).map(ListId).zip(&lengths) {
                let elements = if dice.roll(3) == 0 {
                    0
                } else {
                    dice.roll(*length + 1)
                };
                let mut keys = BTreeSet::new();
                let mut elements: Vec<Values> =
                    (0..elements).map(|_| fill(Some(list), dice)).collect();
                elements.retain(|element| {
                    // A map has each key once.
                    let key = element
                        .iter()
                        .find(|(id, _)| matches!(catalog.column(**id).place, Place::MapKey(_)));
                    key.is_none_or(|(_, key)| keys.insert(key.clone()))
                });
                record.lists.insert(list, elements);
            }
            record
        })
        .collect()
}

/// A random value, of about `variety` different ones.
pub(super) fn value(kind: ValueType, variety: u64, dice: &mut Dice) -> Value {
    let number = dice.roll(variety);
    match kind {
        ValueType::Text => Value::Text(match number % 7 {
            0 => format!("engineer {}", number / 7),
            1 => format!("vp of sales {}", number / 3),
            2 if number.is_multiple_of(5) => format!("{number}@b@bank{}.example", number % 3),
            2 => format!("{}@bank{}.example", number, number % 3),
            3 => format!("öl_{}% müller", number),
            4 => format!("{}engineer", "a".repeat(number as usize % 90)),
            5 => format!("{}", number % 90),
            _ => format!("lead engineer, bank {}", number / 5),
        }),
        ValueType::Id => Value::Text(
            uuid::Uuid::from_u128(u128::from(number) * 0x0123_4567_89AB_CDEF_0001).to_string(),
        ),
        ValueType::Date => {
            let (year, month, day) = (
                2015 + number % 12,
                1 + number / 12 % 12,
                1 + number / 144 % 28,
            );
            Value::Text(match number % 5 {
                0 => format!("{year}"),
                1 => format!("{year}-{month:02}"),
                _ => format!("{year}-{month:02}-{day:02}"),
            })
        }
        ValueType::Integer => Value::Integer(number as i64 - 3),
        ValueType::Number => Value::Number((number as f64 - 3.0) / 8.0),
        ValueType::Boolean => Value::Boolean(number.is_multiple_of(2)),
    }
}
