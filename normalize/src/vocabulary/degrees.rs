//! Degrees written out, and their levels.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::DEGREE_LEVELS;
use super::phrases::Phrases;
use crate::{Unreadable, table, text};

static ABBREVIATIONS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../../tables/degrees.tsv")));
static LEVELS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of(&[], include_str!("../../tables/degree_levels.tsv")));

/// The most words that an abbreviation has: `dipl. ing.`, `ph. d.`
const MAX_WORDS: usize = 2;

/// A degree in lower case, the abbreviation that it begins with written out: `M.Sc., Logistics` → `master of science,
/// logistics`.
///
/// # Errors
/// When there is nothing to read.
pub fn degree(given: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(given);
    if text::is_blank(&cleaned) {
        return Err(Unreadable::new("not a degree"));
    }
    let found = (1..=MAX_WORDS).rev().find_map(|words| {
        let (head, rest) = split(&cleaned, words)?;
        Some((written_out(head)?, rest))
    });
    Ok(match found {
        Some((full, rest)) => format!("{full}{rest}"),
        None => cleaned,
    })
}

/// The level that a degree's name or abbreviation speaks of, one of [`DEGREE_LEVELS`].
#[must_use]
pub fn degree_level(given: &str) -> Option<&'static str> {
    let name = degree(given).ok()?;
    let rank = |level: &str| DEGREE_LEVELS.iter().position(|value| *value == level);
    LEVELS.best(&name, |new, old| rank(new) > rank(old))
}

/// The first words and what follows them, from the first of the marks that part them.
fn split(text: &str, words: usize) -> Option<(&str, &str)> {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '(' | '/' | ';' | ':');
    let mut end = 0;
    for _ in 0..words {
        let rest = text.get(end..)?;
        let word = rest.find(|c| !is_mark(c))?;
        let length = rest.get(word..)?.find(is_mark);
        end = length.map_or(text.len(), |length| end + word + length);
    }
    Some((text.get(..end)?, text.get(end..)?))
}

fn written_out(head: &str) -> Option<&'static str> {
    let folded = text::fold(&head.replace(['-', '.'], ""));
    let spaced = text::fold(&head.replace(['-', '.'], " "));
    let joined = folded.replace(' ', "");
    [spaced, folded, joined]
        .iter()
        .find_map(|form| ABBREVIATIONS.get(form.as_str()).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_written_out_and_the_rest_stays() {
        for (given, wanted) in [
            ("MSc", "master of science"),
            ("B.A.", "bachelor of arts"),
            ("Ph. D.", "doctor of philosophy"),
            ("M.Sc., Logistics", "master of science, logistics"),
            ("BSc (Hons)", "bachelor of science (hons)"),
            ("Dipl.-Ing.", "diplom ingenieur"),
            ("MBA", "master of business administration"),
            ("Master of Science", "master of science"),
            ("Maestría en Finanzas", "maestría en finanzas"),
        ] {
            let cleaned = degree(given).unwrap();
            assert_eq!(cleaned, wanted);
            assert_eq!(degree(&cleaned).unwrap(), wanted, "cleaned twice");
        }
        assert!(degree(" ").is_err());
    }

    #[test]
    fn levels_come_from_names_and_abbreviations() {
        for (given, wanted) in [
            ("phd", Some("doctorate")),
            ("J.D.", Some("professional")),
            ("Doctor of Medicine", Some("professional")),
            ("Master's degree", Some("masters")),
            ("Bachelor of Arts", Some("bachelors")),
            ("Associate of Science", Some("associates")),
            ("High School Diploma", Some("high_school")),
            ("Graduate Certificate", Some("certificate")),
            ("Licenciatura en Derecho", Some("bachelors")),
            ("some courses", None),
        ] {
            assert_eq!(degree_level(given), wanted, "{given}");
        }
    }
}
