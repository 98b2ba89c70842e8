//! How common a value is: the part of all people of whom it is true.
//!
//! Counted in the build where its search files are at hand, and smoothed by what the product knows without it: a build of twelve
//! records says nothing about how rare a name is, one of twelve million nearly everything.

use std::cell::RefCell;
use std::collections::HashMap;

use normalize::name::shares;

use super::memo::remembered;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// A given name.
    GivenName,
    /// A family name.
    FamilyName,
    /// An employer, past or present.
    Employer,
    /// A school.
    School,
    /// A job title, past or present.
    Title,
    /// A city of any location.
    City,
    /// A state's code.
    State,
    /// A country's code.
    Country,
    /// A postal code.
    PostalCode,
    /// The domain of an employer, past or present.
    EmployerDomain,
}

/// How often values occur in a build.
pub trait Counts {
    /// Records of the build.
    fn rows(&self) -> u32;
    /// Records that have a value, as it is stored; `None` where they have not been counted.
    fn count(&self, what: Counted, value: &str) -> Option<u32>;
}

/// Counts when nothing is known of the build.
#[derive(Debug, Clone, Copy)]
pub struct Uncounted;

impl Counts for Uncounted {
    fn rows(&self) -> u32 {
        0
    }

    fn count(&self, _what: Counted, _value: &str) -> Option<u32> {
        None
    }
}

/// Looks each value up once: the candidates of a request are compared with the same inputs, and share most of their own.
pub struct Remembered<'a> {
    counts: &'a dyn Counts,
    /// By what is counted, then by value.
    known: [RefCell<HashMap<String, Option<u32>>>; Counted::ALL.len()],
}

impl<'a> Remembered<'a> {
    /// Nothing looked up yet.
    #[must_use]
    pub fn new(counts: &'a dyn Counts) -> Self {
        Self {
            counts,
            known: std::array::from_fn(|_| RefCell::default()),
        }
    }
}

impl Counts for Remembered<'_> {
    fn rows(&self) -> u32 {
        self.counts.rows()
    }

    fn count(&self, what: Counted, value: &str) -> Option<u32> {
        let count = || self.counts.count(what, value);
        match self.known.get(what as usize) {
            Some(known) => remembered(known, value, count),
            None => count(),
        }
    }
}

impl Counted {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::GivenName,
        Self::FamilyName,
        Self::Employer,
        Self::School,
        Self::Title,
        Self::City,
        Self::State,
        Self::Country,
        Self::PostalCode,
        Self::EmployerDomain,
    ];

    /// The paths in a person's document that hold it.
    #[must_use]
    pub const fn paths(self) -> &'static [&'static str] {
        match self {
            Self::GivenName => &["first_name"],
            Self::FamilyName => &["last_name"],
            Self::Employer => &["company_name", "experience.organization.name.cleaned"],
            Self::School => &["education.organization.name.cleaned"],
            Self::Title => &["job_title", "experience.title.cleaned"],
            Self::City => &["city", "locations.city"],
            Self::State => &["state_code", "locations.state_code"],
            Self::Country => &["country_code", "locations.country_code"],
            Self::PostalCode => &["locations.postal_code"],
            Self::EmployerDomain => &["company_domain", "experience.organization.website"],
        }
    }

    /// The prior share of a value that nothing is known of, and its weight as a number of records.
    const fn prior(self) -> (f64, f64) {
        match self {
            Self::GivenName => (1e-5, 20_000.0),
            Self::FamilyName => (5e-6, 20_000.0),
            Self::Employer | Self::EmployerDomain => (3e-5, 20_000.0),
            Self::School => (1e-4, 20_000.0),
            Self::Title => (3e-3, 2_000.0),
            Self::City => (1e-4, 20_000.0),
            Self::State => (2e-2, 1_000.0),
            Self::Country => (2e-1, 100.0),
            Self::PostalCode => (3e-5, 20_000.0),
        }
    }
}

/// Of the values found neither in the build nor in a table, the part that nobody has at all: slips.
const UNSEEN: f64 = 0.1;

/// The part of all people of whom a value is true, above 0 and at most 1. `stored` are the spellings in which the build may have it: a
/// value that a record holds is no slip, whether or not the counts show it.
#[must_use]
pub fn share(counts: &dyn Counts, what: Counted, folded: &str, stored: &[&str]) -> f64 {
    let (unknown, weight) = what.prior();
    let known = match what {
        Counted::GivenName => shares::given(folded),
        Counted::FamilyName => shares::family(folded),
        _ => None,
    };
    let prior = known.unwrap_or(unknown);
    let counted = stored
        .iter()
        .copied()
        .chain([folded])
        .filter_map(|value| counts.count(what, value))
        .max();
    let share = match counted {
        // No record has it, and no table knows it: rarer than a name that nothing is known of.
        Some(0) if known.is_none() && stored.is_empty() => {
            prior * UNSEEN * weight / (f64::from(counts.rows()) + weight)
        }
        Some(count) => (f64::from(count) + prior * weight) / (f64::from(counts.rows()) + weight),
        None => prior,
    };
    share.clamp(1e-9, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Twelve;
    impl Counts for Twelve {
        fn rows(&self) -> u32 {
            12
        }
        fn count(&self, _what: Counted, value: &str) -> Option<u32> {
            Some(u32::from(value == "okafor"))
        }
    }

    #[test]
    fn a_small_build_makes_no_name_common() {
        let of = |name| share(&Twelve, Counted::FamilyName, name, &[]);
        assert!(of("smith") > 0.009 && of("smith") < 0.011);
        assert!(of("okafor") < 1e-4);
    }
}
