//! Columns in vectors, laid out as the files have them.

use std::collections::BTreeSet;

use dialect::{Catalog, ColumnId, ListId, Value, ValueType};
use events_schema::record::RecordKind;

use super::records::{Dice, Record, Values, algorithm, hash_of};
use crate::email_hash;
use crate::scan::source::Source;
use crate::scan::text::tests::laid_out;
use crate::view::{
    BLOCK_ENTRIES, CHUNK_ROWS, Codes, ColumnView, DerivedHashes, Dictionary, HashAlgorithm, Hosts,
    ListView, TextDictionary,
};
use crate::write::signatures::tests::signed;

/// Columns in memory.
pub(super) struct Memory {
    kind: RecordKind,
    rows: u32,
    columns: Vec<Column>,
    lists: Vec<List>,
}

struct List {
    starts: Vec<u64>,
    lengths: Vec<u32>,
    last: Vec<u64>,
    filled: Vec<u64>,
}

enum Entries {
    Text {
        len: u32,
        starts: Vec<u64>,
        bytes: Vec<u8>,
        trigrams: Vec<u64>,
        hosts: Option<TextHosts>,
    },
    Id(Vec<[u8; 16]>),
    Integer(Vec<i64>),
    Number(Vec<f64>),
    Boolean,
}

/// The code of each text's host, and their dictionary.
struct TextHosts {
    codes: Vec<u32>,
    starts: Vec<u64>,
    bytes: Vec<u8>,
}

enum Numbers {
    Absent,
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
}

struct Column {
    entries: Entries,
    codes: Numbers,
    counts: Option<Vec<u32>>,
    derived: Option<(HashAlgorithm, Vec<u64>, Vec<u16>)>,
}

impl Memory {
    pub(super) fn of(kind: RecordKind, records: &[Record], dice: &mut Dice) -> Self {
        let catalog = Catalog::of(kind);
        let mut lists = Vec::new();
        let mut places: Vec<Vec<Option<&Values>>> = Vec::new();
        for list in 0..catalog.lists().len() {
            let (list, elements) = List::of(ListId(list as u8), records);
            lists.push(list);
            places.push(elements);
        }
        let columns = catalog.columns().iter().zip(0u16..).map(|(column, id)| {
            let id = ColumnId(id);
            let (values, elements): (Vec<Option<Value>>, Vec<Option<&Values>>) =
                match column.place.list() {
                    None => (
                        records
                            .iter()
                            .map(|record| record.values.get(&id).cloned())
                            .collect(),
                        Vec::new(),
                    ),
                    Some(list) => {
                        let elements = &places[usize::from(list.0)];
                        let values = elements
                            .iter()
                            .map(|element| (*element)?.get(&id).cloned())
                            .collect();
                        (values, elements.clone())
                    }
                };
            let derive = algorithm(&column.path).filter(|_| dice.roll(4) > 0);
            Column::of(
                column.value,
                values,
                derive.map(|algorithm| (algorithm, elements)),
                dice,
                kind,
            )
        });
        let columns = columns.collect();
        Self {
            kind,
            rows: records.len() as u32,
            columns,
            lists,
        }
    }
}

impl List {
    fn of(list: ListId, records: &[Record]) -> (Self, Vec<Option<&Values>>) {
        let mut this = Self {
            starts: vec![0],
            lengths: Vec::new(),
            last: Vec::new(),
            filled: Vec::new(),
        };
        let mut all = Vec::new();
        for chunk in records.chunks(CHUNK_ROWS as usize) {
            let mut filled = vec![0u64; chunk.len().div_ceil(64)];
            let before = all.len();
            let mut last = Vec::new();
            for (row, record) in chunk.iter().enumerate() {
                let elements = record
                    .lists
                    .get(&list)
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                if !elements.is_empty() {
                    filled[row / 64] |= 1 << (row % 64);
                    all.extend(elements.iter().map(Some));
                    last.push(all.len() - before - 1);
                }
            }
            this.lengths.push((all.len() - before) as u32);
            all.resize(all.len().next_multiple_of(64), None);
            let mut bits = vec![0u64; (all.len() - before) / 64];
            for place in last {
                bits[place / 64] |= 1 << (place % 64);
            }
            this.starts.push(all.len() as u64);
            this.last.extend(bits);
            this.filled.extend(filled);
        }
        (this, all)
    }
}

impl Column {
    fn of(
        value: ValueType,
        mut values: Vec<Option<Value>>,
        derive: Option<(HashAlgorithm, Vec<Option<&Values>>)>,
        dice: &mut Dice,
        kind: RecordKind,
    ) -> Self {
        let mut derived = None;
        if let Some((algorithm, elements)) = derive {
            let address = Catalog::of(kind).find("emails.address").unwrap();
            let mut bits = vec![0u64; elements.len().div_ceil(64)];
            for ((at, element), value) in elements.iter().enumerate().zip(&mut values) {
                let address = element.and_then(|element| element.get(&address));
                if value.is_some() && address.map(|address| hash_of(algorithm, address)) == *value {
                    *value = None;
                    bits[at / 64] |= 1 << (at % 64);
                }
            }
            let addresses: BTreeSet<&Value> = elements
                .iter()
                .filter_map(|element| (*element)?.get(&address))
                .collect();
            let fingerprints = addresses.into_iter().map(|address| {
                let Value::Text(hex) = hash_of(algorithm, address) else {
                    panic!("a hash is text")
                };
                email_hash::fingerprint_of_hex(algorithm, &hex).unwrap()
            });
            derived = Some((algorithm, bits, fingerprints.collect()));
        }
        let distinct: Vec<Value> = values
            .iter()
            .flatten()
            .cloned()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let code = |value: &Option<Value>| match value {
            None => 0,
            Some(Value::Boolean(value)) => 1 + u32::from(*value),
            Some(value) => 1 + distinct.binary_search(value).unwrap() as u32,
        };
        let codes: Vec<u32> = values.iter().map(code).collect();
        let highest = if value == ValueType::Boolean {
            2
        } else {
            distinct.len()
        };
        let mut counts = vec![0u32; highest];
        for code in codes.iter().filter(|code| **code > 0) {
            counts[*code as usize - 1] += 1;
        }
        // Wider codes than needed stand for larger builds.
        let width = dice.roll(4);
        let codes = match highest {
            0 if derived.is_none() => Numbers::Absent,
            0..=255 if width < 2 => Numbers::U8(codes.iter().map(|code| *code as u8).collect()),
            0..=65_535 if width < 3 => {
                Numbers::U16(codes.iter().map(|code| *code as u16).collect())
            }
            _ => Numbers::U32(codes),
        };
        let counts = (dice.roll(3) > 0).then_some(counts);
        Self {
            entries: Entries::of(value, &distinct),
            codes,
            counts,
            derived,
        }
    }
}

impl Entries {
    fn of(value: ValueType, distinct: &[Value]) -> Self {
        let text = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            other => panic!("{other:?} is no text"),
        };
        match value {
            ValueType::Text | ValueType::Date => {
                let texts: Vec<String> = distinct.iter().map(text).collect();
                let (starts, bytes) = laid_out(&texts);
                Self::Text {
                    len: texts.len() as u32,
                    starts,
                    bytes,
                    trigrams: signed(&texts, BLOCK_ENTRIES as usize),
                    hosts: TextHosts::of(&texts),
                }
            }
            ValueType::Id => {
                let id = |value| *uuid::Uuid::parse_str(&text(value)).unwrap().as_bytes();
                Self::Id(distinct.iter().map(id).collect())
            }
            ValueType::Integer => Self::Integer(
                distinct
                    .iter()
                    .map(|value| match value {
                        Value::Integer(number) => *number,
                        other => panic!("{other:?} is no whole number"),
                    })
                    .collect(),
            ),
            ValueType::Number => Self::Number(
                distinct
                    .iter()
                    .map(|value| match value {
                        Value::Number(number) => *number,
                        other => panic!("{other:?} is no number"),
                    })
                    .collect(),
            ),
            ValueType::Boolean => Self::Boolean,
        }
    }
}

impl TextHosts {
    /// None where no text has an `@`.
    fn of(texts: &[String]) -> Option<Self> {
        let host = |text: &String| Some(text.get(text.find('@')?..)?.to_owned());
        let hosts: BTreeSet<String> = texts.iter().filter_map(host).collect();
        let hosts: Vec<String> = hosts.into_iter().collect();
        let code =
            |text| host(text).map_or(0, |host| 1 + hosts.binary_search(&host).unwrap() as u32);
        let codes = texts.iter().map(code).collect();
        let (starts, bytes) = laid_out(&hosts);
        (!hosts.is_empty()).then_some(Self {
            codes,
            starts,
            bytes,
        })
    }
}

impl Source for Memory {
    fn kind(&self) -> RecordKind {
        self.kind
    }

    fn rows(&self) -> u32 {
        self.rows
    }

    fn column(&self, column: ColumnId) -> ColumnView<'_> {
        let column = &self.columns[usize::from(column.0)];
        ColumnView {
            dictionary: match &column.entries {
                Entries::Text {
                    len,
                    starts,
                    bytes,
                    trigrams,
                    hosts,
                } => Dictionary::Text(TextDictionary {
                    len: *len,
                    blocks: starts,
                    bytes,
                    trigrams,
                    hosts: hosts.as_ref().map(|hosts| Hosts {
                        codes: &hosts.codes,
                        blocks: &hosts.starts,
                        bytes: &hosts.bytes,
                    }),
                }),
                Entries::Id(ids) => Dictionary::Id(ids),
                Entries::Integer(numbers) => Dictionary::Integer(numbers),
                Entries::Number(numbers) => Dictionary::Number(numbers),
                Entries::Boolean => Dictionary::Boolean,
            },
            codes: match &column.codes {
                Numbers::Absent => Codes::Absent,
                Numbers::U8(codes) => Codes::U8(codes),
                Numbers::U16(codes) => Codes::U16(codes),
                Numbers::U32(codes) => Codes::U32(codes),
            },
            counts: column.counts.as_deref(),
            repeated: &[],
            derived: column
                .derived
                .as_ref()
                .map(|(algorithm, is_derived, fingerprints)| DerivedHashes {
                    algorithm: *algorithm,
                    is_derived,
                    fingerprints,
                }),
        }
    }

    fn list(&self, list: ListId) -> ListView<'_> {
        let list = &self.lists[usize::from(list.0)];
        ListView {
            starts: &list.starts,
            lengths: &list.lengths,
            last: &list.last,
            filled: &list.filled,
        }
    }
}
