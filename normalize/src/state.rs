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

/// Countries whose states are known by their bare codes, in the order in which a shared code is read (contract C6).
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
                let key = key(name);
                if !key.is_empty() {
                    let places = index.by_name.entry(key).or_default();
                    if !places.contains(&at) {
                        places.push(at);
                    }
                }
            }
        }
        index
    }

    fn find(&self, state: &str, country: Option<&str>) -> Option<State> {
        let upper: String = text::trim(state)
            .to_uppercase()
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| if c == '_' { '-' } else { c })
            .collect();
        let key = key(state);
        let cleaned = text::clean(state);
        let at = self
            .by_code
            .get(upper.as_str())
            .copied()
            .or_else(|| self.by_name(&key, country, &cleaned))
            .or_else(|| self.by_bare_code(&upper, country))
            .or_else(|| self.by_name(without_kind(&key), country, &cleaned))
            .or_else(|| self.after_country(state))?;
        self.states.get(at).copied()
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

    /// `US - California`, `Canada, Ontario`
    fn after_country(&self, state: &str) -> Option<usize> {
        let (country, rest) = state.split_once(['-', ',', '/', ':'])?;
        let country = country::clean(country).ok()?.code;
        let key = key(rest);
        self.by_name(&key, Some(country), "")
            .or_else(|| self.by_bare_code(&key.to_uppercase(), Some(country)))
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
            Some(country) => of(country),
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

fn key(name: &str) -> String {
    let folded = text::fold(&text::clean(name).replace('&', " and "));
    folded.strip_prefix("the ").unwrap_or(&folded).to_owned()
}

/// The name without the word for what it is: `state of new york`, `estado de sao paulo`, `ontario province`.
fn without_kind(key: &str) -> &str {
    const BEFORE: [&str; 12] = [
        "state of ",
        "province of ",
        "provincia de ",
        "provincia di ",
        "estado de ",
        "estado do ",
        "estado da ",
        "region of ",
        "county of ",
        "prefecture of ",
        "canton of ",
        "departement de ",
    ];
    const AFTER: [&str; 10] = [
        " state",
        " province",
        " prefecture",
        " county",
        " region",
        " oblast",
        " territory",
        " canton",
        " governorate",
        " department",
    ];
    let start = BEFORE
        .iter()
        .find_map(|word| key.strip_prefix(word))
        .unwrap_or(key);
    AFTER
        .iter()
        .find_map(|word| start.strip_suffix(word))
        .unwrap_or(start)
}
