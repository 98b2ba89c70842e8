//! The values of a group in the order of their bytes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::WriteFault;
use super::values::{Values, value_at, write_value};

/// Bytes that one value takes in a sort, besides its own.
const ENTRY_BYTES: u64 = 16;
/// Least memory of a sort: fewer bytes would make runs without end.
const LEAST_BYTES: u64 = 1 << 20;

/// A value in a sort: its next eight bytes, where it stands, its number.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    place: u32,
    number: u32,
}

/// Gives every value with its number, in order; equal values follow one another. Uses about `memory` bytes; what needs
/// more is sorted in runs on disk beside `runs`.
pub(super) fn sorted(
    values: Values,
    memory: u64,
    runs: &Path,
    mut take: impl FnMut(&[u8], u32) -> Result<(), WriteFault>,
) -> Result<(), WriteFault> {
    let (spooled_bytes, numbers) = (values.spooled_bytes(), u64::from(values.numbers()?));
    let (mut arena, kept, spool) = values.into_parts()?;
    let memory = memory.max(LEAST_BYTES);
    let mut entries =
        Vec::with_capacity(usize::try_from(numbers.min(memory / ENTRY_BYTES)).unwrap_or(0));
    let mut reader = spool.reader()?;
    let all = u64::try_from(arena.len())
        .unwrap_or(u64::MAX)
        .saturating_add(spooled_bytes);
    if all + numbers * ENTRY_BYTES <= memory && u32::try_from(all).is_ok() {
        arena.reserve_exact(usize::try_from(spooled_bytes).unwrap_or(0));
        reader.read_to_end(&mut arena)?;
        enter(&arena, &mut entries);
        return in_memory(&arena, &mut entries, &mut take);
    }
    enter(&arena, &mut entries);
    let mut next = kept + 1;
    // Too much at once: runs of what memory holds, then all runs together.
    let mut files = Vec::new();
    let mut value = Vec::new();
    loop {
        let is_last = !read_value(&mut reader, &mut value)?;
        let held = u64::try_from(arena.len() + entries.len() * 16).unwrap_or(u64::MAX);
        if is_last || held >= memory || u32::try_from(arena.len() + value.len()).is_err() {
            files.push(Run::write(runs, files.len(), &arena, &mut entries)?);
            arena.clear();
            entries.clear();
        }
        if is_last {
            break;
        }
        entries.push(Entry {
            key: 0,
            place: u32::try_from(arena.len()).unwrap_or(0),
            number: next,
        });
        write_value(&mut arena, &value)?;
        next += 1;
    }
    drop((arena, entries));
    merge(&files, &mut take)
}

/// Enters the values of an arena, numbered from 1.
fn enter(arena: &[u8], entries: &mut Vec<Entry>) {
    let (mut place, mut number) = (0, 1);
    while let Some((_, after)) = value_at(arena, place) {
        entries.push(Entry {
            key: 0,
            place: u32::try_from(place).unwrap_or(0),
            number,
        });
        (place, number) = (after, number + 1);
    }
}

/// Sorts and gives all entries of an arena.
fn in_memory(
    arena: &[u8],
    entries: &mut [Entry],
    take: &mut impl FnMut(&[u8], u32) -> Result<(), WriteFault>,
) -> Result<(), WriteFault> {
    sort(arena, entries);
    for entry in entries {
        take(bytes(arena, *entry), entry.number)?;
    }
    Ok(())
}

fn bytes(arena: &[u8], entry: Entry) -> &[u8] {
    usize::try_from(entry.place)
        .ok()
        .and_then(|place| value_at(arena, place))
        .map_or(&[], |(value, _)| value)
}

/// Sorts by eight bytes at a time: compares numbers that lie beside one another, and goes to the text again only for
/// those whose eight bytes are equal.
fn sort(arena: &[u8], entries: &mut [Entry]) {
    // Ranges that are equal in their first `depth` bytes. A stack of its own: texts may be long and alike.
    let mut ranges = vec![(0, entries.len(), 0_usize)];
    while let Some((from, to, depth)) = ranges.pop() {
        let Some(range) = entries.get_mut(from..to) else {
            continue;
        };
        for entry in range.iter_mut() {
            entry.key = key(bytes(arena, *entry), depth);
        }
        range.sort_unstable_by_key(|entry| entry.key);
        let mut start = 0;
        for equal in range.chunk_by_mut(|a, b| a.key == b.key) {
            let (begin, length) = (start, equal.len());
            start += length;
            if length == 1 {
                continue;
            }
            // Zeros fill up a key, so that of equal keys the ended ones come first, the shortest before all.
            let rest = |entry: &Entry| bytes(arena, *entry).len().saturating_sub(depth).min(9);
            let (low, high) = equal
                .iter()
                .map(rest)
                .fold((9, 0), |(low, high), n| (low.min(n), high.max(n)));
            if low < high {
                equal.sort_unstable_by_key(rest);
            }
            let ended = equal.partition_point(|entry| rest(entry) < 9);
            if length - ended > 1 {
                ranges.push((from + begin + ended, from + begin + length, depth + 8));
            }
        }
    }
}

#[inline]
fn key(value: &[u8], depth: usize) -> u64 {
    let rest = value.get(depth..).unwrap_or(&[]);
    if let Some(eight) = rest.first_chunk::<8>() {
        return u64::from_be_bytes(*eight);
    }
    let mut eight = [0; 8];
    for (to, from) in eight.iter_mut().zip(rest) {
        *to = *from;
    }
    u64::from_be_bytes(eight)
}

/// A sorted part on disk, removed with the value: numbers and values.
struct Run {
    path: PathBuf,
}

impl Run {
    fn write(
        beside: &Path,
        index: usize,
        arena: &[u8],
        entries: &mut [Entry],
    ) -> Result<Self, WriteFault> {
        let run = Self {
            path: beside.with_extension(format!("{index}.spool")),
        };
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&run.path)?);
        let mut buffer = Vec::new();
        in_memory(arena, entries, &mut |value, number| {
            buffer.clear();
            buffer.extend_from_slice(&number.to_le_bytes());
            write_value(&mut buffer, value)?;
            Ok(out.write_all(&buffer)?)
        })?;
        out.flush()?;
        Ok(run)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Gives the values of all runs in order.
fn merge(
    runs: &[Run],
    take: &mut impl FnMut(&[u8], u32) -> Result<(), WriteFault>,
) -> Result<(), WriteFault> {
    let mut readers = Vec::new();
    let mut heap = BinaryHeap::new();
    for (index, run) in runs.iter().enumerate() {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(&run.path)?);
        if let Some((value, number)) = next_of(&mut reader, Vec::new())? {
            heap.push(Reverse((value, number, index)));
        }
        readers.push(reader);
    }
    while let Some(Reverse((value, number, index))) = heap.pop() {
        take(&value, number)?;
        if let Some(reader) = readers.get_mut(index)
            && let Some((value, number)) = next_of(reader, value)?
        {
            heap.push(Reverse((value, number, index)));
        }
    }
    Ok(())
}

fn next_of(reader: &mut impl Read, mut value: Vec<u8>) -> io::Result<Option<(Vec<u8>, u32)>> {
    let mut number = [0; 4];
    match reader.read_exact(&mut number) {
        Err(end) if end.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    if !read_value(reader, &mut value)? {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((value, u32::from_le_bytes(number))))
}

/// Reads what [`write_value`] wrote; `false` at the end.
fn read_value(reader: &mut impl Read, value: &mut Vec<u8>) -> io::Result<bool> {
    let mut first = [0];
    if reader.read(&mut first)? == 0 {
        return Ok(false);
    }
    let mut length = usize::from(first[0]);
    if first[0] == u8::MAX {
        let mut long = [0; 4];
        reader.read_exact(&mut long)?;
        length = usize::try_from(u32::from_le_bytes(long)).unwrap_or(usize::MAX);
    }
    value.resize(length, 0);
    reader.read_exact(value)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sorts by the writer's way, with so much memory for kept values and for the sort.
    fn by_writer(
        given: &[Vec<u8>],
        mut budget: usize,
        memory: u64,
        name: &str,
    ) -> Vec<(Vec<u8>, u32)> {
        let path = std::env::temp_dir().join(format!(
            "column-files-sort-{name}-{}.spool",
            std::process::id()
        ));
        let mut values = Values::new(path.clone());
        let mut numbers = Vec::new();
        for value in given {
            numbers.push(values.number(value, &mut budget).unwrap());
        }
        let mut out = Vec::new();
        sorted(values, memory, &path, |value, number| {
            out.push((value.to_vec(), number));
            Ok(())
        })
        .unwrap();
        for (value, number) in given.iter().zip(numbers) {
            assert!(out.contains(&(value.clone(), number)));
        }
        out
    }

    proptest! {
        #[test]
        fn values_come_in_the_order_of_their_bytes(
            given in prop::collection::vec("(linkedin.com/in/)?[ab\u{0}é]{0,12}", 0..60),
            budget in 0_usize..400,
        ) {
            let given: Vec<Vec<u8>> = given.into_iter().map(String::into_bytes).collect();
            let out = by_writer(&given, budget, 1 << 22, "small");
            let mut expected: Vec<_> = given.clone();
            expected.sort();
            expected.dedup();
            let mut values: Vec<_> = out.into_iter().map(|(value, _)| value).collect();
            prop_assert!(values.is_sorted());
            values.dedup();
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn what_memory_does_not_hold_is_sorted_in_runs() {
        let given: Vec<Vec<u8>> = (0..120_000_u32)
            .map(|n| format!("linkedin.com/in/{}", n.wrapping_mul(2_654_435_761)).into_bytes())
            .collect();
        let path = std::env::temp_dir().join(format!(
            "column-files-sort-runs-{}.spool",
            std::process::id()
        ));
        let (mut values, mut budget) = (Values::new(path.clone()), 1_000);
        for value in &given {
            values.number(value, &mut budget).unwrap();
        }
        let (mut last, mut seen) = (Vec::new(), vec![false; given.len() + 1]);
        sorted(values, 0, &path, |value, number| {
            assert!(last.as_slice() <= value);
            last = value.to_vec();
            let at = usize::try_from(number).unwrap();
            assert_eq!(given[at - 1], value);
            seen[at] = true;
            Ok(())
        })
        .unwrap();
        assert_eq!(seen.iter().filter(|seen| **seen).count(), given.len());
    }
}
