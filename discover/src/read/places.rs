//! Places: cities with their state or country, regions, demonyms, and where a company is.

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

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
    fn place_of(&self, at: usize) -> Option<Place> {
        let cue_state = self.text.stem(at + 1) == "state"
            || self.says_state(at + 1).is_some()
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
        // A state of the vocabulary is better known than the towns that have its name, where none of them is meant first.
        let is_first_meant = |city: &Place| matches!(city, Place::City(name) if vocabulary().city_default(name).is_some());
        let is_listed = vocabulary_state(state.as_ref());
        if self.is_city_named_as_state(at) && city.is_some() {
            return city;
        }
        match (country, city, state) {
            (Some(country), _, None) => Some(country),
            // Georgia: a country and a state.
            (Some(country), _, Some(state)) => {
                let is_state = if self.follows_city(at) {
                    !self.is_georgian_city(at)
                } else {
                    self.is_among_states(at) || self.is_in_united_states(at)
                };
                Some(if is_state { state } else { country })
            }
            (None, Some(city), Some(state))
                if is_listed && (!is_first_meant(&city) || self.is_among_states(at)) =>
            {
                Some(state)
            }
            (None, Some(city), _) => Some(city),
            (None, None, Some(state)) => Some(state),
            (None, None, None) => places.first().cloned(),
        }
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
    fn is_georgian_city(&self, at: usize) -> bool {
        let before = at.checked_sub(2).map(|before| self.text.said(before));
        before.is_some_and(|name| {
            matches!(
                name.as_str(),
                "tbilisi" | "batumi" | "kutaisi" | "rustavi" | "gori" | "poti"
            )
        })
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
        let before = (1..=3).find_map(|back| {
            let separator = at.checked_sub(back)?;
            self.separator(separator).filter(|next| *next == at)?;
            separator.checked_sub(1)
        });
        // "Albany, New York" is a city in its state: only what goes on as a list is one.
        let goes_on = behind.is_some_and(|next| {
            is_state(next) && self.separator(next + 1).is_some()
                || is_state(next) && !self.text.is_mark(at + 1, ',')
        });
        let follows =
            before.is_some_and(is_state) && !before.is_some_and(|before| self.is_city_at(before));
        goes_on || follows
    }

    fn is_city_at(&self, at: usize) -> bool {
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

    pub(super) fn place(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.company_place(at).or_else(|| self.employers_place(at)) {
            return Some(to);
        }
        if let Some(place) = self.find(at, |meaning| match meaning {
            Meaning::Demonym(place) => Some(place.clone()),
            _ => None,
        }) && !self.is_place_at(at)
        {
            if let Some(to) = self
                .named_after(at)
                .or_else(|| self.part_of_region(at, &place))
                .or_else(|| self.language(at))
            {
                return Some(to);
            }
            let cond = self.place_cond(&place, None);
            return Some(self.condition(Class::Place, cond, at, at + 1));
        }
        let place = self.place_of(at)?;
        if let Some(to) = self
            .other_place(at, &place)
            .or_else(|| self.part_of_region(at, &place))
            .or_else(|| self.named_after(at))
        {
            return Some(to);
        }
        if let Some(to) = self.washington(at) {
            return Some(to);
        }
        let mut to = at + 1;
        if self.text.stem(to) == "state" && matches!(place, Place::State(_)) {
            to += 1;
        }
        if let Some(end) = self.says_state(to) {
            to = end;
        }
        // Cambridge, Massachusetts; Austin TX; Ontario, Canada
        let next = if self.text.is_mark(to, ',') {
            to + 1
        } else {
            to
        };
        if let Some(found) = self.larger_elsewhere(at, &place, to) {
            return Some(found);
        }
        let larger = self.larger(&place, next);
        if let Some(larger) = larger.filter(|_| !self.lists_cities(at, next)) {
            let mut to = next + 1;
            let mut cond = self.place_cond_at(at, &place, Some(&larger));
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
        let cond = self.place_cond_at(at, &place, None);
        // "US-based", "London area"
        while matches!(
            self.text.said(to).as_str(),
            "based" | "area" | "region" | "metro" | "headquartered" | "located"
        ) {
            to += 1;
        }
        Some(self.condition(Class::Place, cond, at, to))
    }

    /// "Paris in Texas", "London (Ontario)", "Birmingham in the US": where the best-known city of a name is elsewhere, the larger place
    /// says which one is meant, and not another one.
    fn larger_elsewhere(&mut self, at: usize, place: &Place, to: usize) -> Option<usize> {
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
    fn washington(&mut self, at: usize) -> Option<usize> {
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
    fn says_state(&self, at: usize) -> Option<usize> {
        if !self.text.is_mark(at, '(') {
            return None;
        }
        let end = (at + 1..at + 12).find(|end| self.text.is_mark(*end, ')'))?;
        let is_state = (at + 1..end)
            .take_while(|inside| !self.text.may_be(*inside, Cue::Not))
            .any(|inside| self.text.stem(inside) == "state");
        is_state.then_some(end + 1)
    }

    fn separator_ends(&self, at: usize) -> bool {
        !self.text.may_be(at + 1, Cue::Or)
    }

    /// The state or country behind a city or a state.
    fn larger(&self, place: &Place, next: usize) -> Option<Place> {
        let candidates: Vec<Place> = self
            .meanings(next)
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Place(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
        let pick =
            |is_it: fn(&Place) -> bool| candidates.iter().find(|larger| is_it(larger)).cloned();
        let (state, country) = (
            pick(|larger| matches!(larger, Place::State(_))),
            pick(|larger| matches!(larger, Place::Country(_))),
        );
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
        }?;
        let is_list = next > 0
            && !self.text.is_mark(next - 1, ',')
            && self
                .text
                .piece(next - 1)
                .is_some_and(|piece| piece.may_be(Cue::Or) || piece.may_be(Cue::And));
        // "Ireland, Germany or France" is a list of like places; the next one must be of another kind.
        (!is_list).then_some(larger)
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
        while let Some(following) = self.separator(to)
            && self.is_place_at(following)
        {
            to = following + 1;
        }
        let mut from = at;
        if let Some(last) = self.items.last()
            && last.to == at
            && last.what.is_small()
            && self.text.may_be(last.from, Cue::Companies)
        {
            from = last.from;
            self.items.pop();
        }
        Some(self.push(Is::Unsupported(Reason::CompanyLocation), from, to))
    }
}

/// Whether a state is one of the vocabulary.
fn vocabulary_state(state: Option<&Place>) -> bool {
    matches!(state, Some(Place::State(name)) if vocabulary()
        .get(&crate::lex::stems(name))
        .iter()
        .any(|meaning| matches!(meaning, Meaning::Place(Place::State(_)))))
}
