//! Where people have learned: "a degree from Stanford", "with a PhD from the Technical University of Munich".

use crate::text::Text;

/// What a school gives.
const DEGREES: &[&str] = &[
    "degree",
    "diploma",
    "doctorate",
    "mba",
    "phd",
    "bachelor",
    "master",
    "certificate",
];

/// Whether "from" behind a degree that somebody has says which school it is of. "PhDs from Berlin" may be people who live there.
pub(super) fn is_of_school(text: Text<'_>, at: usize, word: &str, end: usize) -> bool {
    let is_one = text.said(at) == text.stem(at);
    DEGREES.contains(&word) && is_one && text.said(end) == "from"
}
