//! Names of persons: titles and suffixes off, given name first, lower case with accents (contract C6).
//!
//! [`full`] reads a whole name, [`first`] and [`last`] a part of one. A word that is all there is stays, even where it
//! is also a title (`Prince`). Which names say nothing about a person is told by [`is_placeholder`].

mod affixes;
pub mod nicknames;
mod parse;
mod placeholder;

use crate::{Unreadable, text};

pub use affixes::is_particle;
pub use parse::full;
pub use placeholder::is_placeholder;

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
/// When there is no letter in it.
pub fn first(name: &str) -> Result<String, Unreadable> {
    part(name, affixes::strip_prefixes)
}

/// A family name without suffixes after it.
///
/// # Errors
/// When there is no letter in it.
pub fn last(name: &str) -> Result<String, Unreadable> {
    part(name, affixes::strip_suffixes)
}

fn part(name: &str, strip: fn(&mut Vec<String>)) -> Result<String, Unreadable> {
    let mut words = parse::words(&text::clean(name));
    strip(&mut words);
    let cleaned = words.join(" ");
    let cleaned = parse::trim(&cleaned);
    if cleaned.chars().any(char::is_alphabetic) {
        Ok(cleaned.to_owned())
    } else {
        Err(Unreadable::new("not a person's name"))
    }
}
