//! Titles behind a name, as Japanese, Chinese and Korean have them: `山田 太郎 様`, `王先生`, `김철수 씨`.

use std::sync::LazyLock;

use super::affixes::Affixes;
use crate::table;

/// Titles, and how many letters a word has at least before one that is written against it: `恵様` may be somebody's name.
static HONORIFICS: LazyLock<Vec<(&str, usize)>> = LazyLock::new(|| {
    table::lines(include_str!("../../tables/name_honorifics.tsv"))
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(title, least)| Some((title, least.parse().ok()?)))
        .collect()
});

/// True for a word that is such a title.
pub(super) fn is_honorific(word: &str) -> bool {
    is_east_asian(word) && HONORIFICS.iter().any(|(title, _)| *title == word)
}

/// Whether the last letter is of a script that has such titles.
fn is_east_asian(word: &str) -> bool {
    word.ends_with(|c| c >= '\u{3000}')
}

impl Affixes {
    /// Such titles off the end, as words of their own or written against the last one.
    pub(super) fn take_honorifics(&mut self, words: &mut Vec<String>) {
        while let Some(last) = words.last_mut() {
            if let Some((name, title)) = name_and_honorific(last) {
                self.suffixes.insert(0, title.to_owned());
                *last = name.to_owned();
            } else if is_honorific(last) && words.len() > 1 {
                self.suffixes.splice(0..0, words.pop());
            } else {
                return;
            }
        }
    }
}

/// The name and the title that is written against its end.
fn name_and_honorific(word: &str) -> Option<(&str, &str)> {
    if !is_east_asian(word) {
        return None;
    }
    HONORIFICS.iter().find_map(|(title, least)| {
        let name = word.strip_suffix(title)?;
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        (letters >= *least).then_some((name, *title))
    })
}

#[cfg(test)]
mod tests {
    use super::name_and_honorific;

    #[test]
    fn a_title_goes_off_what_is_long_enough_to_be_a_name() {
        for (word, name) in [
            ("山田様", Some("山田")),
            ("王先生", Some("王")),
            ("김철수선생님", Some("김철수")),
            ("様", None),
            ("김예님", None),
            ("先生", None),
            ("'先生", None),
        ] {
            assert_eq!(name_and_honorific(word).map(|(name, _)| name), name);
        }
    }
}
