//! Job titles of the build that the vocabulary does not have: "state representatives", "senators".
//!
//! A title is read as a whole, only where a part of it would be reported otherwise: "sales directors" are a level and a function,
//! whoever has that title. It is part of the job title, as the occupations of the vocabulary are (docs/DISCOVER.md, R4).

use crate::lex::{Token, stem};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, is_adjective};
use crate::vocabulary::vocabulary;

use super::{Annotator, Piece, What};

/// Words of the longest title that is looked up.
const LONGEST: usize = 5;

impl<L: Lexicon> Annotator<'_, L> {
    /// The title that begins with token `at`, where nothing else is known of as many words: its number of tokens, and as it is
    /// stored. `length` tokens mean `meanings`.
    pub(super) fn stored_title(
        &self,
        at: usize,
        length: usize,
        meanings: &[Meaning],
    ) -> Option<(usize, String)> {
        let is_small = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Word(_) | Meaning::Industry(_) | Meaning::Function(_)
            )
        };
        // "Senior or principal engineers" are engineers of either level.
        let is_level = |meaning: &Meaning| matches!(meaning, Meaning::Level(_));
        if !meanings.iter().all(is_small) || self.follows_name_word() || self.goes_on(is_level) {
            return None;
        }
        let most = self.goes_on_to(at);
        (length.max(1)..=most)
            .rev()
            .filter(|length| *length > 1 || self.is_title_alone(at))
            .filter(|length| (at..at + length).any(|one| self.is_open(one, at + length)))
            .find_map(|length| Some((length, self.title_of(at, length)?)))
            .or_else(|| Some((1, self.title_as_listed(at)?)))
    }

    /// "State senators or representatives": what stands in front of the first noun of a list is said of the next, too.
    fn title_as_listed(&self, at: usize) -> Option<String> {
        let (token, column) = (self.tokens.get(at)?, self.columns.job_title?);
        let is_title = |meaning: &Meaning| matches!(meaning, Meaning::Title(_));
        let is_unknown = vocabulary().get(&token.stem).is_empty() && !self.names_value(at);
        if !is_unknown || !token.is_word() || !self.goes_on(is_title) {
            return None;
        }
        let mut listed = self.pieces.iter().rev().flat_map(Piece::meanings);
        let first = listed.find_map(|meaning| match meaning {
            Meaning::Title(title) => title.rsplit_once(' '),
            _ => None,
        });
        let title = format!("{} {}", first?.0, token.stem);
        self.lexicon.has(column, &title).then_some(title)
    }

    /// How many tokens from `at` on may be one title.
    fn goes_on_to(&self, at: usize) -> usize {
        let tokens = self.tokens.get(at..).unwrap_or_default();
        let is_one = |(ahead, token): &(usize, &Token)| {
            token.is_word() && !token.text.contains('.') && !self.names_value(at + ahead)
        };
        tokens
            .iter()
            .enumerate()
            .take(LONGEST)
            .take_while(is_one)
            .count()
    }

    /// Whether a token is a slip, or says by itself what is no part of a title: a place, a level, what begins something that no
    /// column answers.
    fn names_value(&self, at: usize) -> bool {
        let (Some(token), Some(stem)) = (self.tokens.get(at), self.stems.get(at)) else {
            return true;
        };
        let is_title_word = |meaning: &Meaning| match meaning {
            Meaning::Level(levels) => !is_adjective(levels),
            Meaning::Word(_) | Meaning::Industry(_) | Meaning::Function(_) | Meaning::Title(_) => {
                true
            }
            _ => false,
        };
        *stem != token.stem
            || crate::traps::knows(stem)
            || crate::traps::knows(&token.text)
            || vocabulary().is_silent(stem)
            || !vocabulary().get(stem).iter().all(is_title_word)
    }

    /// Whether a token would be reported if no title, which ends in front of `end`, had it: not so "specialists" behind what they
    /// do.
    fn is_open(&self, at: usize, end: usize) -> bool {
        let meanings = self
            .stems
            .get(at)
            .map_or(&[][..], |stem| vocabulary().get(stem));
        let may_be = |cue| meanings.contains(&Meaning::Word(cue));
        let is_small = meanings
            .iter()
            .all(|meaning| matches!(meaning, Meaning::Word(_)));
        let is_last = at + 1 == end;
        meanings.is_empty() || is_small && !is_last && !may_be(Cue::Or) && !may_be(Cue::And)
    }

    /// A title of one word is read where whoever is sought is named: in the plural, at the beginning, in a list, or behind words
    /// that say nothing. "At Rangers" names an employer.
    fn is_title_alone(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        let is_name = token.is_capital && at > 0;
        let is_head = |piece: &Piece| match &piece.what {
            What::Mark(mark) => matches!(mark, ',' | ';' | '.' | ':' | '/' | '(' | '\n'),
            What::Number(_) => false,
            What::Phrase(meanings) => {
                let joins = [Cue::Or, Cue::And, Cue::Not, Cue::Except, Cue::Either].iter();
                let is_level = |meaning: &Meaning| matches!(meaning, Meaning::Level(_));
                joins.clone().any(|cue| piece.may_be(*cue))
                    || piece.may_be(Cue::Filler) && !piece.may_be(Cue::With)
                    || meanings.iter().any(is_level)
            }
        };
        token.text != token.stem && !is_name && self.pieces.last().is_none_or(is_head)
    }

    /// The title of so many tokens, its last word in the singular.
    fn title_of(&self, at: usize, length: usize) -> Option<String> {
        let column = self.columns.job_title?;
        let (last, before) = self.tokens.get(at..at + length)?.split_last()?;
        let before: Vec<&str> = before.iter().map(|token| token.text.as_str()).collect();
        let mut forms = vec![stem(&last.text), last.text.clone()];
        forms.dedup();
        let titles = forms.into_iter().map(|last| {
            let words = before.iter().copied().chain([last.as_str()]);
            words.collect::<Vec<_>>().join(" ")
        });
        titles
            .into_iter()
            .find(|title| self.lexicon.has(column, title))
    }

    fn follows_name_word(&self) -> bool {
        let words = [
            Cue::Named,
            Cue::Surname,
            Cue::FirstName,
            Cue::Title,
            Cue::Domain,
        ];
        words.into_iter().any(|cue| self.last_cue(cue))
    }
}
