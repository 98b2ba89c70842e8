//! What somebody says instead of what they said before: "CFOs in France, I mean Belgium".

use super::lists::column;
use super::{Class, Is, Reader};

/// Behind these stands what is meant.
const CORRECTIONS: &[&str] = &["i mean", "i meant", "make that", "make it", "scratch that"];

impl Reader<'_> {
    /// The value in front is given up, and told. Where another kind stands there, or a list, it is not clear what is corrected: the
    /// words that do are reported.
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
        let first =
            (before + 1..item).find(|at| !self.joins(*at) && self.what(*at) != Some(&Is::Break));
        if !self.is_instead(before, item) || self.class(before) != Some(class) {
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

    /// Whether one value by itself stands in front of another one of its column, or one place in front of another.
    fn is_instead(&self, before: usize, item: usize) -> bool {
        let joined = self.before_small(before).is_some_and(|at| self.joins(at));
        let is_list = joined || self.text_joins(before) || self.joins(item + 1);
        let (Some(Is::Condition(class, one)), Some(Is::Condition(_, other))) =
            (self.what(before), self.what(item))
        else {
            return false;
        };
        !is_list
            && (*class == Class::Place || column(one).is_some() && column(one) == column(other))
    }
}
