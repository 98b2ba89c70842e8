//! Ticker symbols: trimmed and upper-cased; a single inner space stays (`BRK B`), quotes around the whole go.

use crate::{Unreadable, sheet, text};

/// A symbol is short; longer text is a name put into the wrong field.
const MAX_CHARS: usize = 24;

const INVALID: Unreadable = Unreadable::new("not a ticker symbol");

/// The symbol in upper case.
///
/// # Errors
/// When it holds no letter or digit, or is too long for a symbol.
pub fn clean(symbol: &str) -> Result<String, Unreadable> {
    let mut upper = text::squeeze(symbol).to_uppercase();
    if upper.len() > text::MAX_LINE_BYTES {
        return Err(INVALID);
    }
    // Capitals can read as a garbled letter where small ones do not (`ã¡`): what they stand for is one letter instead of two.
    loop {
        let again = text::squeeze(&upper).to_uppercase();
        if again.len() >= upper.len() {
            upper = again;
            break;
        }
        upper = again;
    }
    loop {
        let named = unquoted(&upper).unwrap_or_else(|| upper.clone());
        let shorter = sheet::of_formula(sheet::behind_label(&named, &LABELS)).into_owned();
        if shorter == upper {
            break;
        }
        upper = shorter;
    }
    if text::is_blank(&upper) || upper.chars().count() > MAX_CHARS {
        return Err(INVALID);
    }
    Ok(upper)
}

/// What lists call a symbol, before a colon.
const LABELS: [&str; 5] = [
    "ticker",
    "symbol",
    "ticker symbol",
    "stock symbol",
    "stock ticker",
];

/// What one pair of quotes stands around as a whole: `"AAPL"`.
fn unquoted(symbol: &str) -> Option<String> {
    const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('‘', '’'), ('\'', '\'')];
    let inner = MARKS
        .iter()
        .find_map(|&(open, close)| symbol.strip_prefix(open)?.strip_suffix(close))?;
    (!inner.contains(['"', '\'', '“', '”'])).then(|| inner.trim().to_owned())
}
