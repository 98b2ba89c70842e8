//! Job titles: lower case with abbreviations written out (`docs/CANON.md`, "job_title").

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, table, text};

static ABBREVIATIONS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| table::pairs(include_str!("../tables/title_abbreviations.tsv")));
/// What a company's name stands after.
const BEFORE_COMPANIES: [&str; 2] = [" of ", " at "];
/// How the long form of an abbreviation of a person ends.
const PERSONS: [&str; 7] = [
    "officer",
    "executive",
    "assistant",
    "counsel",
    "manager",
    "representative",
    "engineer",
];
/// Longer than every abbreviation of the table.
const MAX_BYTES: usize = 24;
/// The most words an abbreviation has.
const MAX_WORDS: usize = 2;

/// In front of an employer.
const AT: [&str; 5] = [" @", " at ", " bei ", " chez ", " presso "];
/// Behind `at` these are no employer.
const IDIOMS: [&str; 12] = [
    "arms", "heart", "home", "large", "law", "least", "night", "once", "present", "scale", "sea",
    "work",
];
/// Who says so is not employed there.
const NOT_EMPLOYED: [&str; 11] = [
    "student",
    "pupil",
    "alumnus",
    "alumna",
    "alumni",
    "graduate",
    "candidate",
    "looking",
    "seeking",
    "aspiring",
    "not",
];

/// The employer that a title names behind it, as it stands: `Swiss Re` of `Underwriter at Swiss Re`.
#[must_use]
pub fn employer(title: &str) -> Option<&str> {
    let lower = title.to_ascii_lowercase();
    let marks = AT
        .iter()
        .filter_map(|mark| Some((lower.find(mark)?, mark.len())));
    let (at, length) = marks.min()?;
    let is_word = |text: &str| text.chars().any(char::is_alphabetic);
    let mut words = lower.get(..at)?.split(|c: char| !c.is_alphanumeric());
    if !is_word(lower.get(..at)?) || words.any(|word| NOT_EMPLOYED.contains(&word)) {
        return None;
    }
    let named = title.get(at + length..)?.split(['|', '·']).next()?.trim();
    let words = text::fold(named);
    let first = words.split(' ').next()?;
    (is_word(named) && !named.contains('@') && !IDIOMS.contains(&first)).then_some(named)
}

/// The title in lower case, abbreviations written out: `Sr. Dir, Eng` → `senior director, engineering`.
///
/// # Errors
/// When there is no letter in it.
pub fn clean(title: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(title).replace(" ,", ",").replace("co- ", "co-");
    let cleaned = cleaned.trim_matches(|c: char| matches!(c, ',' | ';' | ' ' | '-' | '|'));
    if !cleaned.chars().any(char::is_alphabetic) {
        return Err(Unreadable::new("not a job title"));
    }
    // A mark that stood on an abbreviation's closing dot now stands on a letter: NFC again.
    Ok(text::squeeze(&written_out(cleaned)))
}

/// Every abbreviation replaced, the longest first; a hyphen or slash begins a new word (`co-ceo`, `president/ceo`).
///
/// An abbreviation of a person stays after `of` and `at`: there it names a company (`president of EA`).
fn written_out(title: &str) -> String {
    let mut out = String::with_capacity(title.len() + 16);
    let mut rest = title;
    while !rest.is_empty() {
        let at_word = out.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let of_company = |full: &str| {
            BEFORE_COMPANIES.iter().any(|word| out.ends_with(word))
                && PERSONS.iter().any(|noun| full.ends_with(noun))
        };
        let found = at_word.then(|| abbreviation(rest)).flatten();
        if let Some((taken, full)) = found.filter(|(_, full)| !of_company(full)) {
            out.push_str(full);
            rest = rest.get(taken..).unwrap_or("");
        } else {
            let mut chars = rest.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
    }
    out
}

/// The abbreviation that a text begins with: how many bytes it takes with its closing dot, and what it stands for.
fn abbreviation(text: &str) -> Option<(usize, &'static str)> {
    let mut found = None;
    let mut plain = String::new();
    let mut words = 1;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c == '.' {
            continue;
        }
        if !c.is_alphanumeric() {
            if let Some(full) = ABBREVIATIONS.get(plain.as_str()) {
                found = Some((at, *full));
            }
            if c != ' ' || words == MAX_WORDS {
                break;
            }
            words += 1;
        }
        plain.push(c);
        if plain.len() > MAX_BYTES {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::employer;

    #[test]
    fn an_employer_stands_behind_a_title() {
        for (title, named) in [
            ("Underwriter at Swiss Re", "Swiss Re"),
            ("CFO @Sanofi", "Sanofi"),
            ("Leiter IT bei Bosch", "Bosch"),
            ("CEO at Acme, Inc. | Angel investor", "Acme, Inc."),
            ("Intern at Google", "Google"),
        ] {
            assert_eq!(employer(title), Some(named), "{title}");
        }
        for none in [
            "Engineer",
            "at Google",
            "Engineer at ",
            "Attorney at Law",
            "Editor at Large",
            "Stay at home dad",
            "Student at Stanford University",
            "Looking for a job at Google",
            "Not at Google",
            "Engineer - Backend",
            "CEO @ jane@northwind.com",
        ] {
            assert_eq!(employer(none), None, "{none}");
        }
    }
}
