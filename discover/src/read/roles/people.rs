//! Nouns for people beside a role: "sales people", "engineering leads", "who run hospitals".

use crate::meaning::{Cue, Meaning};

use super::super::Reader;

impl Reader<'_> {
    pub(in crate::read) fn people(&self, mut at: usize) -> usize {
        let is_people = |at: usize| {
            let said = self.text.said(at);
            !self.is_grade(at)
                && !self.is_leader(at)
                && self.text.may_be(at, Cue::People)
                && self.text.piece(at).is_some_and(|piece| piece.is_small())
                && !matches!(said.as_str(), "who" | "whom" | "side")
        };
        while is_people(at) {
            at += 1;
        }
        at
    }

    /// Whether a function says who: "engineers", "sales people", and not "sales".
    pub(super) fn names_people(&self, at: usize) -> bool {
        let said = self.text.said(at);
        let is_plural = self.text.stem(at) != said && self.function(at).as_ref() != Some(&said);
        is_plural || ends_in_people(&said) || self.people(at + 1) > at + 1
    }

    /// Whether a function says by itself who is sought, so that no level behind another one is theirs: "engineers or sales managers",
    /// not "marketing or sales managers".
    pub(super) fn names_holders(&self, at: usize) -> bool {
        const ENDINGS: [&str; 7] = ["er", "or", "ant", "ist", "ey", "ian", "ive"];
        let (said, stem) = (self.text.said(at), self.text.stem(at));
        let is_plural = said != stem && ENDINGS.iter().any(|ending| stem.ends_with(ending));
        is_plural || ends_in_people(&said)
    }

    /// "Engineering leads": those who lead, and no nearer level says who that is.
    pub(in crate::read) fn is_leader(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        let is_lead = matches!(self.text.said(at).as_str(), "lead" | "leads");
        is_lead && before.is_some_and(|before| self.function(before).is_some())
    }

    /// "Who runs Apple", "who lead hospitals": which of the people there are meant.
    pub(in crate::read) fn says_who_leads(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.text.said(before));
        let is_who = before.is_some_and(|said| {
            let last = said.rsplit(' ').next().unwrap_or_default();
            matches!(last, "who" | "that")
        });
        let is_verb = matches!(
            self.text.said(at).as_str(),
            "run" | "runs" | "lead" | "leads" | "head" | "heads"
        );
        let next = self.text.skip(at + 1, &["a", "an", "the"]);
        let is_employer = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Company(_) | Meaning::Industry(_) | Meaning::Size(_)
            )
        };
        // "Who runs marketing", unless a level says who does: "who runs marketing? Directors or up"
        let is_field = self.function(next).is_some()
            && !(0..self.text.pieces.len()).any(|at| self.level(at).is_some());
        let is_noun =
            self.text.may_be(next, Cue::Companies) && !self.text.may_be(next, Cue::People);
        self.is_person()
            && is_who
            && is_verb
            && (is_noun || is_field || self.meanings(next).iter().any(is_employer))
    }

    /// "Lead engineers", "staff nurses": in front of a role no noun for people, but a grade that no level is.
    pub(in crate::read) fn is_grade(&self, at: usize) -> bool {
        let behind = self.meanings(at + 1).iter();
        let mut is_role = behind.map(Meaning::is_role);
        matches!(self.text.said(at).as_str(), "lead" | "staff") && is_role.any(|is_role| is_role)
    }
}

/// Whether the last word of a phrase is a noun for people: "sales people".
pub(in crate::read) fn ends_in_people(words: &str) -> bool {
    let last = words.rsplit(' ').next().unwrap_or_default();
    matches!(
        last,
        "people" | "professionals" | "folks" | "staff" | "person" | "persons" | "employees"
    )
}
