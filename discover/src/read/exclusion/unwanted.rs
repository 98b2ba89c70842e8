//! What those who ask say that they do not want: what of it need only not be so, and where it ends.

use crate::cond::Cond;
use crate::meaning::Cue;

use super::super::{Class, Is, Reader};
use super::is_name;

/// In front of what must be so.
const MODALS: &[&str] = &[
    "they",
    "it",
    "must",
    "should",
    "need",
    "needs",
    "have",
    "has",
    "must have",
    "must be",
    "should be",
    "should have",
    "need to",
    "have to",
];

/// Behind what is asked for instead.
const INSTEAD: &[&str] = &[
    "only",
    "instead",
    "ok",
    "okay",
    "fine",
    "welcome",
    "preferred",
];

impl Reader<'_> {
    /// "Don't send me emails", "I don't need them to be in Texas": that need not be so.
    pub(super) fn waived(&mut self, item: usize) {
        if self.what(item) != Some(&Is::Unwanted) {
            return;
        }
        let mut first = item + 1;
        while self.is_small(first)
            || self.is_reported(first)
            || matches!(self.what(first), Some(Is::Or | Is::And))
            || self.what(first) == Some(&Is::Comma)
                && matches!(self.what(first - 1), Some(Is::Unsupported(_)))
        {
            first += 1;
        }
        let Some(class) = self.class(first) else {
            return;
        };
        let is_needed = self.has_word(item, first, &["need", "needing", "require", "needed"]);
        let last = self.list_end(first);
        let is_it = class == Class::Contact
            && !self.says(item, first, &[Cue::With, Cue::People, Cue::Companies]);
        let is_number = is_needed && class != Class::Contact && !is_name(class);
        let is_purpose = is_needed && self.has_word(item, first, &["to"]);
        if is_it || is_number || is_purpose {
            return self.report(item, last);
        }
        let behind = self.over_small(last + 1);
        if is_needed && self.class(behind).is_some() && self.has_word(last + 1, behind, &["to"]) {
            self.report(item, self.list_end(behind));
        }
    }

    /// "I don't want managers and they must have linkedin": what must be so is asked for, and so is what has a preposition of its own.
    pub(super) fn ends_unwanted(&mut self, join: usize) {
        let is_and = self.what(join) == Some(&Is::And);
        if !is_and && self.what(join) != Some(&Is::Comma) || !self.is_unwanted(join) {
            return;
        }
        let next = self.over_small(join + 1);
        let (Some(class), Some(before)) = (self.class(next), self.before_small(join)) else {
            return;
        };
        let must_be = self.has_word(join + 1, next, MODALS);
        let is_article =
            |at: usize| matches!(self.words(at).as_str(), "the" | "a" | "an" | "any" | "all");
        let has_own_word = (join + 1..next).any(|at| !is_article(at))
            && !self.says(join + 1, next, &[Cue::People, Cue::Companies]);
        let is_noun = matches!(class, Class::Role | Class::Company | Class::Industry);
        let is_other = self.class(before) != Some(class);
        if must_be || is_and && is_other && (has_own_word || !is_noun) {
            self.becomes(join, Is::But);
        }
    }

    /// "I don't want managers, directors only": of what it is said that it is wanted, and not "directors in Texas" of which it is not clear.
    pub(super) fn asked_behind(&mut self, item: usize) {
        match self.what(item) {
            Some(Is::Comma) if self.is_unwanted(item) => self.asked_behind_comma(item),
            Some(Is::Noise) if self.words(item) == "—" && self.is_unwanted(item) => {
                self.becomes(item, Is::But);
            }
            Some(Is::Unwanted) => self.unclear(item),
            _ => {}
        }
    }

    fn asked_behind_comma(&mut self, comma: usize) {
        let next = self.over_small(comma + 1);
        if self.class(next).is_some() && self.is_said_instead(self.list_end(next) + 1) {
            self.becomes(comma, Is::But);
        }
    }

    /// Reports a bare list of which a comma parts the last, if that has something said of it: it may be what is wanted.
    fn unclear(&mut self, not: usize) {
        let first = self.over_small(not + 1);
        if self.class(first).is_none() {
            return;
        }
        let last = self.list_end(first);
        let behind = self.over_small(last + 1);
        let is_said = self.class(behind).is_some();
        let end = self.phrase_end(last);
        let must_be =
            (is_said || first < last) && self.has_word(first + 1, behind, &["must", "should"]);
        let is_parted =
            !(0..not).any(|at| self.class(at).is_some()) && self.parts_last(first, last);
        let is_instead = first == last && self.is_said_instead(last + 1);
        if must_be || is_parted && (is_said || is_instead || self.ends_in_phrase(first, last)) {
            self.report(not, end);
        }
    }

    /// The last condition that nothing parts from an item.
    fn phrase_end(&self, item: usize) -> usize {
        let mut last = item;
        loop {
            let next = self.over_small(last + 1);
            if self.class(next).is_none() {
                return last;
            }
            last = self.list_end(next);
        }
    }

    /// Whether a comma, and no word, joins the last of a list, which may have become one item.
    pub(super) fn parts_last(&self, first: usize, last: usize) -> bool {
        if let Some(join) = (first..last).rev().find(|at| self.joins(*at)) {
            return self.what(join) == Some(&Is::Comma);
        }
        let pieces = self.items.get(first).map(|item| item.from..item.to);
        let mut pieces = pieces.into_iter().flatten().rev();
        let join = pieces.find(|at| self.separator(*at).is_some());
        join.is_some_and(|join| self.text.is_mark(join, ','))
    }

    /// Whether behind the comma of a list of bare nouns more is said of the last: "engineers, directors in sales".
    fn ends_in_phrase(&self, first: usize, last: usize) -> bool {
        let is_phrase = |at: usize| matches!(self.what(at), Some(Is::Condition(_, Cond::All(_))));
        is_phrase(last) && !is_phrase(first)
    }

    /// Whether "only", "instead" or "are fine" stands at an item.
    fn is_said_instead(&self, item: usize) -> bool {
        let is_word = |at: &usize| self.is_small(*at) || self.is_reported(*at);
        let behind = (item..).take_while(is_word).count();
        self.has_word(item, item + behind, INSTEAD)
    }

    /// Whether an item is behind what is not wanted, and nothing ended that.
    fn is_unwanted(&self, item: usize) -> bool {
        let turn = self.turn_before(item);
        turn.is_some_and(|at| self.what(at) == Some(&Is::Unwanted))
    }

    /// Whether one of the words is among small or unread items.
    fn has_word(&self, from: usize, to: usize, words: &[&str]) -> bool {
        let says = |at: usize| {
            let said = self.words(at);
            words.contains(&said.as_str()) || said.split(' ').any(|word| words.contains(&word))
        };
        (from..to).any(says)
    }
}
