//! Words for where a company is that are no values: "with an office in Berlin".

use crate::meaning::Cue;

use super::{Class, Is, Reader};

/// What a company has where it is.
const OFFICES: &[&str] = &[
    "office",
    "branch",
    "branch office",
    "location",
    "headquarter",
    "facility",
    "site",
    "outpost",
    "presence",
    "base",
    "hub",
];

impl Reader<'_> {
    /// "(Companies with) offices in Berlin": where one of its places is (R16). Of two places that must both hold, "US companies with
    /// offices in Berlin", only those that one place of a company has at once can be asked.
    pub(super) fn office(&mut self, at: usize) -> Option<usize> {
        let has_place = self
            .items
            .iter()
            .any(|item| matches!(item.what, Is::Condition(Class::Place, _)));
        let next = at + 1;
        let is_office = OFFICES.contains(&self.text.stem(at).as_str());
        let says_where = self.text.may_be(next, Cue::In) && self.is_place_at(next + 1);
        (!self.is_person() && is_office && says_where && !has_place)
            .then(|| self.push(Is::Noise, at, next))
    }
}
