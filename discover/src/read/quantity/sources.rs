//! How many sources a record has: "at least 2 independent sources", "backed by 20 sources", "sources: 3".

use crate::amount::Bounds;
use crate::cond::Cond;
use crate::meaning::Cue;

use super::super::{Class, Is, Item, Reader};

impl Reader<'_> {
    /// "3 sources", "verified by 3 sources"
    pub(super) fn sources(&mut self, at: usize, bounds: Bounds, unit: usize) -> usize {
        let mut from = at;
        if let Some(verb) = self.confirms_by(at)
            && !self.confirms_other(verb, unit)
        {
            while self.items.pop_if(|last| last.from >= verb).is_some() {}
            from = verb;
        }
        let cond = Cond::Number("num_sources", bounds);
        let behind = [
            "behind the record",
            "behind each record",
            "behind the profile",
            "behind them",
            "behind it",
        ];
        let to = self.text.said_as(unit + 1, &behind).unwrap_or(unit + 1);
        self.condition(Class::Sources, cond, from, to)
    }

    /// "Sources: 3"
    pub(super) fn sources_in_front(&mut self, at: usize, next: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Sources) || !self.text.is_mark(at + 1, ':') {
            return None;
        }
        let amount = self.text.amount(next)?;
        let cond = Cond::Number("num_sources", amount.bounds);
        Some(self.condition(Class::Sources, cond, at, amount.to))
    }

    /// "Backed by (20 sources)": where what leads to their number begins.
    fn confirms_by(&self, at: usize) -> Option<usize> {
        let said = |back: usize| at.checked_sub(back).map(|at| self.text.said(at));
        let is_verb = |word: Option<String>| {
            word.is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "backed"
                        | "confirmed"
                        | "documented"
                        | "corroborated"
                        | "supported"
                        | "verified"
                )
            })
        };
        if said(1).as_deref() == Some("by") && is_verb(said(2)) {
            Some(at - 2)
        } else if self.text.said(at).starts_with("by ") && is_verb(said(1)) {
            Some(at - 1)
        } else {
            None
        }
    }

    /// "Emails verified by 3 sources", "backed by 5 sources of funding": whether the verb is not said of the company or person.
    fn confirms_other(&self, verb: usize, unit: usize) -> bool {
        let is_other = |item: &Item| {
            matches!(
                item.what,
                Is::Unknown
                    | Is::Unsupported(_)
                    | Is::Condition(Class::Contact | Class::Growth | Class::Employees, _)
            )
        };
        let mut before = self.items.iter().rev();
        let last = before.find(|item| item.from < verb && !item.what.is_small());
        let mut words = (0..verb).rev().take(3).map(|at| self.text.stem(at));
        let says_other = words.any(|word| {
            matches!(
                word.as_str(),
                "employee" | "employer" | "growth" | "headcount" | "size" | "staff"
            )
        });
        self.text.said(unit + 1).starts_with("of") || last.is_some_and(is_other) || says_other
    }
}
