//! What stands in front of a noun for companies: how big they are ("large retail companies"), and of a person's employer where it is
//! ("at German car companies").

use crate::Reason;
use crate::cond::Cond;
use crate::lex::stems;
use crate::meaning::{Cue, Meaning};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

/// Between the place of an employer and the noun stand at most so many words that nothing knows: "at innovative German companies".
const MAX_UNKNOWN: usize = 2;

impl Reader<'_> {
    /// Whether piece `at` begins a noun for companies: "car companies", "banks", "private software companies"; not where it says
    /// whose people are meant, as "bank directors" does.
    fn names_companies(&self, at: usize) -> bool {
        let mut end = at;
        let mut has_noun = false;
        loop {
            let has = |is_it: fn(&Meaning) -> bool| self.meanings(end).iter().any(is_it);
            let is_companies = self.is_of_companies(end);
            if self.is_company_noun(end) {
                return !self.says_people(end + 1);
            }
            // "IT companies", "banking firms"
            let is_theirs = has(|meaning| matches!(meaning, Meaning::Function(_)))
                && self.is_company_noun(end + 1);
            if self.says_people(end) && !is_theirs && !(is_companies && self.means_industry(end)) {
                return false;
            }
            let is_plural = self.text.said(end) != self.text.stem(end);
            if is_companies || is_theirs {
                has_noun = true;
            } else if has(|meaning| matches!(meaning, Meaning::Type(_))) {
                has_noun |= is_plural;
            } else if let Some(next) = self
                .separator(end)
                .filter(|next| has_noun && self.is_of_companies(*next))
            {
                end = next;
                continue;
            } else {
                return has_noun;
            }
            end += 1;
        }
    }

    /// Whether a piece says what companies do, or of what size they are.
    fn is_of_companies(&self, at: usize) -> bool {
        let mut meanings = self.meanings(at).iter();
        meanings.any(|meaning| matches!(meaning, Meaning::Industry(_) | Meaning::Size(_)))
    }

    /// Whether a piece is a noun for companies or for what they do, and no word that only stands for one.
    fn is_company_noun(&self, at: usize) -> bool {
        let stands_for_one = matches!(
            self.text.said(at).as_str(),
            "that"
                | "which"
                | "whichever"
                | "it"
                | "they"
                | "them"
                | "this"
                | "each"
                | "one"
                | "ones"
                | "anything"
                | "something"
        );
        let is_noun = self.text.may_be(at, Cue::Companies) || self.text.may_be(at, Cue::Sector);
        is_noun && !stands_for_one && self.text.piece(at).is_some_and(|piece| piece.is_small())
    }

    /// Whether a piece is a role or a noun for people.
    pub(super) fn says_people(&self, at: usize) -> bool {
        self.says_role(at) || self.people(at) > at
    }

    fn is_land(&self, at: usize) -> bool {
        let is_demonym = |meaning: &Meaning| matches!(meaning, Meaning::Demonym(_));
        self.is_place_at(at) || self.meanings(at).iter().any(is_demonym)
    }

    /// The piece behind a list of places and of words for who comes from there, "based" behind each: "Swiss or UK-based".
    fn lands(&self, at: usize) -> Option<usize> {
        let mut to = at;
        loop {
            if !self.is_land(to) {
                return None;
            }
            to = self.text.skip(to + 1, &["based", "headquartered"]);
            match self.separator(to) {
                Some(next) if self.is_land(next) => to = next,
                _ => return Some(to),
            }
        }
    }

    /// Where a person's employer is, in front of what the employer is: "at German car companies", "of UK banks", "at Paris or
    /// Berlin-based startups". No column has it. "German engineers", "Berlin-based directors" and "at banks in Berlin" say where the
    /// person is.
    pub(super) fn employers_place(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() {
            return None;
        }
        let to = self.lands(at)?;
        let last = to.checked_sub(1)?;
        let is_based = matches!(self.text.said(last).as_str(), "based" | "headquartered");
        let is_demonym = (at..to).all(|at| !self.is_place_at(at)) && !is_based;
        let follows = self.follows_employer_word(at, is_based);
        let is_plain = |at: usize| {
            self.meanings(at).is_empty()
                && self
                    .text
                    .piece(at)
                    .is_some_and(|piece| piece.number().is_none())
        };
        let unknown = (to..to + MAX_UNKNOWN)
            .take_while(|at| follows && is_plain(*at))
            .count();
        let is_employers = if is_based {
            follows && self.text.says_companies(to)
        } else {
            (follows || is_demonym)
                && (self.names_companies(to) || self.names_companies(to + unknown))
        };
        is_employers.then(|| self.push(Is::Unsupported(Reason::CompanyLocation), at, to))
    }

    /// Whether in front of piece `at`, or of its article, stands a word behind which an employer is said.
    fn follows_employer_word(&self, at: usize, is_based: bool) -> bool {
        let said = |at: Option<usize>| at.map(|at| self.text.said(at)).unwrap_or_default();
        let article = |at: &usize| matches!(self.text.said(*at).as_str(), "a" | "an" | "the");
        let before = at.checked_sub(1);
        let before = match before.filter(article) {
            Some(article) => article.checked_sub(1),
            None => before,
        };
        match said(before).rsplit(' ').next() {
            Some("at" | "for" | "of" | "by" | "with") => true,
            Some("from" | "in" | "the") => is_based,
            _ => false,
        }
    }

    /// A size that an industry, a type or a place parts from its noun: "large retail companies", "small or mid-sized banks".
    pub(super) fn size_in_front(&mut self, at: usize) -> Option<usize> {
        let values = self.parted_size(at)?;
        let column = if self.is_person() {
            "company_size"
        } else {
            "size"
        };
        Some(self.condition(Class::Size, Cond::In(column, values), at, at + 1))
    }

    fn parted_size(&self, at: usize) -> Option<Vec<String>> {
        if !self.meanings(at).is_empty() {
            return None;
        }
        let whole = stems(&format!("{} company", self.text.said(at)));
        let values = vocabulary()
            .get(&whole)
            .iter()
            .find_map(|meaning| match meaning {
                Meaning::Size(values) => Some(values.clone()),
                _ => None,
            })?;
        let next = at + 1;
        let is_size = |at: usize| {
            let mut meanings = self.meanings(at).iter();
            meanings.any(|meaning| matches!(meaning, Meaning::Size(_)))
                || self.parted_size(at).is_some()
        };
        let is_noun = match self.separator(next) {
            Some(other) => is_size(other),
            None => self.names_companies(self.lands(next).unwrap_or(next)),
        };
        is_noun.then_some(values)
    }
}
