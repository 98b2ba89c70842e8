//! Employers that the build does not have: "at Bank of America" is no bank in a country.

use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, is_place};

/// Small words within names.
const INSIDE: &[&str] = &["of", "and", "the", "for", "de", "&"];

/// Nouns with which one employer is called, where a place behind "of" says which.
const CALLED: &[&str] = &["academy", "bank", "college", "institute", "university"];

/// Those that are called after a state and a field: "Colorado School of Mines".
const SCHOOLS: &[&str] = &["academy", "college", "institute", "school"];

impl<L: Lexicon> Annotator<'_, L> {
    /// How many tokens are one name of an employer that nobody knows: several words in capitals behind "at", in a text that is not in
    /// capitals throughout. What is a phrase as a whole ("Private Equity"), ends in a noun for companies ("German Banks") or in a place
    /// ("Acme Berlin") is none.
    pub(super) fn unknown_employer(&self, at: usize) -> Option<usize> {
        let said = |back: usize| {
            let token = at.checked_sub(back).and_then(|at| self.tokens.get(at));
            token.map_or("", |token| token.text.as_str())
        };
        let is_employer = said(1) == "at" || said(1) == "the" && said(2) == "at";
        let is_capital = self.tokens.get(at).is_some_and(|token| token.is_capital);
        let in_small = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| {
                token.is_word() && !token.is_capital && !INSIDE.contains(&token.text.as_str())
            })
        };
        let writes_small = (0..at.saturating_sub(1)).any(in_small);
        if !is_employer || !is_capital || !writes_small {
            return None;
        }
        let mut length = self.capitals(at);
        while length > 1 && self.ends_elsewhere(at, length) {
            length -= 1;
        }
        let of_phrase = self.phrase(at).length;
        let is_trap = (at..at + length).any(|at| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| crate::traps::begins_with(&[token.stem.as_str()]))
        });
        // "The Home Depot" is stored without its article.
        let is_article = self.tokens.get(at).is_some_and(|token| token.text == "the");
        let has_company = (1..length).any(|inside| {
            self.company(at + inside, 1).is_some()
                || is_article && inside == 1 && self.company(at + 1, length - 1).is_some()
        });
        (length > 1
            && of_phrase < length
            && !is_trap
            && !has_company
            && !self.ends_in_companies(at, length))
        .then_some(length)
    }

    /// How many tokens from `at` on are a place.
    fn place(&self, at: usize) -> usize {
        let place = self.phrase(at);
        if place.meanings.iter().any(is_place) {
            place.length
        } else {
            usize::from(self.city(at, 1).is_some())
        }
    }

    /// How many tokens are the name of one employer that is called after a place, in capitals and behind "from": "from the University of
    /// Ohio", "from Colorado School of Mines". "From University of Texas or Ohio" goes on.
    pub(super) fn employer_of(&self, at: usize) -> Option<usize> {
        let text = |at: Option<usize>| {
            let token = at.and_then(|at| self.tokens.get(at));
            token.map_or("", |token| token.text.as_str())
        };
        let back = if text(at.checked_sub(1)) == "the" {
            2
        } else {
            1
        };
        let is_name = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| token.is_word() && token.is_capital)
        };
        let in_small = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| token.is_word() && !token.is_capital)
        };
        if text(at.checked_sub(back)) != "from" || !(0..at - back).any(in_small) {
            return None;
        }
        let state = self.phrase(at);
        let is_state = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::State(_)));
        let is_spelled = text(Some(at)).len() > 2;
        let noun = if is_spelled && state.meanings.iter().any(is_state) {
            at + state.length
        } else {
            at
        };
        let called = text(Some(noun));
        let length = if noun > at {
            usize::from(SCHOOLS.contains(&called))
        } else if CALLED.contains(&called) {
            self.place(noun + 2)
        } else {
            0
        };
        let end = noun + 2 + length;
        let is_of = text(Some(noun + 1)) == "of";
        let joins = self.is_joined(end + self.campus_behind(at, end));
        let is_whole = (at..end).all(|at| at == noun + 1 || is_name(at));
        (length > 0 && is_of && is_whole && !joins && !is_name(end)).then_some(end - at)
    }

    /// Whether a list goes on: "or Ohio", ", Ohio".
    fn is_joined(&self, at: usize) -> bool {
        let text = self.tokens.get(at).map_or("", |token| token.text.as_str());
        matches!(text, "or" | "and" | "/" | "&") || text == "," && self.place(at + 1) > 0
    }

    /// How many tokens behind a university say where it is, if no other place is beside that: "University of Texas at Austin".
    pub(super) fn campus(&self, at: usize, end: usize) -> usize {
        let campus = self.campus_behind(at, end);
        if self.is_joined(end + campus) {
            0
        } else {
            campus
        }
    }

    fn campus_behind(&self, at: usize, end: usize) -> usize {
        let of_name = self.tokens.get(at..end).unwrap_or_default();
        let is_university = of_name.iter().any(|token| token.text == "university");
        let is_at = self.tokens.get(end).is_some_and(|token| token.text == "at");
        let is_name = self
            .tokens
            .get(end + 1)
            .is_some_and(|token| token.is_capital);
        match self.place(end + 1) {
            place if place > 0 && is_university && is_at && is_name => place + 1,
            _ => 0,
        }
    }

    /// How many tokens in capitals stand from `at` on, small words within them.
    fn capitals(&self, at: usize) -> usize {
        let mut end = at;
        for next in at..at + LONGEST {
            let Some(token) = self.tokens.get(next) else {
                break;
            };
            if token.is_word() && token.is_capital {
                end = next + 1;
            } else if !INSIDE.contains(&token.text.as_str()) || token.text == "and" {
                break;
            }
        }
        end - at
    }

    /// Whether a name ends in a place that is said beside it: not "Bank of America".
    fn ends_elsewhere(&self, at: usize, length: usize) -> bool {
        let last = at + length - 1;
        let follows_of = self
            .tokens
            .get(last - 1)
            .is_some_and(|token| INSIDE.contains(&token.text.as_str()));
        let is_known =
            self.phrase(last).meanings.iter().any(is_place) || self.city(last, 1).is_some();
        !follows_of && is_known || INSIDE.contains(&self.spoken(last, 1).as_str())
    }

    /// Whether the last word says what companies or people are meant: "US Banks", "Series B Startups", "Siemens Directors".
    fn ends_in_companies(&self, at: usize, length: usize) -> bool {
        let of_name = self.tokens.get(at..at + length).unwrap_or_default();
        let Some((last, before)) = of_name.split_last() else {
            return true;
        };
        let says_kind = vocabulary().get(&last.stem).iter().any(|meaning| {
            matches!(
                meaning,
                Meaning::Industry(_)
                    | Meaning::Size(_)
                    | Meaning::Type(_)
                    | Meaning::Title(_)
                    | Meaning::Level(_)
                    | Meaning::Function(_)
                    | Meaning::Word(Cue::Companies)
            )
        });
        // "Colorado School of Mines"
        let is_plural = last.text != last.stem && last.stem != "mine";
        let is_of = before.iter().any(|token| token.text == "of");
        says_kind && (is_plural || !is_of)
    }
}
