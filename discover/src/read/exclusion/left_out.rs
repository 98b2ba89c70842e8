//! How far what is said to be out behind it reaches back: over a list, or a phrase of several kinds.

use crate::cond::Cond;
use crate::meaning::{Cue, Meaning};

use super::super::{Class, Is, Item, Reader};

impl Reader<'_> {
    /// Leaves out a list, each kind by itself.
    pub(super) fn are_left_out(&mut self, first: usize, last: usize) {
        self.insert(last + 1, Is::But);
        for at in (first..=last).rev() {
            let is_new = at == first || self.class(at.saturating_sub(2)) != self.class(at);
            if self.class(at).is_some() && is_new {
                self.insert(at, Is::Not);
            }
        }
    }

    /// "Directors, nurses in Texas excluded": of a phrase of several kinds beside others, of which it is said as a whole, the first.
    pub(super) fn phrase_begin(&self, first: usize, last: usize) -> Option<usize> {
        let mut begin = first;
        while let Some(before) = self
            .before_small(begin)
            .filter(|at| self.class(*at).is_some())
        {
            begin = before;
        }
        let ends = |at: Option<usize>| {
            let what = at.and_then(|at| self.what(at));
            matches!(what, None | Some(Is::Comma | Is::Break))
        };
        let is_noun = |at| matches!(self.class(at), Some(Class::Role | Class::Industry));
        let has_other = (0..begin).any(|at| self.class(at).is_some())
            || (last + 1..self.items.len()).any(is_noun);
        (begin < first && ends(self.before_small(begin)) && has_other).then_some(begin)
    }

    /// Whether nothing else is asked for, and no noun stands in front.
    fn is_alone(&self, item: usize) -> bool {
        let is_other = |at: usize| at != item && self.class(at).is_some();
        !(0..self.items.len()).any(is_other) && !self.says(0, item, &[Cue::People, Cue::Companies])
    }

    /// "Directors, interns (excluded)": levels that only a comma joins, of which it is said of the last. Parts it from the others. Beside
    /// something else that is asked for they are a list: "engineers, interns, juniors (excluded)".
    pub(super) fn parts_levels(&mut self, item: usize) -> bool {
        if !self.is_alone(item) {
            return false;
        }
        let Some(Item { what, from, to }) = self.items.get(item).cloned() else {
            return false;
        };
        let Is::Condition(class, Cond::In("seniority_level", levels)) = what else {
            return false;
        };
        let joins = |at: &usize| self.separator(*at).is_some();
        let Some(comma) = (from..to).rev().find(joins) else {
            return false;
        };
        // "Directors and VPs, interns", but not "directors, VPs, interns"
        let before = (from..comma).rev().find(joins);
        let is_list = before.is_some_and(|before| self.text.is_mark(before, ','));
        if is_list || !self.text.is_mark(comma, ',') {
            return false;
        }
        let of_last = |level: &String| {
            let says = |at| {
                self.find(at, |meaning| match meaning {
                    Meaning::Level(known) if known.contains(level) => Some(()),
                    _ => None,
                })
            };
            (comma + 1..to).any(|at| says(at).is_some())
        };
        let (last, others): (Vec<String>, Vec<String>) = levels.into_iter().partition(of_last);
        if last.is_empty() || others.is_empty() {
            return false;
        }
        let level = |levels| Is::Condition(class, Cond::In("seniority_level", levels));
        let parts = [
            Item {
                what: level(others),
                from,
                to: comma,
            },
            Item {
                what: Is::Comma,
                from: comma,
                to: comma + 1,
            },
            Item {
                what: level(last),
                from: comma + 1,
                to,
            },
        ];
        self.items.splice(item..=item, parts);
        true
    }
}
