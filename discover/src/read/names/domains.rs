//! Domains of companies: "siemens.com", "domains ending in .io", "a .ai domain".

use super::super::silence::is_preposition;
use super::super::{Class, Is, Reader};
use crate::cond::{Cond, Within};
use crate::meaning::{Cue, Meaning};

/// Endings that no domain has: "Node.js" is a tool.
const NO_DOMAINS: &[&str] = &["js", "jsx", "ts", "tsx"];

/// Words that are no part of a domain, but say what its parts are: "contains a number".
const NO_PARTS: &[&str] = &[
    "any",
    "anything",
    "both",
    "brand",
    "character",
    "characters",
    "dash",
    "digit",
    "digits",
    "dot",
    "each",
    "either",
    "every",
    "hyphen",
    "hyphens",
    "its",
    "letter",
    "letters",
    "name",
    "names",
    "neither",
    "none",
    "nor",
    "not",
    "nothing",
    "number",
    "numbers",
    "one",
    "only",
    "our",
    "some",
    "something",
    "that",
    "the",
    "their",
    "these",
    "this",
    "those",
    "two",
    "word",
    "words",
    "your",
];

impl Reader<'_> {
    /// A host, as the domain of the company.
    pub(super) fn domain(&mut self, at: usize) -> Option<usize> {
        let column = if self.is_person() {
            "company_domain"
        } else {
            "domain"
        };
        if let Some(to) = self
            .part_of_domain(at, column)
            .or_else(|| self.domain_ending(at, column))
        {
            return Some(to);
        }
        let host = |at: usize| -> Option<String> {
            let piece = self.text.piece(at)?;
            let is_one = piece.to == piece.from + 1;
            let token = self.text.tokens.get(piece.from)?;
            let is_tool = token
                .text
                .rsplit('.')
                .next()
                .is_some_and(|ending| NO_DOMAINS.contains(&ending));
            let is_host = is_one
                && !is_tool
                && token.is_word()
                && token.text.contains('.')
                && !token.text.contains('@');
            is_host.then(|| token.text.trim_start_matches("www.").to_owned())
        };
        if self.text.may_be(at, Cue::Domain) {
            let next = self
                .text
                .skip(at + 1, &[":", "is", "=", "\"", "of", "name"]);
            let host = host(next)?;
            return Some(self.condition(
                Class::Company,
                Cond::In(column, vec![host]),
                at,
                next + 1,
            ));
        }
        // A name that has a dot in it is a name.
        if self
            .meanings(at)
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Company(_)))
        {
            return None;
        }
        let host = host(at)?;
        Some(self.condition(Class::Company, Cond::In(column, vec![host]), at, at + 1))
    }

    /// "Domains ending in .io", "whose domain does not start with get". A list of endings is read as a whole or not at all.
    fn part_of_domain(&mut self, at: usize, column: &'static str) -> Option<usize> {
        if !self.text.may_be(at, Cue::Domain) || !self.may_lead_domain(at) {
            return None;
        }
        let is_denied = self.text.may_be(at + 1, Cue::Not) && self.part_of_text(at + 2).is_some();
        let of_domain = &["name", "names", "that", ":"];
        let (within, next) = self.announced_part(at + 1 + usize::from(is_denied), of_domain);
        let (cond, to) = match within? {
            Within::End => self.endings(next, column)?,
            within => {
                let word = self.word_of_domain(at, next)?;
                (Cond::Contains(column, word, within), next + 1)
            }
        };
        let cond = if is_denied { cond.not() } else { cond };
        Some(self.condition(Class::Company, cond, at, to))
    }

    /// ".io, .ai or .dev": endings of domains, and the piece behind them.
    fn endings(&self, at: usize, column: &'static str) -> Option<(Cond, usize)> {
        let (first, mut to) = self.ending(at)?;
        let mut endings = vec![first];
        while let Some((ending, end)) = self.separator(to).and_then(|next| self.ending(next)) {
            endings.push(ending);
            to = end;
        }
        if self.goes_on(to) {
            return None;
        }
        let ends = endings
            .into_iter()
            .map(|ending| Cond::Contains(column, ending, Within::End));
        Some((Cond::any(ends.collect()), to))
    }

    /// Whether what follows the part of a domain may be said of it, too: "… or ai", "… but not bank", "… and ends in .io".
    fn goes_on(&self, to: usize) -> bool {
        let Some(next) = self.separator(to) else {
            let to = to + usize::from(self.text.is_mark(to, '('));
            return self.text.may_be(to, Cue::But) || self.says_not(to);
        };
        let said = self.text.said(next);
        let is_short = said.chars().count() < 4 && !is_preposition(&said);
        self.text.may_be(next - 1, Cue::Or)
            || is_short
            || said.contains('.')
            || self.text.is_mark(next, '.')
            || self.part_of_text(next).is_some()
            || self.text.may_be(next, Cue::But)
            || self.says_not(next)
    }

    /// ".io", and the piece behind it.
    fn ending(&self, at: usize) -> Option<(String, usize)> {
        let piece = self.text.piece(at + 1)?;
        let token = self.text.first_token(at + 1)?;
        let is_one = piece.to == piece.from + 1 && token.is_word() && token.is_glued;
        if !self.text.is_mark(at, '.') || !is_one {
            return None;
        }
        Some((format!(".{}", self.raw(at + 1)?), at + 2))
    }

    /// A plain word, behind which nothing more is said of the domain: "whose domain contains bank".
    fn word_of_domain(&self, domain: usize, at: usize) -> Option<String> {
        let word = self.raw(at)?;
        let is_plain = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphanumeric());
        let is_domain = self.text.said(domain).contains("domain");
        let is_behind = at + 1 >= self.text.pieces.len()
            || matches!(
                self.text
                    .said(at + 1 + usize::from(self.text.is_mark(at + 1, ',')))
                    .as_str(),
                "in" | "with"
            );
        (is_plain && is_domain && is_behind && !NO_PARTS.contains(&word.as_str())).then_some(word)
    }

    /// Whether what stands in front of a domain leaves it as it is: not "not using a .com domain", "email domain".
    fn may_lead_domain(&self, at: usize) -> bool {
        let mut before = self.items.iter().rev();
        let last = before.find(|item| !item.what.is_small());
        let is_other = last.is_some_and(|last| {
            matches!(
                last.what,
                Is::Unknown
                    | Is::Unsupported(_)
                    | Is::Either
                    | Is::Or
                    | Is::And
                    | Is::Condition(Class::Contact, _)
            )
        });
        // "That want a .com domain" have none.
        let turns = |at: usize| {
            let said = self.text.said(at);
            let last = said.rsplit(' ').next().unwrap_or_default();
            matches!(
                last,
                "neither" | "nor" | "need" | "needs" | "want" | "wants"
            )
        };
        !is_other && !(at.saturating_sub(3)..at).any(turns)
    }

    /// "A .ai domain"
    fn domain_ending(&mut self, at: usize, column: &'static str) -> Option<usize> {
        let (ending, to) = self.ending(at)?;
        if !self.text.may_be(to, Cue::Domain) || !self.may_lead_domain(at) || self.goes_on(to + 1) {
            return None;
        }
        // ".ai, .io or .dev domains"
        let is_listed = at.checked_sub(1).is_some_and(|before| {
            self.separator(before).is_some() && !self.text.is_mark(before, ',')
                || self.text.is_mark(before, ',') && before > 1 && self.ending(before - 2).is_some()
        });
        let cond = Cond::Contains(column, ending, Within::End);
        (!is_listed).then(|| self.condition(Class::Company, cond, at, to + 1))
    }
}
