//! Values that one record has, in a column that keeps only the counts of repeated values: the first ones in their order,
//! found by a pass over the codes, in slices. A dictionary may hold values that this column has not.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::super::code_set::CodeSet;
use super::super::kernel::{Code, How, Lookup};
use crate::view::Codes;

/// Rows or elements of a slice, a multiple of 64.
const PLACES: usize = 1 << 20;
/// Codes that are looked for first: the first ones are sought, and most are this column's.
const FEW: u32 = 1 << 16;

/// A pass under way.
#[derive(Debug)]
pub(super) struct Singles {
    known: u32,
    ranges: Vec<Range<u32>>,
    /// All ranges are looked for, not only their first codes.
    is_whole: bool,
    lookup: Lookup,
    room: usize,
    found: BTreeSet<u32>,
    place: usize,
}

impl Singles {
    /// Looks for `room` values among these of a column of `known` values.
    pub(super) fn new(known: u32, ranges: Vec<Range<u32>>, room: usize) -> Self {
        let mut first = Vec::new();
        let mut left = FEW;
        for range in &ranges {
            let few = range.start..range.end.min(range.start.saturating_add(left));
            left = left.saturating_sub(few.end.saturating_sub(few.start));
            first.push(few);
        }
        Self {
            is_whole: first == ranges,
            lookup: lookup(known, &first),
            known,
            ranges,
            room,
            found: BTreeSet::new(),
            place: 0,
        }
    }

    /// Looks at a part of the column; gives what was found behind the last one.
    pub(super) fn advance(
        &mut self,
        codes: &Codes<'_>,
        repeated: &[[u32; 2]],
    ) -> Option<BTreeSet<u32>> {
        let until = self.place.saturating_add(PLACES).min(codes.len());
        match codes {
            Codes::Absent => {}
            Codes::U8(codes) => self.look(codes, until, repeated),
            Codes::U16(codes) => self.look(codes, until, repeated),
            Codes::U32(codes) => self.look(codes, until, repeated),
        }
        self.place = until;
        if until < codes.len() {
            return None;
        }
        if self.is_whole || self.found.len() >= self.room {
            return Some(std::mem::take(&mut self.found));
        }
        self.is_whole = true;
        self.lookup = lookup(self.known, &self.ranges);
        self.place = 0;
        None
    }

    fn look<C: Code>(&mut self, codes: &[C], until: usize, repeated: &[[u32; 2]]) {
        let part = codes.get(self.place..until).unwrap_or_default();
        let mut found = vec![u64::MAX; part.len().div_ceil(64)];
        self.lookup.put(part, &mut found, None, How::And);
        for (mut found, codes) in found.into_iter().zip(part.chunks(64)) {
            while found != 0 {
                let at = found.trailing_zeros() as usize;
                found &= found - 1;
                // The last word may have more bits than codes.
                let Some(code) = codes.get(at) else { break };
                self.note((*code).into(), repeated);
            }
        }
    }

    fn note(&mut self, code: u32, repeated: &[[u32; 2]]) {
        let is_full = self.found.len() >= self.room;
        if is_full && self.found.last().is_none_or(|last| *last <= code)
            || repeated
                .binary_search_by_key(&code, |[code, _]| *code)
                .is_ok()
        {
            return;
        }
        if self.found.insert(code) && is_full {
            self.found.pop_last();
        }
    }
}

fn lookup(known: u32, ranges: &[Range<u32>]) -> Lookup {
    let runs = ranges.iter().filter(|range| !range.is_empty());
    let runs = runs.map(|range| (range.start, range.end - 1));
    Lookup::of(Arc::new(CodeSet::of_runs(known, runs.collect())))
}
