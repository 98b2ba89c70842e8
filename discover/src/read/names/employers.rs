//! The name of a person's employer: "at companies named Apple", "whose company name contains bank".

use super::super::{Class, Reader};
use crate::Reason;
use crate::annotate::What;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning};

/// Nouns for an employer, behind which "named" says how that is called, and not the person.
const EMPLOYERS: &[&str] = &[
    "agency",
    "business",
    "company",
    "corporation",
    "employer",
    "enterprise",
    "firm",
    "institution",
    "org",
    "organisation",
    "organization",
    "startup",
    "workplace",
];

/// Words between such a noun and its name: "(a company) whose (name is)", "(companies) not (named)".
const BETWEEN: &[&str] = &[
    "a", "are", "has", "have", "having", "is", "not", "that", "the", "which", "whose", "with",
];

/// The asker's own: "people at our company named John" are the people of that name.
const OWN: &[&str] = &["my", "our", "this", "your"];

impl Reader<'_> {
    /// Whether a word for a name is said of the employer: "company name", "(employer's) name", "(companies) called".
    pub(super) fn names_employer(&self, at: usize) -> bool {
        let Some(piece) = self.text.piece(at) else {
            return false;
        };
        let tokens = self.text.tokens;
        let is_noun = |at: usize| {
            let token = tokens.get(at);
            token.is_some_and(|token| EMPLOYERS.contains(&token.stem.as_str()))
        };
        let says = |at: usize, words: &[&str]| {
            let token = tokens.get(at);
            token.is_some_and(|token| words.contains(&token.text.as_str()))
        };
        let between = |at: &usize| says(*at, BETWEEN);
        let before = (0..piece.from).rev().find(|at| !between(at));
        is_noun(piece.from)
            || before.is_some_and(|noun| {
                let is_own = noun.checked_sub(1).is_some_and(|before| says(before, OWN));
                is_noun(noun) && !is_own
            })
    }

    /// "(At companies named) Apple or Google". What cannot be read as a name is reported.
    pub(super) fn employer_names(&mut self, at: usize, first: usize) -> Option<usize> {
        let Some((name, mut to)) = self.employer_name(first) else {
            let piece = self.text.piece(first)?;
            let is_phrase = matches!(piece.what, What::Phrase(_)) && !piece.is_small();
            let is_word = is_phrase && !self.says_role(first);
            return is_word.then(|| self.unsupported_clause(at, first + 1, Reason::NoSuchField));
        };
        let mut names = vec![name];
        while let Some((name, end)) = self.further_employer(to) {
            names.push(name);
            to = end;
        }
        let cond = Cond::In("company_name", names);
        Some(self.condition(Class::Company, cond, at, to))
    }

    /// "(Apple), Google", "(Apple) or Nowhere": a further name, and the piece behind it.
    fn further_employer(&self, at: usize) -> Option<(String, usize)> {
        let next = self.separator(at)?;
        let is_open = self.meanings(next).is_empty() && !self.text.is_mark(at, ',');
        let is_company = |meaning: &Meaning| matches!(meaning, Meaning::Company(_));
        let is_known = self.meanings(next).iter().any(is_company);
        (is_known || is_open && self.text.is_capital(next)).then(|| self.employer_name(next))?
    }

    /// A name of the build, one in capitals or in quotes, or words that nothing knows; the piece behind it.
    fn employer_name(&self, at: usize) -> Option<(String, usize)> {
        self.company_name(at).or_else(|| {
            let is_plain = |at: &usize| {
                let piece = self.text.piece(*at);
                piece.is_some_and(|piece| {
                    matches!(piece.what, What::Phrase(_))
                        && piece.meanings().is_empty()
                        && !piece.is_small()
                })
            };
            let words = (at..).take_while(is_plain);
            let words: Vec<String> = words.filter_map(|at| self.raw(at)).collect();
            let to = at + words.len();
            let ends = !self.text.may_be(to, Cue::Named);
            (!words.is_empty() && ends).then(|| (words.join(" "), to))
        })
    }
}
