//! What is no name where nothing else stands there: a title (`Dr.`), a suffix (`Jr.`), an address (`maya@example.com`).

use super::affixes::{is_suffix, is_title};
use super::bare::bare;
use super::shares;
use crate::{email, text};

/// Titles and suffixes that nobody is called by, with or without a stop. `Rabbi`, `Sen`, `Md`, `Vi` and `Mba` are somebody's names, and so are
/// `Ii` and `Sr`.
const NOBODY: [&str; 44] = [
    "mr",
    "mrs",
    "ms",
    "mx",
    "dr",
    "prof",
    "madame",
    "mme",
    "mlle",
    "mademoiselle",
    "monsieur",
    "frau",
    "fräulein",
    "dhr",
    "mevr",
    "mevrouw",
    "sra",
    "srta",
    "señor",
    "señora",
    "señorita",
    "senhor",
    "senhora",
    "signor",
    "signora",
    "signorina",
    "dra",
    "д-р",
    "г-н",
    "г-жа",
    "господин",
    "госпожа",
    "jr",
    "jnr",
    "snr",
    "iii",
    "2nd",
    "3rd",
    "4th",
    "5th",
    "phd",
    "esq",
    "pharmd",
    "dphil",
];

/// Whether a clean text names nobody.
pub(super) fn is_nobody(cleaned: &str) -> bool {
    cleaned.split(' ').all(is_affix) || is_address(cleaned)
}

/// An abbreviation with its stop is a title, unless it is a name as well: `Rev.`, but not `Wm.`; `J.R.` and `D.R.` are initials.
fn is_affix(word: &str) -> bool {
    let is_name = |word: &str| shares::given(word).is_some() || shares::family(word).is_some();
    (is_title(word) || is_suffix(word)) && NOBODY.contains(&&*bare(word))
        || word.ends_with('.') && is_title(word) && !is_name(&text::fold(word))
}

/// An address with nothing beside it; of other texts with the sign nobody knows which part is a name.
fn is_address(cleaned: &str) -> bool {
    cleaned.contains('@') && !cleaned.contains(' ') && email::clean(cleaned).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_nobody;

    #[test]
    fn a_title_or_an_address_alone_is_nobody() {
        for nobody in [
            "dr.",
            "dr",
            "prof. dr.",
            "rev.",
            "mrs",
            "jr.",
            "jr",
            "phd",
            "ph.d.",
            "iii",
            "maya@example.com",
            "mailto:maya@example.com",
        ] {
            assert!(is_nobody(nobody), "{nobody}");
        }
        for somebody in [
            "sr", "prince", "major", "dean", "don", "rabbi", "sen", "md", "md.", "vi", "ii", "mba",
            "ma", "do", "wm.", "ma.", "junior", "lady", "dr. maya", "@maya", "maya@", "j.r.",
            "d.r.",
        ] {
            assert!(!is_nobody(somebody), "{somebody}");
        }
    }
}
