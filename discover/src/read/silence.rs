//! Which small words say nothing where they stand. All that is neither a condition nor joins others nor says nothing is reported, so
//! that this is the one place where a word can be passed over.
//!
//! "The" says nothing anywhere. "Find" asks where a clause begins with it, "team" and "city" are nouns for what is asked; in "team
//! managers", "city managers" they say which ones, and no column does.

use crate::annotate::What;
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Item, Reader};

impl Reader<'_> {
    /// Whether a small word says nothing where it stands.
    pub(super) fn says_nothing(&self, at: usize) -> bool {
        if !self.text.piece(at).is_some_and(|piece| piece.is_small()) {
            return false;
        }
        let (stem, may_be) = (self.text.stem(at), |cue| self.text.may_be(at, cue));
        // A slip that was repaired is told.
        let is_repaired = vocabulary().get(&stem).is_empty();
        let has_word = stem.chars().any(char::is_alphanumeric);
        if is_repaired
            || !has_word
            || vocabulary().is_silent(&stem)
            || vocabulary().is_label(&stem) && self.leads_to_role(at)
            || vocabulary().is_request(&stem) && self.begins_clause(at) && !self.is_done(at)
        {
            return true;
        }
        let is_lead = stem == "lead";
        if self.says_which(at) || is_lead && (self.follows_word_for_which(at) || self.is_leader(at))
        {
            return false;
        }
        if matches!(stem.as_str(), "state" | "state of") || is_noun_for_place(&stem) {
            return self.is_beside(at, Class::Place);
        }
        // "Based near Boston"
        if may_be(Cue::In) && self.is_before_place(at) {
            return true;
        }
        // "Set up as partnerships" says of what type they are.
        if may_be(Cue::Founded) && self.text.said(at + 1) == "as" {
            let mut types = self.meanings(at + 2).iter();
            return types.any(|meaning| matches!(meaning, Meaning::Type(_)));
        }
        if vocabulary().is_noun(&stem) {
            return true;
        }
        if may_be(Cue::Sector) {
            return self.is_beside(at, Class::Industry);
        }
        if may_be(Cue::Companies) {
            return self.is_behind_their_kind(at);
        }
        let last = self.text.said(at);
        let last = last.rsplit(' ').next().unwrap_or_default();
        let joins = [Cue::In, Cue::At, Cue::People, Cue::Filler]
            .into_iter()
            .any(may_be);
        let is_request = vocabulary().is_request(&stem) || stem == "run by";
        joins && is_preposition(last) && !is_request
    }

    /// Whether what follows is a place, or says that one follows.
    fn is_before_place(&self, at: usize) -> bool {
        let next = self.over_silence(at + 1);
        let is_place = |meaning: &Meaning| matches!(meaning, Meaning::Place(_));
        (at + 1..=next).any(|at| self.text.may_be(at, Cue::In))
            || self.meanings(next).iter().any(is_place)
    }

    /// Whether right in front of a noun for companies stands what they do or are.
    fn is_behind_their_kind(&self, at: usize) -> bool {
        self.items.last().is_some_and(|last| {
            last.to == at
                && matches!(
                    last.what,
                    Is::Condition(Class::Industry | Class::Type | Class::Size, _)
                )
        })
    }

    /// Whether behind a label, and further ones, a role is said: "hold the title of CFO", "seniority: (senior or mid-level)".
    fn leads_to_role(&self, at: usize) -> bool {
        let mut next = self.behind_mark(at);
        while vocabulary().is_label(&self.text.stem(next)) && !self.says_role(next) {
            next = self.behind_mark(next);
        }
        let is_head = self.text.stem(next).split(' ').next() == Some("head");
        self.says_role(next) || is_head
    }

    /// The piece behind this one and a colon, a quotation mark or a bracket.
    fn behind_mark(&self, at: usize) -> usize {
        let is_mark = |at| matches!(self.text.said(at).as_str(), ":" | "=" | "≠" | "—");
        let mut behind = if is_mark(at + 1) { at + 2 } else { at + 1 };
        while self.text.is_mark(behind, '"') || self.text.is_mark(behind, '(') {
            behind += 1;
        }
        self.over_silence(behind)
    }

    /// The first piece from this one on that is not silent.
    fn over_silence(&self, at: usize) -> usize {
        let is_silent = |at: &usize| {
            let piece = self.text.piece(*at);
            piece.is_some_and(|piece| piece.is_small())
                && vocabulary().is_silent(&self.text.stem(*at))
        };
        at + (at..).take_while(is_silent).count()
    }

    /// Whether a piece is a role.
    pub(super) fn says_role(&self, at: usize) -> bool {
        let mut meanings = self.meanings(at).iter();
        meanings.any(|meaning| meaning.is_role() || matches!(meaning, Meaning::DecisionMaker))
    }

    /// Whether a word stands right in front of a noun and says which of those are meant: "brand directors", "team leads".
    fn says_which(&self, at: usize) -> bool {
        let Some(piece) = self.text.piece(at) else {
            return false;
        };
        let is_plural = self.text.said(at) != self.text.stem(at);
        let next = at + 1;
        let is_noun = match self.text.piece(next).map(|next| &next.what) {
            Some(What::Phrase(meanings)) if meanings.is_empty() => !self.says_what_is_done(next),
            Some(What::Phrase(_)) => {
                let is_value = |meaning: &Meaning| {
                    matches!(
                        meaning,
                        Meaning::Industry(_) | Meaning::Size(_) | Meaning::Type(_)
                    )
                };
                let is_lead = self.text.stem(next) == "lead" && !piece.may_be(Cue::With);
                self.says_role(next) || self.meanings(next).iter().any(is_value) || is_lead
            }
            _ => false,
        };
        let is_preposition = self
            .text
            .tokens
            .get(piece.from..piece.to)
            .is_some_and(|tokens| {
                let last = tokens.last().map_or("", |token| token.text.as_str());
                is_preposition(last)
            });
        is_noun && !is_plural && !is_preposition
    }

    /// Whether the word right in front says which ones are meant.
    fn follows_word_for_which(&self, at: usize) -> bool {
        let last = self.items.last();
        last.is_some_and(|last| {
            last.to == at
                && matches!(last.what, Is::Unknown | Is::Small)
                && self.says_which(last.from)
        })
    }

    /// Whether a request begins a clause, or stands behind words with which one begins: "please find", "(people) to reach".
    fn begins_clause(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let said = self.text.said(before);
        let joins = [Cue::And, Cue::Or, Cue::But]
            .iter()
            .any(|cue| self.text.may_be(before, *cue));
        match self.text.piece(before).map(|piece| &piece.what) {
            None | Some(What::Mark(_)) => true,
            _ if said == "—" => true,
            _ if vocabulary().is_request(&self.text.stem(before)) => {
                !self.says_which(at) && self.begins_clause(before)
            }
            // "Find and list"
            _ if joins => {
                let is_value = |item: &Item| matches!(item.what, Is::Condition(..));
                !self.items.iter().any(is_value)
            }
            _ if said == "to" => true,
            _ => {
                let is_silent = vocabulary().is_silent(&self.text.stem(before));
                is_silent && !is_preposition(&said) && !is_article(&said)
            }
        }
    }

    /// "Who share nurses": what those do who are sought.
    fn is_done(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.text.said(before));
        let is_who = before.is_some_and(|who| matches!(who.as_str(), "who" | "that" | "which"));
        is_who && matches!(self.text.said(at).as_str(), "send" | "share")
    }

    /// Whether a noun for a kind of value stands beside one: "the Boston area", "industry: banking".
    fn is_beside(&self, at: usize, class: Class) -> bool {
        let is_one = |meaning: &Meaning| match meaning {
            Meaning::Place(_) | Meaning::Demonym(_) => class == Class::Place,
            Meaning::Industry(_) => class == Class::Industry,
            _ => false,
        };
        let joins = |item: &&Item| matches!(item.what, Is::Noise | Is::Break | Is::Open);
        let follows = self.items.iter().rev().find(|item| !joins(item));
        let follows = follows
            .is_some_and(|item| matches!(item.what, Is::Condition(found, _) if found == class));
        follows || self.meanings(self.behind_mark(at)).iter().any(is_one)
    }
}

pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "of" | "in"
            | "at"
            | "for"
            | "from"
            | "by"
            | "with"
            | "to"
            | "as"
            | "on"
            | "near"
            | "around"
            | "within"
            | "across"
            | "inside"
            | "throughout"
            | "is"
            | "are"
    )
}

fn is_article(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "my"
            | "our"
            | "your"
            | "their"
            | "his"
            | "her"
            | "its"
            | "this"
            | "these"
            | "those"
    )
}

/// Words of places that are no prepositions.
fn is_noun_for_place(stem: &str) -> bool {
    matches!(
        stem,
        "location"
            | "country"
            | "region"
            | "city"
            | "geo"
            | "geography"
            | "territory"
            | "market"
            | "province"
            | "greater"
            | "metro"
            | "metro area"
            | "metropolitan area"
            | "and area"
            | "area"
            | "city of"
            | "home in"
    )
}
