//! Times: "in the last 3 months", "since June 2026", "founded in the 1990s".

use chrono::NaiveDate;

use crate::meaning::Cue;
use crate::text::Text;

mod dates;
mod months;
mod parts;
mod spans;
mod years;

pub(crate) use years::{decade, founded};

/// The first and the last day of a month, a year or a part of it.
type Ends = (NaiveDate, NaiveDate);

/// Words in front of a time that say nothing of it.
const IN_FRONT: &[&str] = &[
    "at", "some", "any", "time", "sometime", "only", "again", "is", "was", ":", "anytime",
];

/// What leads to a time that it bounds, in the order in which it is asked.
const BOUNDS: [Cue; 5] = [Cue::Since, Cue::After, Cue::More, Cue::Before, Cue::Less];

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
    /// A time, which may end before it begins.
    fn any_period(&self, from: usize, today: NaiveDate) -> Option<Period> {
        let at = self.skip(from, IN_FRONT);
        self.this_year(at, today)
            .or_else(|| self.in_last(at, today))
            .or_else(|| self.between(at, today))
            .or_else(|| self.this_part(at, today))
            .or_else(|| self.ago(at, today))
            .or_else(|| self.bounded(at, today))
            .or_else(|| self.in_dates(at, today))
    }

    /// "Between March and May 2026"
    fn between(&self, at: usize, today: NaiveDate) -> Option<Period> {
        if !self.may_be(at, Cue::Between) {
            return None;
        }
        let ((first, _), next) = self.date_or_month(at + 1, today)?;
        if !self.may_be(next, Cue::And) && !self.says_to(next) {
            return None;
        }
        let ((_, last), to) = self.date_or_month(next + 1, today)?;
        Some(Period {
            first: Some(first),
            last: Some(last),
            to,
        })
    }

    /// "Since May", "before 2025", "from March to May 2026".
    fn bounded(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let cue = BOUNDS.into_iter().find(|cue| self.may_be(at, *cue))?;
        let ((begin, end), to) = self.date_or_month(at + 1, today)?;
        let says_now = |at| matches!(self.said(at).as_str(), "now" | "today" | "present" | "date");
        // "From March to May 2026"
        if cue == Cue::Since && self.says_to(to) && !says_now(to + 1) {
            let ((_, last), to) = self.date_or_month(to + 1, today)?;
            return Some(Period {
                first: Some(begin),
                last: Some(last),
                to,
            });
        }
        let (first, last) = match cue {
            Cue::Since => (Some(begin), None),
            Cue::After | Cue::More => (end.succ_opt(), None),
            _ if self.said(at) == "no later than" => (None, Some(end)),
            _ => (None, begin.pred_opt()),
        };
        Some(Period { first, last, to })
    }

    /// "In May 2026", "2024 to 2025", "June 2025 or later"; a month without its year only behind "in".
    fn in_dates(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let is_led_in = self.may_be(at, Cue::During) || self.may_be(at, Cue::In);
        let start = if is_led_in {
            self.skip(at + 1, &["the", "year"])
        } else {
            at
        };
        let in_month = || self.last_begun(start, today).filter(|_| is_led_in);
        let ((begin, end), to) = self.date(start).or_else(in_month)?;
        if self.says_to(to)
            && let Some(((_, last), to)) = self.date_or_month(to + 1, today)
        {
            return Some(Period {
                first: Some(begin),
                last: Some(last),
                to,
            });
        }
        let behind = format!("{} {}", self.said(to), self.said(to + 1));
        let (first, last, to) = match behind.as_str() {
            "or later" | "and later" | "or after" | "or newer" => (Some(begin), None, to + 2),
            "or earlier" | "or before" => (None, Some(end), to + 2),
            _ => (Some(begin), Some(end), to),
        };
        Some(Period { first, last, to })
    }

    /// Whether a piece leads from the begin of a time to its end.
    fn says_to(&self, at: usize) -> bool {
        let said = self.said(at);
        self.may_be(at, Cue::To)
            || self.is_mark(at, '–')
            || matches!(said.as_str(), "through" | "until" | "till" | "thru")
    }
}
