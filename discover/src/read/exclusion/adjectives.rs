//! What is left out only where it is two things at once: "excluding German banks".

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::Meaning;

use super::super::{Class, Is, Item, Reader};
use super::is_name;

impl Reader<'_> {
    /// "Excluding German banks": banks that are German, neither banks nor what is German. So with "German and French banks", and with
    /// "small startups", which are one kind.
    pub(super) fn at_once(&mut self, item: usize) {
        if self.is_of_unknown(item) {
            return self.report(item, item + 1);
        }
        let last = self.last_adjective(item);
        if !self.is_adjective(item) || !self.is_left_out(item) || !self.is_said_of(last, last + 1) {
            return;
        }
        let conds = |from: usize, to: usize| {
            let items = self.items.get(from..to).unwrap_or_default();
            let conds = items.iter().filter_map(|item| match &item.what {
                Is::Condition(_, cond) => Some(cond.clone()),
                _ => None,
            });
            conds.collect::<Vec<_>>()
        };
        let noun = last + 1;
        let (adjectives, nouns) = (
            Cond::any(conds(item, noun)),
            Cond::all(conds(noun, noun + 1)),
        );
        let cond = match self.class(noun) {
            class if class == self.class(item) => in_both(&adjectives, &nouns),
            _ => Some(Cond::all(vec![adjectives, nouns])),
        };
        let ends = (self.items.get(item), self.items.get(noun));
        if let (Some(first), Some(second)) = ends
            && let (Some(class), Some(cond)) = (self.class(noun), cond)
        {
            let both = Item {
                what: Is::Condition(class, cond),
                from: first.from,
                to: second.to,
            };
            self.items.splice(item..=noun, [both]);
        }
    }

    fn is_adjective(&self, item: usize) -> bool {
        match self.class(item) {
            Some(Class::Place) => self.is_demonym(item) || self.is_beside_turn(item),
            Some(Class::Company) => self.is_beside_turn(item),
            class => matches!(class, Some(Class::Size | Class::Type)),
        }
    }

    /// Whether a word that leaves out stands right in front of an item: "excluding Texas managers", and not "not in Texas", "outside
    /// Texas". A "-" leaves out only what stands right behind it.
    fn is_beside_turn(&self, item: usize) -> bool {
        let Some(turn) = item.checked_sub(1).and_then(|at| self.items.get(at)) else {
            return false;
        };
        let is_beside = self
            .items
            .get(item)
            .is_some_and(|item| turn.to == item.from);
        let words = self.words(item - 1);
        let last = words.rsplit(' ').next().unwrap_or_default();
        let says_where = matches!(last, "in" | "from" | "outside" | "of");
        turn.what.turns() && is_beside && last != "-" && !says_where
    }

    /// Whether one item stands right in front of a noun.
    fn is_said_of(&self, item: usize, noun: usize) -> bool {
        let is_noun = matches!(
            self.class(noun),
            Some(Class::Industry | Class::Role | Class::Size | Class::Type)
        );
        let ends = (self.items.get(item), self.items.get(noun));
        is_noun && matches!(ends, (Some(first), Some(second)) if first.to == second.from)
    }

    /// The last of a list of adjectives of one kind that begins with an item, and that "and" or "or" ends: "German, French and Italian",
    /// "small and medium". In "startups and small banks" the first is a noun, and so may "UK" be in "not in UK or French banks".
    fn last_adjective(&self, first: usize) -> usize {
        let is_noun = |at| match self.class(at) {
            Some(Class::Place) => self
                .items
                .get(at)
                .is_some_and(|item| self.is_place_at(item.from)),
            _ => self.ends_in_plural(at),
        };
        let is_name = matches!(self.class(first), Some(Class::Place | Class::Company));
        let is_beside_turn = is_name && self.is_beside_turn(first);
        let is_one = |at| {
            self.class(at) == self.class(first)
                && (is_beside_turn || self.is_adjective(at) && !is_noun(at))
        };
        let (mut last, mut end) = (first, first);
        while is_one(last) {
            let next = last + 1 + (last + 1..).take_while(|at| self.joins(*at)).count();
            if next == last + 1 || !is_one(next) {
                break;
            }
            if (last + 1..next).any(|at| matches!(self.what(at), Some(Is::Or | Is::And))) {
                end = next;
            }
            last = next;
        }
        if end == last { last } else { first }
    }

    pub(in crate::read) fn ends_in_plural(&self, item: usize) -> bool {
        let last = self.items.get(item).and_then(|item| item.to.checked_sub(1));
        last.is_some_and(|last| self.text.said(last) != self.text.stem(last))
    }

    /// "Excluding Foobarly banks", and "not at German banks", of which the place is not known.
    fn is_of_unknown(&self, item: usize) -> bool {
        let ends = (self.items.get(item), self.items.get(item + 1));
        let (Some(first), Some(second)) = ends else {
            return false;
        };
        let is_adjacent = first.to == second.from && self.class(item + 1).is_some_and(is_name);
        let is_exception = || {
            let before = self.before_small(item).and_then(|before| self.what(before));
            matches!(before, Some(Is::Except | Is::Unwanted))
        };
        let is_reported = match first.what {
            Is::Unsupported(Reason::CompanyLocation) => self.is_left_out(item),
            Is::Unsupported(_) | Is::Unknown => is_exception(),
            _ => false,
        };
        is_adjacent && is_reported
    }

    fn is_demonym(&self, item: usize) -> bool {
        let piece = self.items.get(item).map(|item| item.from);
        let is_one = |meaning: &Meaning| matches!(meaning, Meaning::Demonym(_)).then_some(());
        piece.is_some_and(|at| self.find(at, is_one).is_some())
    }
}

/// The values that two lists of one column have in common.
fn in_both(one: &Cond, other: &Cond) -> Option<Cond> {
    match (one, other) {
        (Cond::In(column, values), Cond::In(second, others)) if column == second => {
            let shared = values.iter().filter(|value| others.contains(value));
            let shared: Vec<String> = shared.cloned().collect();
            (!shared.is_empty()).then_some(Cond::In(column, shared))
        }
        _ => None,
    }
}
