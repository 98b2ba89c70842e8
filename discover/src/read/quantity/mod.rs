//! Numbers with what they count (docs/DISCOVER.md, R6): each thing that is counted is a file.

mod behind;
mod employees;
mod experience;
mod sources;
mod tenure;
mod years;

use crate::Reason;
use crate::amount::{Amount, MONEY};
use crate::meaning::Cue;

use super::{Class, Is, Reader};

/// Words that may stand between a number and its unit.
const BEFORE_UNIT: &[&str] = &["full time", "total", "of", "different", "independent"];

/// Words between what is counted and its number: "headcount should be (500)".
const BEFORE_NUMBER: &[&str] = &[
    ":",
    "of",
    "is",
    "are",
    "was",
    "should be",
    "should",
    "be",
    "must",
    "must be",
    "size",
    "in",
    "has to",
    "to",
    "=",
    "range",
    "count",
    "level",
    "a",
];

impl Reader<'_> {
    /// A number with its unit behind it: "5+ years of experience", "over 200 employees", "30% growth".
    pub(super) fn quantity(&mut self, at: usize) -> Option<usize> {
        if !self.begins_amount(at) {
            return None;
        }
        let amount = self.text.amount(at)?;
        if let Some(to) = self.not_comparable(at, amount) {
            return Some(to);
        }
        if let Some(from) = self.unread_bound(at, amount)
            && let Some(to) = self.unread_amount(from, amount.to)
        {
            return Some(to);
        }
        if let Some(to) = self.window_of_growth(at) {
            return Some(to);
        }
        let unit = self.text.skip(amount.to, BEFORE_UNIT);
        if let Some(to) = self.shared_unit(at, amount) {
            return Some(to);
        }
        if self.is_of_period(amount, unit) {
            return self.of_period(at, amount, unit);
        }
        if self.says_years(unit) {
            return self.years(at, amount, unit);
        }
        self.with_unit(at, amount, unit)
            .or_else(|| self.continued(at, amount))
            .or_else(|| self.bare_size_or_age(at, amount, unit))
    }

    /// A number behind what it counts: "headcount of 100 to 2,000", "average tenure over 6 years", "experience: 5+ years".
    pub(super) fn amount_subject(&mut self, at: usize) -> Option<usize> {
        let next = self.text.skip(at + 1, BEFORE_NUMBER);
        self.headcount_in_front(at, next)
            .or_else(|| self.tenure_in_front(at, next))
            .or_else(|| self.experience_in_front(at, next))
            .or_else(|| self.sources_in_front(at, next))
    }

    /// Whether a number, or a word that bounds one, stands there.
    fn begins_amount(&self, at: usize) -> bool {
        let bounds = [
            Cue::More,
            Cue::Less,
            Cue::AtLeast,
            Cue::AtMost,
            Cue::Between,
            Cue::Exactly,
        ];
        self.text.number(at).is_some()
            || bounds.iter().any(|cue| self.text.may_be(at, *cue))
            || self.text.said(at) == "from"
            || MONEY.iter().any(|mark| self.text.is_mark(at, *mark))
    }

    /// "Around 200" is no number that could be compared with, and of money no column tells.
    fn not_comparable(&mut self, at: usize, amount: Amount) -> Option<usize> {
        let is_about = at.checked_sub(1).is_some_and(|before| {
            matches!(
                self.text.said(before).as_str(),
                "around"
                    | "about"
                    | "roughly"
                    | "approximately"
                    | "circa"
                    | "ca"
                    | "nearly"
                    | "almost"
                    | "some"
            )
        });
        if is_about && amount.is_bare && self.text.year(at).is_none() {
            if let Some(to) = self.unread_amount(at - 1, amount.to) {
                return Some(to);
            }
            return Some(self.unsupported_clause(at - 1, amount.to, Reason::NoSuchField));
        }
        amount
            .is_money
            .then(|| self.unsupported_clause(at, amount.to, Reason::NoSuchField))
    }

    /// Whether it is a percentage, a number of months or quarters, or a growth in years.
    fn is_of_period(&self, amount: Amount, unit: usize) -> bool {
        let stem = self.text.stem(unit);
        amount.is_percent
            || matches!(stem.as_str(), "month" | "mo" | "mth" | "quarter")
            || stem == "year" && self.growth_near(unit + 1) == Some(unit + 1)
    }

    /// "30% growth", "6 months of growth", "18 months average tenure".
    fn of_period(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let behind = if amount.is_percent { unit } else { unit + 1 };
        if let Some(growth) = self.growth_near(behind) {
            return self.growth(growth, Some((amount, at)));
        }
        if let Some(to) = self.signed_growth(at, amount) {
            return Some(to);
        }
        let years = match self.text.stem(unit).as_str() {
            "quarter" => 0.25,
            _ => 1.0 / 12.0,
        };
        self.text
            .may_be(unit + 1, Cue::Tenure)
            .then(|| self.tenure(at, amount.bounds, unit + 2, years))
    }

    /// Where a word of growth stands within a few small words.
    pub(super) fn growth_near(&self, at: usize) -> Option<usize> {
        (at..at + 5)
            .take_while(|at| {
                self.text.piece(*at).is_some_and(|piece| {
                    piece.is_small() && !piece.may_be(Cue::Or) && !piece.may_be(Cue::But)
                })
            })
            .find(|at| self.text.may_be(*at, Cue::Growth) || self.text.may_be(*at, Cue::Shrinking))
    }

    /// A number of what the words behind it name, other than a time.
    fn with_unit(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let is = |cue| self.text.may_be(unit, cue);
        if is(Cue::Old) {
            return Some(self.age(at, amount.bounds, unit + 1));
        }
        if is(Cue::Experience) {
            return Some(self.experience(at, amount.bounds, unit + 1));
        }
        if is(Cue::Employees) {
            return Some(self.employees(at, amount, unit + 1));
        }
        if is(Cue::Sources) {
            return Some(self.sources(at, amount.bounds, unit));
        }
        if is(Cue::Size)
            || self.text.stem(unit) == "company" && self.text.may_be(unit + 1, Cue::Size)
        {
            return Some(self.employees(at, amount, unit + 1));
        }
        is(Cue::Tenure).then(|| self.tenure(at, amount.bounds, unit + 1, 1.0))
    }

    /// A year that goes on with the dates in front of it.
    fn continued(&mut self, at: usize, amount: Amount) -> Option<usize> {
        if !amount.is_bare || self.text.year(at).is_none() {
            return None;
        }
        let follows = |sought: Class, within: usize| {
            let mut last = self.items.iter().rev().take(within);
            last.any(|item| matches!(item.what, Is::Condition(class, _) if class == sought))
        };
        // "founded since 2008 but not in 2020"
        if follows(Class::Founded, 4) {
            return Some(self.founded(amount.bounds, at, amount.to));
        }
        // "seen in 2019 or 2020"
        if follows(Class::Seen, 3)
            && let Some(period) = self.text.period(at, self.today)
        {
            let cond = self.seen(period);
            return Some(self.condition(Class::Seen, cond, at, period.to));
        }
        None
    }

    /// Without a unit: a range that is a size, or what is the age of a person.
    fn bare_size_or_age(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        // "private, 201-500, founded 2010+"
        if amount.is_range && employees::bucket(amount.bounds).is_some() {
            return Some(self.employees(at, amount, amount.to));
        }
        let end = amount.bounds.low.or(amount.bounds.high);
        let may_be_age = end.is_some_and(|(number, _)| (16.0..=80.0).contains(&number));
        let is_age = self.is_person()
            && !amount.is_bare
            && (self.compares_age(at) || may_be_age)
            && !self.text.may_be(unit, Cue::Companies);
        is_age.then(|| self.push(Is::Unsupported(Reason::ProtectedTrait), at, amount.to))
    }

    /// "under 50 or over 5,000 employees": a number whose unit stands behind the next one.
    fn shared_unit(&mut self, at: usize, amount: Amount) -> Option<usize> {
        let is_number = |amount: &Amount| !amount.is_percent && !amount.is_money;
        if !self.text.may_be(amount.to, Cue::Or) || !is_number(&amount) {
            return None;
        }
        let next = self.text.amount(amount.to + 1).filter(is_number)?;
        if self.text.may_be(next.to, Cue::Employees) {
            return Some(self.employees(at, amount, amount.to));
        }
        let says_experience = (next.to + 1..next.to + 3)
            .take_while(|at| self.text.piece(*at).is_some_and(|piece| piece.is_small()))
            .any(|at| self.text.may_be(at, Cue::Experience));
        (self.says_years(next.to) && says_experience && self.is_person())
            .then(|| self.experience(at, amount.bounds, amount.to))
    }
}
