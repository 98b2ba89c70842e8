//! "Indian founders in the UK", "founders in the UK from India": where somebody is said to be is known, so that the word for a people, or
//! what is said behind "from", is their origin. No record is of both countries, and origin is never a filter: it is reported.

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

/// What stands in front of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// "From": where somebody comes from, where another place is theirs.
    From,
    /// "In", "based in": where somebody is.
    There,
}

/// The country of a state; a territory is its own one.
fn country_of_state(name: &str) -> Option<&str> {
    let of_state = vocabulary().country_of_state(name);
    of_state.or_else(|| vocabulary().is_country(name).then_some(name))
}

impl Reader<'_> {
    /// "From Kenya originally", "Indian-born": says itself that it is the origin of somebody.
    pub(super) fn said_origin(&mut self, item: usize) {
        let said = item + 1;
        let is_said = match self.words(said).as_str() {
            "originally" | "by birth" => self.leads(item) == Some(Leads::From),
            "born" => self.leads(item).is_none() && self.is_people_of_country(item),
            _ => false,
        };
        let is_beside =
            self.items.get(item).map(|one| one.to) == self.items.get(said).map(|word| word.from);
        let is_word = matches!(self.what(said), Some(Is::Unknown | Is::Small | Is::Noise));
        if self.is_person()
            && is_said
            && is_beside
            && is_word
            && self.class(item) == Some(Class::Place)
        {
            self.becomes(item, Is::Unsupported(Reason::ProtectedTrait));
            self.becomes(said, Is::Unsupported(Reason::ProtectedTrait));
        }
    }

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
                Some(Is::Noise | Is::Small | Is::Unsupported(_) | Is::Condition(..))
            )
        };
        let is_place = |at: &usize| self.class(*at) == Some(Class::Place);
        // "Founders in the US from India"
        let is_there = |at: &usize| is_place(at) && self.leads(*at) == Some(Leads::There);
        let mut before = (0..item).rev().take_while(goes_on);
        let is_from = self.leads(item) == Some(Leads::From);
        let there = if is_from { before.find(is_there) } else { None };
        let last = self.last_of_peoples(item);
        // "Swiss bankers in Singapore", but "Mexican managers covering Germany" are where nobody says.
        let is_noun = |at: &usize| self.what(*at) == Some(&Is::Unknown) && !self.says_doing(*at);
        // "French nurses and doctors in Spain" are of one origin.
        let is_list = |at: &usize| {
            let is_role = |at: usize| self.class(at) == Some(Class::Role);
            let is_word = matches!(self.what(*at), Some(Is::And | Is::Or));
            let people = *at + 1;
            let is_again = self.is_people_of_country(people) && is_role(people + 1);
            is_word && at.checked_sub(1).is_some_and(is_role) && (is_role(people) || is_again)
        };
        let goes_on_to = |at: &usize| goes_on(at) || is_noun(at) || is_list(at);
        let mut behind = (last + 1..self.items.len()).take_while(goes_on_to);
        // "German engineers and French designers in Spain": both are there.
        let is_where = |at: &usize| {
            let is_listed = at.checked_sub(1).is_some_and(|join| is_list(&join));
            is_place(at) && !(is_listed && self.is_people_of_country(*at))
        };
        let Some(other) = there.or_else(|| behind.find(is_where)) else {
            return;
        };
        if there.is_none()
            && (last + 1..other).any(|at| is_noun(&at))
            && self.leads(other) != Some(Leads::There)
        {
            return;
        }
        if self.share_no_country(item, other) {
            // "UK Indian founders": the name of a country, and a word for a people.
            let names_other = there.is_none()
                && other == item + 1
                && self.leads(item).is_none()
                && self.names_country_itself(item)
                && !self.names_country_itself(other);
            let origin = if names_other { other } else { item };
            let last = if names_other { origin } else { last };
            for one in (origin..=last).step_by(2) {
                // Each word for a people is looked at by itself.
                if one == origin || is_from && self.share_no_country(one, other) {
                    self.becomes(one, Is::Unsupported(Reason::ProtectedTrait));
                }
            }
        }
    }

    /// Whether a word of an item says what somebody does: "covering", "hiring for".
    fn says_doing(&self, item: usize) -> bool {
        self.items
            .get(item)
            .is_some_and(|item| (item.from..item.to).any(|at| self.text.said(at).ends_with("ing")))
    }

    /// Whether two places have no country in common.
    fn share_no_country(&self, one: usize, other: usize) -> bool {
        match (self.countries(one), self.countries(other)) {
            (Some(one), Some(other)) => !other.iter().any(|country| one.contains(country)),
            _ => false,
        }
    }

    /// Whether an item is the name of a country, not only a word for who is from there: "UK", not "Indian".
    fn names_country_itself(&self, item: usize) -> bool {
        let is_country = |meaning: &Meaning| matches!(meaning, Meaning::Place(Place::Country(_)));
        self.items
            .get(item)
            .is_some_and(|item| self.meanings(item.from).iter().any(is_country))
    }

    /// What the word in front of an item says of it, also over "the".
    fn leads(&self, item: usize) -> Option<Leads> {
        let mut before = self.items.get(item)?.from.checked_sub(1)?;
        if self.text.said(before) == "the" {
            before = before.checked_sub(1)?;
        }
        let said = self.text.said(before);
        let said = said.strip_suffix(" the").unwrap_or(&said);
        let is_where = matches!(
            said.rsplit(' ').next(),
            Some("in" | "at" | "within" | "across" | "throughout")
        );
        if said == "from" {
            Some(Leads::From)
        } else if is_where || self.text.may_be(before, Cue::In) {
            Some(Leads::There)
        } else {
            None
        }
    }

    /// The last one of a list: "Polish and Czech engineers", "from India or Poland".
    fn last_of_peoples(&self, mut item: usize) -> usize {
        let joins = |at: usize| matches!(self.what(at), Some(Is::And | Is::Or | Is::Comma));
        let is_from = self.leads(item) == Some(Leads::From);
        let goes_on = |at: usize| {
            self.is_people_of_country(at)
                || is_from && self.class(at) == Some(Class::Place) && self.leads(at).is_none()
        };
        while joins(item + 1) && goes_on(item + 2) {
            item += 2;
        }
        item
    }

    /// Whether an item is one word for the people of a country or region, or says "from" where they are. "In the US" says where.
    fn is_people_of_country(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at) else {
            return false;
        };
        let is_people = |meaning: &Meaning| match meaning {
            Meaning::Demonym(Place::Country(_) | Place::Countries(_)) => true,
            Meaning::Demonym(Place::State(name)) => vocabulary().is_country(name),
            _ => false,
        };
        let says_people = match self.leads(at) {
            Some(Leads::From) => true,
            Some(Leads::There) => false,
            None => self.meanings(item.from).iter().any(is_people),
        };
        matches!(item.what, Is::Condition(Class::Place, _))
            && item.to == item.from + 1
            && says_people
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
            .or_else(|| all(values("state")?, country_of_state))
            .or_else(|| all(values("city")?, |name| vocabulary().country_of_city(name)))
    }
}
