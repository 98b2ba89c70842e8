//! Levels, functions and titles, put together: "VPs and directors of finance", "marketing or sales managers".
//!
//! What begins a role is asked in [`Reader::role`], one kind of beginning after the other; each kind is a file.

mod fields;
mod functions;
mod heads;
mod levels;
mod people;
mod shared;
mod titles;

use crate::Reason;
use crate::annotate::is_place;
use crate::meaning::{Cue, Meaning};

use super::{Class, Is, Reader};

pub(super) use people::ends_in_people;

/// A list of values and the piece behind it.
struct Values {
    values: Vec<String>,
    to: usize,
}

impl Reader<'_> {
    pub(super) fn role(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.head_of(at) {
            return Some(to);
        }
        if self.is_person()
            && let Some(to) = self.chief_officer(at)
        {
            return Some(to);
        }
        let title = self.title(at);
        let level = self.level(at);
        if !self.is_person() {
            // "Nonprofits" are a type, "consulting" is an industry: only what is nothing else describes people.
            let is_else = self.meanings(at).iter().any(|meaning| {
                matches!(
                    meaning,
                    Meaning::Type(_)
                        | Meaning::Industry(_)
                        | Meaning::Size(_)
                        | Meaning::Company(_)
                        | Meaning::Word(_)
                )
            });
            let is_role = title.is_some() || level.is_some() || self.function(at).is_some();
            return (is_role && !is_else)
                .then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, at + 1));
        }
        if let Some(title) = title {
            return Some(self.titled(at, title));
        }
        if let Some(levels) = level {
            // A school's graduates, not a level.
            if matches!(self.text.stem(at).as_str(), "graduate" | "grad")
                && let Some(last) = self.items.last()
                && last.to == at
                && (self.ends_school()
                    || matches!(
                        last.what,
                        Is::Unknown | Is::Condition(Class::Company | Class::Place | Class::Name, _)
                    ))
            {
                return Some(self.trapped(at, at + 1, Reason::NoSuchField));
            }
            let before = at.checked_sub(1);
            let is_compared = before.is_some_and(|before| {
                [Cue::Less, Cue::More, Cue::AtMost]
                    .iter()
                    .any(|cue| self.text.may_be(before, *cue))
            });
            if is_compared {
                let to = self.people(at + 1);
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at - 1, to));
            }
            // "More senior than managers" is a bound that no list of levels says.
            if self.text.said(at + 1) == "than" && self.level(at + 2).is_some() {
                let to = self.people(at + 3);
                let says_more = |before: &usize| self.text.said(*before) == "more";
                let from = before.filter(says_more).unwrap_or(at);
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to));
            }
            let levels = self.levels_between(at, levels);
            return Some(self.levels_first(at, levels));
        }
        if self.function(at).is_some() && !self.means_industry(at) {
            return Some(self.functions_first(at));
        }
        None
    }

    fn level(&self, at: usize) -> Option<Vec<String>> {
        self.find(at, |meaning| match meaning {
            Meaning::Level(values) => Some(values.clone()),
            _ => None,
        })
    }

    pub(super) fn function(&self, at: usize) -> Option<String> {
        self.find(at, |meaning| match meaning {
            Meaning::Function(value) => Some(value.clone()),
            _ => None,
        })
    }

    fn title(&self, at: usize) -> Option<String> {
        self.find(at, |meaning| match meaning {
            Meaning::Title(title) => Some(title.clone()),
            _ => None,
        })
    }

    pub(super) fn is_place_at(&self, at: usize) -> bool {
        self.meanings(at).iter().any(is_place)
    }
}
