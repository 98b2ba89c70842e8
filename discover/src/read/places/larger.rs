//! A larger place behind one: "Cambridge, Massachusetts", "Ontario, Canada", "Paris in Texas", "Washington, DC".

use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::vocabulary;

use super::super::{Class, Reader};

/// The larger ones, of which "New York" behind a comma says the state also where a list follows.
const TOWNS_OF_NEW_YORK: &[&str] = &[
    "albany",
    "binghamton",
    "bronx",
    "brooklyn",
    "buffalo",
    "ithaca",
    "long island",
    "manhattan",
    "mount vernon",
    "new rochelle",
    "niagara falls",
    "poughkeepsie",
    "queens",
    "saratoga springs",
    "schenectady",
    "staten island",
    "syracuse",
    "troy",
    "utica",
    "white plains",
    "yonkers",
];

impl Reader<'_> {
    /// "Cambridge, Massachusetts", "Austin TX", "Ontario, Canada", "Cambridge, Massachusetts, USA"
    pub(super) fn in_larger(&mut self, at: usize, place: &Place, to: usize) -> Option<usize> {
        let over_comma = |at| at + usize::from(self.text.is_mark(at, ','));
        let next = over_comma(to);
        let larger = self.larger(place, next)?;
        if self.lists_cities(at, next) {
            return None;
        }
        let cond = self.place_cond_at(at, place, Some(&larger));
        let after = over_comma(next + 1);
        if let (Place::State(_), Some(country @ Place::Country(_))) =
            (&larger, self.place_of(after))
            && !self.text.may_be(after + 1, Cue::Or)
        {
            let cond = Cond::all(vec![cond, self.place_cond(&country, None)]);
            return Some(self.condition(Class::Place, cond, at, after + 1));
        }
        Some(self.condition(Class::Place, cond, at, next + 1))
    }

    /// "Paris in Texas", "London (Ontario)", "Birmingham in the US": where the best-known city of a name is elsewhere, the larger place
    /// says which one is meant, and not another one.
    pub(super) fn larger_elsewhere(
        &mut self,
        at: usize,
        place: &Place,
        to: usize,
    ) -> Option<usize> {
        let Place::City(name) = place else {
            return None;
        };
        let [_, state, country] = vocabulary().city_default(name)?;
        let is_bracket = self.text.is_mark(to, '(');
        let lead = to + usize::from(is_bracket);
        let next = self.text.skip(lead, &["in", "the", "in the", "state of"]);
        let is_behind_in = next > lead && !is_bracket;
        if !is_bracket && !is_behind_in || is_bracket && !self.text.is_mark(next + 1, ')') {
            return None;
        }
        let larger = self.larger(place, next)?;
        let is_elsewhere = match &larger {
            Place::State(name) => name != state,
            Place::Country(name) => name != country,
            _ => false,
        };
        let cond = self.place_cond_at(at, place, Some(&larger));
        let end = next + 1 + usize::from(is_bracket);
        is_elsewhere.then(|| self.condition(Class::Place, cond, at, end))
    }

    /// "Washington, DC" is one place, the district.
    pub(super) fn washington(&mut self, at: usize) -> Option<usize> {
        let is_marked = self.text.is_mark(at + 1, ',');
        let next = if is_marked { at + 2 } else { at + 1 };
        let is_district = matches!(self.text.said(next).as_str(), "dc" | "d.c." | "d.c");
        if self.text.said(at) != "washington" || !is_district {
            return None;
        }
        let district = Place::State("district of columbia".to_owned());
        let cond = self.place_cond(&district, None);
        Some(self.condition(Class::Place, cond, at, next + 1))
    }

    /// Whether the city in front of piece `next` is said with its district.
    fn says_district(&self, next: usize) -> bool {
        let mut before = (0..next).rev().filter(|at| !self.text.is_mark(*at, ','));
        before
            .next()
            .is_some_and(|city| self.text.said(city).split(' ').next_back() == Some("dc"))
    }

    /// "(the US state)" behind a name: the piece behind it.
    pub(super) fn says_state(&self, at: usize) -> Option<usize> {
        if !self.text.is_mark(at, '(') {
            return None;
        }
        let end = (at + 1..at + 12).find(|end| self.text.is_mark(*end, ')'))?;
        let is_state = (at + 1..end)
            .take_while(|inside| !self.text.may_be(*inside, Cue::Not))
            .any(|inside| self.text.stem(inside) == "state");
        is_state.then_some(end + 1)
    }

    /// The state or country behind a city or a state.
    fn larger(&self, place: &Place, next: usize) -> Option<Place> {
        let places = self.places_at(next);
        let pick = |is_it: fn(&Place) -> bool| places.iter().find(|larger| is_it(larger)).cloned();
        let state = pick(|larger| matches!(larger, Place::State(_)));
        let country = pick(|larger| matches!(larger, Place::Country(_)));
        let larger = match place {
            // Atlanta, Georgia, but Tbilisi, Georgia.
            Place::City(_)
                if state.is_some() && country.is_some() && self.is_georgian_city(next) =>
            {
                country
            }
            // "Washington DC, Virginia" are two.
            Place::City(_) if self.says_district(next) => country,
            Place::City(_) => state.or(country),
            // Florida, Georgia is a list.
            Place::State(_) if state.is_none() => country,
            _ => None,
        };
        // "Ireland, Germany or France" is a list of like places; the next one must be of another kind.
        let is_list = next.checked_sub(1).is_some_and(|join| {
            !self.text.is_mark(join, ',')
                && (self.text.may_be(join, Cue::Or) || self.text.may_be(join, Cue::And))
        });
        larger.filter(|_| !is_list)
    }

    /// Whether behind a comma stands New York as one of several cities, not as the state of the one in front: "London, New York or
    /// Singapore", but "Buffalo, New York or Boston", "Springfield, New York or Ohio".
    fn lists_cities(&self, at: usize, next: usize) -> bool {
        let city = self.text.said(at);
        let may_be_there =
            vocabulary().is_both_places(&city) || TOWNS_OF_NEW_YORK.contains(&city.as_str());
        let is_city = |at: usize| {
            let mut meanings = self.meanings(at).iter();
            self.is_city_at(at)
                || meanings.any(|meaning| matches!(meaning, Meaning::Place(Place::Country(name)) if name != "united states"))
        };
        let goes_on = self.separator(next + 1).is_some_and(is_city);
        let before = at
            .checked_sub(2)
            .filter(|before| self.separator(before + 1) == Some(at));
        let is_listed = goes_on || before.is_some_and(|before| self.is_city_at(before));
        self.text.said(next) == "new york"
            && self.text.is_mark(next - 1, ',')
            && self.is_city_at(at)
            && is_listed
            && !may_be_there
    }
}
