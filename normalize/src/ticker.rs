//! Ticker symbols: trimmed and upper-cased; a single inner space stays (`BRK B`).

use crate::{Unreadable, text};

/// A symbol is short; longer text is a name put into the wrong field.
const MAX_CHARS: usize = 24;

/// The symbol in upper case.
///
/// # Errors
/// When it holds no letter or digit, or is too long for a symbol.
pub fn clean(symbol: &str) -> Result<String, Unreadable> {
    let upper = text::squeeze(&text::squeeze(symbol).to_uppercase());
    if text::is_blank(&upper) || upper.chars().count() > MAX_CHARS {
        return Err(Unreadable::new("not a ticker symbol"));
    }
    Ok(upper)
}
