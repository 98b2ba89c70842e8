//! Places whose name has that of another one in it: "Kansas City", "French Guiana", "Virginia Beach". They are not there, so that nothing
//! is asked where nobody knows the whole.

use crate::meaning::Place;

use super::{Class, Is, Reader};

/// Places that have another one's name in theirs, and are not in it.
const OTHER_PLACES: &[&str] = &[
    "equatorial guinea",
    "inner mongolia",
    "new guinea",
    "north korea",
    "northern ireland",
    "northern cyprus",
    "papua new guinea",
    "south sudan",
];

/// Cities with the name of a state or country in theirs, also where more is said behind it: "Kansas City nurses", not "Texas city nurses".
const CITIES: &[&str] = &[
    "guatemala",
    "iowa",
    "kansas",
    "kuwait",
    "mexico",
    "michigan",
    "oklahoma",
    "panama",
    "virginia",
];

/// What stands behind "city" where that says whose they are.
const POSTS: &[&str] = &[
    "attorney",
    "clerk",
    "council",
    "councilor",
    "employee",
    "engineer",
    "government",
    "hall",
    "manager",
    "official",
    "planner",
];

/// Places whose name begins with that of another one, or with the word for who is from there.
const NAMED_AFTER: &[&str] = &[
    "american samoa",
    "british virgin islands",
    "french guiana",
    "french polynesia",
    "french southern territories",
    "idaho falls",
    "miami beach",
    "us virgin islands",
    "virginia beach",
];

/// In front of a region these make another one, which is on no list: "Eastern Europe", "Sub-Saharan Africa".
const DIRECTIONS: &[&str] = &[
    "central",
    "east",
    "eastern",
    "north",
    "northeastern",
    "northern",
    "northwestern",
    "saharan",
    "south",
    "southeastern",
    "southern",
    "southwestern",
    "sub",
    "west",
    "western",
];

/// So many words has the longest of them.
const MAX_WORDS: usize = 3;

impl Reader<'_> {
    /// "Kansas City", "North Korea": another place than the one whose name it has in it.
    pub(super) fn other_place(&mut self, at: usize, place: &Place) -> Option<usize> {
        let said = |at| self.text.said(at);
        let is_city = match place {
            Place::City(_) | Place::Metro { .. } => true,
            Place::Country(name) => matches!(name.as_str(), "singapore" | "luxembourg" | "monaco"),
            _ => false,
        };
        // "Country: Germany City: Berlin" and "every Texas city" name none.
        let goes_on = self.text.is_mark(at + 2, ':')
            || self.text.is_mark(at + 2, '=')
            || self.is_place_at(at + 2)
            || !self.is_city_whole(at)
                && self
                    .text
                    .piece(at + 2)
                    .is_some_and(|piece| !piece.is_small())
            || at.checked_sub(1).is_some_and(|before| {
                matches!(said(before).as_str(), "every" | "any" | "each" | "a")
            });
        if said(at + 1) == "city" && !is_city && !goes_on {
            return Some(self.push(Is::Unknown, at, at + 2));
        }
        let before = at.checked_sub(1)?;
        let is_other = OTHER_PLACES.contains(&format!("{} {}", said(before), said(at)).as_str());
        // The word in front was read as one that nothing knows.
        let last = self
            .items
            .pop_if(|last| is_other && last.to == at && last.from == before)?;
        Some(self.push(Is::Unknown, last.from, at + 1))
    }

    /// "Eastern Europe", "Central America": a region that is on no list, and so no part of the one whose name it has in it that could be
    /// asked for.
    pub(super) fn part_of_region(&mut self, at: usize, place: &Place) -> Option<usize> {
        let is_america = matches!(self.text.stem(at).as_str(), "america" | "american");
        if !is_america && !matches!(place, Place::Countries(_)) {
            return None;
        }
        let mut from = at;
        while let Some(before) = from.checked_sub(1)
            && DIRECTIONS.contains(&self.text.said(before).as_str())
            && let Some(last) = self.items.pop_if(|last| {
                let is_word = matches!(last.what, Is::Unknown | Is::Small | Is::Noise);
                // The build may have a city "central".
                let is_city = matches!(last.what, Is::Condition(Class::Place, _));
                last.to == from && (is_word || is_city && last.from + 1 == from)
            })
        {
            from = last.from;
        }
        (from < at).then(|| self.push(Is::Unknown, from, at + 1))
    }

    /// "Virginia Beach", "the British Virgin Islands", "French Guiana": another place, which nobody knows.
    pub(super) fn named_after(&mut self, at: usize) -> Option<usize> {
        let mut name = self.text.said(at);
        let to = (at + 1..=at + MAX_WORDS).find_map(|next| {
            name = format!("{name} {}", self.text.said(next));
            NAMED_AFTER.contains(&name.as_str()).then_some(next + 1)
        })?;
        Some(self.push(Is::Unknown, at, to))
    }

    /// "Kansas City nurses", but not "Iowa city managers", who may be those of cities of Iowa.
    fn is_city_whole(&self, at: usize) -> bool {
        let behind = self.text.stem(at + 2);
        let is_post = behind
            .split(' ')
            .next()
            .is_some_and(|word| POSTS.contains(&word));
        CITIES.contains(&self.text.said(at).as_str())
            && self.are_written_alike(at, at + 1)
            && !is_post
    }

    /// Whether two words both begin with a capital, or neither does: "Kansas City", not "Texas city planners".
    fn are_written_alike(&self, one: usize, other: usize) -> bool {
        self.text.is_capital(one) == self.text.is_capital(other)
    }
}
