//! How many rows or elements have a code of a set: a sum of the counts of its codes, piece by piece, since there may be
//! millions of them.

use super::code_set::CodeSet;
use super::slice::Slice;

/// Codes between two looks at the clock.
const CODES: u32 = 64 * 1_024;

/// A sum in the making.
#[derive(Debug, Default)]
pub(super) struct Weight {
    /// The codes before are gone through.
    next: u32,
    of_set: u64,
    of_all: u64,
}

impl Weight {
    /// Works until the slice is over or the sum is done: how many of `places` rows or elements have a code of the set, where
    /// `counts` are those of the column.
    pub(super) fn advance(
        &mut self,
        set: &CodeSet,
        counts: &[u32],
        places: u64,
        slice: &Slice,
    ) -> Option<u64> {
        let is_of_unknown = set.has(0);
        while self.next as usize <= counts.len() {
            let end = self.next.saturating_add(CODES);
            self.of_set += set.weight(self.next..end, counts);
            if is_of_unknown {
                self.of_all += CodeSet::every_known(set.known()).weight(self.next..end, counts);
            }
            self.next = end;
            if end as usize <= counts.len() && slice.is_over() {
                return None;
            }
        }
        let unknown = if is_of_unknown {
            places.saturating_sub(self.of_all)
        } else {
            0
        };
        Some(self.of_set + unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_many_counts_is_left_and_gone_on_with() {
        let known = 3 * CODES + 7;
        let counts: Vec<u32> = (1..=known).map(|code| code % 5).collect();
        let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        let every_other = (0..=known).step_by(2).map(|code| (code, code)).collect();
        for set in [
            CodeSet::of_runs(known, every_other),
            CodeSet::of_runs(known, vec![(CODES - 1, 2 * CODES), (known, known)]),
            CodeSet::unknown(known),
            CodeSet::every_known(known),
        ] {
            let (mut weight, mut slices) = (Weight::default(), 1);
            let found = loop {
                match weight.advance(&set, &counts, total + 9, &Slice::nothing()) {
                    Some(found) => break found,
                    None => slices += 1,
                }
            };
            let codes = (1..=known).filter(|code| set.has(*code));
            let expected: u64 = codes.map(|code| u64::from(code % 5)).sum();
            assert_eq!(found, expected + if set.has(0) { 9 } else { 0 });
            assert_eq!(slices, 4);
        }
    }
}
