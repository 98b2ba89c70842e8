//! Words for where a company is that are no values: "with an office in Berlin".

use crate::meaning::Cue;

use super::{Class, Is, Reader};

/// What a company has where it is.
pub(super) const OFFICES: &[&str] = &["office", "branch", "branch office", "headquarter"];

/// What says that a company has it.
const HAVING: &[&str] = &[
    "with",
    "having",
    "have",
    "has",
    "that have",
    "that has",
    "which have",
    "which has",
    "who have",
];

impl Reader<'_> {
    /// "(Companies with) offices in Berlin", where nothing is left out: where one of its places is (R16). Of two places that must both hold, "US companies with
    /// offices in Berlin", only those that one place of a company has at once can be asked.
    pub(super) fn office(&mut self, at: usize) -> Option<usize> {
        let has_place = self
            .items
            .iter()
            .any(|item| matches!(item.what, Is::Condition(Class::Place, _)));
        let next = at + 1;
        let is_office = OFFICES.contains(&self.text.stem(at).as_str());
        let says_where = self.text.may_be(next, Cue::In) && self.is_place_at(next + 1);
        // "Fewer than 5 offices", "planned offices", "a client's office" are others.
        let mut before = (0..at).rev().map(|at| self.text.said(at));
        let has = before
            .find(|said| !matches!(said.as_str(), "a" | "an" | "the"))
            .is_some_and(|said| HAVING.contains(&said.as_str()));
        let leaves_out = |at| self.says_not(at);
        (!self.is_person()
            && is_office
            && says_where
            && has
            && !has_place
            && !(0..self.text.pieces.len()).any(leaves_out))
        .then(|| self.push(Is::Noise, at, next))
    }
}
