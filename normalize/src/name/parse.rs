//! Reading a whole name into its parts.

use super::FullName;
use super::affixes::{is_namelike_suffix, is_namelike_title, is_particle, is_suffix, is_title};
use crate::{Unreadable, text};

/// A whole name.
///
/// `Last, First` is turned round; nicknames in quotes or brackets are left out.
///
/// # Errors
/// When there is no letter in it.
pub fn full(name: &str) -> Result<FullName, Unreadable> {
    let invalid = Unreadable::new("not a person's name");
    let cleaned = text::clean(name);
    let plain = without_nicknames(&cleaned);
    let source = if plain.chars().any(char::is_alphabetic) {
        &plain
    } else {
        &cleaned
    };
    let mut segments: Vec<Vec<String>> = source
        .split(',')
        .map(words)
        .filter(|segment| !segment.is_empty())
        .collect();
    let mut suffixes = Vec::new();
    while segments.len() > 1
        && segments.last().is_some_and(|last| {
            last.iter()
                .all(|w| is_suffix(w) || is_title(w) || is_namelike_suffix(w) && segments.len() > 2)
        })
    {
        suffixes.splice(0..0, segments.pop().unwrap_or_default());
    }
    let reversed = segments.len() > 1;
    let mut prefixes = Vec::new();
    let mut family = Vec::new();
    if reversed {
        family = segments.remove(0);
        take_prefixes(&mut family, &mut prefixes);
        take_suffixes(&mut family, &mut suffixes, 1);
    }
    let mut rest: Vec<String> = segments.into_iter().flatten().collect();
    take_prefixes(&mut rest, &mut prefixes);
    take_suffixes(&mut rest, &mut suffixes, if reversed { 1 } else { 2 });
    let parts = if reversed {
        arrange(rest, family)
    } else {
        split(rest)
    };
    let cleaned = parts.concat().join(" ");
    if !cleaned.chars().any(char::is_alphabetic) {
        return Err(invalid);
    }
    let [first, middle, last] = parts.map(|part| some(&part));
    Ok(FullName {
        cleaned: trim(&cleaned).to_owned(),
        first,
        middle,
        last,
        prefix: some(&prefixes),
        suffix: some(&suffixes),
    })
}

/// The words of a part of a name; words without a letter or digit are dropped.
pub(super) fn words(part: &str) -> Vec<String> {
    part.split([' ', ','])
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

/// Punctuation that belongs to no name, off both ends.
pub(super) fn trim(name: &str) -> &str {
    name.trim_matches(|c: char| {
        c == ' ' || matches!(c, ',' | ';' | ':' | '/' | '|' | '*' | '_' | '-')
    })
}

fn some(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" "))
}

/// Given names as they came, the particles that close them moved to the family name: `Jong, Piet de`.
fn arrange(mut given: Vec<String>, mut family: Vec<String>) -> [Vec<String>; 3] {
    while given.len() > 1 && given.last().is_some_and(|word| is_particle(word)) {
        if let Some(particle) = given.pop() {
            family.insert(0, particle);
        }
    }
    let middle = given.split_off(given.len().min(1));
    [given, middle, family]
}

/// First word, middle, and the last word with the particles before it.
fn split(mut words: Vec<String>) -> [Vec<String>; 3] {
    if words.len() < 2 {
        return [words, Vec::new(), Vec::new()];
    }
    let mut at = words.len() - 1;
    for (index, word) in words.iter().enumerate().skip(1) {
        if is_particle(word) && index + 1 < words.len() {
            at = index;
            break;
        }
    }
    let family = words.split_off(at);
    let middle = words.split_off(1.min(words.len()));
    [words, middle, family]
}

/// Titles off the front; a title that is also a given name goes only where a whole name follows it.
fn take_prefixes(words: &mut Vec<String>, prefixes: &mut Vec<String>) {
    while words.len() > 1 {
        let Some(word) = words.first() else { return };
        let dotted = word.ends_with('.');
        if is_title(word) || (is_namelike_title(word) && (dotted || words.len() > 2)) {
            prefixes.push(words.remove(0));
        } else {
            return;
        }
    }
}

/// Suffixes off the end while `keep` words remain; those that are also names only after a whole name.
fn take_suffixes(words: &mut Vec<String>, suffixes: &mut Vec<String>, keep: usize) {
    while words.len() > keep {
        let Some(word) = words.last() else { return };
        if is_suffix(word) || (is_namelike_suffix(word) && words.len() > keep + 1) {
            if let Some(word) = words.pop() {
                suffixes.insert(0, word);
            }
        } else {
            return;
        }
    }
}

/// The text without parts in brackets or quotes.
fn without_nicknames(name: &str) -> String {
    const PAIRS: [(char, char); 8] = [
        ('(', ')'),
        ('[', ']'),
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('\'', '\''),
        ('‘', '’'),
    ];
    let mut out = name.to_owned();
    for (open, close) in PAIRS {
        while let Some((start, end)) = quoted(&out, open, close) {
            out.replace_range(start..end, " ");
        }
    }
    text::clean(&out)
}

/// Where a quoted part stands: it opens at the start of a word and closes at the end of one.
fn quoted(text: &str, open: char, close: char) -> Option<(usize, usize)> {
    let start = text
        .match_indices(open)
        .map(|(at, _)| at)
        .find(|&at| at == 0 || text.get(..at).is_some_and(|before| before.ends_with(' ')))?;
    let inside = start + open.len_utf8();
    let length = text
        .get(inside..)?
        .match_indices(close)
        .map(|(at, _)| at)
        .find(|&at| {
            text.get(inside + at + close.len_utf8()..)
                .is_some_and(|after| after.chars().next().is_none_or(|c| !c.is_alphanumeric()))
        })?;
    Some((start, inside + length + close.len_utf8()))
}
