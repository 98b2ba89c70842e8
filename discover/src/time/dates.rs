//! Days, months and years with their year: "2026-02-03", "March 15, 2026", "June 2025", "2024".

use chrono::{Month, Months, NaiveDate};

use crate::annotate::Piece;
use crate::text::Text;

use super::Ends;

impl Text<'_> {
    /// A day, a month or a year, or one without its year.
    pub(super) fn date_or_month(&self, at: usize, today: NaiveDate) -> Option<(Ends, usize)> {
        self.date(at).or_else(|| self.last_begun(at, today))
    }

    /// A day, a month or a year: its first and last day.
    pub(super) fn date(&self, at: usize) -> Option<(Ends, usize)> {
        let mut at = self.skip(
            at,
            &["the", "year", "of", "start", "beginning", "january 1st"],
        );
        if let Some(day) = self.day(at) {
            return Some(((day.0, day.0), day.1));
        }
        if let Some(part) = self.part_of_year(at) {
            return Some(part);
        }
        let mut month = None;
        if let Some(found) = month_of(&self.said(at)) {
            month = Some(found);
            at = self.skip(at + 1, &["of", ",", "1st", "1"]);
        }
        let year = self.year(at);
        match (month, year) {
            (Some(month), Some(year)) => {
                let first = NaiveDate::from_ymd_opt(year, month, 1)?;
                let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
                Some(((first, last), at + 1))
            }
            (None, Some(year)) => {
                if self.is_mark(at + 1, '–')
                    && let Some(number) = self.piece(at + 2).and_then(Piece::number)
                    && (1.0..=12.0).contains(&number)
                {
                    let first = NaiveDate::from_ymd_opt(year, number as u32, 1)?;
                    let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
                    return Some(((first, last), at + 3));
                }
                if self.is_mark(at + 1, '–') {
                    return None;
                }
                let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
                let last = NaiveDate::from_ymd_opt(year, 12, 31)?;
                Some(((first, last), at + 1))
            }
            _ => None,
        }
    }

    /// A day: 2026-02-03, March 15, 2026, 15 March 2026.
    fn day(&self, at: usize) -> Option<(NaiveDate, usize)> {
        let whole = |at: usize| -> Option<u32> {
            let number = self.piece(at)?.number()?;
            ((1.0..=31.0).contains(&number) && number.fract() == 0.0).then_some(number as u32)
        };
        if let (Some(year), true, Some(month), true, Some(day)) = (
            self.year(at),
            self.is_mark(at + 1, '–'),
            whole(at + 2),
            self.is_mark(at + 3, '–'),
            whole(at + 4),
        ) {
            return Some((NaiveDate::from_ymd_opt(year, month, day)?, at + 5));
        }
        let ordinal = |at: usize| {
            if matches!(self.said(at).as_str(), "st" | "nd" | "rd" | "th" | "of") {
                at + 1
            } else {
                at
            }
        };
        if let (Some(month), Some(day)) = (month_of(&self.said(at)), whole(at + 1)) {
            let next = ordinal(at + 2);
            let next = if self.is_mark(next, ',') {
                next + 1
            } else {
                next
            };
            return Some((
                NaiveDate::from_ymd_opt(self.year(next)?, month, day)?,
                next + 1,
            ));
        }
        let day = whole(at)?;
        let next = ordinal(ordinal(at + 1));
        let month = month_of(&self.said(next))?;
        Some((
            NaiveDate::from_ymd_opt(self.year(next + 1)?, month, day)?,
            next + 2,
        ))
    }

    /// A year of the time in which companies exist.
    pub(crate) fn year(&self, at: usize) -> Option<i32> {
        let number = self.piece(at)?.number()?;
        ((1000.0..=2100.0).contains(&number) && number.fract() == 0.0).then_some(number as i32)
    }
}

/// 1 to 12 of an English month or its first three or four letters.
pub(super) fn month_of(word: &str) -> Option<u32> {
    let is_short = (3..=4).contains(&word.len());
    let month = (1..=12_u8).find(|month| {
        Month::try_from(*month).is_ok_and(|month| {
            let name = month.name().to_ascii_lowercase();
            name == word || is_short && name.starts_with(word)
        })
    });
    month.map(u32::from)
}
