//! Ticker symbols: trimmed and upper-cased; a single inner space stays (`BRK B`), quotes around the whole go, and so do the sign of a cashtag
//! (`$AAPL`) and the exchange before a colon (`NYSE: IBM`). What stands behind a point is the symbol's: a class or an exchange (`BF.B`, `BP.L`).

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
        let bare = of_cashtag(of_exchange(sheet::behind_label(&named, &LABELS)));
        let shorter = sheet::of_formula(bare).into_owned();
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

/// What exchanges of the United States and those who quote them write before a colon: they share one set of symbols. Of others the
/// name stays: `T` is one company in New York and another one in Toronto (`TSX:T`).
const EXCHANGES: [&str; 22] = [
    "nyse",
    "nysearca",
    "nyse arca",
    "arca",
    "nyseamerican",
    "nyse american",
    "nysemkt",
    "nyse mkt",
    "amex",
    "nasdaq",
    "nasdaqgs",
    "nasdaqgm",
    "nasdaqcm",
    "bats",
    "cboe",
    "otc",
    "otcmkts",
    "otcqb",
    "otcqx",
    "otcpk",
    "otcbb",
    "otc pink",
];

/// `NYSE: IBM`, but not two symbols in one: `NYSE: SHEL, LSE: SHEL`.
fn of_exchange(symbol: &str) -> &str {
    if symbol.matches(':').count() == 1 {
        sheet::behind_label(symbol, &EXCHANGES)
    } else {
        symbol
    }
}

/// `$AAPL`.
fn of_cashtag(symbol: &str) -> &str {
    symbol
        .strip_prefix('$')
        .filter(|rest| rest.starts_with(char::is_alphabetic))
        .unwrap_or(symbol)
}

/// What one pair of quotes or brackets stands around as a whole: `"AAPL"`, `(NYSE: IBM)`.
fn unquoted(symbol: &str) -> Option<String> {
    const MARKS: [(char, char); 6] = [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('‘', '’'),
        ('\'', '\''),
        ('(', ')'),
    ];
    let inner = MARKS
        .iter()
        .find_map(|&(open, close)| symbol.strip_prefix(open)?.strip_suffix(close))?;
    (!inner.contains(['"', '\'', '“', '”', '(', ')'])).then(|| inner.trim().to_owned())
}
