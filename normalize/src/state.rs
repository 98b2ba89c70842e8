//! States, provinces and other first subdivisions: ISO 3166-2 codes and English names.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Unreadable, country, emoji, sheet, table, text};

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

/// What lists call a state, before a colon.
const LABELS: [&str; 14] = [
    "state",
    "province",
    "region",
    "state/province",
    "province/state",
    "state / province",
    "bundesland",
    "région",
    "estado",
    "provincia",
    "provincie",
    "regione",
    "prefecture",
    "canton",
];

struct Index {
    states: Vec<State>,
    by_code: HashMap<&'static str, usize>,
    by_name: HashMap<String, Vec<usize>>,
    /// By what is left of a name without the word for what it is, without `al` or without spaces: asked last.
    by_rest: HashMap<String, Vec<usize>>,
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
            by_rest: HashMap::new(),
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
                for rest in rests(&key(name)) {
                    put(&mut index.by_rest, rest, at);
                }
                index.insert(key(&text::elided(name)), at);
                index.insert(umlauts_written_out(code, name), at);
                if !text::is_latin(name)
                    && let Some(bare) = without_kind(&key(name)).last()
                {
                    index.insert(bare.to_owned(), at);
                }
            }
        }
        index
    }

    fn insert(&mut self, key: String, at: usize) {
        put(&mut self.by_name, key, at);
    }

    fn find(&self, state: &str, country: Option<&str>) -> Option<State> {
        if state.len() > text::MAX_LINE_BYTES {
            return None;
        }
        let state = text::squeeze(state);
        let named = |state: &str| {
            self.alone(state, country)
                .or_else(|| self.beside_country(state))
        };
        let at = named(&state)
            .or_else(|| named(emoji::off_place(&state)?))
            .or_else(|| {
                let bare = state.strip_prefix('\'').unwrap_or(&state);
                let bare = sheet::behind_label(bare, &LABELS);
                (bare.len() < state.len()).then(|| named(bare)).flatten()
            })?;
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
            .or_else(|| self.by_bare_name(&key, country, &cleaned))
            .or_else(|| self.by_bare_name(&self::key(&text::elided(&cleaned)), country, &cleaned))
            .or_else(|| {
                let at = self.by_rest(&key, country)?;
                (!is_kind_elsewhere(&key) || self.country_of(at) != "US").then_some(at)
            })
    }

    fn country_of(&self, at: usize) -> &'static str {
        self.states.get(at).map_or("", State::country_code)
    }

    /// Whether states of several countries have the name.
    fn is_of_several(&self, key: &str) -> bool {
        let mut places = self.by_name.get(key).into_iter().flatten();
        let first = places.next().map(|&at| self.country_of(at));
        first.is_some_and(|first| places.any(|&at| self.country_of(at) != first))
    }

    /// By what is left of a name, if that says one place and no country: `gwangju`, `muthanna`, and where the country is known
    /// `chonburi`.
    fn by_rest(&self, key: &str, country: Option<&str>) -> Option<usize> {
        if country.is_none() && country::clean(key).is_ok() || is_country_with_form(key) {
            return None;
        }
        let asked = std::iter::once(key.to_owned()).chain(rests(key));
        let mut found = asked.filter_map(|rest| {
            let places = self.by_rest.get(&rest)?.iter().copied();
            let mut there = places.filter(|&at| {
                let Some(state) = self.states.get(at) else {
                    return false;
                };
                match country {
                    Some(country) => state.country_code() == country,
                    // Without its spaces a name is often another one: `mariel`, `christchurch`.
                    None => state.country_code() == "US" || is_apart(&rest, state.full_name),
                }
            });
            match (there.next(), there.next()) {
                (Some(only), None) => Some(only),
                _ => None,
            }
        });
        found.next()
    }

    /// By the name without the word for what it is. No state of the US is an `okrug`, and `département du nord` is of many countries.
    fn by_bare_name(&self, key: &str, country: Option<&str>, cleaned: &str) -> Option<usize> {
        if is_country_with_form(key) {
            return None;
        }
        let is_elsewhere = is_kind_elsewhere(key);
        let is_vague = |name: &str| {
            let before = key.split(name).next().unwrap_or_default();
            let is_behind = |articles: &[&str]| before.split(' ').any(|w| articles.contains(&w));
            // `Região dos Lagos` is not Lagos.
            is_behind(&["los", "las", "dos"])
                || (is_elsewhere || is_behind(&["des", "du", "l"])) && self.is_of_several(name)
        };
        without_kind(key)
            .filter(|name| country.is_some() || name.is_empty() || !is_vague(name))
            .find_map(|name| self.by_name(name, country, cleaned))
            .filter(|&at| !is_elsewhere || self.country_of(at) != "US")
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
        let of = |place: &str, state: &str| {
            let country = country::clean(place).ok()?;
            self.alone(state, Some(country.code))
        };
        let (a, b) = [",", " - ", "(", "/", ":", "-"]
            .into_iter()
            .find_map(|sign| bracketed.split_once(sign))
            .or_else(|| bracketed.trim().rsplit_once(' '))?;
        of(a, b)
            .or_else(|| of(b, a))
            // `Newry, Mourne and Down, GB`: the country stands behind the last comma.
            .or_else(|| bracketed.rsplit_once(',').and_then(|(a, b)| of(b, a)))
            .or_else(|| {
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
                // `العاصمة`, the capital, is a governorate of several countries.
                let is_vague = !text::is_latin(key) && self.is_of_several(key);
                let found = if is_vague { common() } else { found };
                found.or_else(|| places.first().copied().filter(|_| !is_vague))
            }
        }
    }
}

fn put(places: &mut HashMap<String, Vec<usize>>, key: String, at: usize) {
    if !key.is_empty() {
        let places = places.entry(key).or_default();
        if !places.contains(&at) {
            places.push(at);
        }
    }
}

/// What is left of a name that still says it: `gwangju` of `gwangju city`, `muthanna` of `al muthanna`, `chonburi` of `chon buri`.
fn rests(key: &str) -> Vec<String> {
    /// Shorter ones are words of other names.
    const MIN: usize = 6;
    let bare = without_kind(key).last().unwrap_or(key);
    let without_article = bare.strip_prefix("al ").unwrap_or(bare);
    [
        bare.to_owned(),
        without_article.to_owned(),
        without_article.replace(' ', ""),
    ]
    .into_iter()
    // `federal` of `federal district` says nothing.
    .filter(|rest| rest != key && rest.len() >= MIN && rest != "federal")
    .collect()
}

/// Whether a key has the spaces of a name: it is a name's beginning or end.
fn is_apart(rest: &str, name: &str) -> bool {
    let name = key(name);
    name.starts_with(rest) || name.ends_with(rest)
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
        .filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']' | '(' | ')' | '"'))
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

/// The names that a text may stand for without the word for what it is, the longest first: `state of new york`,
/// `provincia de la rioja`, `ontario province`, `东京都`. The first is the text without the word behind it.
fn without_kind(key: &str) -> impl Iterator<Item = &str> {
    const SMALL: [&str; 16] = [
        "of ", "the ", "de ", "la ", "los ", "las ", "do ", "da ", "dos ", "del ", "des ", "du ",
        "di ", "dei ", "d ", "l ",
    ];
    let start = BEFORE
        .iter()
        .find_map(|word| key.strip_prefix(word)?.strip_prefix(' '));
    // Three small words at most stand between a kind and a name: `provincia de las tunas`.
    let shorter = std::iter::successors(start, |rest| {
        SMALL.iter().find_map(|word| rest.strip_prefix(word))
    });
    let names = shorter.take(4);
    let whole = start.is_none().then_some(key);
    whole.into_iter().chain(names).map(without_kind_behind)
}

/// A country as `georgia republic` or `autonomous republic of georgia`.
fn is_country_with_form(key: &str) -> bool {
    (key.ends_with(" republic") || key.starts_with("autonomous republic "))
        && without_kind(key).any(|name| country::clean(name).is_ok())
}

/// Whether the word for what it is is none that the US have.
fn is_kind_elsewhere(key: &str) -> bool {
    // `Republic of Texas`.
    let is_before = |kind: &&str| {
        *kind != "republic" && key.strip_prefix(kind).is_some_and(|r| r.starts_with(' '))
    };
    let is_behind = |kind: &&str| key.strip_suffix(kind).is_some_and(|r| r.ends_with(' '));
    ELSEWHERE
        .iter()
        .any(|kind| is_before(kind) || is_behind(kind))
        || ["london borough ", "royal borough ", "metropolitan borough "]
            .iter()
            .any(|kind| key.starts_with(kind))
}

/// Kinds that no state of the US is of.
const ELSEWHERE: &[&str] = &[
    "metropolitan city",
    "citta metropolitana",
    "libero consorzio comunale",
    "borough",
    "autonomous province",
    "autonomous republic",
    "autonomous okrug",
    "autonomous oblast",
    "okrug",
    "republic",
    "comarca",
    "archipielago",
    "gouvernorat",
    "wilaya",
    "voivodship",
];

fn without_kind_behind(name: &str) -> &str {
    AFTER
        .iter()
        .find_map(|word| name.strip_suffix(word)?.strip_suffix(' '))
        .or_else(|| {
            UNSPACED
                .iter()
                .find_map(|kind| name.strip_suffix(kind))
                .filter(|name| name.chars().count() > 1)
        })
        .unwrap_or(name)
}

/// Words for kinds behind a name of a script without spaces.
const UNSPACED: &[&str] = &[
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
    "직할시",
    "특별자치시",
    "특별자치도",
    "도",
];

/// Words for kinds of subdivisions in front of a name, folded; the longer of two that begin alike stands first.
const BEFORE: &[&str] = &[
    "state",
    "metropolitan city",
    "citta metropolitana",
    "libero consorzio comunale",
    "metropolitan borough",
    "london borough",
    "royal borough",
    "autonomous province",
    "autonomous republic",
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
    "comarca",
    "archipielago",
    "gouvernorat",
    "wilaya",
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
    "респ.",
    "область",
    "город",
    "г.",
    "محافظة",
    "ولاية",
    "شعبية",
    "بلدية",
    "جهة",
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
    "autonomous republic",
    "autonomous okrug",
    "autonomous oblast",
    "autonomous province",
    "republic",
    "okrug",
    "metropolitan city",
    "county borough",
    "borough",
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
    "voivodship",
    "wilaya",
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
