//! Hangul in Latin letters by the Revised Romanization of Korean (2000), syllable by syllable, as it is done for names.

use std::borrow::Cow;

use crate::text;

/// The syllables: initial, vowel and final of each follow from its place.
const SYLLABLES: std::ops::RangeInclusive<char> = '가'..='힣';
const INITIALS: [&str; 19] = [
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p",
    "h",
];
const VOWELS: [&str; 21] = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we",
    "wi", "yu", "eu", "ui", "i",
];
const FINALS: [&str; 28] = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p",
    "t", "t", "ng", "t", "t", "k", "t", "p", "t",
];

/// Whether it is a syllable of Hangul.
pub(crate) fn is_syllable(c: char) -> bool {
    SYLLABLES.contains(&c)
}

/// The text with its syllables in Latin letters, and all else as it is.
pub(crate) fn in_latin(text: &str) -> Cow<'_, str> {
    if !text.contains(is_syllable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        match letters(c) {
            Some(letters) => out.extend(letters),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Of words that may end another one without a space those in Hangul, folded, the longest first.
pub(crate) fn endings<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let hangul = words.filter(|word| word.chars().all(is_syllable));
    let mut endings: Vec<String> = hangul.map(text::fold).collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.len()));
    endings
}

/// A folded word, or its stem and its end: `daejeondaehakgyo`.
pub(crate) fn parted<'a>(word: &'a str, endings: &[String]) -> impl Iterator<Item = &'a str> {
    let end = endings.iter().find_map(|ending| {
        let stem = word.strip_suffix(ending.as_str())?;
        word.get(stem.len()..).map(|end| [stem, end])
    });
    let parts = end.unwrap_or([word, ""]);
    parts.into_iter().filter(|part| !part.is_empty())
}

fn letters(c: char) -> Option<[&'static str; 3]> {
    let place = |c: char| usize::try_from(u32::from(c)).ok();
    let place = place(c)?.checked_sub(place(*SYLLABLES.start())?)?;
    let (rest, last) = (place / FINALS.len(), place % FINALS.len());
    Some([
        INITIALS.get(rest / VOWELS.len())?,
        VOWELS.get(rest % VOWELS.len())?,
        FINALS.get(last)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::in_latin;

    #[test]
    fn names_are_written_as_the_rule_says() {
        for (hangul, latin) in [
            ("서울", "seoul"),
            ("인천", "incheon"),
            ("부산", "busan"),
            ("강성호", "gangseongho"),
            ("혁", "hyeok"),
            ("최원희", "choewonhui"),
            ("CKC건설", "CKCgeonseol"),
            ("힣", "hit"),
            ("가", "ga"),
            ("maya", "maya"),
        ] {
            assert_eq!(in_latin(hangul), latin);
        }
    }
}
