//! Counting of values in a column that keeps no counts: one pass over its codes, in slices.

use std::sync::Arc;

use super::super::code_set::CodeSet;
use super::super::kernel::{Code, How, Lookup};
use super::choice::Chosen;
use crate::view::{Codes, ListView};

/// Rows or elements of a slice, a multiple of 64.
const PLACES: usize = 1 << 21;

/// A count under way.
#[derive(Debug)]
pub(super) struct Counting {
    /// In the order of their codes.
    chosen: Vec<Chosen>,
    /// The row that each was last counted in, from 1.
    last_rows: Vec<u64>,
    lookup: Lookup,
    place: usize,
    /// Rows that have ended before `place`.
    rows: u64,
}

impl Counting {
    /// Of a column of `known` values.
    pub(super) fn new(known: u32, mut chosen: Vec<Chosen>) -> Self {
        chosen.sort_by_key(|chosen| chosen.code);
        let runs = chosen.iter().map(|chosen| (chosen.code, chosen.code));
        let codes = CodeSet::of_runs(known, runs.collect());
        Self {
            last_rows: vec![0; chosen.len()],
            chosen,
            lookup: Lookup::of(Arc::new(codes)),
            place: 0,
            rows: 0,
        }
    }

    /// Counts a part of the column; says whether it was the last.
    pub(super) fn advance(&mut self, codes: &Codes<'_>, list: Option<&ListView<'_>>) -> bool {
        let until = self.place.saturating_add(PLACES).min(codes.len());
        match codes {
            Codes::Absent => {}
            Codes::U8(codes) => self.count(codes, until, list),
            Codes::U16(codes) => self.count(codes, until, list),
            Codes::U32(codes) => self.count(codes, until, list),
        }
        self.place = until;
        until == codes.len() || self.chosen.is_empty()
    }

    /// What was counted.
    pub(super) fn take(&mut self) -> Vec<Chosen> {
        std::mem::take(&mut self.chosen)
    }

    fn count<C: Code>(&mut self, codes: &[C], until: usize, list: Option<&ListView<'_>>) {
        let part = codes.get(self.place..until).unwrap_or_default();
        let mut found = vec![u64::MAX; part.len().div_ceil(64)];
        self.lookup.put(part, &mut found, None, How::And);
        let words = (self.place / 64..).zip(found).zip(part.chunks(64));
        for ((word, mut found), codes) in words {
            // Of a record's own column each place is a row.
            let ends = list.map_or(u64::MAX, |list| list.last.get(word).copied().unwrap_or(0));
            while found != 0 {
                let at = found.trailing_zeros();
                found &= found - 1;
                // The last word may have more bits than codes.
                let Some(code) = codes.get(at as usize) else {
                    break;
                };
                let before = ends & !(u64::MAX << at);
                self.note(
                    (*code).into(),
                    self.rows + u64::from(before.count_ones()) + 1,
                );
            }
            self.rows += u64::from(ends.count_ones());
        }
    }

    fn note(&mut self, code: u32, row: u64) {
        let at = self
            .chosen
            .binary_search_by_key(&code, |chosen| chosen.code);
        if let Ok(at) = at
            && let (Some(chosen), Some(last)) =
                (self.chosen.get_mut(at), self.last_rows.get_mut(at))
            && *last != row
        {
            *last = row;
            chosen.count += 1;
        }
    }
}
