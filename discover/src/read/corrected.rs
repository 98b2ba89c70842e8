//! What somebody says instead of what they said before: "CFOs in France, I mean Belgium".

use super::{Class, Is, Reader};

/// Behind these stands what is meant.
const CORRECTIONS: &[&str] = &["i mean", "i meant", "make that", "make it", "scratch that"];

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
        let goes_on = self.joins(item + 1) || self.what(item + 1) == Some(&Is::Break);
        let is_alike = self.class(before) == Some(class);
        if is_alike && (class != Class::Place || goes_on) {
            return;
        }
        if !self.is_instead(before, item) {
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

    /// Whether one place by itself stands in front of another.
    fn is_instead(&self, before: usize, item: usize) -> bool {
        let joined = self.before_small(before).is_some_and(|at| self.joins(at));
        let is_list = joined || self.text_joins(before) || self.text_joins(item);
        !is_list
            && self.class(before) == Some(Class::Place)
            && self.class(item) == Some(Class::Place)
    }
}
