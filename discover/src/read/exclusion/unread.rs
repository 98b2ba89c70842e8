//! Words that leave out what follows, or say that it is all the same, and are not read: what they are said of is reported with them.

use crate::Reason;
use crate::meaning::Cue;

use super::super::offices::OFFICES;
use super::super::silence::is_preposition;
use super::super::{Class, Is, Reader};

/// Words in front that may leave out what follows, or say that it is all the same.
const UNREAD: &[&str] = &[
    "excluded",
    "omitted",
    "whether",
    "even",
    "besides",
    "less",
    "bar",
    "save",
    "forget",
    "regardless",
    "irrespective",
    "unlike",
    "versus",
    "vs",
    "ban",
    "block",
    "reject",
    "disregard",
    "discard",
    "dismiss",
    "eliminate",
    "optionally",
    "unless",
    "zero",
    "against",
    "opposed",
    "hate",
    "hates",
    "dislike",
    "dislikes",
    "hardly",
    "barely",
    "far",
    "scope",
];

/// What somebody does not do; where nothing reads them, what follows is reported with them.
const MODALS: &[&str] = &[
    "cannot",
    "can't",
    "couldn't",
    "mustn't",
    "wouldn't",
    "shouldn't",
    "needn't",
];

/// Who does not do these asks for it: "don't forget Texas".
const ASKING: &[&str] = &["forget", "miss", "overlook", "neglect", "lose", "mind"];

impl Reader<'_> {
    /// "Europe less the UK", "regardless of email", "whether or not they have linkedin".
    pub(super) fn unread(&mut self, item: usize) {
        let is_word = matches!(
            self.what(item),
            Some(Is::Unknown | Is::Noise | Is::Small | Is::Unsupported(_))
        );
        let word = self.words(item);
        let is_unread = UNREAD.contains(&word.as_str()) || self.is_modal(item);
        if !is_word || !is_unread {
            return;
        }
        let is_if = |at: usize| {
            matches!(
                self.words(at).as_str(),
                "whether" | "if" | "when" | "unless"
            )
        };
        let says_if = is_if(item)
            || is_if(item + 1)
            || is_if(self.over_small(item + 1))
            || word == "even" && self.turns(item + 1);
        let is_label = self.words(item + 1) == ":";
        let mut first = if is_label { item + 2 } else { item + 1 };
        while self.is_small(first)
            || says_if && (is_if(first) || self.joins(first) || self.turns(first))
        {
            first += 1;
        }
        let is_meant = match word.as_str() {
            "even" => says_if,
            "whether" => (item..first).any(|at| self.turns(at)),
            // "Don't forget Texas"
            "forget" | "disregard" | "dismiss" | "discard" | "reject" => {
                !item.checked_sub(1).is_some_and(|before| self.turns(before))
            }
            // A bar may have managers, and money be saved.
            "bar" | "save" => {
                let follows = item.checked_sub(1).and_then(|before| self.what(before));
                let is_behind = matches!(follows, Some(Is::Condition(..) | Is::Comma));
                is_behind && self.class(first) != Some(Class::Role)
                    || self.parts_plurals(item, first)
            }
            // "Net zero consultants"
            "zero" => !item
                .checked_sub(1)
                .is_some_and(|before| self.is_reported(before)),
            // "Not too far from Boston", "so far only nurses"
            "far" => {
                let is_held = item.checked_sub(1).is_some_and(|before| {
                    let words = self.words(before);
                    self.turns(before) || matches!(words.as_str(), "so" | "as" | "by" | "too")
                });
                !is_held && self.words(item + 1) == "from"
            }
            "scope" => {
                is_label
                    && item
                        .checked_sub(1)
                        .is_some_and(|of| self.words(of) == "out of")
            }
            _ => true,
        };
        if is_meant && self.class(first).is_some() {
            self.report(item, self.list_end(first));
        }
    }

    /// "Cannot work at Google". "Can't you find nurses" asks.
    fn is_modal(&self, item: usize) -> bool {
        let next = self.words(item + 1);
        let asks = matches!(
            next.as_str(),
            "you" | "we" | "i" | "it" | "find" | "get" | "see"
        );
        let is_one = MODALS.contains(&self.words(item).as_str());
        is_one && !asks && self.what(item) == Some(&Is::Unknown)
    }

    /// "Directors bar nurses", "companies bar the banks", but not "senior bar managers": two nouns, of which one is taken from the other.
    fn parts_plurals(&self, item: usize, first: usize) -> bool {
        let names_all = |at: usize| {
            let from = self.items.get(at).map(|item| item.from);
            from.is_some_and(|at| {
                self.text.may_be(at, Cue::Companies) || self.text.may_be(at, Cue::People)
            })
        };
        item.checked_sub(1).is_some_and(|before| {
            let class = self.class(before);
            let is_named = matches!(class, Some(Class::Role | Class::Company | Class::Industry));
            let is_noun = is_named && !self.is_field(before) || names_all(before);
            is_noun && self.ends_in_plural(before) && self.ends_in_plural(first)
        })
    }

    /// "Never worked in sales", "don't manage nurses": what is said of something that is not done, and that no column answers, is not
    /// asked for.
    pub(super) fn not_done(&mut self, item: usize) {
        if !self.turns(item) {
            return;
        }
        let verb = self.over_small(item + 1);
        let is_done = matches!(
            self.words(item).as_str(),
            "don't" | "doesn't" | "didn't" | "do not" | "does not" | "did not"
        );
        let reason = match self.what(verb) {
            Some(Is::Unsupported(reason)) => *reason,
            Some(Is::Unknown) if is_done && !ASKING.contains(&self.words(verb).as_str()) => {
                Reason::NoSuchField
            }
            _ => return,
        };
        let object = self.over_small(verb + 1);
        let words = self.words(verb);
        let has_preposition = words.rsplit(' ').next().is_some_and(is_preposition);
        // "Nurses who don't manage directors", but "don't hide nurses" asks for them.
        let is_of_others = item.checked_sub(1).is_some_and(|before| {
            let words = self.words(before);
            let last = words.rsplit(' ').next().unwrap_or_default();
            matches!(last, "who" | "that" | "which" | "they")
        });
        let is_object = has_preposition || is_done && is_of_others && object == verb + 1;
        if is_object && self.class(object).is_some() {
            self.report(item, self.list_end(object));
            self.becomes(item, Is::Unsupported(reason));
        }
    }

    /// "No offices outside Germany": where all offices of a company are is not known.
    pub(super) fn nowhere_else(&mut self, item: usize) {
        if !self.turns(item) {
            return;
        }
        let is_office = |at: usize| {
            let piece = self.items.get(at).map(|item| item.from);
            piece.is_some_and(|at| OFFICES.contains(&self.text.stem(at).as_str()))
        };
        let is_article = |at: &usize| self.what(*at) == Some(&Is::Noise);
        let office = item + 1 + (item + 1..).take_while(is_article).count();
        let place = self.over_small(office + 2);
        if is_office(office) && self.turns(office + 1) && self.class(place) == Some(Class::Place) {
            self.report(item, self.list_end(place));
        }
    }
}
