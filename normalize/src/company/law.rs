//! Under which law a company is, as contracts say it behind a name: `acme llc, a delaware corporation`.

use super::forms::{is_whole, says_something, trim};
use crate::{country, state};

/// The name before under which law it is: `acme llc, a delaware corporation`.
pub(super) fn without(name: &str) -> Option<&str> {
    let is_law = |law: &str| {
        let place = KINDS_OF_LAW.iter().find_map(|kind| law.strip_suffix(kind));
        let place = place.map(str::trim_end);
        // Codes of two or three letters are words: `a me company`.
        place
            .filter(|place| place.chars().nth(3).is_some())
            .is_some_and(|place| {
                state::clean(place, Some("US")).is_ok() || country::clean(place).is_ok()
            })
    };
    [", a ", ", an "].iter().find_map(|article| {
        let (before, law) = name.rsplit_once(article)?;
        let is_whole = says_something(before) && is_whole(before);
        (is_whole && is_law(law)).then(|| trim(before))
    })
}

/// How contracts call companies behind their names, the longer of two that end alike first.
const KINDS_OF_LAW: [&str; 6] = [
    " limited liability company",
    " limited partnership",
    " professional corporation",
    " nonprofit corporation",
    " corporation",
    " company",
];
