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
use crate::cond::{Cond, Within};
use crate::meaning::Meaning;

use super::{Is, Reader};

pub(super) use people::ends_in_people;

/// A list of values and the piece behind it.
struct Values {
    values: Vec<String>,
    to: usize,
}

impl Reader<'_> {
    /// A role that begins at piece `at`: "head of product", "product managers", "VPs of sales", "engineers".
    pub(super) fn role(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() {
            return self.role_at_companies(at);
        }
        if let Some(to) = self.head_of(at).or_else(|| self.chief_officer(at)) {
            return Some(to);
        }
        if let Some(title) = self.title(at) {
            return Some(self.titled(at, title));
        }
        if let Some(levels) = self.level(at) {
            return Some(self.level_first(at, levels));
        }
        (self.function(at).is_some() && !self.means_industry(at)).then(|| self.functions_first(at))
    }

    /// "(Companies with) engineers": who works at a company is asked of persons. "Nonprofits" are a type, "consulting" is an industry:
    /// only what is nothing else describes people.
    fn role_at_companies(&mut self, at: usize) -> Option<usize> {
        let is_role =
            self.title(at).is_some() || self.level(at).is_some() || self.function(at).is_some();
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
        (is_role && !is_else).then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, at + 1))
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

/// Whose title has these words: "product manager".
fn in_title(words: String) -> Cond {
    Cond::Contains("job_title", words, Within::Anywhere)
}

/// Who is of one of these levels: "senior", "managers".
fn of_levels(levels: Vec<String>) -> Cond {
    Cond::In("seniority_level", levels)
}

/// Who is of one of these levels in one of these functions: "VPs and directors of finance".
fn of_levels_in(levels: Vec<String>, functions: Vec<String>) -> Cond {
    Cond::all(vec![of_levels(levels), Cond::In("job_function", functions)])
}
