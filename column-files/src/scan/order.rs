//! The page of an ordered search: the best rows so far, and which codes may still be among them.

use dialect::{OrderKey, Query};
use std::cmp::Ordering;
use std::sync::Arc;

use super::code_set::CodeSet;
use super::dictionary::known;
use super::guess::Guess;
use super::kernel::{How, Lookup};
use super::plan::Leaf;
use super::registers::put_codes;
use super::source::Source;
use crate::view::{CHUNK_ROWS, Codes};

/// The first three keys and the row, in the order of the result.
type Entry = u128;

/// Keys that are part of an [`Entry`].
const PACKED: usize = 3;
/// Rows that are kept before the worst are let go, at least.
const ROOM: usize = 1_024;

/// The best rows of an order.
#[derive(Debug)]
pub(super) struct Best {
    keys: Vec<OrderKey>,
    /// So many rows are sought.
    wanted: usize,
    /// Rows up to this one are not.
    after: Option<Entry>,
    entries: Vec<Entry>,
    /// No row behind this one can be among the best.
    worst: Option<Entry>,
    /// No later row can be among the best.
    settled: bool,
    /// Until there is a worst row: the greatest first key that is looked at, a guess from how often values are stored.
    guess: Option<u32>,
}

impl Best {
    /// The `wanted` first rows, or the first behind `after`.
    pub(super) fn new(
        source: &impl Source,
        query: &Query,
        wanted: usize,
        after: Option<u32>,
    ) -> Self {
        let mut best = Self {
            keys: query.order.clone(),
            wanted,
            after: None,
            entries: Vec::new(),
            worst: None,
            settled: wanted == 0,
            guess: None,
        };
        let columns = Keyed::all(source, &best.keys);
        best.after = after.map(|row| entry(&columns, row));
        best
    }

    /// The guess behind which first key no row is needed, where the filter is true of about this part of the rows.
    pub(super) fn guess_of(&self, part: f64) -> Option<Guess> {
        let first = self.keys.first()?;
        let sought = self.wanted as f64 / part.max(1e-9);
        // A row more or less does not matter where few are sought; the spread of a sample is about its root.
        let sought = (sought * 1.1 + 4.0 * sought.sqrt() / part.max(1e-9).sqrt() + 64.0).ceil();
        let from = self
            .after
            .map_or(0, |after| ((after >> 96) as u32).saturating_add(1));
        Some(Guess::new(*first, from, sought))
    }

    /// Takes a guess. That it was too low is noticed ([`Best::is_short`]).
    pub(super) fn guess(&mut self, guess: Option<u32>) {
        self.guess = guess.filter(|guess| *guess < u32::MAX);
    }

    /// Whether rows are missing because the guess was too low, in a result of so many rows.
    pub(super) fn is_short(&self, total: u64) -> bool {
        self.guess.is_some()
            && self.entries.len() < self.wanted
            && (self.entries.len() as u64) < total
    }

    /// Begins anew, without a guess.
    pub(super) fn retry(&mut self) {
        self.guess = None;
        self.entries.clear();
        self.worst = None;
        self.settled = self.wanted == 0;
    }

    /// Whether no later row can be among the best.
    pub(super) const fn is_settled(&self) -> bool {
        self.settled
    }

    /// Takes away rows of a chunk whose first two keys say that they cannot be among the best; few may stay. Chunks come in the
    /// order of rows, so that of equal keys those that are there already are the better ones.
    pub(super) fn keep_promising(&self, source: &impl Source, chunk: usize, rows: &mut [u64]) {
        if self.settled {
            rows.fill(0);
            return;
        }
        let Some(first) = self.keys.first() else {
            return;
        };
        let rank = u128::try_from(chunk + 1).unwrap_or(0) * u128::from(CHUNK_ROWS);
        let sides = [
            self.worst.map(Side::Before),
            self.after
                .map(|after| Side::Behind(after, rank > after & u128::from(u32::MAX))),
        ];
        // The first key alone, in one pass; what else rules rows out costs more than looking at few of them.
        let is_last = self.keys.len() == 1;
        // Every row behind the guess goes, with equal keys or not: those that stay are only the best if none of them is there.
        let guess = self.guess.filter(|_| self.worst.is_none());
        let mut between = Some((0, guess.unwrap_or(u32::MAX)));
        for side in sides.iter().flatten() {
            let bounds = side.bounds(side.key(), is_last);
            between = between
                .zip(bounds)
                .map(|(a, b)| (a.0.max(b.0), a.1.min(b.1)))
                .filter(|(low, high)| low <= high);
        }
        put(source, chunk, first, between, rows);
        for side in sides.into_iter().flatten() {
            if !is_last && !are_few(rows) {
                self.refine(source, chunk, rows, side);
            }
        }
    }

    /// Takes away rows of equal first key whose second key says that they cannot be among the best.
    fn refine(&self, source: &impl Source, chunk: usize, rows: &mut [u64], side: Side) {
        let [first, second, others @ ..] = self.keys.as_slice() else {
            return;
        };
        let key = side.key();
        let mut equal = rows.to_vec();
        put(source, chunk, first, Some((key, key)), &mut equal);
        if are_few(&equal) {
            return;
        }
        let mut promising = equal.clone();
        let bounds = side.bounds(side.second(), others.is_empty());
        put(source, chunk, second, bounds, &mut promising);
        for ((row, equal), promising) in rows.iter_mut().zip(equal).zip(promising) {
            *row &= !equal | promising;
        }
    }

    /// Takes rows of a chunk in, and out of `rows`; says whether it took all. It pauses where there is no room, and the worst were let
    /// go: that is work.
    pub(super) fn take(&mut self, source: &impl Source, chunk: usize, rows: &mut [u64]) -> bool {
        if self.wanted == 0 {
            return true;
        }
        let columns = Keyed::all(source, &self.keys);
        let base = u32::try_from(chunk)
            .unwrap_or(u32::MAX)
            .saturating_mul(CHUNK_ROWS);
        let room = ROOM.max(2 * self.wanted);
        for (at, word) in (base..).step_by(64).zip(rows) {
            while *word != 0 {
                let row = at + word.trailing_zeros();
                *word &= *word - 1;
                let entry = entry(&columns, row);
                let is_behind = |other| compare(&columns, entry, other) == Ordering::Greater;
                if self.worst.is_some_and(is_behind) || !self.after.is_none_or(is_behind) {
                    continue;
                }
                self.entries.push(entry);
                if self.entries.len() >= room {
                    self.trim(source, &columns);
                    return false;
                }
            }
        }
        if self.worst.is_none() {
            self.trim(source, &columns);
        }
        true
    }

    /// The rows from number `offset`, in order.
    pub(super) fn finish(&mut self, source: &impl Source, offset: usize) -> Vec<u32> {
        let columns = Keyed::all(source, &self.keys);
        let mut entries = std::mem::take(&mut self.entries);
        // Only the page itself has to be sorted.
        let mut page = entries.as_mut_slice();
        if offset >= page.len() {
            return Vec::new();
        }
        if offset > 0 {
            let (_, _, behind) =
                page.select_nth_unstable_by(offset - 1, |a, b| compare(&columns, *a, *b));
            page = behind;
        }
        page.sort_unstable_by(|a, b| compare(&columns, *a, *b));
        page.iter()
            .take(self.wanted - offset)
            .map(|entry| *entry as u32)
            .collect()
    }

    /// Lets all but the wanted rows go.
    fn trim(&mut self, source: &impl Source, columns: &[Keyed<'_>]) {
        if self.entries.len() < self.wanted || self.wanted == 0 {
            return;
        }
        let mut entries = std::mem::take(&mut self.entries);
        let (_, worst, _) =
            entries.select_nth_unstable_by(self.wanted - 1, |a, b| compare(columns, *a, *b));
        self.worst = Some(*worst);
        if let [only] = self.keys.as_slice() {
            let better = ((*worst >> 96) as u32).checked_sub(1);
            self.settled =
                better.is_none_or(|better| codes_between(source, *only, (0, better)).is_none());
        }
        entries.truncate(self.wanted);
        self.entries = entries;
    }
}

/// Whether it costs less to look at each row ([`Best::take`] does) than at the codes of the whole chunk.
fn are_few(rows: &[u64]) -> bool {
    let ones: u32 = rows.iter().map(|word| word.count_ones()).sum();
    ones as usize <= rows.len()
}

/// Takes away the rows of a chunk whose sort key is not within bounds; all without bounds.
fn put(
    source: &impl Source,
    chunk: usize,
    key: &OrderKey,
    between: Option<(u32, u32)>,
    rows: &mut [u64],
) {
    let codes = between.map(|bounds| codes_between(source, *key, bounds));
    match codes.filter(|codes| !codes.is_none()) {
        None => rows.fill(0),
        Some(codes) if codes.is_every() => {}
        Some(codes) => {
            let leaf = Leaf {
                column: key.column,
                lookup: Lookup::of(Arc::new(codes)),
                part: 0.5,
                weight: None,
            };
            let places = chunk * CHUNK_ROWS as usize..(chunk + 1) * CHUNK_ROWS as usize;
            let codes = source.column(key.column).codes;
            put_codes(&codes, places, &leaf, rows, None, How::And);
        }
    }
}

/// A key and the codes that it sorts by.
struct Keyed<'a> {
    key: OrderKey,
    codes: Codes<'a>,
}

impl<'a> Keyed<'a> {
    fn all(source: &'a impl Source, keys: &[OrderKey]) -> Vec<Self> {
        keys.iter()
            .map(|key| Self {
                key: *key,
                codes: source.column(key.column).codes,
            })
            .collect()
    }

    fn of(&self, row: u32) -> u32 {
        sort_key(self.key, self.codes.get(row as usize))
    }
}

fn entry(columns: &[Keyed<'_>], row: u32) -> Entry {
    let mut keys = columns.iter().take(PACKED).map(|column| column.of(row));
    (0..PACKED).fold(0, |entry, _| {
        entry << 32 | u128::from(keys.next().unwrap_or(0))
    }) << 32
        | u128::from(row)
}

fn compare(columns: &[Keyed<'_>], a: Entry, b: Entry) -> Ordering {
    let Some(others) = columns.get(PACKED..).filter(|others| !others.is_empty()) else {
        return a.cmp(&b);
    };
    let (row_a, row_b) = (a as u32, b as u32);
    let keys = (a >> 32).cmp(&(b >> 32));
    let keys = others.iter().fold(keys, |order, column| {
        order.then_with(|| column.of(row_a).cmp(&column.of(row_b)))
    });
    keys.then(row_a.cmp(&row_b))
}

/// A number that sorts as the key says; unknown is the least or the greatest.
pub(super) const fn sort_key(key: OrderKey, code: u32) -> u32 {
    match (key.descending, key.nulls_first) {
        (false, false) => code.wrapping_sub(1),
        (false, true) => code,
        (true, false) => !code,
        (true, true) => code.wrapping_neg(),
    }
}

/// The code that has a sort key.
pub(super) const fn code_of(key: OrderKey, sorted: u32) -> u32 {
    match (key.descending, key.nulls_first) {
        (false, false) => sorted.wrapping_add(1),
        (false, true) => sorted,
        (true, false) => !sorted,
        (true, true) => sorted.wrapping_neg(),
    }
}

/// Which rows may be among the best, seen from an entry.
#[derive(Clone, Copy)]
enum Side {
    /// Those before it.
    Before(Entry),
    /// Those behind it; equal keys too, if the rows of the chunk may have a higher rank.
    Behind(Entry, bool),
}

impl Side {
    const fn entry(self) -> Entry {
        match self {
            Self::Before(entry) | Self::Behind(entry, _) => entry,
        }
    }

    const fn key(self) -> u32 {
        (self.entry() >> 96) as u32
    }

    const fn second(self) -> u32 {
        (self.entry() >> 64) as u32
    }

    /// Keys that decide for a row.
    fn beyond(self, key: u32) -> Option<(u32, u32)> {
        match self {
            Self::Before(_) => Some((0, key.checked_sub(1)?)),
            Self::Behind(..) => Some((key.checked_add(1)?, u32::MAX)),
        }
    }

    /// Keys that do not decide against a row; `last` if only the rank comes after this key.
    fn bounds(self, key: u32, last: bool) -> Option<(u32, u32)> {
        match self {
            Self::Before(_) if last => self.beyond(key),
            Self::Behind(_, false) if last => self.beyond(key),
            Self::Before(_) => Some((0, key)),
            Self::Behind(..) => Some((key, u32::MAX)),
        }
    }
}

/// The codes whose sort keys are in `bounds`.
fn codes_between(source: &impl Source, key: OrderKey, bounds: (u32, u32)) -> CodeSet {
    let view = source.column(key.column);
    // No row of a column without values has another code.
    let known = if matches!(view.codes, Codes::Absent) {
        0
    } else {
        known(&view.dictionary)
    };
    let (a, b) = (code_of(key, bounds.0), code_of(key, bounds.1));
    let (low, high) = if key.descending { (b, a) } else { (a, b) };
    // Unknown is behind the last code in two of the orders and then makes the range go around.
    let runs = if low <= high {
        vec![(low, high)]
    } else {
        vec![(0, high), (low, u32::MAX)]
    };
    CodeSet::of_runs(known, runs)
}

#[cfg(test)]
mod tests {
    use dialect::Query;
    use events_schema::record::RecordKind;

    use super::*;
    use crate::scan::tests::memory_of;

    #[test]
    fn a_page_is_paused_where_it_has_no_room_and_the_same_then() {
        const ROWS: u32 = 3_000;
        let source = memory_of(RecordKind::Person, ROWS as usize);
        let order = "SELECT * FROM person ORDER BY age DESC, city, full_name, state";
        let query = Query::parse(RecordKind::Person, order).unwrap().query;
        let mut best = Best::new(&source, &query, 700, None);
        let mut rows = vec![u64::MAX; ROWS as usize / 64];
        let all = rows.len() as u32 * 64;
        let mut takes = 1;
        while !best.take(&source, 0, &mut rows) {
            takes += 1;
        }
        // There is room for 1,400, and half of them stay each time.
        assert!(takes > 1, "{takes}");
        let columns = Keyed::all(&source, &query.order);
        let mut expected: Vec<Entry> = (0..all).map(|row| entry(&columns, row)).collect();
        expected.sort_by(|a, b| compare(&columns, *a, *b));
        let expected: Vec<u32> = expected
            .iter()
            .take(700)
            .map(|entry| *entry as u32)
            .collect();
        assert_eq!(best.finish(&source, 0), expected);
    }
}
