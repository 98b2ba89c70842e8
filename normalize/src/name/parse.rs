//! Reading a whole name into its parts.
//!
//! Letter case is looked at until the end: `Georgina Jones DO` is a doctor, `Anh Do` is not.

use super::affixes::{Affixes, is_particle};
use super::bare::bare;
use super::{FullName, quoted};
use crate::{Unreadable, text};

/// A whole name.
///
/// `Last, First` is turned round; nicknames in quotes or brackets are left out.
///
/// # Errors
/// When there is no letter in it.
pub fn full(name: &str) -> Result<FullName, Unreadable> {
    if name.len() > text::MAX_LINE_BYTES {
        return Err(super::INVALID);
    }
    let mut read = once(name)?;
    // Nothing was taken off: what is left in lower case gives no new title or quote.
    if read.prefix.is_none() && read.suffix.is_none() && read.cleaned == text::clean(name) {
        return Ok(read);
    }
    // What was turned round or taken off can bare another title or quote; each round leaves less.
    for _ in 0..super::MAX_ROUNDS {
        let again = once(&read.cleaned)?;
        if again.cleaned == read.cleaned {
            return Ok(read);
        }
        read = FullName {
            prefix: read.prefix.or(again.prefix),
            suffix: read.suffix.or(again.suffix),
            ..again
        };
    }
    Err(super::INVALID)
}

fn once(name: &str) -> Result<FullName, Unreadable> {
    let squeezed = text::squeeze(name);
    let source = quoted::without_nicknames(before_remark(&squeezed));
    let mut affixes = Affixes::of(&source);
    let mut segments = segments(&source);
    affixes.take_suffix_segments(&mut segments, 2);
    affixes.take_inner_suffix_segments(&mut segments);
    let mut family = Vec::new();
    if segments.len() > 1 {
        family = segments.remove(0);
        affixes.take_honorifics(&mut family);
        affixes.take_suffixes(&mut family, 1, 1);
        affixes.take_prefixes(&mut family, 1);
    }
    let reversed = !family.is_empty();
    let mut given: Vec<String> = segments.into_iter().flatten().collect();
    let keep = if reversed { 1 } else { 2 };
    let titles = Affixes::leading_titles(&given);
    affixes.take_honorifics(&mut given);
    affixes.take_suffixes(&mut given, keep + titles, 1 + titles);
    affixes.take_prefixes(&mut given, keep);
    if reversed {
        affixes.take_closing_titles(&mut given);
        affixes.take_ordinal(&mut given);
    } else {
        affixes.take_closing_ordinal(&mut given);
    }
    let parts = if reversed {
        arrange(given, family)
    } else {
        split(given)
    };
    finish(parts, affixes)
}

/// What stands before a post or employer: `Maya Okafor | CEO`, `Maya Okafor @ Northwind`.
fn before_remark(name: &str) -> &str {
    [" | ", " @ ", " • "]
        .iter()
        .filter_map(|sign| name.split_once(sign))
        .map(|(name, _)| name)
        .find(|name| name.contains(' '))
        .unwrap_or(name)
}

fn finish(parts: [Vec<String>; 3], affixes: Affixes) -> Result<FullName, Unreadable> {
    let cleaned = text::clean(&parts.concat().join(" "));
    let cleaned = without_full_stop(trim(&cleaned));
    if !cleaned.chars().any(char::is_alphabetic) {
        return Err(super::INVALID);
    }
    let [first, middle, last] = parts.map(|part| some(&part));
    Ok(FullName {
        cleaned: cleaned.to_owned(),
        first,
        middle,
        last,
        prefix: some(&affixes.prefixes),
        suffix: some(&affixes.suffixes),
    })
}

/// The parts between commas, without empty ones.
pub(super) fn segments(name: &str) -> Vec<Vec<String>> {
    name.split(',')
        .map(words)
        .filter(|segment| !segment.is_empty())
        .collect()
}

/// The words of a part of a name; words without a letter or digit are dropped, and so are double quotation marks around one.
fn words(part: &str) -> Vec<String> {
    part.split([' ', '|', ';'])
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(|word| {
            word.trim_matches('"')
                .trim_end_matches(['™', '®', '©'])
                .to_owned()
        })
        .collect()
}

/// Punctuation that belongs to no name, off both ends.
pub(super) fn trim(name: &str) -> &str {
    name.trim_matches(|c: char| {
        c == ' ' || matches!(c, ':' | '/' | '*' | '_' | '-' | '。' | '!' | '?')
    })
}

/// The stop that ends a sentence, not the dot of an initial or abbreviation.
fn without_full_stop(name: &str) -> &str {
    let last = name.rsplit(' ').next().unwrap_or(name);
    match name.strip_suffix('.') {
        Some(rest) if name.contains(' ') && last.chars().filter(|c| *c != '.').count() > 3 => {
            rest.trim_end_matches('.')
        }
        _ => name,
    }
}

/// The words as one clean text, if there is anything in them.
pub(super) fn some(words: &[String]) -> Option<String> {
    let part = text::clean(&words.join(" "));
    let part = trim(&part);
    (!part.is_empty()).then(|| part.to_owned())
}

/// Given names as they came; particles that close them move to the family name: `Jong, Piet de`.
fn arrange(mut given: Vec<String>, mut family: Vec<String>) -> [Vec<String>; 3] {
    while given.len() > 1 && given.last().is_some_and(|word| is_particle(&bare(word))) {
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
    let at = family_start(&words);
    let family = words.split_off(at);
    let middle = words.split_off(1.min(words.len()));
    [words, middle, family]
}

/// Where the family name begins: at the first particle, at the word before a `y` or `e` that joins two names, or at
/// the last word.
fn family_start(words: &[String]) -> usize {
    let last = words.len() - 1;
    for (at, word) in words.iter().enumerate().take(last).skip(1) {
        let lower = bare(word);
        if matches!(&*lower, "y" | "e") && at > 1 {
            return at - 1;
        }
        if is_particle(&lower) {
            return at;
        }
    }
    last
}
