//! "Indian founders in the UK": where somebody is said to be is known, so that the word for a people in front is their origin. No record
//! is of both countries, and origin is never a filter: it is reported.

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Meaning, Place};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

impl Reader<'_> {
    /// Reports the word for a people where another country is said of the same persons.
    pub(super) fn origin(&mut self, item: usize) {
        let is_turned = |at: usize| self.what(at).is_some_and(Is::turns);
        if !self.is_person()
            || !self.is_people_of_country(item)
            || item.checked_sub(1).is_some_and(is_turned)
            || self.is_left_out(item)
        {
            return;
        }
        let goes_on = |at: &usize| {
            matches!(
                self.what(*at),
                Some(Is::Noise | Is::Small | Is::Unknown | Is::Unsupported(_) | Is::Condition(..))
            )
        };
        let last = self.last_of_peoples(item);
        let mut behind = (last + 1..self.items.len()).take_while(goes_on);
        let Some(other) = behind.find(|at| self.class(*at) == Some(Class::Place)) else {
            return;
        };
        let (of_people, there) = (self.countries(item), self.countries(other));
        let is_elsewhere = match (of_people, there) {
            (Some(of_people), Some(there)) => !there.iter().any(|one| of_people.contains(one)),
            _ => false,
        };
        if is_elsewhere {
            self.becomes(item, Is::Unsupported(Reason::ProtectedTrait));
        }
    }

    /// The last one of a list: "Polish and Czech engineers".
    fn last_of_peoples(&self, mut item: usize) -> usize {
        let joins = |at: usize| matches!(self.what(at), Some(Is::And | Is::Or | Is::Comma));
        while joins(item + 1) && self.is_people_of_country(item + 2) {
            item += 2;
        }
        item
    }

    /// Whether an item is one word for the people of a country or region, or says "from" where they are.
    fn is_people_of_country(&self, item: usize) -> bool {
        let Some(item) = self.items.get(item) else {
            return false;
        };
        let is_people = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Demonym(Place::Country(_) | Place::Countries(_))
            )
        };
        let mut meanings = self.meanings(item.from).iter();
        let before = item.from.checked_sub(1);
        let is_from = before.is_some_and(|from| self.text.said(from) == "from");
        matches!(item.what, Is::Condition(Class::Place, _))
            && item.to == item.from + 1
            && (is_from || meanings.any(is_people))
    }

    /// The countries in which a place lies, as far as the vocabulary knows.
    fn countries(&self, item: usize) -> Option<Vec<String>> {
        let Some(Is::Condition(_, cond)) = self.what(item) else {
            return None;
        };
        let parts = match cond {
            Cond::All(parts) => parts.as_slice(),
            cond => std::slice::from_ref(cond),
        };
        let values = |column: &str| {
            parts.iter().find_map(|part| match part {
                Cond::In(found, values) if *found == column => Some(values.clone()),
                _ => None,
            })
        };
        let all = |names: Vec<String>, of: fn(&str) -> Option<&str>| -> Option<Vec<String>> {
            let countries = names.iter().map(|name| of(name).map(str::to_owned));
            countries.collect()
        };
        values("country")
            .or_else(|| all(values("state")?, |name| vocabulary().country_of_state(name)))
            .or_else(|| all(values("city")?, |name| vocabulary().country_of_city(name)))
    }
}
