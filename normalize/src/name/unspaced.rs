//! Names in Hangul and in Han characters, whose family name stands first and without a space, as they are written in Latin letters:
//! `강성호` → `seongho gang`. For keys and comparison only.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::table::{self, Words};
use crate::{hangul, text};

static FAMILIES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/family_names_unspaced.txt")));
/// The longest family name of the table, in characters.
const LONGEST_FAMILY: usize = 2;
/// Characters of a whole name. Four Han characters are a Japanese name, which is read otherwise.
const HANGUL: std::ops::RangeInclusive<usize> = 2..=4;
const HAN: std::ops::RangeInclusive<usize> = 2..=3;

/// A whole name in Latin letters, given name first, where it is one in these scripts whose family name is known; any other as it is.
pub(crate) fn in_latin(name: &str) -> Cow<'_, str> {
    let parts = || {
        let mut words = name.split_whitespace();
        let (one, other) = (words.next()?, words.next());
        if words.next().is_some() || !Script::of(one).is_some_and(|script| script.is_of(other)) {
            return None;
        }
        match other {
            None => divided(one),
            Some(given) if is_family(one) && !is_family(given) => Some([given, one]),
            Some(family) => is_family(family).then_some([one, family]),
        }
    };
    match parts() {
        Some(parts) => Cow::Owned(parts.map(joined).join(" ")),
        None => Cow::Borrowed(name),
    }
}

/// A given and a family name in Latin letters, each as one word, where [`in_latin`] would read the two so.
pub(crate) fn parts_in_latin<'a>(first: &'a str, last: &'a str) -> [Cow<'a, str>; 2] {
    let is_read = match [first, last].map(|part| Script::of(part.trim())) {
        [Some(Script::Hangul), Some(Script::Hangul)] => true,
        [Some(Script::Han), Some(Script::Han)] => {
            is_family(last.trim()) && HAN.contains(&(first.trim().chars().count() + 1))
        }
        _ => false,
    };
    [first, last].map(|part| match is_read {
        true => Cow::Owned(joined(part)),
        false => Cow::Borrowed(part),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Hangul,
    Han,
}

impl Script {
    /// Of a word all of whose characters are of one script.
    fn of(word: &str) -> Option<Self> {
        let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        if word.is_empty() {
            None
        } else if word.chars().all(hangul::is_syllable) {
            Some(Self::Hangul)
        } else {
            word.chars().all(is_han).then_some(Self::Han)
        }
    }

    fn is_of(self, word: Option<&str>) -> bool {
        word.is_none_or(|word| Self::of(word) == Some(self))
    }
}

/// Given and family name of one word. Where only its last character is a family name, that stands last.
fn divided(word: &str) -> Option<[&str; 2]> {
    let length = word.chars().count();
    let is_name = match Script::of(word)? {
        Script::Hangul => HANGUL.contains(&length),
        Script::Han => HAN.contains(&length),
    };
    let at = |characters: usize| {
        let (at, _) = word.char_indices().nth(characters)?;
        word.split_at_checked(at)
    };
    let first = (1..=LONGEST_FAMILY).rev().filter_map(at);
    let first = first
        .filter(|(family, _)| is_family(family))
        .map(|(family, given)| [given, family]);
    let last = || {
        let (given, family) = at(length.checked_sub(1)?)?;
        is_family(family).then_some([given, family])
    };
    let mut first = first.filter(|_| is_name);
    first.next().or_else(|| last().filter(|_| is_name))
}

fn is_family(word: &str) -> bool {
    FAMILIES.contains(word)
}

fn joined(part: &str) -> String {
    text::fold(part).replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::{in_latin, parts_in_latin};

    #[test]
    fn a_family_name_without_a_space_is_found() {
        for (name, latin) in [
            ("강성호", "seongho gang"),
            ("강 성호", "seongho gang"),
            ("성호 강", "seongho gang"),
            ("이준", "jun i"),
            ("남궁민수", "minsu namgung"),
            ("남궁 민수", "minsu namgung"),
            ("순자장", "sunja jang"),
            ("王小明", "xiaoming wang"),
            ("欧阳明", "ming ouyang"),
        ] {
            assert_eq!(in_latin(name), latin);
        }
        for name in [
            "山田太郎",
            "김",
            "maya okafor",
            "김 민수 박",
            "강성호 (sales)",
            "",
            "민",
        ] {
            assert_eq!(in_latin(name), name);
        }
        assert_eq!(parts_in_latin("성호", "강"), ["seongho", "gang"]);
        assert_eq!(parts_in_latin("小明", "王"), ["xiaoming", "wang"]);
        for [first, last] in [["太郎", "山田"], ["Maya", "Okafor"], ["성호", "Kang"]] {
            assert_eq!(parts_in_latin(first, last), [first, last]);
        }
    }
}
