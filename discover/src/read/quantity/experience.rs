//! Years of experience: "5+ years of experience", "experience: 5 to 10 years", "yoe > 3".

use crate::Reason;
use crate::amount::Bounds;
use crate::cond::Cond;
use crate::meaning::Cue;

use super::super::{Class, Is, Reader};

/// More years than anybody works.
const MAX_YEARS: f64 = 100.0;

impl Reader<'_> {
    /// So many years of experience, with what bounds them behind the unit: "5 years of experience or more".
    pub(in crate::read) fn experience(&mut self, at: usize, bounds: Bounds, to: usize) -> usize {
        if !self.is_person() {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        let (bounds, to) = self.open_end(bounds, to);
        let (bounds, to) = self.further_bound_of_years(bounds, to);
        let is_exact = bounds.low.is_some() && bounds.low == bounds.high;
        let numbers = [bounds.low, bounds.high];
        let is_odd = numbers
            .iter()
            .flatten()
            .any(|(number, _)| *number > MAX_YEARS || is_exact && number.fract() != 0.0);
        if is_odd {
            return self.push(Is::Unsupported(Reason::NoSuchField), at, to);
        }
        // "Years of experience between 5 and 10"
        let years = self.items.pop_if(|last| {
            let is_open = matches!(last.what, Is::Unknown | Is::Small | Is::Noise);
            is_open && last.to == at && self.text.stem(last.from) == "year"
        });
        self.condition(
            Class::Years,
            Cond::Number("years_of_experience", bounds),
            years.map_or(at, |years| years.from),
            to,
        )
    }

    /// "Experience: 5+ years", "yoe > 3"
    pub(super) fn experience_in_front(&mut self, at: usize, next: usize) -> Option<usize> {
        if !self.text.may_be(at, Cue::Experience) {
            return None;
        }
        let amount = self.text.amount(next)?;
        let is_of_years = matches!(
            self.text.said(at).as_str(),
            "yoe" | "years of experience" | "of experience" | "experience"
        );
        let says_years = self.says_years(amount.to);
        let to = amount.to + usize::from(says_years);
        (says_years || is_of_years).then(|| self.experience(at, amount.bounds, to))
    }

    /// "(5 years) of work experience": the word for it within a few small words, none of which joins.
    pub(super) fn experience_near(&self, at: usize) -> Option<usize> {
        (at..at + 3)
            .take_while(|at| {
                self.text.piece(*at).is_some_and(|piece| piece.is_small())
                    && !self.text.may_be(*at, Cue::And)
            })
            .find(|at| self.text.may_be(*at, Cue::Experience))
    }
}
