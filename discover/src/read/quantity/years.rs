//! A number of years, which the words around it make an age, a tenure or experience: "10 years old", "5 years at Google".

use crate::Reason;
use crate::amount::{Amount, Bounds};
use crate::annotate::What;
use crate::meaning::Cue;

use super::super::{Class, Is, Reader};

/// More years than any company is old.
const MAX_AGE: f64 = 2_000.0;

impl Reader<'_> {
    /// "(5) years", "(5) y"
    pub(super) fn says_years(&self, at: usize) -> bool {
        matches!(self.text.stem(at).as_str(), "year" | "yr" | "y")
    }

    /// A number of years: "10 years old", "5 years of tenure", "5 years of experience".
    pub(super) fn years(&mut self, at: usize, amount: Amount, unit: usize) -> Option<usize> {
        let (bounds, next) = self.open_end(amount.bounds, unit + 1);
        if let Some(to) = self.behind_old(next) {
            return Some(self.age(at, bounds, to));
        }
        if let Some(to) = self.behind_tenure(next) {
            return Some(self.tenure(at, amount.bounds, to, 1.0));
        }
        if self.compares_age(at) {
            return Some(self.age(at, bounds, next));
        }
        if let Some(from) = self.says_stay(at) {
            let is_average = self.text.said(next) == "on" && self.text.said(next + 1) == "average";
            let to = if is_average { next + 2 } else { next };
            return Some(self.tenure(from, bounds, to, 1.0));
        }
        if let Some(from) = self.around_for(at) {
            let least = match bounds.low == bounds.high {
                true => bounds.open_above(),
                false => bounds,
            };
            return Some(self.age(from, least, next));
        }
        if let Some(experience) = self.experience_near(next) {
            return Some(self.experience(at, bounds, experience + 1));
        }
        if self.is_person() {
            return Some(self.years_of_person(at, bounds, next));
        }
        let is_founded = self.text.may_be(next, Cue::Founded);
        is_founded.then(|| self.age(at, bounds, next + 1))
    }

    /// "(Have been) around for (a decade)": where the word begins behind which is said how long companies have been there.
    fn around_for(&mut self, at: usize) -> Option<usize> {
        let lead = at
            .checked_sub(2)
            .filter(|lead| self.text.said(lead + 1) == "for")?;
        let is_there = matches!(
            self.text.said(lead).as_str(),
            "around" | "existed" | "existing" | "in existence" | "in operation" | "in business"
        );
        if self.is_person() || !is_there {
            return None;
        }
        self.items.retain(|item| item.to <= lead);
        Some(lead)
    }

    /// "(10 years) old", "(10 years) of age": the piece behind.
    fn behind_old(&self, at: usize) -> Option<usize> {
        if self.text.may_be(at, Cue::Old) {
            return Some(at + 1);
        }
        let is_of = self.text.said(at) == "of";
        (is_of && self.text.may_be(at + 1, Cue::Old)).then_some(at + 2)
    }

    /// "Older than (10 years)"
    pub(super) fn compares_age(&self, at: usize) -> bool {
        matches!(
            self.text.said(at).as_str(),
            "older than" | "younger than" | "no older than"
        )
    }

    /// An age: of a company the year of founding, of a person never a filter (docs/DISCOVER.md, R7, R13).
    pub(super) fn age(&mut self, at: usize, bounds: Bounds, to: usize) -> usize {
        let is_odd = [bounds.low, bounds.high]
            .iter()
            .flatten()
            .any(|(number, _)| *number > MAX_AGE);
        if is_odd || self.text.said(to) == "ago" {
            return self.unsupported_clause(at, to, Reason::NoSuchField);
        }
        if self.is_person() {
            return self.push(Is::Unsupported(Reason::ProtectedTrait), at, to);
        }
        let born = self.born(bounds);
        self.founded(born, at, to)
    }

    /// "8+ years in, decision makers only": without another unit the years of a person are those of experience, unless they are of one
    /// role or at one place.
    fn years_of_person(&mut self, at: usize, bounds: Bounds, next: usize) -> usize {
        // "In the last 5 years" is of when.
        let last = at
            .checked_sub(1)
            .filter(|last| self.text.may_be(*last, Cue::Last));
        if let Some(last) = last {
            self.items.pop_if(|item| item.from == last);
            return self.push(Is::Unsupported(Reason::NoSuchField), last, next);
        }
        if self.says_in_role(next) {
            return self.unsupported_clause(at, next, Reason::NoSuchField);
        }
        if self.is_stay(at) {
            return self.push(Is::Unsupported(Reason::NoSuchField), at - 1, next);
        }
        if self.says_elsewhere(next) && !self.text.may_be(next, Cue::Experience) {
            return self.unsupported_clause(at, next, Reason::NoSuchField);
        }
        let is_phrase = |at| matches!(self.text.piece(at), Some(piece) if matches!(piece.what, What::Phrase(_)));
        let is_in = self.text.said(next) == "in" && !is_phrase(next + 1);
        self.experience(at, bounds, next + usize::from(is_in))
    }

    /// "(2 years) in their current role"
    fn says_in_role(&self, at: usize) -> bool {
        self.text.said(at) == "in"
            && matches!(
                self.text.said(at + 1).as_str(),
                "their" | "his" | "her" | "the" | "this" | "current" | "same" | "that"
            )
    }

    /// "(5 years) at Google", "(5 years) as a manager", "(5 years) ago"
    fn says_elsewhere(&self, at: usize) -> bool {
        matches!(
            self.text.said(at).as_str(),
            "at" | "ago" | "as" | "of" | "in their" | "in the" | "for"
        )
    }

    /// "At Oracle for more than 5 years", "in their role for 5 years": the time there is not that of all work.
    fn is_stay(&self, at: usize) -> bool {
        let Some(before) = at
            .checked_sub(1)
            .filter(|before| self.text.said(*before) == "for")
        else {
            return false;
        };
        let is_in_role = before.checked_sub(1).is_some_and(|before| {
            matches!(
                self.text.said(before).as_str(),
                "role" | "job" | "position" | "post" | "office" | "seat"
            )
        });
        let mut said = self
            .items
            .iter()
            .rev()
            .filter(|item| !item.what.is_small() && item.to <= before);
        let is_at_company = said
            .next()
            .is_some_and(|item| matches!(item.what, Is::Condition(Class::Company, _)));
        is_in_role || is_at_company
    }
}
