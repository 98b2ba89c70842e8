//! Where what is left out ends: in front of what is asked for again, and behind a word that nothing answers.

use crate::meaning::Cue;

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
            ends && self.is_behind_turn(before)
        });
        let next = self.over_small(item + 1);
        let is_said_of = self.class(next).is_some() || self.is_reported(next);
        if is_behind && is_said_of {
            self.becomes(item, Is::But);
        }
    }

    /// Whether something turns round what stands between it and an item.
    fn is_behind_turn(&self, item: usize) -> bool {
        let ends = |at: &usize| matches!(self.what(*at), Some(Is::Break | Is::But | Is::Another));
        let mut clause = (0..item).rev().take_while(|at| !ends(at));
        clause.any(|at| self.turns(at))
    }

    /// "No agencies, in Texas", "no wizards, Texas": the NOT is that of a word that no column answers, and does not go over the comma to
    /// where. "Not in Foobarly, Boston" and "no wizards, nurses" are lists.
    pub(super) fn turns_a_word(&mut self, comma: usize) {
        if self.what(comma) != Some(&Is::Comma) {
            return;
        }
        let is_word = |at: &usize| self.is_small(*at) || self.is_reported(*at);
        let words = (0..comma).rev().take_while(is_word).count();
        let first = comma - words;
        let is_turned = first.checked_sub(1).is_some_and(|not| self.turns(not)) && words > 0;
        let next = self.over_small(comma + 1);
        let places = [Cue::In, Cue::At, Cue::Outside];
        let has_own_word = self.says(comma + 1, next, &[Cue::In, Cue::At, Cue::With]);
        let is_where = self.class(next) == Some(Class::Place)
            && self.what(first.saturating_sub(1)) == Some(&Is::Not);
        // "I don't need much, nurses in Texas"
        let is_asked = self.what(first.saturating_sub(1)) == Some(&Is::Unwanted)
            && !self.joins(self.over_small(next + 1));
        if is_turned
            && self.class(next).is_some()
            && (has_own_word || is_where || is_asked)
            && !self.says(first.saturating_sub(1), comma, &places)
        {
            self.becomes(comma, Is::But);
        }
    }

    /// Whether a piece of some items may be one of these words.
    pub(super) fn says(&self, from: usize, to: usize, cues: &[Cue]) -> bool {
        let items = (from..to).filter_map(|at| self.items.get(at));
        let mut pieces = items.flat_map(|item| item.from..item.to);
        pieces.any(|at| cues.iter().any(|cue| self.text.may_be(at, *cue)))
    }
}
