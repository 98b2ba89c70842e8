//! Countries: ISO codes, names in English and in the languages of CLDR, and common aliases.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, table, text};

/// A country: the plain English name in lower case and the ISO 3166-1 alpha-2 code in capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Country {
    /// e.g. `united states`
    pub full_name: &'static str,
    /// e.g. `US`
    pub code: &'static str,
}

/// One line of `countries.tsv`.
struct Entry {
    country: Country,
    continent: &'static str,
}

struct Index {
    entries: Vec<Entry>,
    by_text: HashMap<String, usize>,
}

static INDEX: LazyLock<Index> = LazyLock::new(Index::build);

/// Reads a code (alpha-2, alpha-3, numeric) or a name.
///
/// # Errors
/// When no country is known by it.
pub fn clean(country: &str) -> Result<Country, Unreadable> {
    INDEX.find(country).ok_or(Unreadable::new("not a country"))
}

/// The continent's name in lower case and its two-letter code.
#[must_use]
pub fn continent(code: &str) -> Option<(&'static str, &'static str)> {
    let entry = INDEX
        .entries
        .iter()
        .find(|entry| entry.country.code == code)?;
    CONTINENTS
        .iter()
        .find(|(_, code)| *code == entry.continent)
        .copied()
}

/// Every country in the order of the codes.
pub fn all() -> impl Iterator<Item = Country> {
    INDEX.entries.iter().map(|entry| entry.country)
}

const CONTINENTS: [(&str, &str); 7] = [
    ("africa", "AF"),
    ("antarctica", "AN"),
    ("asia", "AS"),
    ("europe", "EU"),
    ("north america", "NA"),
    ("oceania", "OC"),
    ("south america", "SA"),
];

impl Index {
    fn build() -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut by_text = HashMap::new();
        for line in table::lines(include_str!("../tables/countries.tsv")) {
            let mut fields = line.split('\t');
            let (Some(code), Some(codes), Some(continent), Some(full_name), Some(aliases)) = (
                fields.next(),
                fields.next(),
                fields.next(),
                fields.next(),
                fields.next(),
            ) else {
                continue;
            };
            let at = entries.len();
            entries.push(Entry {
                country: Country { full_name, code },
                continent,
            });
            let texts = codes
                .split(' ')
                .chain([code, full_name])
                .chain(aliases.split('|'));
            for key in texts.filter(|text| !text.is_empty()).flat_map(spellings) {
                by_text.entry(key).or_insert(at);
            }
        }
        for line in table::lines(include_str!("../tables/country_names.tsv")) {
            let Some((code, names)) = line.split_once('\t') else {
                continue;
            };
            let Some(at) = entries.iter().position(|entry| entry.country.code == code) else {
                continue;
            };
            for key in names.split('|').flat_map(spellings) {
                by_text.entry(key).or_insert(at);
            }
        }
        Self { entries, by_text }
    }

    fn find(&self, text: &str) -> Option<Country> {
        let at = spellings(text)
            .into_iter()
            .find_map(|key| self.by_text.get(&key))?;
        self.entries.get(*at).map(|entry| entry.country)
    }
}

/// The text itself, and folded where that leaves something of it: accents, dots and `&` do not count.
fn spellings(text: &str) -> Vec<String> {
    let cleaned = text::clean(text);
    let plain = fold(&cleaned);
    let bare = plain.strip_prefix("the ").unwrap_or(&plain).to_owned();
    let mut out = vec![cleaned];
    for key in [plain, bare] {
        if !key.is_empty() && !out.contains(&key) {
            out.push(key);
        }
    }
    out
}

/// Folds Latin text only: folding another script would invent a spelling.
fn fold(cleaned: &str) -> String {
    let latin = cleaned.chars().all(|c| {
        c.is_ascii()
            || ('\u{a0}'..'\u{250}').contains(&c)
            || ('\u{2b0}'..'\u{370}').contains(&c)
            || ('\u{1e00}'..'\u{1f00}').contains(&c)
            || ('\u{2000}'..'\u{2070}').contains(&c)
    });
    if latin {
        text::fold(&cleaned.replace('&', " and "))
    } else {
        String::new()
    }
}
