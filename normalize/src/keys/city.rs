//! Cities under the names that other languages have for them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{table, text};

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

/// The key of a city's name: folded, in English, `st.` written out.
#[must_use]
pub fn city_key(name: &str) -> String {
    let folded = text::fold(name);
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
        ] {
            assert_eq!(city_key(a), city_key(b), "{a} {b}");
        }
        assert_eq!(city_key("Springfield"), "springfield");
    }

    #[test]
    fn a_city_is_asked_for_under_all_its_names() {
        let names = city_lookups("Köln");
        assert!(names.contains(&"cologne".to_owned()) && names.contains(&"koln".to_owned()));
    }
}
