//! Family names of one family in several forms: as they are written in Latin letters (`lee`, `yi`, `rhee`), of its men and of its women
//! (`morozov`, `morozova`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::shares;
use crate::table;

/// The lines in which a name stands: `chun` is a `cheon` or a `jeon`.
static FORMS: LazyLock<HashMap<&'static str, Vec<usize>>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<usize>> = HashMap::new();
    for (line, at) in table::lines(include_str!("../../tables/family_name_forms.txt")).zip(0..) {
        for name in line.split_whitespace() {
            forms.entry(name).or_default().push(at);
        }
    }
    forms
});

/// Endings of men's and of women's names: Slavic, Greek, Lithuanian.
const ENDINGS: &[(&str, &str)] = &[
    ("ov", "ova"),
    ("ev", "eva"),
    ("in", "ina"),
    ("yn", "yna"),
    ("ski", "ska"),
    ("cki", "cka"),
    ("dzki", "dzka"),
    ("sky", "ska"),
    ("sky", "skaya"),
    ("skiy", "skaya"),
    ("skii", "skaia"),
    ("skyi", "ska"),
    ("skyy", "ska"),
    ("ny", "na"),
    ("cky", "cka"),
    ("ak", "akova"),
    ("ek", "kova"),
    ("ik", "ikova"),
    ("er", "erova"),
    ("a", "ova"),
    ("opoulos", "opoulou"),
    ("akis", "aki"),
    ("idis", "idou"),
    ("adis", "adou"),
    ("as", "iene"),
    ("as", "aite"),
    ("is", "iene"),
    ("is", "yte"),
    ("us", "iene"),
    ("us", "ute"),
];
/// Fewer letters before an ending are no family's.
const MIN_STEM: usize = 3;

/// Whether two folded family names are one in different transcriptions, or of a man and a woman of one family.
#[must_use]
pub fn are_forms(a: &str, b: &str) -> bool {
    let lines = |name: &str| FORMS.get(name).map_or(&[][..], Vec::as_slice);
    lines(a).iter().any(|line| lines(b).contains(line)) || is_wife_of(a, b) || is_wife_of(b, a)
}

/// Where many are called so whom the ending does not tell, it is a name of its own: `martina`, `medina`, `marin`.
fn is_wife_of(woman: &str, man: &str) -> bool {
    let is_pair = |(of_men, of_women): &(&str, &str)| {
        let stem = woman.strip_suffix(of_women);
        stem.is_some_and(|stem| stem.len() >= MIN_STEM && man.strip_suffix(of_men) == Some(stem))
    };
    let is_own = || {
        let is_short = ["in", "an", "er"]
            .iter()
            .any(|ending| man.ends_with(ending));
        shares::family(woman).is_some() || is_short && shares::family(man).is_some()
    };
    ENDINGS.iter().any(is_pair) && !is_own()
}

#[cfg(test)]
mod tests {
    use super::are_forms;

    #[test]
    fn a_family_has_a_form_for_its_men_and_one_for_its_women() {
        for (a, b) in [
            ("morozov", "morozova"),
            ("chmielewska", "chmielewski"),
            ("dostoevsky", "dostoevskaya"),
            ("hajek", "hajkova"),
            ("svoboda", "svobodova"),
            ("papadopoulos", "papadopoulou"),
            ("kazlauskas", "kazlauskiene"),
        ] {
            assert!(are_forms(a, b) && are_forms(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("lin", "lina"),
            ("ova", "a"),
            ("petrov", "petrovic"),
            ("ivanov", "popova"),
            ("martin", "martina"),
            ("medin", "medina"),
            ("kenny", "kenna"),
            ("corda", "cordova"),
            ("marin", "marina"),
        ] {
            assert!(!are_forms(a, b) && !are_forms(b, a), "{a} {b}");
        }
    }

    #[test]
    fn a_family_name_has_several_transcriptions() {
        assert!(are_forms("lee", "yi") && are_forms("park", "pak") && are_forms("chun", "jeon"));
        assert!(
            !are_forms("cheon", "jeon")
                && !are_forms("lee", "park")
                && !are_forms("smith", "smith")
        );
    }
}
