//! The words of schools' names in English, as far as the tables know them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{FACULTIES, KINDS, TECHNOLOGY};
use crate::{hangul, keys, table, text};

/// What the table calls words that say nothing.
const NOTHING: &str = "-";
/// A short form of two words, where a place stands behind it: `tu berlin`.
const TECHNICAL_UNIVERSITY: &str = "tu";
/// The longest phrase of the tables: `frankfort on the main`.
const MAX_PHRASE: usize = 4;
/// Short in English, or other words of it: they say nothing of the language.
const ENGLISH: &[&str] = &[
    "uni",
    "univ",
    "coll",
    "inst",
    "tech",
    "engg",
    "polytech",
    "technical",
    "technological",
    "polytechnical",
    "b school",
    "st",
];

/// The table's words and phrases, folded, in English.
pub(super) static WORDS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let english = told().filter(|(english, _)| *english != NOTHING);
    let english = english.map(|(english, _)| (english.to_owned(), english));
    let others = told().map(|(english, other)| (text::fold(other), english));
    english.chain(others).collect()
});

/// What may end a word without a space: `대전대학교`. Folded, the longest first.
static ENDINGS: LazyLock<Vec<String>> =
    LazyLock::new(|| hangul::endings(told().map(|(_, other)| other)));

/// English, and what it is called otherwise.
fn told() -> impl Iterator<Item = (&'static str, &'static str)> {
    table::alternatives(include_str!("../../../tables/school_words.tsv"))
}

/// A word, or words that the tables know together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Folded, as it stands.
    pub(super) told: String,
    /// In English, as far as the tables know it.
    pub(super) english: Vec<String>,
    /// Whether a table knows it.
    pub(super) is_known: bool,
    /// Whether it stood in another language.
    pub(super) is_translated: bool,
}

impl Part {
    pub(super) fn letters(&self) -> impl Iterator<Item = char> {
        let words = self.told.split(' ');
        words.filter_map(|word| word.chars().next())
    }

    pub(super) fn is_technology(&self) -> bool {
        self.english == [TECHNOLOGY]
    }

    /// What kind of school it says that it is.
    pub(super) fn kind(&self) -> Option<&str> {
        let mut words = self.english.iter().map(String::as_str);
        words.find(|word| KINDS.contains(word))
    }

    fn known(told: &str, english: &str, is_translated: bool) -> Self {
        let words = english.split(' ').filter(|word| *word != "of");
        Self {
            told: told.to_owned(),
            english: words.map(str::to_owned).collect(),
            is_known: true,
            is_translated,
        }
    }

    fn of_city(told: &str, city: &str) -> Self {
        Self {
            told: told.to_owned(),
            english: vec![keys::with_plain_vowels(city)],
            is_known: true,
            is_translated: city != told,
        }
    }

    /// `goteborgs universitet` is of Göteborg.
    fn other(word: &str, is_north: bool) -> Self {
        let stem = word.strip_suffix('s').filter(|_| is_north);
        let of_stem = stem
            .map(keys::city_key)
            .filter(|city| Some(city.as_str()) != stem);
        let english = of_stem.unwrap_or_else(|| keys::city_key(word));
        let english = keys::with_plain_vowels(&english);
        let is_translated = english != keys::with_plain_vowels(word);
        Self {
            told: word.to_owned(),
            english: vec![english],
            is_known: is_translated || FACULTIES.contains(&word),
            is_translated,
        }
    }
}

/// The words of a folded name, what stands at the end of one apart.
pub(super) fn words_of(folded: &str) -> Vec<&str> {
    let words = folded.split(' ');
    words
        .flat_map(|word| hangul::parted(word, &ENDINGS))
        .collect()
}

/// The parts of a name in their order, without those that say nothing.
pub(super) fn parts_of(words: &[&str], is_north: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = words;
    while let [word, behind @ ..] = rest {
        if let Some((part, behind)) = known(rest) {
            parts.extend(part);
            rest = behind;
            continue;
        }
        parts.push(if *word == TECHNICAL_UNIVERSITY && !behind.is_empty() {
            Part::known(word, "technology university", true)
        } else {
            Part::other(word, is_north)
        });
        rest = behind;
    }
    parts
}

/// The longest phrase of the tables at the front, nothing of one that says nothing, and what stands behind it.
fn known<'a, 'b>(words: &'a [&'b str]) -> Option<(Option<Part>, &'a [&'b str])> {
    (1..=words.len().min(MAX_PHRASE)).rev().find_map(|length| {
        let (phrase, behind) = words.split_at_checked(length)?;
        let phrase = phrase.join(" ");
        if let Some(english) = WORDS.get(&phrase) {
            let is_translated = *english != phrase && !ENGLISH.contains(&phrase.as_str());
            let part = (*english != NOTHING).then(|| Part::known(&phrase, english, is_translated));
            return Some((part, behind));
        }
        let city = keys::english_city(&phrase).filter(|_| length > 1)?;
        Some((Some(Part::of_city(&phrase, city)), behind))
    })
}
