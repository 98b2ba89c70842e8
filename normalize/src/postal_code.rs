//! Postal codes: lower case like all stored text, single spaces, dashes of every kind as `-`.

use crate::{Unreadable, text};

/// The longest code in use (US ZIP+4 with state, Iran) is far below.
const MAX_CHARS: usize = 16;

/// The code in lower case.
///
/// # Errors
/// When there is no letter or digit in it, or something that no code holds.
pub fn clean(code: &str) -> Result<String, Unreadable> {
    let cleaned: String = text::clean(code)
        .chars()
        .map(|c| {
            if matches!(c, '\u{2010}'..='\u{2015}') {
                '-'
            } else {
                c
            }
        })
        .collect();
    let shaped = cleaned
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-'));
    if !shaped || text::is_blank(&cleaned) || cleaned.len() > MAX_CHARS {
        return Err(Unreadable::new("not a postal code"));
    }
    Ok(cleaned)
}
