//! How far an ordered page reaches: the key up to which there are about as many rows as are sought, by the counts of the values.

use dialect::OrderKey;

use super::dictionary::known;
use super::order::{code_of, sort_key};
use super::slice::Slice;
use super::source::Source;

/// Counts between two looks at the clock.
const COUNTS: usize = if cfg!(test) { 4 } else { 64 * 1_024 };

/// A guess in the making.
#[derive(Debug)]
pub(super) struct Guess {
    key: OrderKey,
    /// Rows whose key is below are not sought.
    from: u32,
    sought: f64,
    found: f64,
    /// How many counts the rows without a value are more than; none once those rows are counted.
    known: Option<(usize, f64)>,
    /// Counts that are gone through.
    done: usize,
}

impl Guess {
    /// About `sought` rows whose key is not below `from`.
    pub(super) fn new(key: OrderKey, from: u32, sought: f64) -> Self {
        Self {
            key,
            from,
            sought,
            found: 0.0,
            known: (key.nulls_first && from == 0).then_some((0, 0.0)),
            done: 0,
        }
    }

    /// Works until the slice is over; says which key it is, or that there may be no more rows than are sought.
    pub(super) fn advance(&mut self, source: &impl Source, slice: &Slice) -> Option<Option<u32>> {
        let view = source.column(self.key.column);
        let Some(counts) = view.counts else {
            return Some(self.of_different(source, known(&view.dictionary)));
        };
        while let Some((done, sum)) = self.known {
            let piece = counts.get(done..counts.len().min(done + COUNTS));
            let piece = piece.unwrap_or_default();
            let sum = sum + total(piece);
            if done + piece.len() < counts.len() {
                self.known = Some((done + piece.len(), sum));
                if slice.is_over() {
                    return None;
                }
            } else {
                self.known = None;
                self.found = f64::from(source.rows()) - sum;
                if self.found >= self.sought {
                    return Some(Some(0));
                }
            }
        }
        // Counts stand from code 1 on; those of keys before `from` are left out.
        let edge = code_of(self.key, self.from) as usize;
        let (start, counts) = match (self.from, self.key.descending) {
            (0, _) => (0, counts),
            (_, true) => {
                let before = counts.get(..edge.min(counts.len()));
                (0, before.unwrap_or_default())
            }
            (_, false) => {
                let Some(rest) = edge.checked_sub(1).and_then(|from| counts.get(from..)) else {
                    return Some(None);
                };
                (edge - 1, rest)
            }
        };
        loop {
            let end = counts.len().min(self.done + COUNTS);
            let places = if self.key.descending {
                counts.len() - end..counts.len() - self.done
            } else {
                self.done..end
            };
            let piece = counts.get(places.clone()).unwrap_or_default();
            let of_piece = total(piece);
            if self.found + of_piece >= self.sought {
                return Some(self.within(start + places.start, piece));
            }
            self.found += of_piece;
            self.done = end;
            if end == counts.len() {
                return Some(None);
            }
            if slice.is_over() {
                return None;
            }
        }
    }

    /// The key at which there are enough, among the counts of the codes behind `first`.
    fn within(&self, first: usize, counts: &[u32]) -> Option<u32> {
        let mut found = self.found;
        let mut reached = |(at, count): (usize, &u32)| {
            found += f64::from(*count);
            let code = (at as u32).saturating_add(1);
            (found >= self.sought).then(|| sort_key(self.key, code))
        };
        let mut counts = (first..first + counts.len()).zip(counts);
        if self.key.descending {
            counts.rev().find_map(&mut reached)
        } else {
            counts.find_map(&mut reached)
        }
    }

    /// Where nearly every value is a different one.
    fn of_different(&self, source: &impl Source, known: u32) -> Option<u32> {
        let (key, rows) = (self.key, f64::from(source.rows()));
        let first = code_of(key, self.from);
        let codes = (self.sought * f64::from(known) / rows.max(1.0)).ceil();
        let step = (codes < f64::from(known)).then_some(codes as u32)?;
        let last = if key.descending {
            first.min(known).checked_sub(step)?
        } else {
            first.checked_add(step)?
        };
        let is_inside = !key.nulls_first && (1..=known).contains(&last);
        is_inside.then(|| sort_key(key, last))
    }
}

/// Whole numbers below 2^53: no sum loses one.
fn total(counts: &[u32]) -> f64 {
    counts.iter().map(|count| u64::from(*count)).sum::<u64>() as f64
}

#[cfg(test)]
mod tests {
    use dialect::{ColumnId, Place};
    use events_schema::record::RecordKind;

    use super::*;
    use crate::scan::tests::memory_of;

    #[test]
    fn a_guess_that_is_left_and_gone_on_with_is_the_key_of_so_many_rows() {
        let source = memory_of(RecordKind::Person, 500);
        // Without and with a count of the rows that have no value.
        let (mut slices, mut guesses) = ([0, 0], [0, 0]);
        for (at, column) in (0..).zip(source.catalog().columns()) {
            let view = source.column(ColumnId(at));
            if column.place != Place::Record || view.counts.is_none() {
                continue;
            }
            for flags in 0..4 {
                let (descending, nulls_first) = (flags & 1 == 1, flags & 2 == 2);
                let key = OrderKey {
                    column: ColumnId(at),
                    descending,
                    nulls_first,
                };
                let mut keys: Vec<(u32, bool)> = (0..500)
                    .map(|row| view.codes.get(row))
                    .map(|code| (sort_key(key, code), code > 0))
                    .collect();
                keys.sort_unstable();
                for (from, sought) in [
                    (0, 1),
                    (0, 77),
                    (0, 499),
                    (keys[200].0, 50),
                    (keys[450].0, 400),
                ] {
                    let of_unknown = nulls_first && from == 0;
                    let expected = keys
                        .iter()
                        .filter(|(key, is_known)| *key >= from && (*is_known || of_unknown))
                        .nth(sought - 1);
                    let mut guess = Guess::new(key, from, sought as f64);
                    guesses[usize::from(of_unknown)] += 1;
                    let found = loop {
                        slices[usize::from(of_unknown)] += 1;
                        if let Some(found) = guess.advance(&source, &Slice::nothing()) {
                            break found;
                        }
                    };
                    assert_eq!(
                        found,
                        expected.map(|(key, _)| *key),
                        "{} {key:?} {from} {sought}",
                        column.path
                    );
                }
            }
        }
        // Some were left, of either.
        assert!(
            slices[0] > guesses[0] && slices[1] > guesses[1],
            "{slices:?} {guesses:?}"
        );
    }
}
