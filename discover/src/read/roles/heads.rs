//! Titles of which any word may be a part: "head of product", "chief people officer".

use crate::annotate::is_place;
use crate::cond::Cond;
use crate::lex::Token;
use crate::meaning::Cue;
use crate::traps::trap;
use crate::vocabulary::vocabulary;

use super::super::{Class, Reader};
use super::in_title;

/// How nouns end that are made of verbs and adjectives, and adjectives: no names.
const MADE: [&str; 13] = [
    "tion", "sion", "ment", "ing", "ics", "egy", "ogy", "ance", "ence", "ity", "al", "audit",
    "risk",
];

impl Reader<'_> {
    /// "head of product": a title by itself.
    pub(super) fn head_of(&mut self, at: usize) -> Option<usize> {
        let next = self.behind_head_of(at)?;
        let subject = self.text.skip(next, &["the", "our", "their", "its"]);
        // "Head of the Berlin office": where, not what.
        if subject > next && self.meanings(subject).iter().any(is_place) {
            let cond = in_title("head of".to_owned());
            return Some(self.condition(Class::Role, cond, at, subject));
        }
        // "Heads of an agency", "heads of unicorn startups" are nobody's title.
        if matches!(self.text.said(subject).as_str(), "a" | "an")
            || trap(self.kind, self.text, subject).is_some()
        {
            return None;
        }
        let mut to = self.head_of_what(subject);
        let words = self.words_of_head(subject, to)?;
        let mut titles = vec![in_title(format!("head of {words}"))];
        // "Heads of engineering or product", but not "… or product managers".
        for joined in self.joined_functions(to) {
            titles.push(in_title(format!("head of {}", self.text.said(joined))));
            to = joined + 1;
        }
        Some(self.condition(Class::Role, Cond::any(titles), at, to))
    }

    /// The piece behind "head of" or "heads of".
    fn behind_head_of(&self, at: usize) -> Option<usize> {
        let from = self.text.piece(at)?.from;
        let tokens = self.text.tokens;
        let is_head = tokens.get(from)?.stem == "head" && tokens.get(from + 1)?.text == "of";
        let is_behind = |at: &usize| {
            let piece = self.text.piece(*at);
            piece.is_none_or(|piece| piece.from >= from + 2)
        };
        (at..).find(is_behind).filter(|_| is_head)
    }

    /// The words of some pieces, as a title has them behind "head of": "sales" of "(head of the) sales team".
    fn words_of_head(&self, from: usize, to: usize) -> Option<String> {
        let first = self.text.piece(from)?.from;
        let end = self.text.piece(to - 1)?.to;
        let tokens = self.text.tokens.get(first..end)?.iter();
        let words: Vec<&str> = tokens.map(|token| token.text.as_str()).collect();
        Some(match words.as_slice() {
            [what @ .., "team"] if !what.is_empty() => what.join(" "),
            words => words.join(" "),
        })
    }

    /// The piece behind what somebody is head of: words that nothing knows, as in "organisational development", those behind a known one
    /// that are made of a verb or an adjective, as in "talent acquisition", and a function behind them, as in "growth marketing". Any
    /// other word may be a name.
    fn head_of_what(&self, first: usize) -> usize {
        let is_open = |at: usize| {
            let token = self.text.first_token(at);
            let is_word =
                token.is_some_and(|token| token.is_word() && !vocabulary().is_common(&token.text));
            is_word && self.meanings(at).is_empty() && trap(self.kind, self.text, at).is_none()
        };
        let is_made = |at: usize| {
            let said = self.text.said(at);
            is_open(at) && MADE.iter().any(|ending| said.ends_with(ending))
        };
        let is_unknown = is_open(first) && !self.text.is_capital(first);
        let goes_on =
            |at: &usize| is_made(*at) || is_unknown && is_open(*at) && !self.text.is_capital(*at);
        let behind = first + 1;
        let to = behind + (behind..).take_while(goes_on).count();
        let is_function = self.function(to).is_some()
            && self.title(to).is_none()
            && self.level(to).is_none()
            && !self.names_people(to)
            && !self.means_industry(to);
        if is_function { to + 1 } else { to }
    }

    /// The functions that the pieces from `at` on join, and that are no part of another role: "heads of engineering, product, or design".
    fn joined_functions(&self, mut at: usize) -> Vec<usize> {
        let is_word = |at| self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And);
        let mut found = Vec::new();
        let mut sure = 0;
        loop {
            let is_comma = self.text.is_mark(at, ',');
            let last = usize::from(is_comma) + at;
            let ends = is_word(last) || self.text.is_mark(at, '/');
            let next = if ends { last + 1 } else { last };
            let is_function = (is_comma || ends)
                && self.function(next).is_some()
                && self.title(next).is_none()
                && !self.says_people(next + 1)
                && !self.text.said(next).ends_with(" people")
                && !self.means_industry(next);
            let is_staff = (is_comma || ends) && self.is_headed_staff(next);
            if !is_function && !is_staff {
                break;
            }
            found.push(next);
            // Commas alone may part what is asked for.
            if ends {
                sure = found.len();
            }
            at = next + 1;
        }
        found.truncate(sure);
        found
    }

    /// "(Heads of marketing or) people at banks": the function, not somebody else. "Or people in sales", "or people who sell" are people.
    pub(super) fn is_headed_staff(&self, at: usize) -> bool {
        let is_staff = matches!(self.text.said(at).as_str(), "people" | "talent");
        let next = at + 1;
        let is_there = self.text.said(next) == "at"
            || self.text.may_be(next, Cue::In) && self.is_place_at(next + 1);
        is_staff && (is_there || self.separator(next).is_some() || self.ends_here(next))
    }

    /// "Chief people officer": a title by itself, whatever stands between.
    pub(super) fn chief_officer(&mut self, at: usize) -> Option<usize> {
        const MAX_WORDS: usize = 5;
        let from = self.text.piece(at)?.from;
        let tokens = self.text.tokens.get(from..)?;
        if tokens.first()?.stem != "chief" || self.title(at).is_some() {
            return None;
        }
        let is_one = |token: &&Token| {
            token.is_word() && !matches!(token.text.as_str(), "and" | "or" | "of" | "in")
        };
        let words = tokens.iter().take(MAX_WORDS).take_while(is_one);
        let officer = words.clone().position(|token| token.stem == "officer")?;
        let end = from + officer + 1;
        let last =
            (at..).find(|piece| self.text.piece(*piece).is_none_or(|piece| piece.to >= end))?;
        if officer < 2 || self.text.piece(last)?.to != end {
            return None;
        }
        let words: Vec<&str> = words
            .take(officer)
            .map(|token| token.text.as_str())
            .collect();
        let words = words.join(" ");
        let words = words.replacen("chiefs", "chief", 1);
        let cond = in_title(format!("{words} officer"));
        Some(self.condition(Class::Role, cond, at, last + 1))
    }
}
