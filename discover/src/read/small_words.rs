//! Small words: what joins, parts and turns round, and what says nothing.

use crate::annotate::What;
use crate::meaning::{Cue, Meaning};
use crate::traps::leaves_out_of_region;
use crate::vocabulary::vocabulary;

use super::{Class, Is, Item, Reader};

/// Who does "outside sales".
const SELLERS: &[&str] = &[
    "rep",
    "representative",
    "manager",
    "executive",
    "people",
    "person",
    "agent",
    "consultant",
    "specialist",
];

impl Reader<'_> {
    /// A word that puts others together or says nothing, or one that nothing knows.
    pub(super) fn small(&mut self, at: usize) -> usize {
        let what = self.small_word(at);
        if what == Is::Not && self.denies_contact_before(at) {
            return at + 1;
        }
        self.push(what, at, at + 1)
    }

    /// What a word says that makes no condition: "or", "but not", "without", "the".
    fn small_word(&self, at: usize) -> Is {
        let said = self.text.said(at);
        let is = |cue| self.text.may_be(at, cue);
        if is(Cue::Or) {
            Is::Or
        } else if is(Cue::And) {
            Is::And
        } else if is(Cue::Except) && matches!(said.as_str(), "but not" | "but no") {
            // "Engineers but not managers at Amazon": what comes behind is said of both.
            Is::Not
        } else if is(Cue::Except) || leaves_out_of_region(self.text, at) {
            Is::Except
        } else if self.is_kind_of_sales(at) {
            Is::Unknown
        } else if is(Cue::Neither) || is(Cue::Not) || is(Cue::Outside) || is(Cue::Without) {
            Is::Not
        } else if is(Cue::Nor) {
            Is::Or
        } else if is(Cue::But) {
            Is::But
        } else if is(Cue::Either) {
            Is::Either
        } else if self.is_grade(at) || self.says_who_leads(at) {
            Is::Unknown
        } else if self.says_nothing(at) || self.says_aside(at) || self.says_what_is_done(at) {
            Is::Noise
        } else if self.text.piece(at).is_some_and(|piece| piece.is_small()) && !matters(&said) {
            Is::Small
        } else {
            Is::Unknown
        }
    }

    /// "(Companies) doing market research"
    pub(super) fn says_what_is_done(&self, at: usize) -> bool {
        let is_done = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Industry(_) | Meaning::Function(_) | Meaning::PlatformWorker
            )
        };
        matches!(self.text.said(at).as_str(), "doing" | "do" | "does")
            && self.meanings(at + 1).iter().any(is_done)
    }

    /// "LinkedIn no", "email: none": turns round the contact right in front.
    fn denies_contact_before(&mut self, at: usize) -> bool {
        if !self.text.may_be(at, Cue::Without) || !self.ends_here(at + 1) {
            return false;
        }
        let last = self.items.last_mut().filter(|last| last.to == at);
        let Some(Item {
            what: Is::Condition(Class::Contact, cond),
            to,
            ..
        }) = last
        else {
            return false;
        };
        *cond = cond.clone().not();
        *to = at + 1;
        true
    }

    /// "Outside sales reps" sell outside: where a phrase begins with it, it leaves out nothing. "Managers, outside sales" are not of sales.
    fn is_kind_of_sales(&self, at: usize) -> bool {
        let begins = at.checked_sub(1).is_none_or(|before| {
            let said = self.text.said(before);
            let is_mark = matches!(
                self.text.piece(before).map(|piece| &piece.what),
                Some(What::Mark(_))
            );
            is_mark
                || matches!(
                    said.as_str(),
                    "or" | "and" | "a" | "an" | "the" | "any" | "all"
                )
                || vocabulary().is_request(&self.text.stem(before))
        });
        // "People in Texas, outside sales roles" are of others.
        let is_work = |stem: &str| at == 0 && matches!(stem, "job" | "role");
        let is_noun = |stem: &str| SELLERS.contains(&stem) || is_work(stem);
        let next = self.text.stem(at + 1);
        let says_who = match next
            .strip_prefix("sales")
            .or_else(|| next.strip_prefix("sale"))
        {
            Some("") => is_noun(&self.text.stem(at + 2)),
            Some(noun) => noun.strip_prefix(' ').is_some_and(is_noun),
            None => false,
        };
        begins && self.text.said(at) == "outside" && says_who
    }
}

/// Words of cues that ask something where nothing makes a condition of them.
fn matters(said: &str) -> bool {
    matches!(
        said,
        "active"
            | "verified"
            | "fresh"
            | "updated"
            | "growing"
            | "growth"
            | "grew"
            | "shrinking"
            | "tenure"
            | "average tenure"
            | "confirmed"
            | "founded"
            | "doubled"
            | "expanding"
            | "declining"
            | "old"
            | "launched"
            | "scaling"
            | "headcount growth"
            | "domain"
            | "website"
            | "recent"
            | "domain is"
            | "cut"
            | "lost"
            | "experience"
            | "shrank"
            | "fell"
    )
}
