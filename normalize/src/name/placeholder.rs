//! Names that stand for nobody (`docs/CANON.md`, "Placeholders"): what forms and tests put where a name should be.

use std::sync::LazyLock;

use crate::table::{self, Words};
use crate::text;

static PLACEHOLDERS: LazyLock<Words> =
    LazyLock::new(|| table::lines(include_str!("../../tables/name_placeholders.txt")).collect());

/// True when the name says nothing about a person: `test`, `n/a`, `first last`, `xxx`, or no letter at all.
#[must_use]
pub fn is_placeholder(name: &str) -> bool {
    let folded = text::fold(name);
    if !name.chars().any(char::is_alphabetic) {
        return true;
    }
    if PLACEHOLDERS.contains(folded.as_str()) {
        return true;
    }
    let mut words = folded.split(' ').filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| PLACEHOLDERS.contains(word) || is_one_letter_repeated(word))
}

/// The same for a first or last name alone, which may be a word that people also bear: `guest`, `foo`, `na`.
#[must_use]
pub fn is_placeholder_part(part: &str) -> bool {
    const BORNE: &[&str] = &[
        "bar", "baz", "client", "first", "foo", "guest", "last", "member", "na", "null", "private",
        "sample", "tester", "user",
    ];
    is_placeholder(part) && !BORNE.contains(&text::fold(part).as_str())
}

fn is_one_letter_repeated(word: &str) -> bool {
    let mut letters = word.bytes();
    let first = letters.next();
    word.len() > 2 && letters.all(|b| Some(b) == first)
}
