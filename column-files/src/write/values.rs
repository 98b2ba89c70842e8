//! The distinct values of a group of columns, while rows come in.
//!
//! Values that come again are kept once in memory and known by a number in the order of their first appearance. A group
//! whose values hardly ever come again (addresses, URLs, ids), or one that has used up its part of the memory, writes
//! further values to the spool, where each occurrence has a number of its own. [`super::sort`] turns numbers into codes.

use std::hash::BuildHasher;
use std::io;
use std::path::PathBuf;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::WriteFault;
use super::spool::SpoolFile;

/// Values after which it is judged for the first time whether keeping them pays.
const FIRST_TRIAL: u32 = 65_536;
/// Spooled values that are remembered: a record often names a value twice (`work_email` and `emails.address`).
const RECENT: usize = 4;
/// What waits before it is written.
const BUFFER_BYTES: usize = 1 << 18;
/// What a value costs besides its bytes: its length, and its share of the table.
const ENTRY_BYTES: usize = 16;

/// What becomes of a value that is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// It is kept.
    Keep,
    /// It is spooled; known ones are still found.
    Full,
    /// All are spooled without looking.
    Spool,
}

/// A kept value: where it begins in the arena, and its number.
#[derive(Debug, Clone, Copy)]
struct Kept {
    place: u32,
    number: u32,
}

/// The values of a group.
#[derive(Debug)]
pub(super) struct Values {
    mode: Mode,
    hasher: FixedState,
    table: HashTable<Kept>,
    /// Kept values in the order of their numbers, each after its length.
    arena: Vec<u8>,
    kept: u32,
    trial: u32,
    lookups: u32,
    spool: SpoolFile,
    buffer: Vec<u8>,
    /// Values written to the spool.
    spooled: u32,
    recent: [(u32, Vec<u8>); RECENT],
    is_marked: bool,
}

impl Values {
    pub(super) fn new(spool: PathBuf) -> Self {
        Self {
            mode: Mode::Keep,
            hasher: FixedState::default(),
            table: HashTable::new(),
            arena: Vec::new(),
            kept: 0,
            trial: FIRST_TRIAL,
            lookups: 0,
            spool: SpoolFile::new(spool),
            buffer: Vec::new(),
            spooled: 0,
            recent: Default::default(),
            is_marked: false,
        }
    }

    /// Numbers given so far, which are 1 to this.
    pub(super) fn numbers(&self) -> Result<u32, WriteFault> {
        self.kept
            .checked_add(self.spooled)
            .filter(|numbers| *numbers < u32::MAX)
            .ok_or(WriteFault::TooMany(u64::from(u32::MAX)))
    }

    /// Notes that a value is of another form than the others.
    pub(super) const fn mark(&mut self) {
        self.is_marked = true;
    }

    /// Whether one is.
    pub(super) const fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// Bytes of the spooled values with their lengths.
    pub(super) fn spooled_bytes(&self) -> u64 {
        self.spool.bytes() + u64::try_from(self.buffer.len()).unwrap_or(0)
    }

    /// The number of a value. `budget` is what all groups may still keep, in bytes.
    pub(super) fn number(&mut self, value: &[u8], budget: &mut usize) -> Result<u32, WriteFault> {
        if self.mode == Mode::Spool {
            return self.spool(value);
        }
        let hash = self.hasher.hash_one(value);
        let arena = &self.arena;
        self.lookups = self.lookups.saturating_add(1);
        if let Some(found) = self.table.find(hash, |one| kept(arena, *one) == value) {
            return Ok(found.number);
        }
        let cost = value.len() + ENTRY_BYTES;
        let place = u32::try_from(self.arena.len()).ok();
        let Some(place) = place.filter(|_| self.mode == Mode::Keep && cost <= *budget) else {
            self.mode = Mode::Full;
            return self.spool(value);
        };
        *budget -= cost;
        let number = self.numbers()? + 1;
        write_value(&mut self.arena, value)?;
        self.kept = number;
        let (arena, hasher) = (&self.arena, &self.hasher);
        self.table
            .insert_unique(hash, Kept { place, number }, |one| {
                hasher.hash_one(kept(arena, *one))
            });
        if number == self.trial {
            self.judge();
        }
        Ok(number)
    }

    /// Keeping pays when at least half of the values since the last time were known.
    fn judge(&mut self) {
        let new = if self.trial == FIRST_TRIAL {
            self.trial
        } else {
            self.trial / 2
        };
        if self.lookups / 2 < new {
            self.mode = Mode::Spool;
            self.table = HashTable::new();
        }
        self.trial = self.trial.saturating_mul(2);
        self.lookups = 0;
    }

    fn spool(&mut self, value: &[u8]) -> Result<u32, WriteFault> {
        if let Some((number, _)) = self
            .recent
            .iter()
            .find(|(number, recent)| *number > 0 && recent == value)
        {
            return Ok(*number);
        }
        write_value(&mut self.buffer, value)?;
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush()?;
        }
        self.spooled += 1;
        let number = self.numbers()?;
        let oldest = usize::try_from(self.spooled).unwrap_or(0) % RECENT;
        if let Some((of, recent)) = self.recent.get_mut(oldest) {
            *of = number;
            recent.clear();
            recent.extend_from_slice(value);
        }
        Ok(number)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spool.write(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// The kept values one after another, how many they are, and the spool, of which all is written.
    pub(super) fn into_parts(mut self) -> Result<(Vec<u8>, u32, SpoolFile), WriteFault> {
        if !self.buffer.is_empty() {
            self.flush()?;
        }
        Ok((self.arena, self.kept, self.spool))
    }
}

/// A kept value; empty for a place that was never given.
#[inline]
fn kept(arena: &[u8], one: Kept) -> &[u8] {
    usize::try_from(one.place)
        .ok()
        .and_then(|place| value_at(arena, place))
        .map_or(&[], |(value, _)| value)
}

/// Appends a value after its length: one byte below 255, else five.
pub(super) fn write_value(arena: &mut Vec<u8>, value: &[u8]) -> Result<(), WriteFault> {
    match u8::try_from(value.len()) {
        Ok(length) if length < u8::MAX => arena.push(length),
        _ => {
            let length =
                u32::try_from(value.len()).map_err(|_| WriteFault::TooMany(u64::from(u32::MAX)))?;
            arena.push(u8::MAX);
            arena.extend_from_slice(&length.to_le_bytes());
        }
    }
    arena.extend_from_slice(value);
    Ok(())
}

/// The value at a place that [`write_value`] wrote, and where the next one begins; none if it is cut off.
#[inline]
pub(super) fn value_at(arena: &[u8], place: usize) -> Option<(&[u8], usize)> {
    let (length, start) = match *arena.get(place)? {
        u8::MAX => {
            let length = arena.get(place + 1..place + 5)?.try_into().ok()?;
            (usize::try_from(u32::from_le_bytes(length)).ok()?, place + 5)
        }
        length => (usize::from(length), place + 1),
    };
    Some((
        arena.get(start..start.checked_add(length)?)?,
        start + length,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(name: &str) -> Values {
        Values::new(
            std::env::temp_dir().join(format!("column-files-{name}-{}.spool", std::process::id())),
        )
    }

    #[test]
    fn equal_values_have_one_number() {
        let (mut values, mut budget) = (values("equal"), 1 << 20);
        let long = [b'x'; 300];
        let numbers: Vec<_> = [b"a".as_slice(), b"", b"a", &long, b"", &long]
            .into_iter()
            .map(|value| values.number(value, &mut budget).unwrap())
            .collect();
        assert_eq!(numbers, [1, 2, 1, 3, 2, 3]);
    }

    #[test]
    fn values_that_never_come_again_are_spooled() {
        let (mut values, mut budget) = (values("unique"), usize::MAX);
        for number in 1..=100_000_u32 {
            assert_eq!(
                values.number(&number.to_be_bytes(), &mut budget).unwrap(),
                number
            );
        }
        assert_eq!(values.spooled, 100_000 - FIRST_TRIAL);
        assert_eq!(
            values
                .number(&100_000_u32.to_be_bytes(), &mut budget)
                .unwrap(),
            100_000,
            "a recent one"
        );
    }

    #[test]
    fn a_full_memory_still_finds_what_it_has() {
        let (mut values, mut budget) = (values("full"), 2 * (ENTRY_BYTES + 1));
        for (value, number) in [(b"a", 1), (b"b", 2), (b"c", 3), (b"a", 1), (b"c", 3)] {
            assert_eq!(values.number(value, &mut budget).unwrap(), number);
        }
        assert_eq!(values.spooled, 1);
    }
}
