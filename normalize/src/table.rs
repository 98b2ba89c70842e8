//! The data files of `tables/`, compiled in and indexed on first use.
//!
//! A file's lines are `key<TAB>value…`; `#` starts a comment. Sources and licences: `tables/README.md`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A set of words.
pub(crate) type Words = HashSet<&'static str>;

/// The lines that hold data.
pub(crate) fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines()
        .map(|line| line.trim_end_matches(['\r', ' ']))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Every word of a file of white-space separated words.
pub(crate) fn words(file: &'static str) -> Words {
    lines(file).flat_map(str::split_whitespace).collect()
}

/// `key<TAB>word word …` lines.
pub(crate) fn word_lists(file: &'static str) -> HashMap<&'static str, Words> {
    lines(file)
        .filter_map(|line| line.split_once('\t'))
        .map(|(key, list)| (key, list.split_whitespace().collect()))
        .collect()
}

/// `key<TAB>value` lines.
pub(crate) fn pairs(file: &'static str) -> HashMap<&'static str, &'static str> {
    lines(file)
        .filter_map(|line| line.split_once('\t'))
        .collect()
}

/// Each value of `key<TAB>value|value…` lines, behind its key.
pub(crate) fn alternatives(
    file: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines(file).filter_map(|line| line.split_once('\t'));
    lines.flat_map(|(key, values)| values.split('|').map(move |value| (key, value)))
}

/// Mail hosts open to anybody.
pub(crate) static FREE_MAIL: LazyLock<Words> =
    LazyLock::new(|| words(include_str!("../tables/free_mail.txt")));

/// Mail hosts whose mailboxes are thrown away.
pub(crate) static DISPOSABLE_MAIL: LazyLock<Words> =
    LazyLock::new(|| words(include_str!("../tables/disposable_mail.txt")));

/// Local parts of addresses that belong to a role.
pub(crate) static ROLE_MAILBOXES: LazyLock<Words> =
    LazyLock::new(|| words(include_str!("../tables/role_mailboxes.txt")));

/// First path parts of the social networks that are no accounts.
pub(crate) static RESERVED_PATHS: LazyLock<HashMap<&'static str, Words>> =
    LazyLock::new(|| word_lists(include_str!("../tables/reserved_paths.tsv")));
