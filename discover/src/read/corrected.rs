//! What somebody says instead of what they said before: "CFOs in France, I mean Belgium".

use crate::combine::is_list;

use super::lists::column;
use super::{Class, Is, Reader};

/// Behind these stands what is meant.
const CORRECTIONS: &[&str] = &[
    "i mean",
    "i meant",
    "make that",
    "make it",
    "scratch that",
    "sorry",
    "no wait",
];

impl Reader<'_> {
    /// The place in front is given up, and told. Where another kind stands there, or a list, it is not clear what is corrected: the
    /// words that do are reported. What is said of one value by another kind of it ("executives, I mean CFOs") holds as it stands.
    pub(super) fn corrected(&mut self, item: usize) {
        let before = (0..item).rev().find(|at| !self.may_correct(*at));
        let (Some(class), Some(before)) = (self.class(item), before) else {
            return;
        };
        let words: Vec<String> = (before + 1..item).map(|at| self.words(at)).collect();
        let words = format!(" {} ", words.join(" "));
        let says = |known: &&str| words.contains(&format!(" {known} "));
        if !CORRECTIONS.iter().any(says) {
            return;
        }
        let is_alike = self.class(before) == Some(class);
        let is_list = is_list(class) && self.is_list_around(before, item);
        let is_instead = self.is_instead(before, item);
        if is_alike && (self.goes_on_behind(item, class) || !is_instead && !is_list) {
            return;
        }
        if !is_alike || is_list {
            let says = |at: &usize| !self.joins(*at) && self.what(*at) != Some(&Is::Break);
            let first = (before + 1..item).find(says);
            return self.report(first.unwrap_or(item), self.list_end(item));
        }
        self.becomes(before, Is::Yields);
        for at in before + 1..item {
            self.becomes(at, Is::Noise);
        }
    }

    /// Whether an item may stand between a value and the one that is meant.
    fn may_correct(&self, item: usize) -> bool {
        let is_mark = matches!(
            self.what(item),
            Some(Is::Comma | Is::Break | Is::Unknown | Is::But)
        );
        self.is_small(item) || is_mark
    }

    /// Whether more of its kind follow what is meant, or an aside ends behind it.
    fn goes_on_behind(&self, item: usize, class: Class) -> bool {
        match self.what(item + 1) {
            Some(Is::And | Is::Or) => true,
            Some(Is::Comma) => self.class(self.over_small(item + 2)) == Some(class),
            Some(Is::Break) => self.what(item + 2).is_some(),
            _ => false,
        }
    }

    /// Whether one of two values is one of several.
    fn is_list_around(&self, before: usize, item: usize) -> bool {
        let joined = self.before_small(before).is_some_and(|at| self.joins(at));
        joined || self.text_joins(before) || self.text_joins(item)
    }

    /// Whether a value stands in front of another one of its column, or a place in front of another.
    fn is_instead(&self, before: usize, item: usize) -> bool {
        let (Some(Is::Condition(class, one)), Some(Is::Condition(_, other))) =
            (self.what(before), self.what(item))
        else {
            return false;
        };
        *class == Class::Place || column(one).is_some() && column(one) == column(other)
    }
}
