//! Cities: lower case and single spaces. No gazetteer: a place that nobody listed is still a place.

use crate::{Unreadable, text};

/// The city's name in lower case.
///
/// # Errors
/// When there is no letter in it.
pub fn clean(city: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(city);
    let cleaned = cleaned.trim_matches(|c: char| c == ',' || c == ';' || c == ' ');
    if cleaned.chars().any(char::is_alphabetic) {
        Ok(cleaned.to_owned())
    } else {
        Err(Unreadable::new("not a city name"))
    }
}
