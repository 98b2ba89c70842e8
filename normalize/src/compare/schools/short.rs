//! One word of a school's name for several of another: `it surabaya`, `uc berkeley`, `poli firenze`, `tokyo tech`.

use std::ops::RangeInclusive;

use super::words::Part;
use super::{ONE_KIND, in_english};
use crate::compare::OrganisationFinding;

/// As long are the first letters of some of the words: `it surabaya`, `insa lyon`.
const LETTERS_OF_SOME: RangeInclusive<usize> = 2..=5;
/// Fewer letters begin too many words: `poli`, `fac`.
const MIN_CUT: usize = 3;
const TECH: &str = "tech";
/// Names of more parts are not short for others, nor are others for them.
const MAX_PARTS: usize = 12;
/// Two letters or more of one word.
const LETTERS_OF_ONE: &[(&str, &[&str])] = &[
    (
        "hs",
        &[
            "hochschule",
            "hogeschool",
            "hogskola",
            "hogskolan",
            "hogskole",
            "hogskolen",
        ],
    ),
    ("fh", &["fachhochschule"]),
    ("amk", &["ammattikorkeakoulu"]),
    ("yo", &["yliopisto"]),
];

/// Near where one part of a name stands for parts of another that say of which kind it is, beside which all is the same: `it surabaya`.
/// Letters where these say which school it is, too: `uc berkeley`.
pub(super) fn finding(short: &[Part], long: &[Part]) -> Option<OrganisationFinding> {
    if short.len().max(long.len()) > MAX_PARTS {
        return None;
    }
    let windows = || {
        let lengths = 1..=*LETTERS_OF_SOME.end();
        (0..long.len()).flat_map(move |from| lengths.clone().map(move |length| (from, length)))
    };
    let found = (0..).zip(short).filter_map(|(at, part)| {
        let found = windows().filter_map(|(from, length)| {
            let found = stands_for(part, long.get(from..from + length)?)?;
            let rest = beside(short, at, 1);
            (!rest.is_empty() && rest == beside(long, from, length)).then_some(found)
        });
        found.max()
    });
    found.max()
}

/// The words of a name in English without so many of its parts, in no order.
fn beside(parts: &[Part], from: usize, length: usize) -> Vec<String> {
    let (before, rest) = parts.split_at_checked(from).unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default();
    let mut words = in_english(&[before, behind].concat(), &ONE_KIND);
    words.sort_unstable();
    words
}

/// Whether a part stands for several parts of another name by their first letters, for one that it begins, or as `tech` for a university
/// or an institute of technology.
fn stands_for(part: &Part, window: &[Part]) -> Option<OrganisationFinding> {
    let told = part.told.as_str();
    let is_of_technology = |part: &Part| matches!(part.kind(), Some("university" | "institute"));
    if told == TECH
        && let [a, b] = window
        && (a.is_technology() && is_of_technology(b) || is_of_technology(a) && b.is_technology())
    {
        return Some(OrganisationFinding::Near);
    }
    if part.is_known || !window.iter().any(|part| part.kind().is_some()) {
        return None;
    }
    let stands = match window {
        [one] => {
            let has_letters = |(letters, words): &(&str, &[&str])| {
                *letters == told && words.contains(&one.told.as_str())
            };
            told.len() >= MIN_CUT && one.told.starts_with(told)
                || LETTERS_OF_ONE.iter().any(has_letters)
        }
        several => {
            LETTERS_OF_SOME.contains(&told.len())
                && several.iter().flat_map(Part::letters).eq(told.chars())
        }
    };
    let found = match window.iter().all(|part| part.is_known) {
        true => OrganisationFinding::Near,
        false => OrganisationFinding::Letters,
    };
    stands.then_some(found)
}
