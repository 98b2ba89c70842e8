//! Times: "in the last 3 months", "since June 2026", "founded in the 1990s".

use chrono::{Datelike, Days, Month, Months, NaiveDate};

use crate::annotate::{Piece, What};
use crate::meaning::Cue;
use crate::text::Text;

mod years;

pub(crate) use years::{decade, founded};

/// A span of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Period {
    pub(crate) first: Option<NaiveDate>,
    pub(crate) last: Option<NaiveDate>,
    /// The piece behind it.
    pub(crate) to: usize,
}

impl Text<'_> {
    /// A time, from piece `at` on; none that ends before it begins.
    pub(crate) fn period(&self, from: usize, today: NaiveDate) -> Option<Period> {
        self.any_period(from, today)
            .filter(|period| match (period.first, period.last) {
                (Some(first), Some(last)) => first <= last,
                _ => true,
            })
    }

    /// A month alone that a list of months goes on with: "(in March) or May".
    pub(crate) fn listed_month(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let ((first, last), to) = self.last_begun(at, today)?;
        Some(Period {
            first: Some(first),
            last: Some(last),
            to,
        })
    }

    fn any_period(&self, from: usize, today: NaiveDate) -> Option<Period> {
        let at = self.skip(
            from,
            &[
                "at", "some", "any", "time", "sometime", "only", "again", "is", "was", ":",
                "anytime",
            ],
        );
        if self.may_be(at, Cue::This) {
            return Some(Period {
                first: today.with_month(1)?.with_day(1),
                last: None,
                to: at + 1,
            });
        }
        if self.may_be(at, Cue::Last)
            && let Some((first, to)) = self.window(at + 1, today)
        {
            return Some(Period {
                first: Some(first),
                last: None,
                to,
            });
        }
        if self.may_be(at, Cue::Between)
            && let Some((low, next)) = self.date_or_month(at + 1, today)
            && (self.may_be(next, Cue::And) || self.says_to(next))
            && let Some((high, to)) = self.date_or_month(next + 1, today)
        {
            return Some(Period {
                first: Some(low.0),
                last: Some(high.1),
                to,
            });
        }
        if let Some(period) = self.this_part(at, today).or_else(|| self.ago(at, today)) {
            return Some(period);
        }
        if let Some(period) = self.bounded(at, today) {
            return Some(period);
        }
        let is_led_in = self.may_be(at, Cue::During) || self.may_be(at, Cue::In);
        let start = if is_led_in {
            self.skip(at + 1, &["the", "year"])
        } else {
            at
        };
        let in_month = || self.last_begun(start, today).filter(|_| is_led_in);
        let (date, to) = self.date(start).or_else(in_month)?;
        if self.says_to(to)
            && let Some((high, to)) = self.date_or_month(to + 1, today)
        {
            return Some(Period {
                first: Some(date.0),
                last: Some(high.1),
                to,
            });
        }
        match format!("{} {}", self.said(to), self.said(to + 1)).as_str() {
            "or later" | "and later" | "or after" | "or newer" => {
                return Some(Period {
                    first: Some(date.0),
                    last: None,
                    to: to + 2,
                });
            }
            "or earlier" | "or before" => {
                return Some(Period {
                    first: None,
                    last: Some(date.1),
                    to: to + 2,
                });
            }
            _ => {}
        }
        Some(Period {
            first: Some(date.0),
            last: Some(date.1),
            to,
        })
    }

    /// "Since May", "before 2025", "from March to May 2026".
    fn bounded(&self, at: usize, today: NaiveDate) -> Option<Period> {
        for (cue, is_after, is_inside) in [
            (Cue::Since, true, true),
            (Cue::After, true, false),
            (Cue::More, true, false),
            (Cue::Before, false, false),
            (Cue::Less, false, false),
        ] {
            if self.may_be(at, cue)
                && let Some((date, to)) = self.date_or_month(at + 1, today)
            {
                // "From March to May 2026"
                let goes_on = matches!(
                    self.said(to + 1).as_str(),
                    "now" | "today" | "present" | "date"
                );
                if cue == Cue::Since && self.says_to(to) && !goes_on {
                    let (last, end) = self.date_or_month(to + 1, today)?;
                    return Some(Period {
                        first: Some(date.0),
                        last: Some(last.1),
                        to: end,
                    });
                }
                let said = self.said(at);
                return Some(match (is_after, is_inside) {
                    (true, true) => Period {
                        first: Some(date.0),
                        last: None,
                        to,
                    },
                    (true, false) => Period {
                        first: date.1.succ_opt(),
                        last: None,
                        to,
                    },
                    _ if said == "no later than" => Period {
                        first: None,
                        last: Some(date.1),
                        to,
                    },
                    _ => Period {
                        first: None,
                        last: date.0.pred_opt(),
                        to,
                    },
                });
            }
        }
        None
    }

    /// "This month", "this quarter", from its first day on.
    fn this_part(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let unit = self.stem(at + 1);
        let months = match unit.as_str() {
            "month" => 0,
            "quarter" => today.month0() % 3,
            _ => return None,
        };
        let first = today.with_day(1)?.checked_sub_months(Months::new(months))?;
        (self.said(at) == "this").then_some(Period {
            first: Some(first),
            last: None,
            to: at + 2,
        })
    }

    /// "More than 3 months ago", "less than a year ago".
    fn ago(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let (day, to) = self.window(at + 1, today)?;
        if self.said(to) != "ago" {
            return None;
        }
        let (first, last) = if self.may_be(at, Cue::More) {
            (None, day.pred_opt())
        } else if self.may_be(at, Cue::AtLeast) {
            (None, Some(day))
        } else if self.may_be(at, Cue::Less) || self.may_be(at, Cue::AtMost) {
            (Some(day), None)
        } else {
            return None;
        };
        Some(Period {
            first,
            last,
            to: to + 1,
        })
    }

    /// "3 months", "year": the first day of so long a time up to today.
    fn window(&self, at: usize, today: NaiveDate) -> Option<(NaiveDate, usize)> {
        let (count, at) = self.count(at);
        let unit = self.stem(at);
        let first =
            match unit.as_str() {
                "day" | "d" => today.checked_sub_days(Days::new(count)),
                "week" | "wk" => today.checked_sub_days(Days::new(count.checked_mul(7)?)),
                "month" | "mo" | "mth" | "mon" | "mont" => {
                    today.checked_sub_months(Months::new(u32::try_from(count).ok()?))
                }
                "quarter" => today
                    .checked_sub_months(Months::new(u32::try_from(count).ok()?.checked_mul(3)?)),
                "half year" | "half" => today.checked_sub_months(Months::new(6)),
                "year" | "yr" | "y" => today
                    .checked_sub_months(Months::new(u32::try_from(count).ok()?.checked_mul(12)?)),
                _ => None,
            }?;
        Some((first, at + 1))
    }

    /// A whole number in front of a unit, 1 without one.
    pub(crate) fn count(&self, at: usize) -> (u64, usize) {
        let at = self.skip(at, &["the", "a", "an"]);
        match self.number(at) {
            // Rounded towards a count.
            Some(number) if (0.0..=10_000.0).contains(&number) => (number as u64, at + 1),
            _ => (1, at),
        }
    }

    /// A day, a month or a year: its first and last day.
    fn date(&self, at: usize) -> Option<((NaiveDate, NaiveDate), usize)> {
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

    /// "Q1 2026", "the second half of 2025", "2026 Q1": the first and the last day.
    fn part_of_year(&self, at: usize) -> Option<((NaiveDate, NaiveDate), usize)> {
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

    /// The year of what a list goes on with: "(May) or June 2025".
    fn year_of_list(&self, at: usize, today: NaiveDate) -> Option<i32> {
        let joins = self.may_be(at, Cue::Or) || self.may_be(at, Cue::And) || self.says_to(at);
        let month = month_of(&self.said(at + 1));
        if !joins && (!self.is_mark(at, ',') || month.is_none()) {
            return None;
        }
        if let Some(((first, _), _)) = self.date(at + 1) {
            return Some(first.year());
        }
        // "(March), April or May 2026", "(May) or June last year"
        month?;
        let said = self.said_year(at + 2, today).map(|(year, _)| year);
        said.or_else(|| self.year_of_list(at + 2, today))
    }

    /// The year behind a month that is no number of four digits: "last year", "'25".
    fn said_year(&self, at: usize, today: NaiveDate) -> Option<(i32, usize)> {
        let at = self.skip(at, &["of"]);
        let is_year = self.stem(at + 1) == "year";
        if matches!(self.said(at).as_str(), "last year" | "this year") {
            let before = i32::from(self.said(at) == "last year");
            return Some((today.year() - before, at + 1));
        }
        if is_year && matches!(self.said(at).as_str(), "last" | "this") {
            let before = i32::from(self.said(at) == "last");
            return Some((today.year() - before, at + 2));
        }
        None
    }

    /// Whether a piece leads from the begin of a time to its end.
    fn says_to(&self, at: usize) -> bool {
        let said = self.said(at);
        self.may_be(at, Cue::To)
            || self.is_mark(at, '–')
            || matches!(said.as_str(), "through" | "until" | "till" | "thru")
    }

    fn date_or_month(
        &self,
        at: usize,
        today: NaiveDate,
    ) -> Option<((NaiveDate, NaiveDate), usize)> {
        self.date(at).or_else(|| self.last_begun(at, today))
    }

    /// A month, a quarter or a half without its year, the last such one that has begun.
    fn last_begun(&self, at: usize, today: NaiveDate) -> Option<((NaiveDate, NaiveDate), usize)> {
        self.last_month(at, today)
            .or_else(|| self.last_part(at, today))
    }

    /// "Q1", "the first half", the last such one that has begun. "The first quarter of another year", "Q1 '25" are others.
    fn last_part(&self, at: usize, today: NaiveDate) -> Option<((NaiveDate, NaiveDate), usize)> {
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

    /// A month without its year, the last such one that has begun: its first and last day.
    fn last_month(&self, at: usize, today: NaiveDate) -> Option<((NaiveDate, NaiveDate), usize)> {
        let month = month_of(&self.said(at))?;
        let this = NaiveDate::from_ymd_opt(today.year(), month, 1)?;
        let said = self.said_year(at + 1, today);
        let to = said.map_or(at + 1, |(_, to)| to);
        let year = said.map(|(year, _)| year);
        // "In May '25", "in May of another year"
        let is_other = ["'", "’", "of", "last", "next", "previous", "past"];
        let is_mark = self.is_mark(to, '\'') || self.is_mark(to, '’');
        if year.is_none() && (is_mark || is_other.contains(&self.said(to).as_str())) {
            return None;
        }
        let first = match year.or_else(|| self.year_of_list(at + 1, today)) {
            Some(year) => this.with_year(year)?,
            None if this > today => this.with_year(today.year() - 1)?,
            None => this,
        };
        let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
        // "In May 15" is another day.
        self.number(to).is_none().then_some(((first, last), to))
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
fn month_of(word: &str) -> Option<u32> {
    let is_short = (3..=4).contains(&word.len());
    let month = (1..=12_u8).find(|month| {
        Month::try_from(*month).is_ok_and(|month| {
            let name = month.name().to_ascii_lowercase();
            name == word || is_short && name.starts_with(word)
        })
    });
    month.map(u32::from)
}
