//! Names of persons: titles and suffixes off, given name first, lower case with accents (`docs/CANON.md`, "full_name").
//!
//! [`full`] reads a whole name, [`first`] and [`last`] a part of one, [`of_parts`] and [`stored`] a name whose parts are known. A word that
//! is all there is stays, even where it is also a title (`Prince`), unless nobody is called so (`Dr.`, `Jr.`). Which names say nothing about a person is told by [`is_placeholder`].

mod affixes;
mod alone;
mod bare;
pub mod counterparts;
pub mod families;
mod generation;
mod glued;
mod hangul;
mod honorifics;
pub mod nicknames;
mod parse;
mod parts;
mod placeholder;
mod post_nominals;
mod posts;
mod quoted;
mod remarks;
pub mod shares;

use std::borrow::Cow;

use crate::{Unreadable, sheet, text};

use affixes::Affixes;
pub use affixes::is_particle;
pub use generation::{Generation, generation};
pub use parse::full;
pub use parts::{of_parts, stored};
pub use placeholder::{is_placeholder, is_placeholder_part};
pub use quoted::beside_brackets;

/// Nested titles and quotes are rarely two deep; a text that needs more rounds is no name.
const MAX_ROUNDS: usize = 6;

const INVALID: Unreadable = Unreadable::new("not a person's name");

/// A name and its parts, all in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FullName {
    /// The name without prefix and suffix, given name first.
    pub cleaned: String,
    /// The given name.
    pub first: Option<String>,
    /// What stands between given and family name.
    pub middle: Option<String>,
    /// The family name with its particles.
    pub last: Option<String>,
    /// Titles before the name: `dr.`
    pub prefix: Option<String>,
    /// What follows the name: `jr.`, `phd`
    pub suffix: Option<String>,
}

/// A given name without titles before it.
///
/// # Errors
/// When there is no letter in it, or nothing but a title, a suffix or an address.
pub fn first(name: &str) -> Result<String, Unreadable> {
    settled(name, |squeezed| {
        let squeezed = sheet::of_plain_formula(sheet::behind_label(squeezed, &LABELS_OF_FIRST));
        let part = quoted::part_without_nicknames(without_remark(squeezed));
        let mut segments = parse::segments(&part);
        let mut affixes = Affixes::of(&part);
        affixes.take_suffix_segments(&mut segments, 1);
        let mut words = segments.concat();
        affixes.take_honorifics(&mut words);
        affixes.take_prefixes(&mut words, 1);
        words
    })
}

/// A family name without suffixes after it.
///
/// # Errors
/// When there is no letter in it, or nothing but a title, a suffix or an address.
pub fn last(name: &str) -> Result<String, Unreadable> {
    last_and_suffix(name).map(|(last, _)| last)
}

/// A family name, and the suffixes that stood after it.
///
/// # Errors
/// When there is no letter in the name, or nothing but a title, a suffix or an address.
pub fn last_and_suffix(name: &str) -> Result<(String, Option<String>), Unreadable> {
    let mut suffixes = Vec::new();
    let last = settled(name, |squeezed| {
        let squeezed = sheet::of_plain_formula(sheet::behind_label(squeezed, &LABELS_OF_LAST));
        let kept = parse::without_birth_name(without_remark(squeezed), 1);
        let part = quoted::family_without_nicknames(&kept);
        let mut segments = parse::segments(&part);
        let mut affixes = Affixes::of(&part);
        affixes.take_suffix_segments(&mut segments, 1);
        let mut words = segments.concat();
        affixes.take_honorifics(&mut words);
        affixes.take_suffixes(&mut words, 1, 1);
        suffixes.splice(0..0, affixes.suffixes);
        words
    })?;
    Ok((last, parse::some(&suffixes)))
}

/// What lists call a given name, before a colon.
const LABELS_OF_FIRST: [&str; 10] = [
    "name",
    "first name",
    "firstname",
    "given name",
    "forename",
    "vorname",
    "prénom",
    "nombre",
    "imię",
    "voornaam",
];

/// What lists call a family name, before a colon.
const LABELS_OF_LAST: [&str; 12] = [
    "name",
    "last name",
    "lastname",
    "surname",
    "family name",
    "nachname",
    "familienname",
    "nom de famille",
    "apellido",
    "apellidos",
    "cognome",
    "achternaam",
];

/// `Okafor | Hiring`, `Okafor - CEO, Acme`.
fn without_remark(part: &str) -> &str {
    let part = part.split_once(" | ").map_or(part, |(name, _)| name);
    remarks::before_dash_and_post(part).unwrap_or(part)
}

/// Takes affixes off until nothing changes.
fn settled(name: &str, mut strip: impl FnMut(&str) -> Vec<String>) -> Result<String, Unreadable> {
    if name.len() > text::MAX_LINE_BYTES {
        return Err(INVALID);
    }
    let squeezed = text::squeeze(name);
    let mut name = readable(&strip(sheet::without_apostrophe(&squeezed)))?;
    for _ in 0..MAX_ROUNDS {
        let again = readable(&strip(&name))?;
        if again == name {
            return Ok(name);
        }
        name = again;
    }
    Err(INVALID)
}

/// The name with every abbreviated part as a word of its own, for keys and comparison: `c.e. blackshear` →
/// `c. e. blackshear`.
#[must_use]
pub(crate) fn spread(name: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(name.len() + 4);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '.' && chars.peek().is_some_and(|next| next.is_alphabetic()) {
            out.push(' ');
        }
    }
    if out.len() == name.len() {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(out)
    }
}

fn readable(words: &[String]) -> Result<String, Unreadable> {
    let cleaned = text::clean(&words.join(" "));
    let cleaned = parse::trim(&cleaned);
    let cleaned = affixes::without_stop(cleaned);
    if cleaned.chars().any(char::is_alphabetic) && !alone::is_nobody(cleaned) {
        Ok(cleaned.to_owned())
    } else {
        Err(INVALID)
    }
}
