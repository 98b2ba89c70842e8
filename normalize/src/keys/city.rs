//! Cities under the names that other languages have for them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::{state, table, text};

static ENGLISH: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../tables/cities.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(english, others)| {
            others
                .split(',')
                .map(move |other| (text::fold(other), english))
        })
        .collect()
});

static LISTED: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| ENGLISH.values().copied().collect());

/// Whether the table knows a city by this name, in English or another language.
pub(crate) fn is_listed_city(name: &str) -> bool {
    english_city(&text::fold(name)).is_some()
}

/// The English name of a city by any name that the table has, folded; the name itself if it is the English one.
pub(crate) fn english_city(folded: &str) -> Option<&'static str> {
    let english = ENGLISH.get(folded).or_else(|| LISTED.get(folded));
    english.copied()
}

/// What stands behind a city's name where all that lies around it is meant.
const AREAS: [&str; 6] = [
    " metropolitan area",
    " metropolitan region",
    " metro area",
    " metroplex",
    " metro",
    " area",
];
/// Fewer letters before a state's code are no city that nobody lists.
const MIN_BEFORE_STATE: usize = 4;

/// The city of an area, `greater chicago area`, and without the state's code behind it: `chicago il`. Folded.
fn without_surroundings(folded: &str) -> &str {
    if ENGLISH.contains_key(folded) {
        return folded;
    }
    let area = AREAS.iter().find_map(|area| folded.strip_suffix(area));
    let city = match area {
        Some(inner) => inner.strip_prefix("greater ").unwrap_or(inner),
        None => folded,
    };
    let before_state = || {
        let (city, last) = city.rsplit_once(' ')?;
        let is_city = city.len() >= MIN_BEFORE_STATE || ENGLISH.contains_key(city);
        let is_state = last.len() == 2 && state::clean(last, Some("US")).is_ok();
        (is_city && is_state).then_some(city)
    };
    before_state().unwrap_or(city)
}

/// The key of a city's name: folded, in English, `st.` written out, without `area` and a state's code.
#[must_use]
pub fn city_key(name: &str) -> String {
    let folded = text::fold(name);
    let folded = without_surroundings(&folded).to_owned();
    let mut key: Cow<'_, str> = match ENGLISH.get(&folded) {
        Some(english) => Cow::Borrowed(english),
        None => Cow::Owned(folded),
    };
    for (short, long) in [
        ("st ", "saint "),
        ("ste ", "sainte "),
        ("ft ", "fort "),
        ("mt ", "mount "),
    ] {
        if let Some(rest) = key.strip_prefix(short) {
            key = Cow::Owned(format!("{long}{rest}"));
            break;
        }
    }
    key.into_owned()
}

/// By what a city is asked for: as it is, and under every other name that it has.
#[must_use]
pub fn city_lookups(name: &str) -> Vec<String> {
    let folded = text::fold(name);
    let key = city_key(name);
    let mut out = vec![folded];
    let others = ENGLISH
        .iter()
        .filter(|(_, english)| **english == key)
        .map(|(other, _)| other.clone());
    let short = key.strip_prefix("saint ").map(|rest| format!("st {rest}"));
    for other in others.chain(short).chain([key.clone()]) {
        if !out.contains(&other) {
            out.push(other);
        }
    }
    out.sort_unstable();
    out
}

#[cfg(test)]
mod tests {
    use super::{city_key, city_lookups};

    #[test]
    fn a_city_has_one_key_in_all_its_languages() {
        for (a, b) in [
            ("München", "munich"),
            ("Köln", "COLOGNE"),
            ("St. Paul", "saint paul"),
            ("Wien", "Vienna"),
            ("New York City", "new york"),
            ("Greater Chicago Area", "Chicago"),
            ("London Area", "London"),
            ("New York City Metropolitan Area", "New York"),
            ("Dallas Metroplex", "dallas"),
            ("San Francisco Bay Area", "SF"),
            ("SF Bay Area", "San Francisco"),
            ("Chicago IL", "chicago"),
            ("SF CA", "san francisco"),
            ("LA", "Los Angeles"),
            ("L.A.", "los angeles"),
        ] {
            assert_eq!(city_key(a), city_key(b), "{a} {b}");
        }
        assert_eq!(city_key("Springfield"), "springfield");
        for (a, b) in [
            ("Greater Noida", "Noida"),
            ("La Florida", "Los Angeles"),
            ("Green Bay Area", "Green"),
            ("Kansas City", "Kansas"),
        ] {
            assert_ne!(city_key(a), city_key(b), "{a} {b}");
        }
    }

    #[test]
    fn a_city_is_asked_for_under_all_its_names() {
        let names = city_lookups("Köln");
        assert!(names.contains(&"cologne".to_owned()) && names.contains(&"koln".to_owned()));
    }
}
