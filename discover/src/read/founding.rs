//! When companies were founded: "founded since 2018", "founded in 2000, 2005 or 2010", "founded neither in 2000 nor 2001".

use chrono::Datelike;

use crate::Reason;
use crate::amount::Bounds;
use crate::cond::Cond;
use crate::meaning::Cue;
use crate::time::{decade, founded};

use super::{Class, Is, Reader};

impl Reader<'_> {
    /// Years behind a word of founding.
    pub(super) fn founding(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.founded_about(at).or_else(|| self.not_founded(at)) {
            return Some(to);
        }
        if let Some(to) = self.founded_ago(at) {
            return Some(to);
        }
        // "est. 2005"
        let is_short = self.text.said(at) == "est" && self.text.is_mark(at + 1, '.');
        if is_short && let Some((bounds, to)) = founded(self.text, at + 2, self.today) {
            return Some(self.founded_in(bounds, at, to));
        }
        let found = (1..=3).find_map(|skip| {
            let is_passed = (1..skip).all(|passed| {
                self.text
                    .piece(at + passed)
                    .is_some_and(|piece| piece.is_small())
                    && !self.says_not(at + passed)
                    && !self.bounds_year(at + passed)
            });
            is_passed
                .then(|| founded(self.text, at + skip, self.today))
                .flatten()
        });
        if let Some((bounds, to)) = found {
            let to = self.founded_in(bounds, at, to);
            return Some(self.further_year(to));
        }
        if let Some(amount) = (1..=2).find_map(|skip| self.text.amount(at + skip))
            && matches!(self.text.stem(amount.to).as_str(), "year" | "yr")
            && self.text.said(amount.to + 1) != "ago"
            && amount
                .bounds
                .low
                .or(amount.bounds.high)
                .is_some_and(|(years, _)| years <= 2_000.0)
        {
            let bounds = self.born(amount.bounds);
            return Some(self.founded(bounds, at, amount.to + 1));
        }
        None
    }

    /// Whether a piece bounds what follows; a decade behind one that could not be read with it is not meant.
    fn bounds_year(&self, at: usize) -> bool {
        let is_bound = [Cue::Before, Cue::After, Cue::Since]
            .iter()
            .any(|cue| self.text.may_be(at, *cue));
        is_bound && !matches!(self.text.said(at).as_str(), "from" | "in" | "of")
    }

    /// "founded less than 5 years ago": not "5 years ago", which is a year that nobody knows to the day.
    fn founded_ago(&mut self, at: usize) -> Option<usize> {
        let amount = self.text.amount(at + 1).filter(|amount| {
            let is_years = matches!(self.text.stem(amount.to).as_str(), "year" | "yr");
            is_years && self.text.said(amount.to + 1) == "ago" && !amount.is_bare
        })?;
        let ends = [amount.bounds.low, amount.bounds.high];
        let is_age = ends.iter().flatten().all(|(years, _)| *years <= 1_000.0);
        let born = self.born(amount.bounds);
        is_age.then(|| self.founded(born, at, amount.to + 2))
    }

    /// "founded around 2000": no year that could be compared with.
    fn founded_about(&mut self, at: usize) -> Option<usize> {
        let is_about = matches!(
            self.text.said(at + 1).as_str(),
            "around" | "about" | "circa" | "roughly" | "approximately" | "near"
        );
        (is_about && self.text.year(at + 2).is_some())
            .then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, at + 3))
    }

    /// "founded not in 2000", "founded in neither 2000 nor 2001"
    fn not_founded(&mut self, at: usize) -> Option<usize> {
        let not = self.text.skip(at + 1, &["in", "in the"]);
        if !self.says_not(not) {
            return None;
        }
        let (bounds, to) = founded(self.text, not + 1, self.today)?;
        self.push(Is::Noise, at, not);
        self.push(Is::Not, not, not + 1);
        let to = self.founded_in(bounds, not + 1, to);
        Some(self.further_year(to))
    }

    /// Years, and those of a list behind them: "in 2000, 2005 or 2010". No company has two, so that all are alternatives.
    fn founded_in(&mut self, first: Bounds, from: usize, to: usize) -> usize {
        let mut years = vec![Cond::Number("founded", first)];
        let mut end = to;
        if is_closed(first) && !self.is_person() {
            while let Some((bounds, behind)) = self.listed_year(end) {
                years.push(Cond::Number("founded", bounds));
                end = behind;
            }
        }
        if years.len() == 1 || self.goes_on_with_number(end) {
            return self.founded(first, from, to);
        }
        self.condition(Class::Founded, Cond::any(years), from, end)
    }

    /// A further year behind what goes on with a list, and the piece behind it. Where something else is counted, "2000 to 3000", "2000
    /// or fewer", "2000 million", it is none.
    fn listed_year(&self, at: usize) -> Option<(Bounds, usize)> {
        let next = self.over_join(at)?;
        let is_led_in = self.text.may_be(next, Cue::During) || self.text.said(next) == "in";
        let year = self.text.skip(next + usize::from(is_led_in), &["the"]);
        // "In the seventies or eighties"
        if let Some((first, to)) = decade(self.text, year) {
            let bounds = Bounds {
                low: Some((first, true)),
                high: Some((first + 9.0, true)),
            };
            return Some((bounds, to));
        }
        let said = self.text.said(year);
        let is_written = said.len() == 4 && said.bytes().all(|byte| byte.is_ascii_digit());
        let is_one = self
            .text
            .year(year)
            .is_some_and(|year| (1700..=2100).contains(&year));
        let to = year + 1;
        if !is_written || !is_one || !self.ends_year(to) {
            return None;
        }
        let (bounds, end) = founded(self.text, next, self.today)?;
        (is_closed(bounds) && end == to).then_some((bounds, end))
    }

    /// Whether nothing behind a number says that it is no year: the text ends, a mark or a place follows, or a list goes on.
    fn ends_year(&self, at: usize) -> bool {
        if let Some(next) = self.over_join(at) {
            return !matches!(
                self.text.said(next).split(' ').next(),
                Some(
                    "fewer"
                        | "less"
                        | "more"
                        | "above"
                        | "over"
                        | "below"
                        | "under"
                        | "higher"
                        | "lower"
                        | "greater"
                        | "larger"
                        | "smaller"
                        | "up"
                        | "so"
                )
            );
        }
        let is_end = [';', '.', '\n', ')', '!', '?']
            .iter()
            .any(|mark| self.text.is_mark(at, *mark));
        let is_where = self.text.may_be(at, Cue::In) && self.is_place_at(at + 1);
        let leads_on = is_where || self.text.said(at) == "with";
        self.text.piece(at).is_none() || is_end || leads_on
    }

    /// Whether a list of years goes on with a number that is none of them, so that nobody knows where it ends.
    fn goes_on_with_number(&self, at: usize) -> bool {
        self.over_join(at)
            .is_some_and(|next| self.text.number(next).is_some())
    }

    /// The piece behind what goes on with a list: a separator, or "nor".
    fn over_join(&self, at: usize) -> Option<usize> {
        if self.text.may_be(at, Cue::Nor) {
            return Some(at + 1);
        }
        self.separator(at)
    }

    /// "founded after 2015 but before 2020", "founded before 1990 or after 2015": a second bound without the word.
    fn further_year(&mut self, at: usize) -> usize {
        let is_or = self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::Nor);
        let mut next = if is_or { at + 1 } else { at };
        while self.text.is_mark(next, ',')
            || self.text.may_be(next, Cue::But)
            || self.text.may_be(next, Cue::And)
        {
            next += 1;
        }
        let is_bound = [Cue::Before, Cue::After, Cue::Since]
            .iter()
            .any(|cue| self.text.may_be(next, *cue));
        if next == at
            || !is_bound
            || self.text.may_be(next, Cue::In) && self.text.said(next) != "from"
        {
            return at;
        }
        match founded(self.text, next, self.today) {
            Some((bounds, to)) => {
                let joined = if is_or { Is::Or } else { Is::But };
                self.push(joined, at, next);
                self.founded(bounds, next, to)
            }
            None => at,
        }
    }

    /// Bounds of the age of a company as bounds of its year.
    pub(super) fn born(&self, age: Bounds) -> Bounds {
        let this = f64::from(self.today.year());
        let flip = |bound: Option<(f64, bool)>| bound.map(|(years, inside)| (this - years, inside));
        Bounds {
            low: flip(age.high),
            high: flip(age.low),
        }
    }

    pub(super) fn founded(&mut self, bounds: Bounds, from: usize, to: usize) -> usize {
        if self.is_person() {
            return self.push(Is::Unsupported(Reason::NoSuchField), from, to);
        }
        self.condition(Class::Founded, Cond::Number("founded", bounds), from, to)
    }
}

/// Whether bounds have two ends, both inside.
const fn is_closed(bounds: Bounds) -> bool {
    matches!(
        (bounds.low, bounds.high),
        (Some((_, true)), Some((_, true)))
    )
}
