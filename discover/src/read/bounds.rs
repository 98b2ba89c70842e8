//! Bounds that stand apart from their unit: "employ at least 500", "more experience than 5 years", and those that nothing reads.

use crate::Reason;
use crate::amount::{Amount, Bounds};
use crate::annotate::What;
use crate::meaning::Cue;

use super::{Is, Item, Reader};

/// So many items lie at most between a bound that is not read and its number: "between one hundred and fifty and 300".
const MAX_BETWEEN: usize = 6;

/// Behind these the number of those who work somewhere is said.
const STAFF: &[&str] = &[
    "employ",
    "employs",
    "employing",
    "staff of",
    "employees of",
    "workforce of",
    "headcount of",
];

impl Reader<'_> {
    /// Where what nobody read stands in front of a number and bounds it: "more than umpteen 50", "10 200", "a few hundred". The number
    /// alone would ask for exactly so many.
    pub(super) fn unread_bound(&self, at: usize, amount: Amount) -> Option<usize> {
        let before = at.checked_sub(1)?;
        if amount.bounds.low != amount.bounds.high {
            return None;
        }
        let said = self.text.said(before);
        if matches!(
            said.as_str(),
            "few" | "several" | "couple" | "couple of" | "many"
        ) {
            return Some(before);
        }
        // "Bulkier than 50": than what is not read.
        if said == "than" {
            return Some(before.saturating_sub(1));
        }
        let bounds = [
            Cue::More,
            Cue::Less,
            Cue::AtLeast,
            Cue::AtMost,
            Cue::Between,
        ];
        let is_number = |at: usize| self.text.number(at).is_some();
        let is_bound = |at: usize| bounds.into_iter().any(|cue| self.text.may_be(at, cue));
        let is_open = |item: &&Item| {
            matches!(
                item.what,
                Is::Unknown | Is::Small | Is::Unsupported(_) | Is::And
            )
        };
        let mut open = self
            .items
            .iter()
            .rev()
            .take(MAX_BETWEEN)
            .take_while(is_open);
        if is_number(before) && open.clone().next().is_some_and(|last| last.to == at) {
            return Some(before);
        }
        let bound = open.find(|item| (item.from..item.to).any(is_bound))?;
        Some(bound.from)
    }

    /// A number whose bound is not read, with its unit.
    pub(super) fn unread_amount(&mut self, from: usize, to: usize) -> Option<usize> {
        let units = [Cue::Employees, Cue::Experience, Cue::Sources, Cue::Old];
        let is_unit = |at: usize| {
            matches!(self.text.stem(at).as_str(), "year" | "yr")
                || units.into_iter().any(|cue| self.text.may_be(at, cue))
        };
        let units = (to..).take_while(|at| is_unit(*at)).count();
        if units == 0 {
            return None;
        }
        while self.items.last().is_some_and(|last| last.from >= from) {
            self.items.pop();
        }
        Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to + units))
    }

    /// "Companies that employ at least 500", "with a staff of fewer than 50": no number of nurses, say.
    pub(super) fn staff_subject(&mut self, at: usize) -> Option<usize> {
        if !STAFF.contains(&self.text.said(at).as_str()) {
            return None;
        }
        let amount = self.text.amount(at + 1)?;
        let has_unit = self.text.may_be(amount.to, Cue::Employees);
        let is_count = !amount.is_percent && !amount.is_money && amount.bounds != Bounds::default();
        if !is_count || !has_unit && !self.ends_amount(amount) {
            return None;
        }
        let to = amount.to + usize::from(has_unit);
        Some(self.employees(at, amount, to))
    }

    /// "More experience than 5 years", "fewer employees than 200": the unit parts the bound.
    pub(super) fn unit_in_front(&mut self, at: usize) -> Option<usize> {
        let is_over = match self.text.said(at).as_str() {
            "more" | "longer" => true,
            "less" | "fewer" => false,
            _ => return None,
        };
        let unit = at + 1;
        let is_of_years = self.text.may_be(unit, Cue::Experience);
        let is_of_people = self.text.may_be(unit, Cue::Employees);
        if !is_of_years && !is_of_people || self.text.said(unit + 1) != "than" {
            return None;
        }
        let mut amount = self.text.amount(unit + 2).filter(|amount| amount.is_bare)?;
        let bound = amount.bounds.low.map(|(number, _)| (number, false));
        amount.bounds = match is_over {
            true => Bounds {
                low: bound,
                high: None,
            },
            false => Bounds {
                low: None,
                high: bound,
            },
        };
        let says_years = matches!(self.text.stem(amount.to).as_str(), "year" | "yr");
        if is_of_years && says_years {
            return Some(self.experience(at, amount.bounds, amount.to + 1));
        }
        (is_of_people && self.ends_amount(amount)).then(|| self.employees(at, amount, amount.to))
    }

    /// Whether nothing behind an amount says what it counts.
    pub(super) fn ends_amount(&self, amount: Amount) -> bool {
        if amount.is_percent || amount.is_money {
            return false;
        }
        let Some(piece) = self.text.piece(amount.to) else {
            return true;
        };
        let joins = [Cue::In, Cue::With, Cue::And, Cue::But, Cue::Or]
            .iter()
            .any(|cue| piece.may_be(*cue));
        let is_mark = matches!(
            piece.what,
            What::Mark(',' | '.' | ';' | '\n' | ')' | '!' | '?')
        );
        is_mark || joins && self.text.number(amount.to + 1).is_none()
    }

    /// "6m growth", "1m headcount growth": the time right in front of the word.
    pub(super) fn window_of_growth(&mut self, at: usize) -> Option<usize> {
        let months = match self.text.said(at).as_str() {
            "1m" => 1,
            "3m" => 3,
            "6m" => 6,
            "12m" => 12,
            _ => return None,
        };
        self.growth_in(at + 1, months, at)
    }

    /// "pre-2000 banks", "post-2015": the year in which they were founded.
    pub(super) fn founded_beside(&mut self, at: usize) -> Option<usize> {
        let bounds = match (self.text.said(at).as_str(), self.text.year(at + 1)) {
            ("pre", Some(year)) => Bounds {
                low: None,
                high: Some((f64::from(year), false)),
            },
            ("post", Some(year)) => Bounds {
                low: Some((f64::from(year), false)),
                high: None,
            },
            _ => return None,
        };
        let is_joined = self
            .text
            .first_token(at + 1)
            .is_some_and(|token| token.is_joined);
        let behind = at + 2;
        let is_of_companies = self.text.piece(behind).is_none_or(|piece| {
            let is_end = matches!(piece.what, What::Mark(_));
            let leads_on = piece.is_small() && (piece.may_be(Cue::In) || piece.may_be(Cue::With));
            is_end || leads_on || self.text.says_companies(behind) || self.is_place_at(behind)
        });
        let is_asked = !self.is_person() && is_joined && is_of_companies;
        is_asked.then(|| self.founded(bounds, at, behind))
    }
}
