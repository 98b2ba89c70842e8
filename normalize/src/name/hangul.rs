//! Korean names in Hangul as they are written in Latin letters: `강성호` → `seongho kang`. For keys and comparison only.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{FullName, of_parts};
use crate::{hangul, table, text};

/// Family names, and how people write them where not by the rule.
static FAMILIES: LazyLock<HashMap<&'static str, Option<&'static str>>> = LazyLock::new(|| {
    let lines = table::lines(include_str!("../../tables/family_names_hangul.tsv"));
    let named = lines.map(|line| match line.split_once('\t') {
        Some((family, latin)) => (family, Some(latin)),
        None => (line, None),
    });
    named.collect()
});
/// Family names of two syllables that are not read as one of one syllable before a given name of two: `남궁민`, but `황보라`.
const OF_TWO: [&str; 4] = ["남궁", "제갈", "독고", "사공"];

impl FullName {
    /// The name with given and family name in Latin letters, if it is one in Hangul. Where a record has the two apart, they are these; else a
    /// name of three or four syllables is divided behind its family name. One of two may be a given name alone.
    pub(crate) fn in_latin(self, first: Option<&str>, last: Option<&str>) -> Self {
        let is_told = |[given, family]: &[&str; 2]| {
            let whole = self.cleaned.replace(' ', "");
            whole.strip_prefix(family) == Some(given) || whole.strip_prefix(given) == Some(family)
        };
        let told = first.zip(last).map(|(first, last)| [first, last]);
        let parts = told
            .filter(|parts| parts.iter().all(|part| is_hangul(part)))
            .filter(is_told)
            .or_else(|| parts_of(&self.cleaned));
        let latin = parts.and_then(|[given, family]| {
            let given = text::fold(given).replace(' ', "");
            of_parts(&given, None, &family_in_latin(family)).ok()
        });
        latin.unwrap_or(self)
    }
}

/// Given and family name.
fn parts_of(name: &str) -> Option<[&str; 2]> {
    let mut words = name.split(' ');
    match (words.next()?, words.next(), words.next()) {
        (one, None, _) if is_hangul(one) => divided(one),
        (one, Some(other), None) if is_hangul(one) && is_hangul(other) => {
            let is_turned = is_family(one) && !is_family(other);
            Some(if is_turned {
                [other, one]
            } else {
                [one, other]
            })
        }
        _ => None,
    }
}

/// Given and family name of one word. Where only its last syllable is a family name, that stands last.
fn divided(word: &str) -> Option<[&str; 2]> {
    let at = |syllables: usize| {
        let (at, _) = word.char_indices().nth(syllables)?;
        word.split_at_checked(at)
    };
    let syllables = word.chars().count();
    if !(3..=4).contains(&syllables) {
        return None;
    }
    let of_two =
        at(2).filter(|(family, _)| OF_TWO.contains(family) || syllables == 4 && is_family(family));
    let of_one = || at(1).filter(|(family, _)| is_family(family));
    if let Some((family, given)) = of_two.or_else(of_one) {
        return Some([given, family]);
    }
    let (given, family) = at(syllables - 1)?;
    is_family(family).then_some([given, family])
}

fn family_in_latin(family: &str) -> String {
    match FAMILIES.get(family) {
        Some(Some(latin)) => (*latin).to_owned(),
        _ => text::fold(family).replace(' ', ""),
    }
}

fn is_family(word: &str) -> bool {
    FAMILIES.contains_key(word)
}

fn is_hangul(word: &str) -> bool {
    !word.is_empty() && word.chars().all(hangul::is_syllable)
}

#[cfg(test)]
mod tests {
    use crate::name::{full, of_parts, stored};

    #[test]
    fn a_family_name_without_a_space_is_found() {
        for (name, latin) in [
            ("강성호", "seongho kang"),
            ("강 성호", "seongho kang"),
            ("성호 강", "seongho kang"),
            ("이민호", "minho lee"),
            ("남궁민수", "minsu namgung"),
            ("남궁 민수", "minsu namgung"),
            ("남궁민", "min namgung"),
            ("황보라", "bora hwang"),
            ("순자장", "sunja jang"),
            ("강성호 (Kevin)", "seongho kang"),
            ("강성호, PhD", "seongho kang"),
        ] {
            let read = full(name).unwrap_or_default().in_latin(None, None);
            assert_eq!(read.cleaned, latin, "{name}");
        }
        for name in ["민수", "이준", "王小明", "maya okafor"] {
            let read = full(name).unwrap_or_default();
            assert_eq!(read.clone().in_latin(None, None), read, "{name}");
        }
    }

    #[test]
    fn the_parts_of_a_record_say_where_a_name_is_divided() {
        for (name, first, last, latin) in [
            ("황보라", "라", "황보", "ra hwangbo"),
            ("이준", "준", "이", "jun lee"),
            ("준 이", "준", "이", "jun lee"),
        ] {
            let read = stored(name, Some(first), Some(last)).unwrap_or_default();
            assert_eq!(read.in_latin(Some(first), Some(last)).cleaned, latin);
        }
        let read = of_parts("준", None, "이").unwrap_or_default();
        assert_eq!(read.in_latin(Some("준"), Some("이")).cleaned, "jun lee");
    }
}
