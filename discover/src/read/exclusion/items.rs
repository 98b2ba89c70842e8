//! What stands where among the items that were read, and how they are changed.

use crate::Reason;
use crate::meaning::Cue;

use super::super::lists::column;
use super::super::silence::is_preposition;
use super::super::{Class, Is, Item, Reader};
use super::is_name;
use super::verdict::{COPULAS, INCLUDED, NEEDED, PRESENT};

impl Reader<'_> {
    /// Items may come and go while they are looked at, but only from the one that is on.
    pub(in crate::read) fn each(&mut self, rule: impl Fn(&mut Self, usize)) {
        let mut at = 0;
        while at < self.items.len() {
            rule(self, at);
            at += 1;
        }
    }

    pub(in crate::read) fn what(&self, item: usize) -> Option<&Is> {
        self.items.get(item).map(|item| &item.what)
    }

    pub(in crate::read) fn class(&self, item: usize) -> Option<Class> {
        match self.what(item)? {
            Is::Condition(class, _) => Some(*class),
            _ => None,
        }
    }

    pub(in crate::read) fn words(&self, item: usize) -> String {
        let pieces = self.items.get(item).map(|item| item.from..item.to);
        let said: Vec<String> = pieces
            .into_iter()
            .flatten()
            .map(|at| self.text.said(at))
            .collect();
        said.join(" ")
    }

    pub(in crate::read) fn is_small(&self, item: usize) -> bool {
        self.what(item).is_some_and(Is::is_small)
    }

    pub(in crate::read) fn turns(&self, item: usize) -> bool {
        self.what(item).is_some_and(Is::turns)
    }

    pub(in crate::read) fn joins(&self, item: usize) -> bool {
        matches!(self.what(item), Some(Is::Or | Is::And | Is::Comma))
    }

    pub(in crate::read) fn is_reported(&self, item: usize) -> bool {
        matches!(self.what(item), Some(Is::Unknown | Is::Unsupported(_)))
    }

    /// The first item from this one on that is no small word.
    pub(in crate::read) fn over_small(&self, item: usize) -> usize {
        item + (item..).take_while(|item| self.is_small(*item)).count()
    }

    /// The last item in front of this one that is no small word.
    pub(in crate::read) fn before_small(&self, item: usize) -> Option<usize> {
        (0..item).rev().find(|item| !self.is_small(*item))
    }

    /// The last of the conditions of one class that begin with this one and stand side by side.
    pub(in crate::read) fn list_end(&self, first: usize) -> usize {
        let mut last = first;
        loop {
            let mut next = last + 1;
            while self.joins(next) || self.is_small(next) {
                next += 1;
            }
            if self.class(next).is_none() || self.class(next) != self.class(first) {
                return last;
            }
            last = next;
        }
    }

    /// The condition that a word joins with this one.
    pub(super) fn joined_before(&self, item: usize) -> Option<usize> {
        let join = self.before_small(item)?;
        let before = self.before_small(join)?;
        let is_joined = matches!(self.what(join), Some(Is::Or | Is::And));
        // "Email is known and linkedin is missing": of the first something was said already.
        let is_said = (before..join).any(|at| {
            let words = self.words(at);
            let last = words.split(' ').next_back().unwrap_or_default();
            let says = |known: &[&str]| known.contains(&last);
            says(COPULAS) || says(PRESENT) || says(INCLUDED) || says(NEEDED)
        });
        (is_joined && !is_said && self.class(before).is_some()).then_some(before)
    }

    /// The first of the conditions that end with this one and are joined by words: of one class, or all names of a clause that
    /// begins with them.
    pub(in crate::read) fn list_begin(&self, last: usize) -> usize {
        let reach = |from: usize, is_it: &dyn Fn(usize) -> bool| {
            let mut first = from;
            while let Some(before) = self.joined_before(first).filter(|before| is_it(*before)) {
                first = before;
            }
            first
        };
        let is_named = |at: usize| self.class(at).is_some_and(is_name);
        let same = reach(last, &|at| self.class(at) == self.class(last));
        let first = reach(same, &is_named);
        let before = self
            .before_small(first)
            .and_then(|before| self.what(before));
        let begins = matches!(before, Some(Is::Comma | Is::Break));
        if begins && is_named(last) {
            first
        } else {
            same
        }
    }

    /// The first of a list that a joining word ends, "banks, hospitals and insurers", of which `last` is the last one and `first` one in
    /// front of it. What is not understood may be one of the list, unless what stands in front of it is the noun that is asked for.
    pub(super) fn whole_list_begin(&self, first: usize, last: usize) -> usize {
        let (mut begin, mut at) = (first, first);
        let is_last_one = |at: usize| self.class(last).is_none() || self.is_of_list(at, last);
        let is_one = |at: usize, behind: usize| {
            self.is_of_list(at, first) && is_last_one(at) && self.is_member(at, behind)
        };
        let mut is_ended = first < last;
        while let Some((join, before)) = self.listed_before(at) {
            let is_word = self.what(join) != Some(&Is::Comma);
            if is_word == is_ended {
                break;
            }
            is_ended = true;
            if is_one(before, at) {
                begin = before;
            } else if !self.is_reported(before) {
                break;
            }
            at = before;
        }
        begin
    }

    /// Whether an item is a bare value of the column that another one is of: "Dallas" and "Austin", but not "in Texas".
    fn is_of_list(&self, item: usize, other: usize) -> bool {
        let column_of = |at: usize| match self.what(at) {
            Some(Is::Condition(_, cond)) => column(cond),
            _ => None,
        };
        let behind_before = self.before_small(item).map_or(0, |before| before + 1);
        let is_own = |at: usize| self.words(at).split(' ').any(is_preposition);
        column_of(item).is_some()
            && column_of(item) == column_of(other)
            && !(behind_before..item).any(is_own)
    }

    /// Whether what opens a list is one of it, and not what is asked for: that has a noun of its own, or a word that is not understood
    /// behind it ("software engineers, contractors and consultants").
    fn is_member(&self, item: usize, behind: usize) -> bool {
        let is_asked_before = (0..item).any(|at| self.class(at).is_some());
        let has_noun = self.says(
            item + 1,
            self.over_small(item + 1),
            &[Cue::People, Cue::Companies],
        );
        let is_bare = !self.words(item).contains(' ') && !has_noun && !self.is_reported(behind);
        is_asked_before || is_bare
    }

    /// What stands in front of an item in its list, and what joins them: ", and" is an "and".
    fn listed_before(&self, item: usize) -> Option<(usize, usize)> {
        let join = self.before_small(item).filter(|join| self.joins(*join))?;
        let before = self.before_small(join)?;
        let is_comma = self.what(before) == Some(&Is::Comma);
        let before = if is_comma {
            self.before_small(before)?
        } else {
            before
        };
        Some((join, before))
    }

    /// Has an item say something else.
    pub(in crate::read) fn becomes(&mut self, item: usize, what: Is) {
        if let Some(item) = self.items.get_mut(item) {
            item.what = what;
        }
    }

    /// Reports items together.
    pub(in crate::read) fn report(&mut self, first: usize, last: usize) {
        let ends = (self.items.get(first), self.items.get(last));
        let (Some(from), Some(to)) = (ends.0.map(|one| one.from), ends.1.map(|one| one.to)) else {
            return;
        };
        let what = Is::Unsupported(Reason::NoSuchField);
        self.items.splice(first..=last, [Item { what, from, to }]);
    }

    /// Puts a word in front of an item that is not said there.
    pub(in crate::read) fn insert(&mut self, item: usize, what: Is) {
        let before = item
            .checked_sub(1)
            .and_then(|before| self.items.get(before));
        let place = self.items.get(item).map(|item| item.from);
        if let Some(from) = place.or_else(|| before.map(|item| item.to)) {
            self.items.insert(
                item,
                Item {
                    what,
                    from,
                    to: from,
                },
            );
        }
    }
}
