//! Employers that the build does not have: "at Bank of America" is no bank in a country.

use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, is_place};

/// Small words within names.
const INSIDE: &[&str] = &["of", "and", "the", "for", "de", "&"];

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
        let (of_phrase, _) = self.phrase(at);
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
        let is_known = self.phrase(last).1.iter().any(is_place) || self.city(last, 1).is_some();
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
