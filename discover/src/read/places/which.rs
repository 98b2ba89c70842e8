//! Which place a name means: a country, a state or a city.

use crate::annotate::GEORGIAN;
use crate::meaning::{Meaning, Place};
use crate::vocabulary::vocabulary;

use super::super::Reader;

/// Cities with the name of a state, each with the state that it is in. Behind a comma that one is no further place.
const CITIES_NAMED_AS_STATES: &[(&str, &str)] = &[
    ("california", "pennsylvania"),
    ("delaware", "ohio"),
    ("indiana", "pennsylvania"),
    ("nevada", "missouri"),
    ("ontario", "california"),
    ("oregon", "ohio"),
    ("wyoming", "michigan"),
];

impl Reader<'_> {
    /// The places whose name a piece is.
    pub(super) fn places_at(&self, at: usize) -> Vec<Place> {
        let places = self
            .meanings(at)
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Place(place) => Some(place.clone()),
                _ => None,
            });
        places.collect()
    }

    /// The place that is meant: of a city and its country the country, of a city and a state the city, unless the state is better known.
    pub(super) fn place_of(&self, at: usize) -> Option<Place> {
        let places = self.places_at(at);
        let pick = |is_it: fn(&Place) -> bool| places.iter().find(|place| is_it(place)).cloned();
        let country = pick(|place| matches!(place, Place::Country(_)));
        let city = pick(|place| matches!(place, Place::City(_)));
        let state = pick(|place| matches!(place, Place::State(_)));
        if state.is_some() && self.is_called_state(at) {
            return state;
        }
        if city.is_some() && self.is_city_named_as_state(at) {
            return city;
        }
        match (country, city, state) {
            (Some(country), _, None) => Some(country),
            (Some(country), _, Some(state)) => Some(match self.means_us_state(at) {
                true => state,
                false => country,
            }),
            (None, Some(city), Some(state)) if self.is_better_known(at, &state, &city) => {
                Some(state)
            }
            (None, Some(city), _) => Some(city),
            (None, None, Some(state)) => Some(state),
            (None, None, None) => places.first().cloned(),
        }
    }

    /// "Washington state", "New York (the state)", "the state of New York"
    fn is_called_state(&self, at: usize) -> bool {
        self.text.stem(at + 1) == "state"
            || self.says_state(at + 1).is_some()
            || at.checked_sub(1).is_some_and(|before| {
                matches!(self.text.said(before).as_str(), "state of" | "state")
            })
    }

    /// "Atlanta, Georgia", "Georgia or Texas", "Georgia, USA", but not "Tbilisi, Georgia", "Georgia".
    fn means_us_state(&self, at: usize) -> bool {
        if self.follows_city(at) {
            !self.is_georgian_city(at)
        } else {
            self.is_among_states(at) || self.is_in_united_states(at)
        }
    }

    /// Whether a state is better known than the towns that have its name: one of the vocabulary, where none of them is meant first, as
    /// "New York" is.
    fn is_better_known(&self, at: usize, state: &Place, city: &Place) -> bool {
        let is_first_meant =
            matches!(city, Place::City(name) if vocabulary().city_default(name).is_some());
        is_of_vocabulary(state) && (!is_first_meant || self.is_among_states(at))
    }

    /// "Ontario, California", but "Texas, Ontario, California or Ohio" and "Ontario, California and Ohio" are states.
    fn is_city_named_as_state(&self, at: usize) -> bool {
        let (name, state) = (self.text.said(at), self.text.said(at + 2));
        let is_listed = self
            .separator(at + 3)
            .is_some_and(|next| self.is_place_at(next))
            || at
                .checked_sub(1)
                .is_some_and(|before| self.separator(before) == Some(at));
        CITIES_NAMED_AS_STATES.contains(&(name.as_str(), state.as_str()))
            && self.text.is_mark(at + 1, ',')
            && !is_listed
    }

    /// Whether the city in front of a comma in front of piece `at` is one of the country of Georgia.
    pub(super) fn is_georgian_city(&self, at: usize) -> bool {
        let before = at.checked_sub(2).map(|before| self.text.said(before));
        before.is_some_and(|name| GEORGIAN.contains(&name.as_str()))
    }

    /// Whether a state that is nothing else stands beside it in a list.
    fn is_among_states(&self, at: usize) -> bool {
        let is_state = |at: usize| {
            let meanings = self.meanings(at);
            let has = |is_it: fn(&Place) -> bool| {
                meanings
                    .iter()
                    .any(|meaning| matches!(meaning, Meaning::Place(place) if is_it(place)))
            };
            has(|place| matches!(place, Place::State(_)))
                && !has(|place| matches!(place, Place::Country(_)))
        };
        let behind = self.separator(at + 1);
        // ", or" is one separator.
        let before = (1..=3).rev().find_map(|back| {
            let separator = at.checked_sub(back)?;
            self.separator(separator).filter(|next| *next == at)?;
            separator.checked_sub(1)
        });
        // "Albany, New York" is a city in its state: only what goes on as a list is one.
        let goes_on = behind.is_some_and(|next| {
            is_state(next) && self.separator(next + 1).is_some()
                || is_state(next) && !self.text.is_mark(at + 1, ',')
        });
        // "Austin, Texas, or New York" is a list of cities.
        let is_of_city = |state: usize| {
            let city = state.checked_sub(2);
            let is_city = city.is_some_and(|city| self.is_city_at(city) && !is_state(city));
            is_city && self.text.is_mark(state - 1, ',') && self.text.is_mark(state + 1, ',')
        };
        let follows = before.is_some_and(|before| {
            is_state(before) && !self.is_city_at(before) && !is_of_city(before)
        });
        goes_on || follows
    }

    pub(super) fn is_city_at(&self, at: usize) -> bool {
        self.meanings(at)
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Place(Place::City(_))))
    }

    /// "Georgia, USA"
    fn is_in_united_states(&self, at: usize) -> bool {
        let next = if self.text.is_mark(at + 1, ',') {
            at + 2
        } else {
            at + 1
        };
        self.meanings(next).iter().any(|meaning| matches!(meaning, Meaning::Place(Place::Country(name)) if name == "united states"))
    }

    fn follows_city(&self, at: usize) -> bool {
        at.checked_sub(2)
            .is_some_and(|before| self.text.is_mark(at - 1, ',') && self.is_place_at(before))
    }
}

/// Whether a state is one of the vocabulary.
fn is_of_vocabulary(state: &Place) -> bool {
    matches!(state, Place::State(name) if vocabulary()
        .get(&crate::lex::stems(name))
        .iter()
        .any(|meaning| matches!(meaning, Meaning::Place(Place::State(_)))))
}
