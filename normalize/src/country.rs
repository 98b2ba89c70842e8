//! Countries: ISO codes, names in English and in the languages of CLDR, and common aliases.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, emoji, table, text};

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
            for key in texts.filter(|text| !text.is_empty()).flat_map(keys_of) {
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
            for key in names.split('|').flat_map(keys_of) {
                by_text.entry(key).or_insert(at);
            }
        }
        Self { entries, by_text }
    }

    fn find(&self, text: &str) -> Option<Country> {
        if text.len() > text::MAX_LINE_BYTES {
            return None;
        }
        let text = text::squeeze(text);
        let at = self
            .named(&text)
            .or_else(|| self.before_remark(&text))
            .or_else(|| self.in_two_parts(&text))
            .or_else(|| self.with_flag(&text))
            .or_else(|| self.named(emoji::off_place(&text)?))?;
        self.entries.get(at).map(|entry| entry.country)
    }

    /// By the name as it stands, with its abbreviations written out, or without the words for what kind of state it is.
    fn named(&self, text: &str) -> Option<usize> {
        let by = |key: &str| self.by_text.get(key).copied();
        let keys = spellings(text);
        // A code is written without accents: `Mỹ` is no `my`.
        let is_code = |key: &String| key.len() < 4 && !text.is_ascii();
        let named = keys
            .iter()
            .enumerate()
            .filter(|(at, key)| *at == 0 || !is_code(key));
        named
            .map(|(_, key)| key)
            .find_map(|key| by(key))
            .or_else(|| {
                let full = written_out(keys.last()?);
                by(&full)
                    .or_else(|| self.behind_form(text))
                    .or_else(|| by(&without_joints(&full)?))
            })
    }

    /// `república del perú`. The republic of China is Taiwan; China is a people's republic.
    fn behind_form(&self, text: &str) -> Option<usize> {
        let name = spellings(&text::elided(text)).pop()?;
        let name = written_out(&name);
        let at = without_form(&name).find_map(|rest| self.by_text.get(rest).copied())?;
        let is_china = self
            .entries
            .get(at)
            .is_some_and(|entry| entry.country.code == "CN");
        (!is_china).then_some(at)
    }

    /// `Macedonia (FYROM)`: the name, unless what stands in brackets is another country.
    fn before_remark(&self, text: &str) -> Option<usize> {
        let (name, remark) = text.trim_end().strip_suffix(')')?.split_once('(')?;
        let named = self.named(name)?;
        let other = self.named(remark).is_some_and(|at| at != named);
        (!other).then_some(named)
    }

    /// `🇩🇪`, which is two letters of a code, also beside the country's name.
    fn with_flag(&self, text: &str) -> Option<usize> {
        let code: String = text.chars().filter_map(flag_letter).collect();
        let name: String = text.chars().filter(|&c| flag_letter(c).is_none()).collect();
        // One flag: four letters are two of them.
        let of_flag = self.named(&code).filter(|_| code.len() == 2)?;
        let is_alone = name.trim().is_empty();
        (is_alone || self.named(name.trim()) == Some(of_flag)).then_some(of_flag)
    }

    /// `Korea, Rep.` is turned round; `England - UK` is one country twice.
    fn in_two_parts(&self, text: &str) -> Option<usize> {
        let parted = |sign: &str| text.split_once(sign);
        if let Some((name, form)) = parted(",")
            && let Some(at) = self.named(&format!("{form} {name}"))
        {
            return Some(at);
        }
        let (a, b) = parted(",")
            .or_else(|| parted(" - "))
            .or_else(|| parted("/"))?;
        self.named(a).filter(|&at| self.named(b) == Some(at))
    }
}

/// The letter that a regional indicator symbol stands for.
fn flag_letter(c: char) -> Option<char> {
    const FIRST: u32 = 0x1_f1e6;
    let place = u32::from(c)
        .checked_sub(FIRST)
        .filter(|place| *place < 26)?;
    char::from_u32(u32::from('a') + place)
}

/// A folded name with the abbreviations of gazetteers written out: `korea rep` → `korea republic`; single letters stand
/// together: `u s a` → `usa`.
fn written_out(folded: &str) -> String {
    const SHORT: [(&str, &str); 13] = [
        ("rep", "republic"),
        ("dem", "democratic"),
        ("fed", "federal"),
        ("sts", "states"),
        ("is", "islands"),
        ("isl", "islands"),
        ("st", "saint"),
        ("n", "north"),
        ("s", "south"),
        ("e", "east"),
        ("w", "western"),
        ("terr", "territory"),
        ("ppl", "people"),
    ];
    // Two letters alone are more often a slashed `n/a`.
    if folded.len() > 3 && folded.split(' ').all(|word| word.len() == 1) {
        return folded.replace(' ', "");
    }
    let words: Vec<&str> = folded
        .split(' ')
        .map(|word| {
            let full = SHORT.iter().find(|(short, _)| *short == word);
            full.map_or(word, |(_, full)| full)
        })
        .collect();
    words.join(" ")
}

/// What may be the name behind the word for its form of state, the longest first. `State of` is not among them: the state of Georgia is
/// no country.
fn without_form(name: &str) -> impl Iterator<Item = &str> {
    const FORMS: [&str; 32] = [
        "republic ",
        "federal republic ",
        "democratic republic ",
        "socialist republic ",
        "islamic republic ",
        "peoples republic ",
        "federation ",
        "kingdom ",
        "commonwealth ",
        "principality ",
        "country ",
        "territory ",
        "republica ",
        "republique ",
        "repubblica ",
        "republik ",
        "republiek ",
        "republiken ",
        "republikken ",
        "republika ",
        "reino ",
        "royaume ",
        "regno ",
        "konigreich ",
        "koninkrijk ",
        "kongeriget ",
        "kongeriket ",
        "konungariket ",
        "principado ",
        "principaute ",
        "principato ",
        "furstentum ",
    ];
    const SMALL: [&str; 14] = [
        "of ", "the ", "de ", "del ", "do ", "da ", "du ", "des ", "di ", "della ", "van ", "la ",
        "las ", "d ",
    ];
    let rest = FORMS.iter().find_map(|form| name.strip_prefix(form));
    let rest = rest.or_else(|| {
        name.strip_suffix(" islands")
            .filter(|rest| rest.contains(" and "))
    });
    std::iter::successors(rest, |rest| {
        SMALL.iter().find_map(|word| rest.strip_prefix(word))
    })
    .take(4)
}

/// Every text under which a name is found.
fn keys_of(name: &str) -> Vec<String> {
    let mut out = spellings(name);
    let elided = text::elided(name);
    if elided != name {
        out.extend(spellings(&elided));
    }
    out.extend(out.last().and_then(|key| without_joints(key)));
    out
}

/// A folded name of two places without the `and` between them, in whichever language: `trinidad tobago`.
fn without_joints(key: &str) -> Option<String> {
    const AND: [&str; 11] = [
        "and", "und", "et", "y", "e", "og", "och", "en", "ve", "i", "ja",
    ];
    let (first, rest) = key.split_once(' ')?;
    let (between, last) = rest.rsplit_once(' ')?;
    let between: Vec<&str> = between.split(' ').collect();
    let kept = || between.iter().filter(|word| !AND.contains(word));
    if AND.contains(&last) || kept().count() == between.len() {
        return None;
    }
    let words = std::iter::once(first).chain(kept().copied()).chain([last]);
    Some(words.collect::<Vec<&str>>().join(" "))
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
    if text::is_latin(cleaned) {
        text::fold(&cleaned.replace('&', " and "))
    } else {
        String::new()
    }
}
