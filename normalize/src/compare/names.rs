//! Names of persons: word order, initials, nicknames, accents and slips.

use super::typo;
use crate::name::{self, FullName, nicknames};
use crate::text;

/// How two names of persons agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameAgreement {
    /// They contradict each other.
    Different,
    /// They could be one person's: a slip in one part, or another middle name. Only with a strong context.
    Weak,
    /// They agree but for initials, nicknames, left out names or word order.
    Strong,
    /// Given and family name are the same, and no middle name contradicts.
    Exact,
}

/// Names in any form.
#[must_use]
pub fn names(a: &str, b: &str) -> NameAgreement {
    let (Some(a), Some(b)) = (Parts::read(a), Parts::read(b)) else {
        return NameAgreement::Different;
    };
    let straight = a.agree(&b);
    if straight >= NameAgreement::Strong {
        return straight;
    }
    let turned = [a.turned().agree(&b), a.agree(&b.turned())];
    if turned
        .into_iter()
        .any(|agreement| agreement >= NameAgreement::Strong)
    {
        NameAgreement::Strong
    } else {
        straight
    }
}

/// Folded parts.
#[derive(Clone)]
struct Parts {
    first: String,
    middle: Vec<String>,
    last: Vec<String>,
    /// Particles stood in the family name; they do not count otherwise.
    particles: bool,
}

impl Parts {
    fn read(text: &str) -> Option<Self> {
        let name = name::full(text).ok()?;
        let spread = name::full(&name::spread(&name.cleaned));
        Some(Self::of(spread.as_ref().unwrap_or(&name)))
    }

    fn of(name: &FullName) -> Self {
        let words = |part: &Option<String>| -> Vec<String> {
            text::fold(part.as_deref().unwrap_or(""))
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let mut first = words(&name.first);
        let mut middle = words(&name.middle);
        // A hyphenated given name may stand as two: `jean-pierre` and `jean pierre`.
        if first.len() > 1 {
            middle.splice(0..0, first.drain(1..));
        }
        let mut last = words(&name.last);
        let particles = last.len() > 1 && last.iter().any(|word| name::is_particle(word));
        if last.iter().any(|word| !name::is_particle(word)) {
            last.retain(|word| !name::is_particle(word));
        }
        Self {
            first: first.pop().unwrap_or_default(),
            middle,
            last,
            particles,
        }
    }

    /// The name read with the family name first: `okafor maya`. What would be its middle names is left out: they could
    /// be anything's.
    fn turned(&self) -> Self {
        let given = self.middle.first().or(self.last.first());
        Self {
            first: given.cloned().unwrap_or_default(),
            middle: Vec::new(),
            last: vec![self.first.clone()],
            particles: false,
        }
    }

    fn agree(&self, other: &Self) -> NameAgreement {
        let last = self.family(other);
        let first = self.given(other);
        let middle = middles(&self.middle, &other.middle);
        match (first, last) {
            (NameAgreement::Different, _) | (_, NameAgreement::Different) => {
                NameAgreement::Different
            }
            // Two slips, or a slip beside an initial, prove nothing.
            (NameAgreement::Weak, NameAgreement::Weak)
            | (NameAgreement::Strong, NameAgreement::Weak) => NameAgreement::Different,
            _ if self.particle_for_name(other) => NameAgreement::Different,
            _ if !middle => NameAgreement::Weak,
            (first, last) => first.min(last),
        }
    }

    /// One has a particle where the other has a name of its own: `jan van gorp`, `jan pieter gorp`.
    fn particle_for_name(&self, other: &Self) -> bool {
        let (with, without) = if self.particles {
            (self, other)
        } else {
            (other, self)
        };
        let own = |word: &String| word.len() > 1 && !with.middle.contains(word);
        with.particles && !without.particles && without.middle.iter().any(own)
    }

    fn family(&self, other: &Self) -> NameAgreement {
        let (a, b) = (self.last.concat(), other.last.concat());
        if a == b {
            return if a.is_empty() {
                NameAgreement::Different
            } else {
                NameAgreement::Exact
            };
        }
        // One of two family names, also where the other was read as a middle name: `garcia lopez`, `garcia`.
        let holds = |long: &Self, short: &Self| {
            !short.last.is_empty()
                && short.last.iter().all(|word| {
                    word.len() > 1 && (long.last.contains(word) || long.middle.contains(word))
                })
        };
        if holds(self, other) || holds(other, self) {
            NameAgreement::Strong
        } else if typo::is_one_slip(&a, &b) {
            NameAgreement::Weak
        } else {
            NameAgreement::Different
        }
    }

    fn given(&self, other: &Self) -> NameAgreement {
        let (a, b) = (self.first.as_str(), other.first.as_str());
        if a == b {
            return NameAgreement::Exact;
        }
        let initial = stands_for(a, b) || stands_for(b, a);
        let called_by_middle =
            other.middle.iter().any(|word| word == a) || self.middle.iter().any(|word| word == b);
        let joined = |one: &Self| format!("{}{}", one.first, one.middle.concat());
        if initial
            || called_by_middle
            || nicknames::are_forms(a, b)
            || joined(self) == joined(other)
        {
            NameAgreement::Strong
        } else if typo::is_one_slip(a, b) {
            NameAgreement::Weak
        } else {
            NameAgreement::Different
        }
    }
}

/// An initial of a given name or of one of its other forms: `e` of `liz`.
fn stands_for(a: &str, b: &str) -> bool {
    is_initial_of(a, b)
        || nicknames::forms(b)
            .iter()
            .any(|form| is_initial_of(a, form))
}

fn is_initial_of(a: &str, b: &str) -> bool {
    a.len() == 1 && b.starts_with(a)
}

/// No middle name of one is contradicted by the other: each stands in both, as an initial, or one side has none.
fn middles(a: &[String], b: &[String]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.iter().all(|word| {
        long.iter().any(|other| {
            word == other
                || is_initial_of(word, other)
                || is_initial_of(other, word)
                || typo::is_one_slip(word, other)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{NameAgreement, names};

    #[test]
    fn the_same_name_in_another_spelling_is_exact() {
        for (a, b) in [
            ("Maya Okafor", "MAYA OKAFOR"),
            ("Dr. José García", "jose garcia"),
            ("Okafor, Maya", "maya okafor"),
            ("Sinéad O'Neill", "sinead oneill"),
            ("Maya I. Okafor", "maya ifeoma okafor"),
        ] {
            assert_eq!(names(a, b), NameAgreement::Exact, "{a} {b}");
        }
    }

    #[test]
    fn initials_nicknames_order_and_left_out_family_names_are_strong() {
        for (a, b) in [
            ("m. okafor", "maya okafor"),
            ("m.i. okafor", "maya okafor"),
            ("okafor m.", "maya okafor"),
            ("okafor maya i.", "maya okafor"),
            ("e. miranda", "liz miranda"),
            ("bill gates", "william gates"),
            ("okafor maya", "maya okafor"),
            ("ana garcia lopez", "ana garcia"),
            ("jean-pierre martin", "jean martin"),
        ] {
            assert!(names(a, b) >= NameAgreement::Strong, "{a} {b}");
            assert!(names(b, a) >= NameAgreement::Strong, "{b} {a}");
        }
    }

    #[test]
    fn one_slip_or_another_middle_name_is_weak() {
        for (a, b) in [
            ("maya okafro", "maya okafor"),
            ("john paul smith", "john david smith"),
        ] {
            assert_eq!(names(a, b), NameAgreement::Weak, "{a} {b}");
        }
    }

    #[test]
    fn another_given_or_family_name_is_different() {
        for (a, b) in [
            ("maya okafor", "tomas okafor"),
            ("maya okafor", "maya lindqvist"),
            ("jan pieter gorp", "jan m. van gorp"),
            ("asuka m. fukuda", "manabu fukuda"),
            ("maya okafor", "n/a"),
            ("", ""),
        ] {
            assert_eq!(names(a, b), NameAgreement::Different, "{a} {b}");
        }
    }
}
