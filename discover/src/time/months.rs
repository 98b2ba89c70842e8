//! Times without their year, which are the last such ones that have begun, unless a list names it: "since May", "May or June 2025".

use chrono::{Datelike, Months, NaiveDate};

use crate::meaning::Cue;
use crate::text::Text;

use super::Ends;
use super::dates::month_of;

impl Text<'_> {
    /// A month, a quarter or a half without its year, the last such one that has begun.
    pub(super) fn last_begun(&self, at: usize, today: NaiveDate) -> Option<(Ends, usize)> {
        self.last_month(at, today)
            .or_else(|| self.last_part(at, today))
    }

    /// A month without its year, the last such one that has begun: its first and last day.
    fn last_month(&self, at: usize, today: NaiveDate) -> Option<(Ends, usize)> {
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
}
