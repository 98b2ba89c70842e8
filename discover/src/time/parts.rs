//! Quarters and halves of a year: "Q1 2026", "the second half of 2025", "2026 Q1", "Q1".

use chrono::{Datelike, Months, NaiveDate};

use crate::annotate::{Piece, What};
use crate::meaning::Cue;
use crate::text::Text;

use super::Ends;

impl Text<'_> {
    /// "Q1 2026", "the second half of 2025", "2026 Q1": the first and the last day.
    pub(super) fn part_of_year(&self, at: usize) -> Option<(Ends, usize)> {
        let (months, number, to) = self.quarter_or_half(at).or_else(|| {
            let (months, number, to) = self.quarter_or_half(at + 1)?;
            self.year(at).map(|_| (months, number, to))
        })?;
        let (year, to) = match self.year(at) {
            Some(year) => (year, to),
            None => {
                let behind = self.skip(to, &["of", ",", "in", "for", "during", "(", ":", "/"]);
                // "Q1 for 2000 employees" counts these.
                let year = self.year(behind);
                match year.filter(|_| !self.may_be(behind + 1, Cue::Employees)) {
                    Some(year) => {
                        let is_open = (to..behind).any(|at| self.is_mark(at, '('));
                        let closes = is_open && self.is_mark(behind + 1, ')');
                        (year, behind + 1 + usize::from(closes))
                    }
                    None => (self.year_of_parts(to)?, to),
                }
            }
        };
        let first = NaiveDate::from_ymd_opt(year, (number - 1) * months + 1, 1)?;
        let last = first.checked_add_months(Months::new(months))?.pred_opt()?;
        Some(((first, last), to))
    }

    /// "Q1", "second quarter", "H2": its months, which one it is, and the piece behind.
    fn quarter_or_half(&self, at: usize) -> Option<(u32, u32, usize)> {
        const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];
        let said = self.said(at);
        let (months, number, to) = if let Some(number) = said.strip_prefix('q') {
            (3, number.parse().ok()?, at + 1)
        } else if let Some(number) = said.strip_prefix('h') {
            (6, number.parse().ok()?, at + 1)
        } else {
            let months = match self.said(at + 1).as_str() {
                "quarter" => 3,
                "half" => 6,
                _ => return None,
            };
            let place = ORDINALS.iter().position(|ordinal| *ordinal == said)?;
            // One of four.
            (months, place as u32 + 1, at + 2)
        };
        (1..=12 / months)
            .contains(&number)
            .then_some((months, number, to))
    }

    /// The year of a further part of a year that a list goes on with: "(Q1) to Q3 2025".
    fn year_of_parts(&self, at: usize) -> Option<i32> {
        let joins = self.may_be(at, Cue::Or) || self.may_be(at, Cue::And) || self.says_to(at);
        let is_mark = self.is_mark(at, ',') || self.is_mark(at, '/') || self.is_mark(at, '&');
        // "Q1, Q2 2025", "Q1, Q2, and Q3 2025"
        let is_part = |at| self.quarter_or_half(at).is_some();
        let next = match self.may_be(at + 1, Cue::Or) || self.may_be(at + 1, Cue::And) {
            true if is_mark && is_part(at + 2) => at + 2,
            _ => at + 1,
        };
        let goes_on = joins || is_mark && is_part(next);
        let ((first, _), _) = self.date(next).filter(|_| goes_on)?;
        Some(first.year())
    }

    /// "Q1", "the first half", the last such one that has begun. "The first quarter of another year", "Q1 '25" are others.
    pub(super) fn last_part(&self, at: usize, today: NaiveDate) -> Option<(Ends, usize)> {
        let (months, number, to) = self.quarter_or_half(at)?;
        let is_other = ["of", "last", "next", "previous", "past", "this", "'", "’"];
        let is_open = |piece: &Piece| {
            piece.number().is_some()
                || matches!(&piece.what, What::Phrase(meanings) if meanings.is_empty())
        };
        if is_other.contains(&self.said(to).as_str()) || self.piece(to).is_some_and(is_open) {
            return None;
        }
        let this = NaiveDate::from_ymd_opt(today.year(), (number - 1) * months + 1, 1)?;
        let first = if this > today {
            this.with_year(today.year() - 1)?
        } else {
            this
        };
        let last = first.checked_add_months(Months::new(months))?.pred_opt()?;
        Some(((first, last), to))
    }
}
