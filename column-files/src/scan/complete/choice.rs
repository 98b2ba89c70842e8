//! The best values among ranges of codes: the nearest to what was typed, of these the most frequent, of these the first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A value that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    /// From what was typed.
    pub(super) distance: u8,
    /// Zero while it is not known.
    pub(super) count: u64,
    pub(super) code: u32,
}

/// How a value ranks; greater is better.
type Rank = (Reverse<u8>, u32, Reverse<u32>);

/// A choice under way. Ranges are added in the order of their distances.
pub(super) struct Choice<'a> {
    /// Records of each code, from code 1; without them the first of each range are chosen.
    counts: Option<&'a [u32]>,
    room: usize,
    /// The worst on top.
    best: BinaryHeap<Reverse<Rank>>,
    /// What was looked at, in order and apart from one another.
    seen: Vec<Range<u32>>,
}

impl<'a> Choice<'a> {
    pub(super) const fn new(counts: Option<&'a [u32]>, room: usize) -> Self {
        Self {
            counts,
            room,
            best: BinaryHeap::new(),
            seen: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.best.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    /// Adds values that are so far from what was typed, but for those that were added before.
    pub(super) fn add(&mut self, distance: u8, codes: Range<u32>) {
        let mut from = codes.start;
        let seen: Vec<Range<u32>> = self
            .seen
            .iter()
            .filter(|seen| seen.start < codes.end && codes.start < seen.end)
            .cloned()
            .collect();
        for seen in seen {
            self.take(distance, from..seen.start);
            from = from.max(seen.end);
        }
        self.take(distance, from..codes.end);
        self.see(codes);
    }

    fn take(&mut self, distance: u8, codes: Range<u32>) {
        if codes.is_empty() {
            return;
        }
        let Some(counts) = self.counts else {
            let left = self.room - self.best.len().min(self.room);
            let first = codes.take(left);
            let ranks = first.map(|code| Reverse((Reverse(distance), 0, Reverse(code))));
            return self.best.extend(ranks);
        };
        let place = |code: u32| code.saturating_sub(1) as usize;
        let known = counts.get(place(codes.start)..place(codes.end).min(counts.len()));
        for (code, count) in codes.zip(known.unwrap_or_default()) {
            // A value of another column that shares the dictionary.
            if *count == 0 {
                continue;
            }
            let rank = (Reverse(distance), *count, Reverse(code));
            if self.best.len() < self.room {
                self.best.push(Reverse(rank));
            } else if let Some(mut worst) = self.best.peek_mut()
                && worst.0 < rank
            {
                *worst = Reverse(rank);
            }
        }
    }

    fn see(&mut self, codes: Range<u32>) {
        if codes.is_empty() {
            return;
        }
        let mut codes = codes;
        self.seen.retain(|seen| {
            let is_apart = seen.end < codes.start || codes.end < seen.start;
            if !is_apart {
                codes = codes.start.min(seen.start)..codes.end.max(seen.end);
            }
            is_apart
        });
        let at = self.seen.partition_point(|seen| seen.start < codes.start);
        self.seen.insert(at, codes);
    }

    /// The best first.
    pub(super) fn finish(self) -> Vec<Chosen> {
        let ranks = self.best.into_sorted_vec().into_iter();
        let each = ranks.map(
            |Reverse((Reverse(distance), count, Reverse(code)))| Chosen {
                distance,
                count: count.into(),
                code,
            },
        );
        each.collect()
    }
}

/// The best of values that were counted.
pub(super) fn best(mut counted: Vec<Chosen>, limit: usize) -> Vec<Chosen> {
    counted.retain(|chosen| chosen.count > 0);
    counted.sort_by_key(|chosen| (chosen.distance, Reverse(chosen.count), chosen.code));
    counted.truncate(limit);
    counted
}
