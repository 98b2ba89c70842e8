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
    let source = quoted::without_nicknames(before_birth_name(before_remark(&squeezed), 2));
    let mut affixes = Affixes::of(&source);
    let mut segments = segments(&source);
    affixes.take_suffix_segments(&mut segments, 2);
    affixes.take_inner_suffix_segments(&mut segments);
    // `Vries, de, Anna`: read as `Vries, Anna de`.
    if let [_, particles, _] = segments.as_slice()
        && particles.iter().all(|word| is_particle(&bare(word)))
    {
        segments.swap(1, 2);
    }
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
    let mail = name.split_once(" <").filter(|(_, rest)| rest.contains('@'));
    [" | ", " @ ", " • "]
        .iter()
        .filter_map(|sign| name.split_once(sign))
        .chain(mail)
        .map(|(name, _)| name)
        .find(|name| name.contains(' '))
        .unwrap_or(name)
}

/// What stands before the name that somebody was born with: `Anna Jones née Smith`, `Anna Müller, geb. Schmidt`. So many words must be
/// left.
pub(super) fn before_birth_name(name: &str, least: usize) -> &str {
    // Compared without the case of ASCII letters: `nÉe` is `NÉE`.
    const MARKS: [&str; 8] = [
        "née",
        "nÉe",
        "geb.",
        "geborene",
        "geborener",
        "roz.",
        "rozená",
        "rozenÁ",
    ];
    let mut starts = name
        .match_indices(' ')
        .map(|(at, _)| at + 1)
        .skip(least.saturating_sub(1));
    let is_mark = |behind: &str| {
        let Some((word, rest)) = behind.split_once(' ') else {
            return false;
        };
        let is_polish = || {
            let domu = rest.split_once(' ').map(|(word, _)| word);
            word.eq_ignore_ascii_case("z") && domu.is_some_and(|w| w.eq_ignore_ascii_case("domu"))
        };
        MARKS.iter().any(|mark| word.eq_ignore_ascii_case(mark)) || is_polish()
    };
    starts
        .find(|&at| name.get(at..).is_some_and(is_mark))
        .and_then(|at| name.get(..at))
        .map_or(name, |before| before.trim_end_matches([' ', ',', '-', '–']))
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
    part.split(|c| matches!(c, ' ' | '|' | ';') || is_picture(c))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .filter(|word| !is_pronouns(word) && !word.starts_with('#'))
        .map(|word| {
            word.trim_matches('"')
                .trim_end_matches(['™', '®', '©'])
                .to_owned()
        })
        .collect()
}

/// Arrows, signs and emoji, which people set beside their names.
const fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// `she/her`, `er/ihm`, `ela/dela`: how somebody is spoken of.
fn is_pronouns(word: &str) -> bool {
    const PRONOUNS: [&str; 44] = [
        "she", "her", "hers", "he", "him", "his", "they", "them", "theirs", "ze", "zie", "hir",
        "zir", "xe", "xem", "ey", "em", "it", "its", "any", "all", "el", "él", "ella", "elle",
        "elles", "il", "iel", "lui", "ela", "dela", "ele", "dele", "elu", "delu", "er", "ihm",
        "sie", "ihr", "hij", "hem", "zij", "haar", "hen",
    ];
    word.contains('/')
        && word
            .trim_matches(['(', ')', '[', ']', '.', ','])
            .split('/')
            .all(|part| PRONOUNS.contains(&&*bare(part)))
}

/// Punctuation that belongs to no name, off both ends.
pub(super) fn trim(name: &str) -> &str {
    name.trim_matches(|c: char| {
        c == ' '
            || matches!(
                c,
                ':' | '/' | '\\' | '~' | '*' | '_' | '-' | '。' | '!' | '?'
            )
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
