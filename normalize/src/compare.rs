//! How well two values agree, for the scoring of candidates. Pure and symmetric.
//!
//! Values may be given as they came: both sides are cleaned here the same way.

mod names;
mod typo;

pub use names::{NameAgreement, names};

use crate::{keys, text};

/// How two values other than names of persons agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// They contradict each other.
    Different,
    /// One contains the other, or one letter differs.
    Partial,
    /// They are the same but for spelling.
    Same,
}

/// Names, websites or domains of companies. A domain agrees with the name that it is made of.
#[must_use]
pub fn companies(a: &str, b: &str) -> Agreement {
    keyed(&keys::company_name_key(a), &keys::company_name_key(b))
}

/// Names, websites or domains of schools.
#[must_use]
pub fn schools(a: &str, b: &str) -> Agreement {
    keyed(&keys::school_name_key(a), &keys::school_name_key(b))
}

/// Names of places.
#[must_use]
pub fn places(a: &str, b: &str) -> Agreement {
    words(a, b)
}

/// Job titles, abbreviations written out.
#[must_use]
pub fn titles(a: &str, b: &str) -> Agreement {
    let clean = |title: &str| crate::title::clean(title).unwrap_or_default();
    words(&clean(a), &clean(b))
}

/// The shortest key of which a part may stand for the whole: shorter ones begin many others.
const MIN_PART: usize = 4;

fn keyed(a: &str, b: &str) -> Agreement {
    if a.is_empty() || b.is_empty() {
        return Agreement::Different;
    }
    if a == b {
        return Agreement::Same;
    }
    let part = |short: &str, long: &str| short.len() >= MIN_PART && long.starts_with(short);
    let (plain_a, plain_b) = (label(a), label(b));
    if part(a, b) || part(b, a) || plain_a == plain_b || typo::is_one_slip(&plain_a, &plain_b) {
        Agreement::Partial
    } else {
        Agreement::Different
    }
}

/// A domain's own label, letters and digits only: `northwind-tools.example` → `northwindtools`.
fn label(key: &str) -> String {
    let own = key.split_once('.').map_or(key, |(label, _)| label);
    own.replace('-', "")
}

fn words(a: &str, b: &str) -> Agreement {
    let (a, b) = (text::fold(a), text::fold(b));
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
    if within(&a, &b) || within(&b, &a) || typo::is_one_slip(&a, &b) {
        Agreement::Partial
    } else {
        Agreement::Different
    }
}
