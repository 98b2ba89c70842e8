//! Places whose name has that of another one in it: "Kansas City", "French Guiana", "Virginia Beach". They are not there, so that nothing
//! is asked where nobody knows the whole.

use crate::meaning::{Cue, Meaning, Place};

use super::{Is, Reader};

/// Places that have another one's name in theirs, and are not in it.
const OTHER_PLACES: &[&str] = &[
    "equatorial guinea",
    "inner mongolia",
    "new guinea",
    "north korea",
    "northern ireland",
    "northern cyprus",
    "papua new guinea",
    "south sudan",
];

/// Nouns that make another place of a name in front of them.
const LANDS: &[&str] = &[
    "bay",
    "beach",
    "cove",
    "creek",
    "fall",
    "grove",
    "harbor",
    "harbour",
    "height",
    "hill",
    "island",
    "isle",
    "lake",
    "mesa",
    "peninsula",
    "rapid",
    "river",
    "shore",
    "spring",
    "valley",
];

/// So many words at most stand behind the name of the other place.
const MOST_WORDS: usize = 3;

impl Reader<'_> {
    /// "Kansas City", "North Korea": another place than the one whose name it has in it.
    pub(super) fn other_place(&mut self, at: usize, place: &Place) -> Option<usize> {
        let said = |at| self.text.said(at);
        let is_city = match place {
            Place::City(_) | Place::Metro { .. } => true,
            Place::Country(name) => matches!(name.as_str(), "singapore" | "luxembourg" | "monaco"),
            _ => false,
        };
        // "Country: Germany City: Berlin" and "every Texas city" name none.
        let goes_on = self.text.is_mark(at + 2, ':')
            || self.text.is_mark(at + 2, '=')
            || self.is_place_at(at + 2)
            || !self.are_written_alike(at, at + 1)
                && self
                    .text
                    .piece(at + 2)
                    .is_some_and(|piece| !piece.is_small())
            || at.checked_sub(1).is_some_and(|before| {
                matches!(said(before).as_str(), "every" | "any" | "each" | "a")
            });
        if said(at + 1) == "city" && !is_city && !goes_on {
            return Some(self.push(Is::Unknown, at, at + 2));
        }
        let before = at.checked_sub(1)?;
        let is_other = OTHER_PLACES.contains(&format!("{} {}", said(before), said(at)).as_str());
        // The word in front was read as one that nothing knows.
        let last = self
            .items
            .pop_if(|last| is_other && last.to == at && last.from == before)?;
        Some(self.push(Is::Unknown, last.from, at + 1))
    }

    /// "Virginia Beach", "the British Virgin Islands", "(in) French Guiana": another place, or one that nobody knows.
    pub(super) fn named_after(&mut self, at: usize) -> Option<usize> {
        let first = at + 1;
        let words = (first..first + MOST_WORDS).take_while(|next| {
            self.are_written_alike(at, *next) && (self.is_unread(*next) || self.is_land_word(*next))
        });
        let words = words.count();
        let land = (first..first + words).find(|next| self.is_land_word(*next));
        let is_demonym = |meaning: &Meaning| matches!(meaning, Meaning::Demonym(_));
        let is_adjective = self.meanings(at).iter().any(is_demonym) && !self.is_place_at(at);
        let says_in = at
            .checked_sub(1)
            .is_some_and(|before| self.text.may_be(before, Cue::In));
        let to = match land {
            Some(land) => land + 1,
            None if is_adjective && says_in && words > 0 => first + words,
            None => return None,
        };
        Some(self.push(Is::Unknown, at, to))
    }

    /// Whether a piece is a word that nothing knows.
    fn is_unread(&self, at: usize) -> bool {
        let is_word = |token: &crate::lex::Token| token.is_word();
        let tokens = self
            .text
            .piece(at)
            .and_then(|piece| self.text.tokens.get(piece.from..piece.to));
        self.meanings(at).is_empty() && tokens.is_some_and(|tokens| tokens.iter().all(is_word))
    }

    fn is_land_word(&self, at: usize) -> bool {
        let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        LANDS.contains(&self.text.stem(at).as_str()) && self.meanings(at).iter().all(is_cue)
    }

    /// Whether two words both begin with a capital, or neither does: "Kansas City", not "Texas city planners".
    fn are_written_alike(&self, one: usize, other: usize) -> bool {
        let is_capital = |at: usize| {
            let piece = self.text.piece(at)?;
            self.text
                .tokens
                .get(piece.from)
                .map(|token| token.is_capital)
        };
        is_capital(one) == is_capital(other)
    }
}
