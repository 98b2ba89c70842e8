//! Slips in words: which words nothing knows, and which of these are repaired into others.

use crate::lex::{Kind, Token, stem};
use crate::lexicon::Lexicon;
use crate::meaning::Meaning;
use crate::spelling;
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, Repair, is_place};

/// Whether a word names no value by itself, and begins nothing that does.
pub(super) fn says_nothing(word: &str) -> bool {
    let stem = stem(word);
    let meanings = vocabulary().get(&stem);
    let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
    meanings.iter().all(is_cue) && (!meanings.is_empty() || vocabulary().is_common(word))
}

impl<L: Lexicon> Annotator<'_, L> {
    /// Repairs words that neither the vocabulary nor the build knows.
    pub(super) fn repair(&mut self) -> Vec<Repair> {
        let named = self.named_tokens();
        let titled = self.titled_tokens();
        let mut repairs = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let before = at
                .checked_sub(1)
                .and_then(|before| self.tokens.get(before))
                .map_or("", |before| before.text.as_str());
            let is_given = matches!(before, "named" | "called" | "name" | "surname");
            if !token.is_word()
                || is_given
                || self.is_in_given_name(at)
                || named.contains(&at)
                || titled.contains(&at)
                || self.is_known(token)
            {
                continue;
            }
            // "At Stanford" names an employer that the build does not have, not Stamford.
            let is_employer =
                (before == "at" || before == "from" && self.follows_degree(at)) && token.is_capital;
            let city = self
                .columns
                .city
                .filter(|_| !is_employer)
                .and_then(|column| spelling::stored_near(&token.text, column, &self.lexicon));
            let follows_place = matches!(
                before,
                "in" | "from" | "near" | "around" | "or" | "and" | ","
            );
            // "In Rome" is a place that the build does not have, not a role; "at Cisco, Juniper" a company, not a junior.
            let is_name = token.is_capital && at > 0;
            let is_listed = is_name
                && matches!(before, "," | "or" | "and" | "&")
                && at.checked_sub(2).is_some_and(|listed| {
                    named.contains(&listed)
                        || self.company(listed, 1).is_some()
                        || self.city(listed, 1).is_some()
                });
            let word = spelling::repaired(&token.text).filter(|word| {
                let is_behind = matches!(before, "in" | "from" | "near" | "around" | "at" | "of");
                !(is_name && is_behind && says_nothing(word)
                    || is_listed && !vocabulary().means(word, is_place))
            });
            let repaired = match (word, city) {
                (Some(_), Some(city)) if token.is_capital && follows_place => city,
                (Some(word), _) => word,
                (None, Some(city)) => city,
                (None, None) => continue,
            };
            if let Some(stem) = self.stems.get_mut(at) {
                *stem = repaired.clone();
            }
            repairs.push(Repair {
                token: at,
                read_as: repaired,
            });
        }
        repairs
    }

    /// "A degree from Stanford" names a school.
    pub(super) fn follows_degree(&self, at: usize) -> bool {
        let degree = at.checked_sub(2).and_then(|at| self.tokens.get(at));
        degree.is_some_and(|token| {
            matches!(
                token.stem.as_str(),
                "degree" | "diploma" | "doctorate" | "mba" | "phd" | "bachelor" | "master"
            )
        })
    }

    /// Whether a word in capitals belongs to a name that was given: "named Universität St. Gallen".
    pub(super) fn is_in_given_name(&self, at: usize) -> bool {
        let is_capital = |at: usize| self.tokens.get(at).is_some_and(|token| token.is_capital);
        let goes_on = |token: &&Token| {
            token.is_word() && token.is_capital
                || matches!(token.kind, Kind::Mark('.' | '(' | '&' | '\''))
                || matches!(token.text.as_str(), "of" | "the" | "and" | "de" | "für")
        };
        let before = self.tokens.get(..at).unwrap_or_default();
        let first = before.iter().rev().find(|token| !goes_on(token));
        is_capital(at)
            && first.is_some_and(|token| matches!(token.text.as_str(), "named" | "called"))
    }

    pub(super) fn is_known(&self, token: &Token) -> bool {
        let is_code = token.is_upper && token.text.len() == 2;
        is_code
            || vocabulary().knows(&token.stem)
            || vocabulary().knows(&token.text)
            || vocabulary().is_common(&token.text)
            || vocabulary().is_common(&token.stem)
            || vocabulary().is_plain(&token.text)
            || vocabulary().is_plain(&token.stem)
            || vocabulary().is_large_city(&token.text)
            || token.text.contains('.')
            || crate::traps::knows(&token.stem)
            || crate::traps::knows(&token.text)
            || [
                self.columns.company,
                self.columns.city,
                self.columns.state,
                self.columns.first_name,
                self.columns.last_name,
            ]
            .into_iter()
            .any(|column| self.has(column, &token.text))
    }

    /// Tokens of names of more than one word that the build knows.
    pub(super) fn named_tokens(&self) -> Vec<usize> {
        let mut named = Vec::new();
        for at in 0..self.tokens.len() {
            if let Some(length) = (2..=LONGEST).rev().find(|length| {
                self.company(at, *length).is_some() || self.city(at, *length).is_some()
            }) {
                named.extend(at..at + length);
            }
        }
        named
    }
}
