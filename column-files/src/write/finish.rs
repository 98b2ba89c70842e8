//! When all rows are there: dictionaries, codes and lists into files, one group of columns at a time.

use std::path::Path;

use dialect::{Catalog, ValueType};
use events_schema::record::RecordKind;

use super::WriteFault;
use super::dictionary::{DictionaryWriter, role_of};
use super::encode::{UUID_TAG, uuid_text};
use super::file::FileWriter;
use super::groups::Group;
use super::list::{Bits, Elements};
use super::plan;
use super::record::{Column, Sink};
use super::sort::sorted;
use super::values::Values;
use crate::email_hash;
use crate::layout::{self, Footer, Role, SECTIONS, Section};
use crate::manifest::FileEntry;

/// Counts are kept where they cost at most two bytes a row.
const COUNTED_ROWS_PER_VALUE: u64 = 2;

/// Where files go, and what all of them say.
pub(super) struct Finish<'w> {
    pub(super) folder: &'w Path,
    pub(super) spool: &'w Path,
    pub(super) kind: RecordKind,
    pub(super) rows: u32,
    /// For sorting one group.
    pub(super) memory: u64,
}

/// What the codes of a column are, besides the numbers that were spooled.
struct Codes<'a> {
    /// Code of each number, and how many codes there are; booleans are their own codes.
    of_number: Option<&'a [u32]>,
    values: u32,
    dictionary: &'a str,
}

impl Finish<'_> {
    /// Writes everything.
    pub(super) fn write(
        &self,
        mut sink: Sink,
        groups: Vec<Group>,
    ) -> Result<Vec<FileEntry>, WriteFault> {
        let mut files = Vec::new();
        for list in &mut sink.lists {
            list.end(self.rows);
        }
        let mut columns: Vec<Option<Column>> = sink.columns.into_iter().map(Some).collect();
        let catalog = Catalog::of(self.kind);
        let address = catalog.find(plan::ADDRESS).map(|id| usize::from(id.0));
        let mut fingerprints: [Vec<u16>; email_hash::ALL.len()] = Default::default();
        let hash_of = |at: usize| {
            let path = catalog.columns().get(at).map(|column| column.path.as_str());
            plan::HASHES.iter().position(|hash| Some(*hash) == path)
        };
        let is_derived = |kind: usize| {
            sink.derived
                .get(kind)
                .is_some_and(|bits| !bits.words.is_empty())
        };
        // `work_email` is before all hashes, so that the group of the addresses is too.
        for (group, values) in groups.into_iter().zip(sink.values) {
            let has_addresses = address.is_some_and(|address| group.columns.contains(&address));
            let wanted: Vec<usize> = (0..email_hash::ALL.len())
                .filter(|kind| has_addresses && is_derived(*kind))
                .collect();
            let (of_number, count) = self.dictionary(&group, values, &mut files, |value| {
                let kinds = email_hash::ALL.into_iter().zip(&mut fingerprints);
                for (kind, (algorithm, prints)) in kinds.enumerate() {
                    if wanted.contains(&kind) {
                        prints.push(email_hash::fingerprint(algorithm, value));
                    }
                }
            })?;
            for at in group.columns {
                let Some(column) = columns.get_mut(at).and_then(Option::take) else {
                    continue;
                };
                let derived = hash_of(at)
                    .filter(|kind| is_derived(*kind))
                    .and_then(|kind| {
                        Some((
                            sink.derived.get(kind)?.words.as_slice(),
                            fingerprints.get(kind)?.as_slice(),
                        ))
                    });
                let codes = Codes {
                    of_number: Some(&of_number),
                    values: count,
                    dictionary: &group.file,
                };
                files.extend(self.column(at, column, &codes, &sink.lists, derived)?);
            }
        }
        for (at, column) in columns.into_iter().enumerate() {
            let codes = Codes {
                of_number: None,
                values: 2,
                dictionary: "",
            };
            if let Some(column) = column {
                files.extend(self.column(at, column, &codes, &sink.lists, None)?);
            }
        }
        for (list, of) in sink.lists.iter().zip(catalog.lists()) {
            files.push(self.list(list, &of.path)?);
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Writes the values of a group and gives the code of each number, and how many values there are.
    fn dictionary(
        &self,
        group: &Group,
        values: Values,
        files: &mut Vec<FileEntry>,
        mut each: impl FnMut(&[u8]),
    ) -> Result<(Vec<u32>, u32), WriteFault> {
        let numbers = usize::try_from(values.numbers()?).unwrap_or(usize::MAX);
        if numbers == 0 {
            return Ok((Vec::new(), 0));
        }
        let mut codes = vec![0; numbers + 1];
        let runs = self.spool.join("runs.spool");
        if group.value == ValueType::Id && values.is_marked() {
            return self.text_ids(group, values, files, &runs);
        }
        let role = role_of(group.value, true);
        let mut dictionary = DictionaryWriter::create(self.folder, &group.file, role)?;
        let (mut last, mut code) = (None::<Vec<u8>>, 0);
        sorted(values, self.memory, &runs, |value, number| {
            if last.as_deref() != Some(value) {
                let bytes = if role == Role::Ids {
                    value.get(1..).unwrap_or(value)
                } else {
                    value
                };
                code = dictionary.push(bytes)?;
                each(value);
                let last = last.get_or_insert_default();
                last.clear();
                last.extend_from_slice(value);
            }
            set(&mut codes, number, code);
            Ok(())
        })?;
        files.push(dictionary.finish(self.kind, self.rows)?);
        Ok((codes, code))
    }

    /// The same for ids of which one at least is no UUID: all become texts, and are sorted again as such.
    fn text_ids(
        &self,
        group: &Group,
        values: Values,
        files: &mut Vec<FileEntry>,
        runs: &Path,
    ) -> Result<(Vec<u32>, u32), WriteFault> {
        let numbers = usize::try_from(values.numbers()?).unwrap_or(usize::MAX);
        let mut texts = Values::new(self.spool.join("texts.spool"));
        let (mut text_of, mut text, mut budget) = (vec![0; numbers + 1], Vec::new(), 0);
        sorted(values, self.memory, runs, |value, number| {
            text.clear();
            match value.split_first() {
                Some((&UUID_TAG, id)) => uuid_text(id, &mut text),
                Some((_, other)) => text.extend_from_slice(other),
                None => {}
            }
            set(&mut text_of, number, texts.number(&text, &mut budget)?);
            Ok(())
        })?;
        let group = Group {
            file: group.file.clone(),
            value: ValueType::Text,
            columns: Vec::new(),
        };
        let (codes, count) = self.dictionary(&group, texts, files, |_| {})?;
        for number in &mut text_of {
            *number = get(&codes, *number);
        }
        Ok((text_of, count))
    }

    /// Writes a column, unless it has no value anywhere.
    fn column(
        &self,
        at: usize,
        column: Column,
        codes: &Codes<'_>,
        lists: &[Elements],
        derived: Option<(&[u64], &[u16])>,
    ) -> Result<Option<FileEntry>, WriteFault> {
        let is_empty = column.codes.is_empty();
        if is_empty && derived.is_none() {
            return Ok(None);
        }
        let Some(of) = Catalog::of(self.kind).columns().get(at) else {
            return Ok(None);
        };
        let list = column.list.and_then(|list| lists.get(list));
        let length = list.map_or(u64::from(self.rows), |list| list.count);
        let mut file = FileWriter::create(self.folder, layout::column_file(&of.path))?;
        let width = if is_empty { 0 } else { width(codes.values) };
        if !is_empty {
            let mut spooled = column.codes;
            spooled.fill(length)?;
            let is_counted = u64::from(codes.values) <= length / COUNTED_ROWS_PER_VALUE;
            let mut counts = RowCounts::new(codes.values, list);
            let mut bytes = Vec::new();
            file.begin(layout::column::CODES);
            spooled.read(|block| {
                bytes.clear();
                for number in block {
                    let code = codes.of_number.map_or(*number, |codes| get(codes, *number));
                    counts.note(code);
                    let [a, b, c, d] = code.to_le_bytes();
                    match width {
                        1 => bytes.push(a),
                        2 => bytes.extend_from_slice(&[a, b]),
                        _ => bytes.extend_from_slice(&[a, b, c, d]),
                    }
                }
                file.write(&bytes)
            })?;
            file.end(layout::column::CODES);
            if is_counted {
                file.section(layout::column::COUNTS, bytemuck::cast_slice(&counts.counts))?;
            } else {
                let repeated = counts.repeated();
                file.section(layout::column::REPEATED, bytemuck::cast_slice(&repeated))?;
            }
        }
        if let Some((bits, fingerprints)) = derived {
            let words = usize::try_from(length.div_ceil(64)).unwrap_or(usize::MAX);
            let mut bits = bits.to_vec();
            bits.resize(words, 0);
            file.section(layout::column::DERIVED, bytemuck::cast_slice(&bits))?;
            file.section(
                layout::column::FINGERPRINTS,
                bytemuck::cast_slice(fingerprints),
            )?;
        }
        let dictionary = if is_empty { "" } else { codes.dictionary };
        Ok(Some(file.finish(self.footer(
            Role::Column,
            width,
            length,
            dictionary,
        ))?))
    }

    fn list(&self, list: &Elements, path: &str) -> Result<FileEntry, WriteFault> {
        let mut file = FileWriter::create(self.folder, layout::list_file(path))?;
        file.section(layout::list::STARTS, bytemuck::cast_slice(&list.starts))?;
        file.section(layout::list::LENGTHS, bytemuck::cast_slice(&list.lengths))?;
        file.section(layout::list::LAST, bytemuck::cast_slice(&list.last.words))?;
        file.section(
            layout::list::FILLED,
            bytemuck::cast_slice(&list.filled.words),
        )?;
        Ok(file.finish(self.footer(Role::List, 0, list.count, ""))?)
    }

    fn footer(&self, role: Role, width: u8, values: u64, dictionary: &str) -> Footer {
        Footer {
            role,
            width,
            kind: self.kind,
            rows: self.rows,
            values,
            name: String::new(),
            dictionary: dictionary.to_owned(),
            sections: [Section::default(); SECTIONS],
        }
    }
}

/// Bytes of the narrowest code for so many values.
const fn width(values: u32) -> u8 {
    match values {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        _ => 4,
    }
}

#[inline]
fn get(codes: &[u32], number: u32) -> u32 {
    usize::try_from(number)
        .ok()
        .and_then(|number| codes.get(number))
        .copied()
        .unwrap_or(0)
}

#[inline]
fn set(codes: &mut [u32], number: u32, code: u32) {
    if let Some(place) = usize::try_from(number)
        .ok()
        .and_then(|number| codes.get_mut(number))
    {
        *place = code;
    }
}

/// Rows that have each code, counted place by place.
struct RowCounts<'a> {
    counts: Vec<u32>,
    /// Where places are elements: of each, whether its row ends with it, and the row that each code was last seen in.
    elements: Option<(&'a Bits, Vec<u32>)>,
    place: u64,
    /// From 1.
    row: u32,
}

impl<'a> RowCounts<'a> {
    fn new(values: u32, list: Option<&'a Elements>) -> Self {
        let values = usize::try_from(values).unwrap_or(0);
        Self {
            counts: vec![0; values],
            elements: list.map(|list| (&list.last, vec![0; values])),
            place: 0,
            row: 1,
        }
    }

    /// The codes of more than one row, with their counts.
    fn repeated(&self) -> Vec<[u32; 2]> {
        let pairs = (1..).zip(&self.counts).map(|(code, count)| [code, *count]);
        pairs.filter(|[_, count]| *count > 1).collect()
    }

    /// Takes the code of the next place.
    #[inline]
    fn note(&mut self, code: u32) {
        let at = usize::try_from(code)
            .ok()
            .and_then(|code| code.checked_sub(1));
        let is_new = match (&mut self.elements, at) {
            (Some((_, last_rows)), Some(at)) => last_rows
                .get_mut(at)
                .is_some_and(|last| std::mem::replace(last, self.row) != self.row),
            (_, at) => at.is_some(),
        };
        if is_new && let Some(count) = at.and_then(|at| self.counts.get_mut(at)) {
            *count = count.saturating_add(1);
        }
        if let Some((last, _)) = &self.elements {
            self.row += u32::from(last.has(self.place));
            self.place += 1;
        }
    }
}
