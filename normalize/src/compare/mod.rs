//! How well two values agree, for the scoring of candidates. Pure and symmetric.
//!
//! Values may be given as they came: both sides are cleaned here the same way. What is compared with many values is read
//! once: [`PersonName`], [`Organisation`].

mod addresses;
mod names;
mod organisations;
mod parts;
mod schools;
mod trades;
mod typo;

pub use addresses::{Address, AddressFinding};
pub use names::{Difference, NameAgreement, PersonName, names};
pub use organisations::{Organisation, OrganisationFinding, SlipAlone, WithoutPlace};
pub use parts::{Middle, NameFinding, Part, PartFinding};
pub(crate) use schools::SchoolWords;

use crate::{keys, text};

/// How two values other than names of persons and organisations agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// They contradict each other.
    Different,
    /// One contains the other: they could be the same.
    Partial,
    /// They differ by a slip.
    Near,
    /// They are the same but for spelling.
    Same,
}

/// Names, websites or domains of companies. A domain agrees with the name that it is made of.
#[must_use]
pub fn companies(a: &str, b: &str) -> OrganisationFinding {
    Organisation::company(a).finding(&Organisation::company(b))
}

/// Names, websites or domains of schools.
#[must_use]
pub fn schools(a: &str, b: &str) -> OrganisationFinding {
    Organisation::school(a).finding(&Organisation::school(b))
}

/// Names of cities, in any of their languages. A slip is no more than partial: one letter makes another city, york and cork.
#[must_use]
pub fn cities(a: &str, b: &str) -> Agreement {
    match folded(&keys::city_key(a), &keys::city_key(b)) {
        Agreement::Near => Agreement::Partial,
        other => other,
    }
}

/// Names of places.
#[must_use]
pub fn places(a: &str, b: &str) -> Agreement {
    folded(&text::fold(a), &text::fold(b))
}

/// Job titles, abbreviations written out.
#[must_use]
pub fn titles(a: &str, b: &str) -> Agreement {
    let clean = |title: &str| crate::title::clean(title).unwrap_or_default();
    places(&clean(a), &clean(b))
}

fn folded(a: &str, b: &str) -> Agreement {
    if a.is_empty() || b.is_empty() {
        return Agreement::Different;
    }
    if a == b {
        return Agreement::Same;
    }
    let within = |small: &str, large: &str| {
        small
            .split(' ')
            .all(|word| large.split(' ').any(|other| other == word))
    };
    if typo::is_slip(a, b) {
        Agreement::Near
    } else if within(a, b) || within(b, a) {
        Agreement::Partial
    } else {
        Agreement::Different
    }
}

/// Whether one sign more, less, changed or swapped turns one code into the other; never for equal ones.
#[must_use]
pub fn is_one_sign_off(a: &str, b: &str) -> bool {
    strsim::osa_distance(a, b) == 1
}
