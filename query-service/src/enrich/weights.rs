//! What a finding weighs, in bits: how often it is made of the same person, in one table.
//!
//! Bits are log2 of how much likelier a finding is for the same person than for another. Of agreement the second likelihood is how
//! common the value is ([`super::rarity`]); here is the first, and both of what does not agree. Set by hand on Febrl 1 to 3, requests
//! of the generator, and noise of the scorer's own (`docs/QUALITY.md` says which of its tables are of these), beside what expectation
//! maximisation makes of the same pairs: `bench/splink/weights.md`.

use normalize::compare::{Middle, Part};

use super::finding::How;
use super::person::BirthDateParts;

/// That the same person's part of a name is the same.
const SAME_NAME: f64 = 0.9;
/// That a given name is asked for by one certain other form of it.
const FORM: f64 = 0.03;
/// That one of several names is left out.
const HOLDS: f64 = 0.3;
/// That somebody else's name begins with the same letter.
const INITIAL: f64 = 0.08;
/// That a name is written with one certain slip; names a slip apart, beside the record's own.
const SLIP: (f64, f64) = (1e-4, 1e-5);
/// The same of two slips.
const TWO_SLIPS: (f64, f64) = (3e-6, 3e-4);
/// One letter in a short given name: as likely of a relative.
const SHORT_SLIP: f64 = -1.0;
/// The same where nobody is called so, and so no relative either; many short names are a letter apart.
pub const MAX_OF_SHORT_SLIP: f64 = 5.0;
/// Another given, another family name.
const OTHER_GIVEN: f64 = -7.0;
const OTHER_FAMILY: f64 = -6.0;
/// How often given and family name are turned round.
const TURNED: f64 = 0.022;
/// What a turned name loses at most: there are lists that turn all of theirs.
const MOST_OF_TURNED: f64 = -7.0;
/// A space inside of a word.
pub const JOINED: f64 = -3.0;
/// Middle names say little: many are left out, some are family names.
const MAX_OF_MIDDLE: f64 = 6.0;
const MIDDLE_INITIAL: f64 = 3.5;
const OTHER_MIDDLE: f64 = -5.0;
/// Most who name their generation are of one of two.
const SAME_GENERATION: f64 = 1.0;

/// A given or a family name, by the shares of the name that is asked for and of the one that is known.
#[must_use]
pub fn part(how: Part, is_given: bool, asked: f64, known: f64) -> f64 {
    let slip = |(typed, near): (f64, f64)| typed / (asked + typed * (known + near));
    let ratio: f64 = match how {
        Part::Same => SAME_NAME / asked,
        // Never more than the very name would.
        Part::Form => (FORM / asked).min(HOLDS / known),
        Part::Holds => HOLDS / asked.max(known),
        Part::Initial => SAME_NAME / INITIAL,
        Part::Slip => slip(SLIP),
        Part::TwoSlips => slip(TWO_SLIPS),
        Part::ShortSlip => return SHORT_SLIP,
        Part::Other if is_given => return OTHER_GIVEN,
        Part::Other => return OTHER_FAMILY,
    };
    let other = if is_given { OTHER_GIVEN } else { OTHER_FAMILY };
    ratio.log2().max(other)
}

/// Given and family name in each other's place, by how much likelier somebody is called as it is asked than as it is known.
#[must_use]
pub fn turned(as_asked_to_as_known: f64) -> f64 {
    let unturned = (1.0 - TURNED) * as_asked_to_as_known;
    (TURNED / (TURNED + unturned)).log2().max(MOST_OF_TURNED)
}

/// Middle names; `share` of the one that both have.
#[must_use]
pub fn middle(middle: &Middle<'_>, share: impl Fn(&str) -> f64) -> f64 {
    match middle {
        Middle::Unknown => 0.0,
        Middle::Same(name) => (SAME_NAME / share(name)).log2().min(MAX_OF_MIDDLE),
        Middle::Initial => MIDDLE_INITIAL,
        Middle::Other => OTHER_MIDDLE,
    }
}

/// Generations that both names say; another one is as much as another middle name.
#[must_use]
pub const fn generation(is_same: bool) -> f64 {
    if is_same {
        SAME_GENERATION
    } else {
        OTHER_MIDDLE
    }
}

/// What one context weighs.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Of the same person: that the value is the same.
    pub same: f64,
    /// Bits that are left of a value that is near.
    pub near: f64,
    /// Another value, in bits.
    pub other: f64,
    /// Bits at most.
    pub most: f64,
}

/// Employers: people change them, and sources differ in how old they are.
pub const EMPLOYER: Context = Context {
    same: 0.7,
    near: -2.0,
    other: -2.5,
    most: 16.0,
};
/// Schools: a record rarely has all of them.
pub const SCHOOL: Context = Context {
    same: 0.7,
    near: -2.0,
    other: -2.0,
    most: 13.0,
};
/// Titles: every source writes its own.
pub const TITLE: Context = Context {
    same: 0.4,
    near: -3.0,
    other: -1.5,
    most: 9.0,
};
/// Cities: people move.
pub const CITY: Context = Context {
    same: 0.75,
    near: -2.0,
    other: -2.5,
    most: 13.0,
};
/// States.
pub const STATE: Context = Context {
    same: 0.85,
    near: -2.0,
    other: -3.0,
    most: 6.0,
};
/// Countries.
pub const COUNTRY: Context = Context {
    same: 0.95,
    near: -2.0,
    other: -4.0,
    most: 5.0,
};
/// Postal codes.
pub const POSTAL_CODE: Context = Context {
    same: 0.75,
    near: -5.0,
    other: -2.5,
    most: 14.0,
};

/// How much of a value's rarity is that of its country.
pub const OF_COUNTRY: f64 = 0.35;
/// The part of all people who live in a country that the record does not name.
pub const UNKNOWN_COUNTRY: f64 = 0.3;
/// What is left at least of what names and places say.
pub const LEAST_LEFT: f64 = 0.5;

/// An acronym of an organisation's name says at most so much.
pub const ACRONYM: f64 = 4.0;

/// So does a name without its closing words.
pub const SHORT: f64 = ACRONYM;

/// A street line; what [`How::of_address`] makes of it.
#[must_use]
pub const fn address(how: How) -> f64 {
    match how {
        How::Same => 13.0,
        How::Near => 9.0,
        How::Part => 8.0,
        How::Unsure => 4.0,
        How::Contradicts => -2.0,
        _ => 0.0,
    }
}

/// A birth date: how many of its parts are known to both, and how many of them differ.
#[must_use]
pub(super) const fn birth_date(parts: BirthDateParts) -> f64 {
    match (parts.known, parts.different) {
        (3, 0) => 14.2,
        (3, _) if parts.is_swapped => 8.0,
        (3, 1) if !parts.is_another_year => 4.0,
        (2, 0) => 9.3,
        (1, 0) => 5.7,
        (2, 1) => -3.0,
        (0, _) => 0.0,
        _ => -7.0,
    }
}

/// An identifier that is somebody else's.
pub const OTHERS_IDENTIFIER: f64 = -8.0;

/// An identifier that led to no record, where this one has another of its kind.
#[must_use]
pub fn other_identifier(field: &str) -> f64 {
    match field {
        "service_id" => -10.0,
        "linkedin_id" | "social_url" => -3.0,
        _ => -1.0,
    }
}
