//! A role beside everybody who is there: "CFOs or employees at Apple" are the employees.

use super::{Class, Is, Reader};

/// Nouns for people that leave nobody out.
const ANYONE: &[&str] = &[
    "anybody",
    "anyone",
    "employees",
    "everybody",
    "everyone",
    "people",
    "person",
    "personnel",
    "persons",
    "professionals",
    "staff",
    "workers",
];

/// What may stand between these and where they are: "at an".
const LEADING: &[&str] = &[
    "a", "an", "any", "at", "for", "from", "in", "of", "the", "within",
];

impl Reader<'_> {
    /// The roles in front of "or employees at Apple" narrow nothing: the whole phrase says where somebody is. "CFOs or people who work at
    /// Apple" and "not CFOs or employees at Apple" stay as they are.
    pub(super) fn or_anyone(&mut self, item: usize) {
        let Some(first) = self.roles_before(item) else {
            return;
        };
        let Some(place) = self.place_of_anyone(item + 1) else {
            return;
        };
        let from = self.items.get(first).map(|role| role.from);
        if let (Some(from), Some(place)) = (from, self.items.get_mut(place)) {
            place.from = from;
        }
        self.items.drain(first..place);
    }

    /// The first of the roles that the OR `item` ends, where nothing turns them round: "CEOs, CFOs (or)".
    fn roles_before(&self, item: usize) -> Option<usize> {
        if self.what(item) != Some(&Is::Or) {
            return None;
        }
        let is_role = |at: usize| self.class(at) == Some(Class::Role);
        let goes_on = |at: &usize| is_role(*at) || self.joins(*at);
        let first = (0..item).rev().take_while(goes_on).last()?;
        let before = self.before_small(first);
        let may_turn = |at| self.what(at).is_some_and(Is::turns);
        (is_role(first) && !before.is_some_and(may_turn)).then_some(first)
    }

    /// The item that says where people are of whom nothing else is said: "employees at Apple", "people in Texas".
    fn place_of_anyone(&self, item: usize) -> Option<usize> {
        let place = (item..).find(|at| !self.is_small(*at))?;
        let words: Vec<String> = (item..place).map(|at| self.words(at)).collect();
        let words = words.join(" ");
        let (noun, leading) = words.split_once(' ')?;
        let is_led_to = leading.split(' ').all(|word| LEADING.contains(&word));
        let is_where = matches!(
            self.class(place)?,
            Class::Company | Class::Industry | Class::Place | Class::Size | Class::Type
        );
        (ANYONE.contains(&noun) && is_led_to && is_where).then_some(place)
    }
}
