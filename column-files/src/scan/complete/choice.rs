//! The best values among ranges of codes: the nearest to what was typed, of these the most frequent, of these the first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Counts that are passed over at once where none of them is great enough.
const BLOCK: usize = 64;

/// How many records have each value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counts<'a> {
    /// From code 1 on.
    Each(&'a [u32]),
    /// The codes that more than one record has, in order, and how many have them; of the others one has each, or none.
    Repeated(&'a [[u32; 2]]),
}

/// A value that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) count: u32,
    pub(super) code: u32,
}

/// How a value ranks; greater is better.
type Rank = (Reverse<u8>, u32, Reverse<u32>);

/// A choice under way. Ranges are added in the order of their distances from what was typed.
#[derive(Debug)]
pub(super) struct Choice {
    room: usize,
    /// The worst on top.
    best: BinaryHeap<Reverse<Rank>>,
    /// What was looked at, in order and apart from one another.
    seen: Vec<Range<u32>>,
    /// What was added since it was last asked for, without what was seen before.
    added: Vec<Range<u32>>,
}

impl Choice {
    pub(super) const fn new(room: usize) -> Self {
        Self {
            room,
            best: BinaryHeap::new(),
            seen: Vec::new(),
            added: Vec::new(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.best.len() >= self.room
    }

    pub(super) fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    /// Adds values at a distance, but for those that were added before.
    pub(super) fn add(&mut self, counts: Counts<'_>, distance: u8, codes: Range<u32>) {
        let mut from = codes.start;
        let seen: Vec<Range<u32>> = self
            .seen
            .iter()
            .filter(|seen| seen.start < codes.end && codes.start < seen.end)
            .cloned()
            .collect();
        for seen in seen {
            self.take(counts, distance, from..seen.start);
            from = from.max(seen.end);
        }
        self.take(counts, distance, from..codes.end);
        self.see(codes);
    }

    /// Offers a value of which the count is known by now.
    pub(super) fn offer(&mut self, distance: u8, count: u32, code: u32) {
        // A value of another column that shares the dictionary.
        if count == 0 || self.room == 0 {
            return;
        }
        let rank = (Reverse(distance), count, Reverse(code));
        if !self.is_full() {
            self.best.push(Reverse(rank));
        } else if let Some(mut worst) = self.best.peek_mut()
            && worst.0 < rank
        {
            *worst = Reverse(rank);
        }
    }

    /// The ranges that were added since the last call.
    pub(super) fn take_added(&mut self) -> Vec<Range<u32>> {
        std::mem::take(&mut self.added)
    }

    fn take(&mut self, counts: Counts<'_>, distance: u8, codes: Range<u32>) {
        if codes.is_empty() {
            return;
        }
        self.added.push(codes.clone());
        match counts {
            Counts::Each(counts) => {
                let place = |code: u32| code.saturating_sub(1) as usize;
                let counts = counts.get(place(codes.start)..place(codes.end).min(counts.len()));
                let blocks = counts.unwrap_or_default().chunks(BLOCK);
                for (first, block) in (codes.start..).step_by(BLOCK).zip(blocks) {
                    if block.iter().max() > self.least(distance).as_ref() {
                        for (code, count) in (first..).zip(block) {
                            self.offer(distance, *count, code);
                        }
                    }
                }
            }
            Counts::Repeated(pairs) => {
                let from = pairs.partition_point(|[code, _]| *code < codes.start);
                let pairs = pairs.get(from..).unwrap_or_default().iter();
                for [code, count] in pairs.take_while(|[code, _]| *code < codes.end) {
                    self.offer(distance, *count, *code);
                }
            }
        }
    }

    /// The count that a value at this distance must exceed; none if any does.
    fn least(&self, distance: u8) -> Option<u32> {
        let Reverse((Reverse(worst), count, _)) = self.best.peek().filter(|_| self.is_full())?;
        match worst.cmp(&distance) {
            std::cmp::Ordering::Less => Some(u32::MAX),
            std::cmp::Ordering::Equal => Some(*count),
            std::cmp::Ordering::Greater => None,
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
    pub(super) fn finish(&mut self) -> Vec<Chosen> {
        let ranks = std::mem::take(&mut self.best).into_sorted_vec();
        let each = ranks
            .into_iter()
            .map(|Reverse((_, count, Reverse(code)))| Chosen { count, code });
        each.collect()
    }
}
