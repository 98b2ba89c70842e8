//! Times up to today: "this year", "this quarter", "in the last 3 months", "more than a year ago".

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::meaning::Cue;
use crate::text::Text;

use super::Period;

impl Text<'_> {
    /// "This year", from January 1st on.
    pub(super) fn this_year(&self, at: usize, today: NaiveDate) -> Option<Period> {
        let first = today.with_month(1)?.with_day(1);
        self.may_be(at, Cue::This).then_some(Period {
            first,
            last: None,
            to: at + 1,
        })
    }

    /// "In the last 3 months", from its first day on.
    pub(super) fn in_last(&self, at: usize, today: NaiveDate) -> Option<Period> {
        if !self.may_be(at, Cue::Last) {
            return None;
        }
        let (first, to) = self.window(at + 1, today)?;
        Some(Period {
            first: Some(first),
            last: None,
            to,
        })
    }

    /// "This month", "this quarter", from its first day on.
    pub(super) fn this_part(&self, at: usize, today: NaiveDate) -> Option<Period> {
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
    pub(super) fn ago(&self, at: usize, today: NaiveDate) -> Option<Period> {
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
        let is_half = self.said(at) == "half" && self.stem(at + 1) == "year";
        let at = at + usize::from(is_half);
        let unit = match is_half {
            true => "half".to_owned(),
            false => self.stem(at),
        };
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
}
