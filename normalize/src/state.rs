//! States, provinces and other first subdivisions: ISO 3166-2 codes and English names.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, country, table, text};

/// A subdivision: name in lower case and ISO 3166-2 code in capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// e.g. `illinois`
    pub full_name: &'static str,
    /// e.g. `US-IL`
    pub code: &'static str,
}

impl State {
    /// The country's alpha-2 code.
    #[must_use]
    pub fn country_code(&self) -> &'static str {
        self.code.split('-').next().unwrap_or("")
    }
}

/// Countries whose states are known by their bare codes, in the order in which a shared code is read (`docs/CANON.md`, "state").
const BARE_CODE_COUNTRIES: [&str; 8] = ["US", "CA", "AU", "IN", "BR", "MX", "DE", "GB"];

struct Index {
    states: Vec<State>,
    by_code: HashMap<&'static str, usize>,
    by_name: HashMap<String, Vec<usize>>,
}

static INDEX: LazyLock<Index> = LazyLock::new(Index::build);

/// Reads a code or a name; `country` (alpha-2) settles what several countries have.
///
/// # Errors
/// When no subdivision is known by it.
pub fn clean(state: &str, country: Option<&str>) -> Result<State, Unreadable> {
    INDEX
        .find(state, country)
        .ok_or(Unreadable::new("not a state or province"))
}

/// True for a name that subdivisions of several countries have, none of them of the default country: `limburg`.
#[must_use]
pub fn is_shared(state: &str) -> bool {
    let Some(places) = INDEX.by_name.get(&key(state)) else {
        return false;
    };
    let countries: Vec<_> = places
        .iter()
        .filter_map(|&at| INDEX.states.get(at))
        .map(State::country_code)
        .collect();
    !countries.contains(&"US")
        && countries
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a != b))
}

/// Every subdivision in the order of the codes.
pub fn all() -> impl Iterator<Item = State> {
    INDEX.states.iter().copied()
}

impl Index {
    fn build() -> Self {
        let mut index = Self {
            states: Vec::new(),
            by_code: HashMap::new(),
            by_name: HashMap::new(),
        };
        for line in table::lines(include_str!("../tables/states.tsv")) {
            let mut fields = line.split('\t');
            let (Some(code), Some(full_name)) = (fields.next(), fields.next()) else {
                continue;
            };
            let at = index.states.len();
            index.states.push(State { full_name, code });
            index.by_code.insert(code, at);
            let aliases = fields.next().unwrap_or("");
            for name in std::iter::once(full_name).chain(aliases.split('|')) {
                index.insert(key(name), at);
                index.insert(umlauts_written_out(code, name), at);
                if !text::is_latin(name) {
                    index.insert(without_kind(&key(name)).to_owned(), at);
                }
            }
        }
        index
    }

    fn insert(&mut self, key: String, at: usize) {
        if !key.is_empty() {
            let places = self.by_name.entry(key).or_default();
            if !places.contains(&at) {
                places.push(at);
            }
        }
    }

    fn find(&self, state: &str, country: Option<&str>) -> Option<State> {
        if state.len() > text::MAX_LINE_BYTES {
            return None;
        }
        let state = text::squeeze(state);
        let at = self
            .alone(&state, country)
            .or_else(|| self.beside_country(&state))?;
        self.states.get(at).copied()
    }

    /// A code or a name with nothing else.
    fn alone(&self, state: &str, country: Option<&str>) -> Option<usize> {
        let upper = code_form(state);
        let key = key(state);
        let cleaned = text::clean(state);
        self.by_code
            .get(upper.as_str())
            .copied()
            .or_else(|| self.by_name(&key, country, &cleaned))
            .or_else(|| self.by_bare_code(&upper, country))
            .or_else(|| self.by_name(&written_out(&key), country, &cleaned))
            .or_else(|| self.by_name(without_kind(&key), country, &cleaned))
    }

    fn by_bare_code(&self, upper: &str, country: Option<&str>) -> Option<usize> {
        let bare: String = upper.chars().filter(|c| *c != '.').collect();
        let others = BARE_CODE_COUNTRIES
            .into_iter()
            .filter(|_| country.is_none());
        country.into_iter().chain(others).find_map(|country| {
            self.by_code
                .get(format!("{country}-{bare}").as_str())
                .copied()
        })
    }

    /// `US - California`, `Ontario (Canada)`, `CA USA`; also one state twice: `CA - California`.
    fn beside_country(&self, state: &str) -> Option<usize> {
        let bracketed = state.trim_end().strip_suffix(')').unwrap_or(state);
        let (a, b) = [",", " - ", "(", "/", ":", "-"]
            .into_iter()
            .find_map(|sign| bracketed.split_once(sign))
            .or_else(|| bracketed.trim().rsplit_once(' '))?;
        let of = |place: &str, state: &str| {
            let country = country::clean(place).ok()?;
            self.alone(state, Some(country.code))
        };
        of(a, b).or_else(|| of(b, a)).or_else(|| {
            let twice = self.alone(a, None)?;
            (self.alone(b, None) == Some(twice)).then_some(twice)
        })
    }

    fn by_name(&self, key: &str, country: Option<&str>, cleaned: &str) -> Option<usize> {
        let places = self.by_name.get(key)?;
        let of = |country: &str| {
            places.iter().copied().find(|&at| {
                self.states
                    .get(at)
                    .is_some_and(|state| state.country_code() == country)
            })
        };
        let spelt = |at: usize| {
            self.states
                .get(at)
                .is_some_and(|state| state.full_name == cleaned)
        };
        match country {
            // Spain has La Rioja and, within it, La Rioja province.
            Some(country) => places
                .iter()
                .copied()
                .find(|&at| {
                    let state = self.states.get(at);
                    state.is_some_and(|s| s.country_code() == country && s.full_name == cleaned)
                })
                .or_else(|| of(country)),
            // Accents tell (`pará` is Brazil's); without them the countries most written about come first, then the
            // very spelling.
            None => {
                let exact = || places.iter().copied().find(|&at| spelt(at));
                let common = || BARE_CODE_COUNTRIES.into_iter().find_map(of);
                let found = if cleaned.is_ascii() {
                    common().or_else(exact)
                } else {
                    exact().or_else(common)
                };
                found.or_else(|| places.first().copied())
            }
        }
    }
}

/// `thueringen` for `thüringen`: how German names are typed without umlauts. Empty for other names.
fn umlauts_written_out(code: &str, name: &str) -> String {
    let german = ["DE-", "AT-", "CH-"].iter().any(|of| code.starts_with(of));
    if !german || !name.contains(['ä', 'ö', 'ü']) {
        return String::new();
    }
    key(&name
        .replace('ä', "ae")
        .replace('ö', "oe")
        .replace('ü', "ue"))
}

/// In capitals, without spaces, `_` as `-`: `us_ca`, `N. Y.`
fn code_form(state: &str) -> String {
    text::trim(state)
        .to_uppercase()
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if c == '_' { '-' } else { c })
        .collect()
}

/// Latin names folded; another script stays as it is, since a transliteration can be another place's name.
fn key(name: &str) -> String {
    let cleaned = text::clean(name);
    if !text::is_latin(&cleaned) {
        return cleaned;
    }
    let folded = text::fold(&cleaned.replace('&', " and "));
    folded.strip_prefix("the ").unwrap_or(&folded).to_owned()
}

/// `n carolina` → `north carolina`, `st petersburg` → `saint petersburg`
fn written_out(key: &str) -> String {
    const SHORT: [(&str, &str); 6] = [
        ("n ", "north "),
        ("s ", "south "),
        ("e ", "east "),
        ("w ", "west "),
        ("st ", "saint "),
        ("mt ", "mount "),
    ];
    SHORT
        .iter()
        .find_map(|(short, full)| Some(format!("{full}{}", key.strip_prefix(short)?)))
        .unwrap_or_default()
}

/// The name without the word for what it is: `state of new york`, `estado de sao paulo`, `ontario province`, `东京都`.
fn without_kind(key: &str) -> &str {
    let start = BEFORE
        .iter()
        .find_map(|word| key.strip_prefix(word)?.strip_prefix(' '))
        .unwrap_or(key);
    let start = [
        "of ", "the ", "de la ", "de ", "do ", "da ", "del ", "di ", "d ",
    ]
    .iter()
    .fold(start, |rest, word| match rest.strip_prefix(word) {
        Some(name) if start.len() < key.len() => name,
        _ => rest,
    });
    AFTER
        .iter()
        .find_map(|word| start.strip_suffix(word)?.strip_suffix(' '))
        .or_else(|| {
            [
                "维吾尔自治区",
                "壮族自治区",
                "回族自治区",
                "自治区",
                "省",
                "市",
                "縣",
                "州",
                "县",
                "都",
                "府",
                "県",
                "특별시",
                "광역시",
                "특별자치시",
                "특별자치도",
                "도",
            ]
            .iter()
            .find_map(|kind| start.strip_suffix(kind))
            .filter(|name| name.chars().count() > 1)
        })
        .unwrap_or(start)
}

/// Words for kinds of subdivisions in front of a name, folded; the longer of two that begin alike stands first.
const BEFORE: &[&str] = &[
    "state",
    "province",
    "provincia",
    "provincie",
    "provinz",
    "estado",
    "etat",
    "region",
    "regione",
    "regiao",
    "county",
    "co",
    "prefecture",
    "canton",
    "kanton",
    "cantone",
    "departement",
    "departamento",
    "department",
    "district",
    "distrito",
    "commonwealth",
    "freistaat",
    "free state",
    "land",
    "bundesland",
    "comunidad autonoma",
    "comunidad foral",
    "comunidad",
    "comunitat",
    "community",
    "autonomous community",
    "principado",
    "islas",
    "edo de",
    "city and county",
    "city",
    "municipality",
    "federal territory",
    "union territory",
    "territory",
    "emirate",
    "governorate",
    "wojewodztwo",
    "woj",
    "kraj",
    "oblast",
    "republic",
    "autonomous region",
    "special region",
    "thanh pho",
    "tinh",
    "judetul",
    "республика",
    "область",
    "محافظة",
    "منطقة",
    "إمارة",
    "استان",
    "περιφέρεια",
    "จังหวัด",
];

/// The same behind a name.
const AFTER: &[&str] = &[
    "state",
    "province",
    "prefecture",
    "county",
    "autonomous region",
    "capital region",
    "metropolitan region",
    "region",
    "oblast",
    "territory",
    "union territory",
    "canton",
    "governorate",
    "department",
    "voivodeship",
    "municipality",
    "metropolis",
    "district",
    "emirate",
    "division",
    "parish",
    "krai",
    "kraj",
    "sheng",
    "shi",
    "fu",
    "ken",
    "to",
    "do",
    "lan",
    "land",
    "special administrative region",
    "city",
    "wojewodztwo",
    "provincie",
    "megye",
    "judet",
    "ili",
    "область",
    "обл.",
    "край",
    "республика",
    "автономный округ",
    "вобласць",
];
