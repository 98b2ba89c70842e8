//! Street lines: lower case and single spaces. Cities, states and codes have their own fields.

use crate::{Unreadable, text};

/// Beyond this it is prose, not an address.
const MAX_CHARS: usize = 300;

/// The street line in lower case.
///
/// # Errors
/// When there is no letter in it or it is too long.
pub fn clean(line: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(line);
    let cleaned = cleaned.trim_matches(|c: char| matches!(c, ',' | ';' | ' '));
    if !cleaned.chars().any(char::is_alphabetic) || cleaned.chars().count() > MAX_CHARS {
        return Err(Unreadable::new("not a street address"));
    }
    Ok(cleaned.to_owned())
}
