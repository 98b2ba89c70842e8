//! The words around a name: titles, honorifics, generational and academic suffixes, particles.

use std::sync::LazyLock;

use crate::table::{self, Words};

static TITLES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_titles.txt")));
static NAMELIKE_TITLES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_titles_namelike.txt")));
static SUFFIXES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_suffixes.txt")));
static NAMELIKE_SUFFIXES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_suffixes_namelike.txt")));
static PARTICLES: LazyLock<Words> =
    LazyLock::new(|| table::words(include_str!("../../tables/name_particles.txt")));

/// True for words that belong to the family name after them: `de`, `van`, `bin`.
#[must_use]
pub fn is_particle(word: &str) -> bool {
    PARTICLES.contains(word)
}

/// True for a title that is no name: `dr.`, `mrs`.
pub(super) fn is_title(word: &str) -> bool {
    TITLES.contains(bare(word).as_str())
}

/// True for a title that people are also called by: `major`, `prince`. A dot settles it (`maj.`).
pub(super) fn is_namelike_title(word: &str) -> bool {
    NAMELIKE_TITLES.contains(bare(word).as_str())
}

/// True for a suffix that is no name: `jr.`, `ph.d.`, `iii`.
pub(super) fn is_suffix(word: &str) -> bool {
    let bare = bare(word);
    SUFFIXES.contains(bare.as_str())
        || bare
            .split_once('-')
            .is_some_and(|(a, b)| is_word_suffix(a) && is_word_suffix(b))
}

fn is_word_suffix(word: &str) -> bool {
    SUFFIXES.contains(word)
}

/// True for a suffix that is also a name or initial: `ma`, `v`, `do`.
pub(super) fn is_namelike_suffix(word: &str) -> bool {
    NAMELIKE_SUFFIXES.contains(bare(word).as_str())
}

/// Titles off the front while a word remains.
pub(super) fn strip_prefixes(words: &mut Vec<String>) {
    let titles = words
        .iter()
        .take_while(|word| is_title(word) || is_namelike_title(word))
        .count();
    words.drain(..titles.min(words.len().saturating_sub(1)));
}

/// Suffixes off the end while a word remains.
pub(super) fn strip_suffixes(words: &mut Vec<String>) {
    while words.len() > 1
        && words
            .last()
            .is_some_and(|word| is_suffix(word) || is_namelike_suffix(word))
    {
        words.pop();
    }
}

/// The word without dots and closing punctuation.
fn bare(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '.' | ',' | ';' | '(' | ')'))
        .collect()
}
