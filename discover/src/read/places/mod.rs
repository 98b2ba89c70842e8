//! Places (docs/DISCOVER.md, R10): cities with their state or country, regions, demonyms, and where a company is.
//!
//! A place is read in [`Reader::place`]; which one a name means is asked in which.rs, what a larger one behind it says in larger.rs.

mod company;
mod larger;
mod which;

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Meaning, Place};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

impl Reader<'_> {
    /// "Berlin", "German", "Austin, TX", "the Nordics", "US-based".
    pub(super) fn place(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.company_place(at).or_else(|| self.employers_place(at)) {
            return Some(to);
        }
        if let Some(place) = self.demonym(at) {
            return Some(self.of_people(at, &place));
        }
        let place = self.place_of(at)?;
        if let Some(to) = self
            .other_place(at, &place)
            .or_else(|| self.part_of_region(at, &place))
            .or_else(|| self.named_after(at))
            .or_else(|| self.washington(at))
            .or_else(|| self.missing_state(at, &place))
        {
            return Some(to);
        }
        let to = self.over_state(at + 1, &place);
        if let Some(to) = self
            .larger_elsewhere(at, &place, to)
            .or_else(|| self.in_larger(at, &place, to))
        {
            return Some(to);
        }
        let cond = self.place_cond_at(at, &place, None);
        let to = self.over_area(to);
        Some(self.condition(Class::Place, cond, at, to))
    }

    /// "The state of Bremen", where the build has a city of that name, but no state: it is reported.
    fn missing_state(&mut self, at: usize, place: &Place) -> Option<usize> {
        let before = at.checked_sub(1)?;
        if !matches!(place, Place::City(_)) || self.text.said(before) != "state of" {
            return None;
        }
        let noun = self.items.pop_if(|last| last.to == at);
        let from = noun.map_or(at, |noun| noun.from);
        Some(self.push(Is::Unsupported(Reason::UnknownTerm), from, at + 1))
    }

    /// "German (engineers)"; where the word is also a place, it is that.
    fn demonym(&self, at: usize) -> Option<Place> {
        let place = self.find(at, |meaning| match meaning {
            Meaning::Demonym(place) => Some(place.clone()),
            _ => None,
        });
        place.filter(|_| !self.is_place_at(at))
    }

    /// "German engineers", but not "German language", "northern Italian".
    fn of_people(&mut self, at: usize, place: &Place) -> usize {
        if let Some(to) = self
            .named_after(at)
            .or_else(|| self.part_of_region(at, place))
            .or_else(|| self.language(at))
        {
            return to;
        }
        let cond = self.place_cond(place, None);
        self.condition(Class::Place, cond, at, at + 1)
    }

    /// "(Washington) state", "(New York) (the state)": the piece behind.
    fn over_state(&self, at: usize, place: &Place) -> usize {
        let is_noun = self.text.stem(at) == "state" && matches!(place, Place::State(_));
        let to = at + usize::from(is_noun);
        self.says_state(to).unwrap_or(to)
    }

    /// "US-based", "London area": the piece behind.
    fn over_area(&self, at: usize) -> usize {
        self.text.skip(
            at,
            &[
                "based",
                "area",
                "region",
                "metro",
                "headquartered",
                "located",
                "proper",
            ],
        )
    }

    /// A city by all names of it that the build has: "Frankfurt" and "Frankfurt am Main".
    fn place_cond_at(&self, at: usize, place: &Place, larger: Option<&Place>) -> Cond {
        let cond = self.place_cond(place, larger);
        let Place::City(name) = place else {
            return cond;
        };
        let others = self
            .meanings(at)
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Place(Place::City(other)) if other != name => Some(other.clone()),
                _ => None,
            });
        let others: Vec<String> = others.collect();
        let with_others = |part| match part {
            Cond::In(column @ ("city" | "locations.city"), mut names) => {
                names.extend(others.iter().cloned());
                Cond::In(column, names)
            }
            part => part,
        };
        match cond {
            Cond::All(parts) => Cond::All(parts.into_iter().map(with_others).collect()),
            part => with_others(part),
        }
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
}
