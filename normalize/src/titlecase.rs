//! Title case for output (`docs/CANON.md`, "Title case"): names of people, organizations and schools, places and job titles.
//!
//! Stored text is lower case; this gives back capitals by rule, so `mcdonald` becomes `McDonald` and `ibm` cannot.

/// Words that stay small inside a name of an organization, place or title.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to",
    "with", "de", "del", "der", "des", "di", "du", "e", "et", "la", "le", "und", "van", "von", "y",
];
/// Particles that stay small inside a person's name.
const PARTICLES: &[&str] = &[
    "af", "al", "bin", "bint", "da", "das", "de", "del", "della", "den", "der", "di", "dos", "du",
    "e", "el", "ibn", "la", "le", "ten", "ter", "van", "von", "y", "zu", "zur",
];
/// Words written in capitals.
const CAPITALS: &[&str] = &[
    "ag", "api", "bv", "cad", "ceo", "cfo", "cio", "cmo", "coo", "crm", "cto", "erp", "eu", "gmbh",
    "hr", "ii", "iii", "it", "iv", "llc", "llp", "lp", "nhs", "nv", "pc", "pcb", "plc", "pr", "qa",
    "sa", "se", "seo", "spa", "ssd", "svp", "tv", "uae", "ui", "uk", "us", "usa", "ux", "vi", "vp",
];

/// A person's name: `maya o'brien mcdonald` → `Maya O'Brien McDonald`.
#[must_use]
pub fn person(name: &str) -> String {
    words(name, |word, first, _| {
        if !first && PARTICLES.contains(&word) {
            return word.to_owned();
        }
        if matches!(word, "ii" | "iii" | "iv") {
            return word.to_uppercase();
        }
        name_word(word)
    })
}

/// The name of an organization or school: `bank of america` → `Bank of America`.
#[must_use]
pub fn organization(name: &str) -> String {
    words(name, |word, first, last| plain_word(word, first || last))
}

/// A city, state or country: `isle of man` → `Isle of Man`.
#[must_use]
pub fn place(name: &str) -> String {
    words(name, |word, first, _| {
        if !first && SMALL.contains(&word) {
            word.to_owned()
        } else {
            name_word(word)
        }
    })
}

/// A job title: `vp of it operations` → `VP of IT Operations`.
#[must_use]
pub fn title(title: &str) -> String {
    words(title, |word, first, last| plain_word(word, first || last))
}

fn words(text: &str, form: impl Fn(&str, bool, bool) -> String) -> String {
    let count = text.split(' ').count();
    text.split(' ')
        .enumerate()
        .map(|(at, word)| form(word, at == 0, at + 1 == count))
        .collect::<Vec<_>>()
        .join(" ")
}

fn plain_word(word: &str, edge: bool) -> String {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    if CAPITALS.contains(&bare) {
        word.to_uppercase()
    } else if !edge && SMALL.contains(&word) {
        word.to_owned()
    } else {
        capitals_after_breaks(word)
    }
}

/// As [`capitals_after_breaks`], and a capital after `Mc`.
fn name_word(word: &str) -> String {
    capitals_after_breaks(word)
        .split('-')
        .map(|part| match part.strip_prefix("Mc") {
            Some(rest) if rest.chars().count() >= 3 => format!("Mc{}", capitalize(rest)),
            _ => part.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("-")
}

/// A capital at the start and after a hyphen, a slash, a dot, an opening bracket, and an apostrophe before which one
/// letter stands (`o'brien`, `d'angelo`, but `macy's`).
fn capitals_after_breaks(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut letters = 0;
    let mut start = true;
    for c in word.chars() {
        if start && c.is_alphabetic() {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
        if c.is_alphanumeric() {
            letters += 1;
            start = false;
        } else {
            let apostrophe = matches!(c, '\'' | '\u{2019}');
            start = matches!(c, '-' | '/' | '.' | '(' | '&' | '"') || (apostrophe && letters == 1);
            letters = 0;
        }
    }
    out
}

fn capitalize(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
