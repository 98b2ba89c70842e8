//! Places: cities with their state or country, regions, demonyms, and where a company is.

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

impl Reader<'_> {
    fn place_of(&self, at: usize) -> Option<Place> {
        let cue_state = self.text.stem(at + 1) == "state"
            || at.checked_sub(1).is_some_and(|before| {
                self.text.said(before) == "state of" || self.text.said(before) == "state"
            });
        let places: Vec<Place> = self
            .meanings(at)
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Place(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
        let pick = |is_it: fn(&Place) -> bool| places.iter().find(|place| is_it(place)).cloned();
        if cue_state && let Some(state) = pick(|place| matches!(place, Place::State(_))) {
            return Some(state);
        }
        // A name that is a city and its country is the country; a city and a state, the city.
        let country = pick(|place| matches!(place, Place::Country(_)));
        let city = pick(|place| matches!(place, Place::City(_)));
        let state = pick(|place| matches!(place, Place::State(_)));
        match (country, city, state) {
            (Some(country), _, None) => Some(country),
            // Georgia: a country and a state.
            (Some(country), _, Some(state)) => Some(if self.follows_city(at) {
                country
            } else {
                country_or_state(country, state)
            }),
            (None, Some(city), _) => Some(city),
            (None, None, Some(state)) => Some(state),
            (None, None, None) => places.first().cloned(),
        }
    }

    fn follows_city(&self, at: usize) -> bool {
        at.checked_sub(2)
            .is_some_and(|before| self.text.is_mark(at - 1, ',') && self.is_place_at(before))
    }

    pub(super) fn place(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.company_place(at) {
            return Some(to);
        }
        if let Some(place) = self.find(at, |meaning| match meaning {
            Meaning::Demonym(place) => Some(place.clone()),
            _ => None,
        }) && !self.is_place_at(at)
        {
            let cond = self.place_cond(&place, None);
            return Some(self.condition(Class::Place, cond, at, at + 1));
        }
        let place = self.place_of(at)?;
        let mut to = at + 1;
        if self.text.stem(to) == "state" && matches!(place, Place::State(_)) {
            to += 1;
        }
        // Cambridge, Massachusetts; Austin TX; Ontario, Canada
        let next = if self.text.is_mark(to, ',') {
            to + 1
        } else {
            to
        };
        let larger = self.larger(&place, next);
        if let Some(larger) = larger {
            let mut to = next + 1;
            let mut cond = self.place_cond(&place, Some(&larger));
            // Cambridge, Massachusetts, USA
            let after = if self.text.is_mark(to, ',') {
                to + 1
            } else {
                to
            };
            if let (Place::State(_), Some(country @ Place::Country(_))) =
                (&larger, self.place_of(after))
                && self.separator_ends(after)
            {
                cond = Cond::all(vec![cond, self.place_cond(&country, None)]);
                to = after + 1;
            }
            return Some(self.condition(Class::Place, cond, at, to));
        }
        let cond = self.place_cond(&place, None);
        // "US-based", "London area"
        while matches!(
            self.text.said(to).as_str(),
            "based" | "area" | "region" | "metro" | "headquartered" | "located"
        ) {
            to += 1;
        }
        Some(self.condition(Class::Place, cond, at, to))
    }

    fn separator_ends(&self, at: usize) -> bool {
        !self.text.may_be(at + 1, Cue::Or)
    }

    /// The state or country behind a city or a state.
    fn larger(&self, place: &Place, next: usize) -> Option<Place> {
        let larger = self
            .meanings(next)
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Place(place) => Some(place.clone()),
                _ => None,
            })
            .find(|larger| match place {
                Place::City(_) => matches!(larger, Place::State(_) | Place::Country(_)),
                Place::State(_) => matches!(larger, Place::Country(_)),
                _ => false,
            })?;
        let is_list = next > 0
            && !self.text.is_mark(next - 1, ',')
            && self
                .text
                .piece(next - 1)
                .is_some_and(|piece| piece.may_be(Cue::Or) || piece.may_be(Cue::And));
        // "Ireland, Germany or France" is a list of like places; the next one must be of another kind.
        (!is_list).then_some(larger)
    }

    fn place_cond(&self, place: &Place, larger: Option<&Place>) -> Cond {
        let (city, state, country) = if self.is_person() {
            ("city", "state", "country")
        } else {
            ("locations.city", "locations.state", "locations.country")
        };
        let one = |column, value: &String| Cond::In(column, vec![value.clone()]);
        let mut parts = match place {
            Place::Country(name) => vec![one(country, name)],
            Place::Countries(names) => vec![Cond::In(country, names.clone())],
            Place::State(name) => vec![one(state, name)],
            Place::States(names) => vec![Cond::In(state, names.clone())],
            Place::City(name) => vec![one(city, name)],
            Place::Metro { state: of, cities } => {
                vec![one(state, of), Cond::In(city, cities.clone())]
            }
        };
        match larger {
            Some(Place::State(name)) => parts.push(one(state, name)),
            Some(Place::Country(name)) => parts.push(one(country, name)),
            _ => {
                // A name that many places bear means the best known one.
                if let Place::City(name) = place
                    && let Some([_, _, of]) = vocabulary().city_default(name)
                    && name != "new york"
                {
                    parts.push(one(country, of));
                }
            }
        }
        Cond::all(parts)
    }

    /// Where a company is, said of persons: no column has it.
    fn company_place(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || !self.text.may_be(at, Cue::In) {
            return None;
        }
        let said = self.text.said(at);
        let is_seat = said.contains("headquarter") || said.contains("hq");
        let is_based =
            said.contains("based") || said.contains("located") || said.contains("domiciled");
        let follows_company = at.checked_sub(1).is_some_and(|before| {
            let piece = self.text.piece(before);
            let is_noun = piece.is_some_and(|piece| {
                piece.may_be(Cue::Companies)
                    && !matches!(
                        self.text.said(before).as_str(),
                        "that" | "which" | "they" | "one" | "ones" | "it"
                    )
            });
            let is_value = self
                .meanings(before)
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Industry(_) | Meaning::Size(_)))
                && !self
                    .meanings(before)
                    .iter()
                    .any(|meaning| matches!(meaning, Meaning::Function(_) | Meaning::Level(_)));
            is_noun || is_value
        });
        let mut next = at + 1;
        while self.text.piece(next).is_some_and(|piece| {
            piece.is_small() && (piece.may_be(Cue::In) || piece.may_be(Cue::Filler))
        }) {
            next += 1;
        }
        if !(is_seat || is_based && follows_company) || !self.is_place_at(next) {
            return None;
        }
        let mut to = next + 1;
        while let Some(following) = self.list_separator(to)
            && self.is_place_at(following)
        {
            to = following + 1;
        }
        let mut from = at;
        if let Some(last) = self.items.last()
            && last.to == at
            && last.what == Is::Noise
            && self.text.may_be(last.from, Cue::Companies)
        {
            from = last.from;
            self.items.pop();
        }
        Some(self.push(Is::Unsupported(Reason::CompanyLocation), from, to))
    }

    fn list_separator(&self, at: usize) -> Option<usize> {
        if self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And) {
            return Some(at + 1);
        }
        if self.text.is_mark(at, ',') {
            return Some(
                if self.text.may_be(at + 1, Cue::Or) || self.text.may_be(at + 1, Cue::And) {
                    at + 2
                } else {
                    at + 1
                },
            );
        }
        None
    }
}

/// The country, unless the name is known to be decided by more than itself.
fn country_or_state(country: Place, state: Place) -> Place {
    match (&country, &state) {
        (Place::Country(a), Place::State(b)) if a == b => country,
        _ => state,
    }
}
