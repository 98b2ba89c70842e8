//! How long the people of a company stay: "average tenure over 6 years", "18 months average tenure", "whose employees stay for 5 years".

use crate::Reason;
use crate::amount::Bounds;
use crate::cond::Cond;
use crate::meaning::Cue;

use super::super::{Class, Is, Reader};

impl Reader<'_> {
    /// How long people stay, in units of so many years.
    pub(super) fn tenure(&mut self, at: usize, bounds: Bounds, to: usize, years: f64) -> usize {
        if self.is_person() {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        let cond = Cond::Number("service_average_tenure", scaled(bounds, years));
        self.condition(Class::Tenure, cond, at, to)
    }

    /// "Average tenure over 6 years", "tenure: 18 months", "average tenure above 5"
    pub(super) fn tenure_in_front(&mut self, at: usize, next: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Tenure) {
            return None;
        }
        let amount = self.text.amount(next)?;
        let years = match self.text.stem(amount.to).as_str() {
            "year" | "yr" => 1.0,
            "quarter" => 0.25,
            "month" | "mo" => 1.0 / 12.0,
            // "Average tenure above 5": of years, which the column counts.
            _ if self.ends_amount(amount) => {
                return Some(self.tenure(at, amount.bounds, amount.to, 1.0));
            }
            _ => return None,
        };
        Some(self.tenure(at, amount.bounds, amount.to + 1, years))
    }

    /// "(5 years) tenure", "(5 years) of tenure": the piece behind.
    pub(super) fn behind_tenure(&self, at: usize) -> Option<usize> {
        [at, at + 1]
            .into_iter()
            .find(|at| self.text.may_be(*at, Cue::Tenure))
            .map(|at| at + 1)
    }

    /// "(Whose employees) stay for 5 years": where the noun begins of which is said how long they are with a company. What was read of
    /// it is taken back.
    pub(super) fn says_stay(&mut self, at: usize) -> Option<usize> {
        let is_passed = |at: usize| matches!(self.text.said(at).as_str(), "for" | "on" | "average");
        let mut verb = at.checked_sub(1)?;
        while is_passed(verb) {
            verb = verb.checked_sub(1)?;
        }
        let is_verb = matches!(self.text.stem(verb).as_str(), "stay" | "remain");
        if self.is_person() || !is_verb {
            return None;
        }
        let noun = verb.checked_sub(1)?;
        if !self.says_staff(noun) || self.denies_staff(noun) {
            return None;
        }
        self.items.retain(|item| item.to <= verb);
        self.items
            .pop_if(|last| last.to == verb && last.from == noun);
        Some(noun)
    }

    /// "Employees", "their team"
    fn says_staff(&self, at: usize) -> bool {
        self.text.may_be(at, Cue::Employees)
            || matches!(
                self.text.stem(at).as_str(),
                "employee" | "staff" | "people" | "team" | "worker" | "workforce" | "personnel"
            )
    }

    /// "No employees (stay for 5 years)"
    fn denies_staff(&self, noun: usize) -> bool {
        noun.checked_sub(1).is_some_and(|before| {
            let said = self.text.said(before);
            self.says_not(before)
                || matches!(said.as_str(), "no" | "few" | "hardly any" | "none of")
        })
    }
}

fn scaled(bounds: Bounds, factor: f64) -> Bounds {
    let scale =
        |bound: Option<(f64, bool)>| bound.map(|(number, inside)| (number * factor, inside));
    Bounds {
        low: scale(bounds.low),
        high: scale(bounds.high),
    }
}
