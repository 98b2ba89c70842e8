//! What is left out of a larger place, and what holds whether or not.

use crate::cond::Cond;
use crate::meaning::Cue;
use crate::vocabulary::vocabulary;

use super::super::lists::column;
use super::super::{Class, Is, Reader};

/// "May or may not be": what is said twice, once with a NOT, holds for all.
const AUXILIARIES: &[&str] = &[
    "may", "might", "can", "could", "will", "would", "should", "is", "are", "do", "does", "have",
    "has",
];

impl Reader<'_> {
    /// "Who may or may not be directors", "are or aren't in Texas": all the same.
    pub(super) fn either_way(&mut self, or: usize) {
        let Some(before) = or.checked_sub(1).filter(|_| self.what(or) == Some(&Is::Or)) else {
            return;
        };
        let words = self.words(before);
        let said = words.rsplit(' ').next().unwrap_or_default();
        let again = if self.words(or + 1) == said {
            or + 2
        } else {
            or + 1
        };
        let first = self.over_small(again + 1);
        let is_both = self.is_small(before) && AUXILIARIES.contains(&said);
        if is_both && self.turns(again) && self.class(first).is_some() {
            self.report(before, self.list_end(first));
        }
    }

    /// "Neither in Germany nor nurses": what is of another kind is left out by itself.
    pub(super) fn nor(&mut self, or: usize) {
        if self.what(or) != Some(&Is::Or) || !self.says(or, or + 1, &[Cue::Nor]) {
            return;
        }
        let next = self.over_small(or + 1);
        let is_other = self.before_small(or).is_some_and(|before| {
            self.is_left_out(before)
                && self.class(before).is_some()
                && self.class(before) != self.class(next)
        });
        if is_other && self.class(next).is_some() {
            self.becomes(or, Is::And);
            self.insert(or + 1, Is::Not);
        }
    }

    /// "Not in Munich, in Germany": the larger place, which has a word of its own, is where they are.
    pub(super) fn within(&mut self, comma: usize) {
        if self.what(comma) != Some(&Is::Comma) {
            return;
        }
        let next = self.over_small(comma + 1);
        let has_own_word = (comma + 1..next).any(|at| {
            let words = self.words(at);
            self.says(at, at + 1, &[Cue::In]) || words.split(' ').any(|word| word == "in")
        });
        let is_larger = self.before_small(comma).is_some_and(|before| {
            let extents = (self.extent(before), self.extent(next));
            self.is_left_out(before) && matches!(extents, (Some(one), Some(other)) if one < other)
        });
        let ends = !self.joins(self.over_small(next + 1));
        if has_own_word && is_larger && ends && !self.is_elsewhere(comma, next) {
            self.becomes(comma, Is::But);
        }
    }

    /// Whether a city in front of a comma is known to lie in another place than the one behind it.
    fn is_elsewhere(&self, comma: usize, larger: usize) -> bool {
        let names = |item: usize| match self.what(item) {
            Some(Is::Condition(Class::Place, Cond::In(_, names))) => names.as_slice(),
            _ => &[],
        };
        let cities = self.before_small(comma).map(names).unwrap_or_default();
        let mut known = cities
            .iter()
            .filter_map(|city| vocabulary().city_default(city));
        known.any(|places| !names(larger).iter().any(|name| places.contains(name)))
    }

    /// How large a place is, of a city, a state and a country.
    fn extent(&self, item: usize) -> Option<usize> {
        let Some(Is::Condition(Class::Place, cond)) = self.what(item) else {
            return None;
        };
        let kind = column(cond)?.rsplit('.').next()?;
        ["city", "state", "country"]
            .iter()
            .position(|one| *one == kind)
    }

    /// "In New York but not New York City": a city that is left out of what has its name is left out of the state.
    pub(super) fn state_of_city(&mut self, not: usize) {
        if !self.turns(not) {
            return;
        }
        let city = self.over_small(not + 1);
        let ends = |at: &usize| self.class(*at).is_some();
        let Some(before) = (0..not).rev().find(ends) else {
            return;
        };
        let is_other_name = self.words(before) != self.words(city);
        let conds = (self.what(before), self.what(city));
        let (Some(Is::Condition(Class::Place, whole)), Some(Is::Condition(Class::Place, part))) =
            conds
        else {
            return;
        };
        if !is_other_name || whole != part || self.is_left_out(before) {
            return;
        }
        let state = match whole {
            Cond::In("city", names) => Cond::In("state", names.clone()),
            Cond::In("locations.city", names) => Cond::In("locations.state", names.clone()),
            _ => return,
        };
        let is_state = |name: &String| vocabulary().is_state(name);
        if matches!(&state, Cond::In(_, names) if names.iter().all(is_state)) {
            self.becomes(before, Is::Condition(Class::Place, state));
        }
    }
}
