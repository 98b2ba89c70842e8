//! Where what is left out ends: in front of what is asked for again, and behind a word that nothing answers.

use crate::meaning::Cue;

use super::super::lists::column;
use super::super::{Class, Is, Reader};

/// What these are said of is asked for.
const ASKED: &[&str] = &["just", "only", "rather", "instead", "solely", "exclusively"];

impl Reader<'_> {
    /// "No managers, just directors": what "just" is said of is not left out.
    pub(super) fn asked_again(&mut self, item: usize) {
        if self.turns(item) || !ASKED.contains(&self.words(item).as_str()) {
            return;
        }
        let is_behind = self.before_small(item).is_some_and(|before| {
            let joins = matches!(self.what(before), Some(Is::Comma | Is::And | Is::But));
            let ends = joins || self.class(before).is_some() || self.is_reported(before);
            ends && self.turn_before(before).is_some()
        });
        let next = self.over_small(item + 1);
        let is_said_of = self.class(next).is_some() || self.is_reported(next);
        if is_behind && is_said_of {
            self.becomes(item, Is::But);
        }
    }

    /// The last that turns round what stands between it and an item.
    pub(in crate::read) fn turn_before(&self, item: usize) -> Option<usize> {
        let ends = |at: &usize| matches!(self.what(*at), Some(Is::Break | Is::But | Is::Another));
        let mut clause = (0..item).rev().take_while(|at| !ends(at));
        clause.find(|at| self.turns(*at))
    }

    /// "No agencies, in Texas", "no wizards, Texas": the NOT is that of a word that no column answers, and does not go over the comma to
    /// where. "Not in Foobarly, Boston" and "no wizards, nurses" are lists.
    pub(super) fn turns_a_word(&mut self, comma: usize) {
        if self.what(comma) != Some(&Is::Comma) {
            return;
        }
        let is_word = |at: &usize| self.is_small(*at) || self.is_reported(*at);
        let is_listed = |at: &usize| is_word(at) || self.joins(*at);
        let listed = comma - (0..comma).rev().take_while(is_listed).count();
        let is_unwanted = |first: usize| first > 0 && self.what(first - 1) == Some(&Is::Unwanted);
        let of_not = comma - (0..comma).rev().take_while(is_word).count();
        let first = if is_unwanted(listed) { listed } else { of_not };
        let is_turned = first.checked_sub(1).is_some_and(|not| self.turns(not)) && first < comma;
        let next = self.over_small(comma + 1);
        let places = [Cue::In, Cue::At, Cue::Outside];
        let has_own_word = self.says(comma + 1, next, &[Cue::In, Cue::At, Cue::With]);
        let is_where = self.class(next) == Some(Class::Place)
            && self.what(first.saturating_sub(1)) == Some(&Is::Not);
        let has_own_place = self.says(first.saturating_sub(1), comma, &places);
        // "I don't need much, nurses in Texas"
        let is_asked = is_unwanted(first) && self.is_phrase(next);
        if is_turned && is_where && self.is_smaller_place(comma, next) {
            // "Not Smallville, Kansas", of which the state is not all that is left out
            if !has_own_place && !self.joins(self.over_small(next + 1)) {
                self.report(first - 1, next);
            }
            return;
        }
        if is_turned && is_unwanted(first) && self.is_all(first - 1, next) {
            return self.report(first - 1, next);
        }
        if is_turned
            && self.class(next).is_some()
            && (has_own_word || is_where || is_asked)
            && !has_own_place
        {
            self.becomes(comma, Is::But);
        }
    }

    /// "Smallville, Kansas": a name in capitals that nobody knows, in front of the state that it is in.
    fn is_smaller_place(&self, comma: usize, next: usize) -> bool {
        let names_state = match self.what(next) {
            Some(Is::Condition(Class::Place, cond)) => {
                column(cond).is_some_and(|column| column.ends_with("state"))
            }
            _ => false,
        };
        let name = comma
            .checked_sub(1)
            .filter(|name| self.what(*name) == Some(&Is::Unknown));
        let from = name
            .and_then(|name| self.items.get(name))
            .map(|name| name.from);
        names_state && next == comma + 1 && from.is_some_and(|at| self.text.is_capital(at))
    }

    /// Whether a list of one kind that begins with an item has something behind it that is said of it: "nurses in Texas".
    pub(super) fn is_phrase(&self, first: usize) -> bool {
        self.class(self.over_small(self.list_end(first) + 1))
            .is_some()
    }

    /// Whether a noun is the only one of a text that does not want something else in front of it: "I don't need much, nurses".
    fn is_all(&self, not: usize, noun: usize) -> bool {
        let is_other = |at: usize| self.class(at).is_some();
        let is_list = self.text_joins(noun);
        self.class(noun).is_some()
            && !is_list
            && !(0..not).any(is_other)
            && !(noun + 1..self.items.len()).any(is_other)
    }

    /// Whether a joining word stands in what became one item: "interns or juniors".
    pub(in crate::read) fn text_joins(&self, item: usize) -> bool {
        let pieces = self.items.get(item).map(|item| item.from..item.to);
        let mut pieces = pieces.into_iter().flatten();
        pieces.any(|at| self.separator(at).is_some())
    }

    /// Whether a piece of some items may be one of these words.
    pub(in crate::read) fn says(&self, from: usize, to: usize, cues: &[Cue]) -> bool {
        let items = (from..to).filter_map(|at| self.items.get(at));
        let mut pieces = items.flat_map(|item| item.from..item.to);
        pieces.any(|at| cues.iter().any(|cue| self.text.may_be(at, *cue)))
    }
}
