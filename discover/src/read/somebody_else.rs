//! What is said of somebody else than who is asked for: "whose manager is in Berlin", "assistants to the CEO", "customers in France". No
//! column has it, so that it is reported and asks nothing.

use crate::Reason;
use crate::annotate::What;
use crate::cond::{Cond, Within};
use crate::meaning::{Cue, Meaning};

use super::{Class, Is, Reader};

/// Those whom somebody has.
const OTHERS: &[&str] = &[
    "customer",
    "client",
    "boss",
    "supervisor",
    "parent company",
    "investor",
    "founder",
    "competitor",
    "supplier",
    "spouse",
    "wife",
    "husband",
    "subsidiary",
    "user",
    "patient",
    "student",
];
/// Those who are where a company sells, and not it.
const ABROAD: &[&str] = &[
    "customer",
    "client",
    "investor",
    "supplier",
    "user",
    "subsidiary",
    "competitor",
];
/// What is done to people of a role.
const DEEDS: &[&str] = &[
    "hire",
    "hires",
    "recruit",
    "recruits",
    "train",
    "trains",
    "coach",
    "coaches",
    "mentor",
    "mentors",
    "supervise",
    "supervises",
    "advise",
    "advises",
    "employ",
    "employs",
    "place",
    "places",
    "represent",
    "represents",
    "support",
    "supports",
];
/// Those who work for the one behind "to".
const AIDES: &[&str] = &[
    "assistant",
    "secretary",
    "advisor",
    "adviser",
    "aide",
    "deputy",
    "support",
    "ea",
    "pa",
];
/// Behind a hyphen these say who has or leads it.
const HELD: &[&str] = &["run", "owned", "led", "controlled", "operated", "sponsored"];
/// Behind these and a comma the one who asks signs.
const THANKS: &[&str] = &[
    "thanks",
    "thank you",
    "many thanks",
    "thx",
    "cheers",
    "regards",
    "best regards",
];

impl Reader<'_> {
    pub(super) fn somebody_else(&mut self, at: usize) -> Option<usize> {
        self.whose(at)
            .or_else(|| self.aide_to(at))
            .or_else(|| self.done_to(at))
            .or_else(|| self.customers_in(at))
            .or_else(|| self.held_by(at))
    }

    /// "whose manager is in Berlin", "whose CEO is based in London"
    fn whose(&mut self, at: usize) -> Option<usize> {
        let (noun, verb) = (at + 1, self.behind_noun(at + 1));
        let is_other = self.says_role(noun) || OTHERS.contains(&self.text.stem(noun).as_str());
        let said = self.text.said(verb);
        let is_verb = matches!(
            said.split(' ').next(),
            Some(
                "is" | "are"
                    | "was"
                    | "works"
                    | "work"
                    | "lives"
                    | "live"
                    | "sits"
                    | "has"
                    | "have"
                    | "based"
                    | "located"
            )
        );
        (self.text.said(at) == "whose" && is_other && is_verb)
            .then(|| self.unsupported_clause(at, verb, Reason::NoSuchField))
    }

    fn behind_noun(&self, at: usize) -> usize {
        at + (at..at + 2)
            .take_while(|at| self.says_role(*at))
            .count()
            .max(1)
    }

    /// The piece behind a list of roles.
    fn behind_roles(&self, at: usize) -> usize {
        let mut to = self.behind_noun(at);
        while let Some(next) = self.separator(to).filter(|next| self.says_role(*next)) {
            to = self.behind_noun(next);
        }
        to
    }

    /// "Executive assistants to the CEO"
    fn aide_to(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || self.text.said(at) != "to" {
            return None;
        }
        let last = self.items.last().filter(|last| last.to == at)?;
        let is_role = matches!(last.what, Is::Condition(Class::Role, _) | Is::Unknown);
        let noun = self.text.stem(at.checked_sub(1)?);
        let is_aide = noun
            .rsplit(' ')
            .next()
            .is_some_and(|noun| AIDES.contains(&noun));
        let behind = self.text.skip(at + 1, &["the", "a", "an", "our", "their"]);
        let may_be_aide = is_aide || behind > at + 1 && last.what != Is::Unknown;
        if !is_role || !may_be_aide || !self.says_role(behind) {
            return None;
        }
        let to = self.behind_roles(behind);
        // "Advisors to CEOs": who that is, nothing knows.
        let unknown = self.items.pop_if(|last| last.what == Is::Unknown);
        let from = unknown.map_or(at, |unknown| unknown.from);
        Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to))
    }

    /// "Recruiters who hire engineers"
    fn done_to(&mut self, at: usize) -> Option<usize> {
        let who = at.checked_sub(1).map(|before| self.text.said(before))?;
        let is_who = matches!(who.as_str(), "who" | "that" | "which");
        let object = self
            .text
            .skip(at + 1, &["the", "a", "an", "senior", "junior"]);
        let is_done =
            is_who && DEEDS.contains(&self.text.said(at).as_str()) && self.says_role(object);
        let to = self.behind_roles(object);
        is_done.then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, to))
    }

    /// "With customers in France"
    fn customers_in(&mut self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1);
        let is_had = before.is_some_and(|before| {
            let said = self.text.said(before);
            self.text.may_be(before, Cue::With)
                || matches!(
                    said.as_str(),
                    "having" | "has" | "have" | "serving" | "serve"
                )
        });
        let is_theirs = is_had && ABROAD.contains(&self.text.stem(at).as_str());
        let place = self.text.skip(at + 2, &["the"]);
        let leads_in = self.text.may_be(at + 1, Cue::In) || self.text.said(at + 1) == "in the";
        if !is_theirs || !leads_in || !self.is_place_at(place) {
            return None;
        }
        let mut to = place + 1;
        while let Some(next) = self.separator(to).filter(|next| self.is_place_at(*next)) {
            to = next + 1;
        }
        Some(self.push(Is::Unsupported(Reason::NoSuchField), at, to))
    }

    /// "government-run hospitals"
    fn held_by(&mut self, at: usize) -> Option<usize> {
        let next = at + 1;
        let is_joined = self
            .text
            .first_token(next)
            .is_some_and(|token| token.is_joined);
        let is_held = is_joined && HELD.contains(&self.text.said(next).as_str());
        let is_value = self
            .meanings(at)
            .iter()
            .any(|meaning| !matches!(meaning, Meaning::Word(_)));
        (is_held && is_value).then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, next + 1))
    }

    /// "Urgent: nurses", not "urgent care nurses"; "thanks, Anna" at the end of a text.
    pub(super) fn says_aside(&self, at: usize) -> bool {
        let next = self.text.piece(at + 1);
        let is_end = next.is_none_or(|next| matches!(next.what, What::Mark(_)));
        is_end && self.text.said(at) == "urgent" || self.signs(at)
    }

    fn signs(&self, at: usize) -> bool {
        let piece = self.text.piece(at);
        let is_name = self.text.is_capital(at)
            && piece.is_some_and(
                |piece| matches!(&piece.what, What::Phrase(meanings) if meanings.is_empty()),
            );
        let is_end = (at + 1..self.text.pieces.len()).all(|at| {
            self.text
                .piece(at)
                .is_some_and(|piece| matches!(piece.what, What::Mark(_)))
        });
        let is_mark = |at: &usize| {
            [',', '\n', '.', '!']
                .iter()
                .any(|mark| self.text.is_mark(*at, *mark))
        };
        let mut before = (0..at).rev().skip_while(is_mark);
        let thanks = before.next().map(|before| self.text.said(before));
        is_name && is_end && thanks.is_some_and(|said| THANKS.contains(&said.as_str()))
    }

    /// "Stripe, Klarna and Revolut": a text that is nothing but names of companies.
    pub(super) fn are_only_companies(&self) -> bool {
        let is_company = |at: usize| {
            let mut meanings = self.meanings(at).iter();
            meanings.any(|meaning| matches!(meaning, Meaning::Company(_)))
        };
        let joins = |at: usize| {
            self.separator(at).is_some()
                || self.text.is_mark(at, ';')
                || self.text.is_mark(at, '\n')
        };
        let pieces = self.text.pieces.len();
        (0..pieces).all(|at| is_company(at) || joins(at)) && (0..pieces).any(is_company)
            || pieces == 1
    }

    /// "(companies with) energy in the name"
    pub(super) fn word_in_name(&mut self, at: usize) -> Option<usize> {
        let is_with = at.checked_sub(1).is_some_and(|before| {
            self.text.may_be(before, Cue::With) || self.text.may_be(before, Cue::Contains)
        });
        let piece = self.text.piece(at)?;
        let is_word = matches!(piece.what, What::Phrase(_)) && !piece.is_small();
        let name = match self.text.said(at + 1).as_str() {
            "in the" => at + 2,
            "in" => self.text.skip(at + 2, &["the", "their", "its"]),
            _ => return None,
        };
        let is_name = matches!(
            self.text.said(name).as_str(),
            "name" | "names" | "company name"
        );
        if self.is_person() || !is_with || !is_word || !is_name {
            return None;
        }
        let word = self.text.said(at);
        let cond = Cond::Contains("name.cleaned", word, Within::Anywhere);
        Some(self.condition(Class::Name, cond, at, name + 1))
    }
}
