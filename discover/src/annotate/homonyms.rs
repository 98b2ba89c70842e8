//! Words that are something else where they stand: small words that are names, "it" that is no field, oil that is no fuel.

use crate::lex::{Kind, Token};
use crate::lexicon::Lexicon;
use crate::meaning::Meaning;
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, Piece, What};

/// Words for industries with which companies are called, too.
const NAMED_AS_INDUSTRIES: &[&str] = &[
    "waste management",
    "print shop",
    "tv station",
    "tv channel",
    "radio station",
    "television station",
    "wind power",
    "wind farm",
    "solar power",
    "solar farm",
    "paper mill",
    "steel mill",
    "fitness club",
    "fitness studio",
    "event agency",
    "events agency",
    "pulp and paper",
    "paper and pulp",
    "forest product",
    "law school",
    "business school",
    "medical school",
    "clothing brand",
    "apparel brand",
    "online retailer",
    "mental health clinic",
    "political party",
];

impl<L: Lexicon> Annotator<'_, L> {
    /// Whether words that say nothing, or only ask, are written as a name, or stand where one does: "CFOs of Quick Question", "Extract
    /// Technologies", "companies called U".
    pub(super) fn names_small_words(&self, at: usize, length: usize) -> bool {
        let (Some(token), Some(tokens)) = (self.tokens.get(at), self.tokens.get(at..at + length))
        else {
            return false;
        };
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let said = before.map_or("", |before| before.text.as_str());
        let next = self.tokens.get(at + 1);
        let is_behind = matches!(said, "at" | "of" | "called" | "named" | "for");
        match self.spoken(at, length).as_str() {
            "u" => {
                let is_asked = matches!(said, "can" | "could" | "would" | "will" | "do" | "if");
                let asks = next.is_some_and(|next| vocabulary().is_request(&next.stem));
                token.is_capital || is_behind || !(is_asked || asks)
            }
            "positive" => {
                let grows =
                    next.is_some_and(|next| matches!(next.stem.as_str(), "growth" | "headcount"));
                is_behind || token.is_capital && !grows
            }
            "extract" | "retrieve" => {
                let is_firm = |stem: &str| {
                    matches!(
                        stem,
                        "technology" | "system" | "solution" | "network" | "lab" | "group"
                    )
                };
                let is_open = next.is_some_and(|next| {
                    next.is_word()
                        && next.is_capital
                        && (is_firm(&next.stem) || self.phrase(at + 1).meanings.is_empty())
                });
                is_behind || token.is_capital && (is_open || before.is_some_and(Token::is_word))
            }
            "generate" | "create" | "collect" => {
                let is_open = next.is_some_and(|next| {
                    next.is_word() && next.is_capital && self.phrase(at + 1).meanings.is_empty()
                });
                !self.asks(at) || token.is_capital && is_open
            }
            // "Companies like mine"
            "mine" => matches!(
                said,
                "of" | "like"
                    | "than"
                    | "is"
                    | "are"
                    | "as"
                    | "that"
                    | "be"
                    | "to"
                    | "was"
                    | "were"
            ),
            "quick one" | "quick question" | "best regards" | "kind regards" | "warm regards"
            | "best wishes" => {
                let begins = before.is_none_or(|before| !before.is_word());
                let mut rest = tokens.iter().skip(1);
                is_behind
                    || token.is_capital && !begins
                    || token.is_capital && !token.is_upper && rest.any(|token| token.is_capital)
            }
            _ => false,
        }
    }

    /// Whether a verb at a token asks for what is said behind it: nothing was said yet but small words, of which none tells of somebody
    /// ("managers who create"), and something is said later.
    fn asks(&self, at: usize) -> bool {
        let is_small = |piece: &Piece| match &piece.what {
            What::Phrase(meanings) => {
                let stems = self.stems_of(piece.from, piece.to.saturating_sub(piece.from));
                let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
                meanings.iter().all(is_cue)
                    && (!meanings.is_empty() || vocabulary().is_silent(&stems))
            }
            What::Number(_) => false,
            What::Mark(_) => true,
        };
        let tells = |token: &Token| {
            matches!(
                token.text.as_str(),
                "who" | "that" | "which" | "whose" | "people" | "person" | "company" | "companies"
            )
        };
        let ends = |token: &Token| matches!(token.kind, Kind::Mark('.' | '!' | '?' | ';'));
        let before = self.tokens.get(..at).unwrap_or_default();
        let begin = before.iter().rposition(ends).map_or(0, |end| end + 1);
        let before = before.get(begin..).unwrap_or_default();
        let says = |at: usize| {
            let token = self.tokens.get(at);
            let meanings = self.phrase(at).meanings;
            let is_silent = token.is_none_or(|token| vocabulary().is_silent(&token.stem));
            let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
            token.is_some_and(Token::is_word)
                && !is_silent
                && (meanings.is_empty() || !meanings.iter().all(is_cue))
        };
        let mut of_sentence = self.pieces.iter().filter(|piece| piece.from >= begin);
        of_sentence.all(is_small)
            && !before.iter().any(tells)
            && (begin > 0 || (at + 1..self.tokens.len()).any(says))
    }

    /// "Would it be possible", "make it CFOs": no information technology.
    pub(super) fn is_pronoun(&self, at: usize) -> bool {
        let said = |at: Option<usize>| {
            let token = at.and_then(|at| self.tokens.get(at));
            token.map_or("", |token| token.text.as_str())
        };
        let is_small = self
            .tokens
            .get(at)
            .is_some_and(|token| token.text == "it" && !token.is_upper);
        let before = said(at.checked_sub(1));
        let is_asked = matches!(
            before,
            "would" | "could" | "should" | "will" | "can" | "is" | "was" | "make" | "if" | "that"
        );
        let is_done = matches!(
            said(at.checked_add(1)),
            "be" | "is" | "was" | "would" | "could" | "should" | "has" | "possible" | "looks"
        );
        // "Does it managers" is of those who manage it.
        let is_role_next = || self.phrase(at + 1).meanings.iter().any(Meaning::is_role);
        let is_subject = matches!(before, "would" | "does" | "did") && !is_role_next();
        is_small && (is_asked && is_done || before == "make" || is_subject)
    }

    /// Whether a word for an industry is written as a name is: in capitals behind "at", "of" or "in", or beside another word in capitals
    /// that nothing knows: "at Waste Management", "Falls Church", "Gold's Gym". Not "in Waste Management" in a text without small letters.
    pub(super) fn names_firm(&self, at: usize, length: usize) -> bool {
        let Some(words) = self.tokens.get(at..at + length).filter(|_| length > 0) else {
            return false;
        };
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return false;
        };
        let is_firm = matches!(
            last.stem.as_str(),
            "company"
                | "firm"
                | "maker"
                | "provider"
                | "operator"
                | "producer"
                | "manufacturer"
                | "builder"
        );
        let is_short = length == 1
            && matches!(
                first.stem.as_str(),
                "church" | "gym" | "mine" | "shipyard" | "broadcaster" | "steelmaker"
            );
        let is_known = NAMED_AS_INDUSTRIES.contains(&self.stems_of(at, length).as_str());
        // "Law Schools" are many, but a school is called "of Mines".
        let is_many = last.text != last.stem && !matches!(last.stem.as_str(), "mine" | "product");
        let is_stored = (length..=LONGEST).any(|length| self.company(at, length).is_some());
        if is_many || is_stored {
            return false;
        }
        let is_capital = words.iter().all(|word| word.is_capital);
        let in_small = |token: &Token| token.is_word() && !token.is_capital;
        let writes_small = self.tokens.iter().any(in_small);
        if !(is_firm && length > 1 || is_short || is_known) || !is_capital {
            return false;
        }
        let back = |back: usize| at.checked_sub(back).and_then(|at| self.tokens.get(at));
        let said = |token: Option<&Token>| token.map_or("", |token| token.text.as_str()).to_owned();
        let leads = |word: &str| matches!(word, "at" | "of" | "in" | "from" | "for" | "like");
        let before = said(back(1));
        let is_led_to = leads(&before) || before == "the" && leads(&said(back(2)));
        let is_open = |place: usize| {
            self.tokens
                .get(place)
                .is_some_and(|token| token.is_word() && token.is_capital)
                && self.phrase(place).meanings.is_empty()
        };
        let is_beside = at.checked_sub(1).is_some_and(is_open) || is_open(at + length);
        is_led_to && writes_small || is_beside && !first.is_upper
    }

    /// Whether another word stands right in front of "oil companies" that is no place, kind or small word: "palm oil companies".
    pub(super) fn names_other_oil(&self, at: usize, length: usize) -> bool {
        let is_oil = self.tokens.get(at).is_some_and(|token| token.text == "oil");
        let is_firm = length == 2
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|token| matches!(token.stem.as_str(), "company" | "firm"));
        let is_other = |piece: &Piece| match &piece.what {
            What::Phrase(meanings) => meanings.iter().all(|meaning| {
                !matches!(
                    meaning,
                    Meaning::Place(_)
                        | Meaning::Demonym(_)
                        | Meaning::Size(_)
                        | Meaning::Type(_)
                        | Meaning::Word(_)
                )
            }),
            _ => false,
        };
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_essential = before.is_some_and(|before| before.text == "essential");
        is_oil && is_firm && (is_essential || self.pieces.last().is_some_and(is_other))
    }
}
