//! Reading a whole name into its parts.
//!
//! Letter case is looked at until the end: `Georgina Jones DO` is a doctor, `Anh Do` is not.

use std::borrow::Cow;

use super::affixes::{Affixes, is_around_names, is_known_given, is_particle, is_title};
use super::bare::bare;
use super::{FullName, alone, quoted, remarks};
use crate::{Unreadable, sheet, text};

/// A whole name.
///
/// `Last, First` is turned round; nicknames in quotes or brackets are left out.
///
/// # Errors
/// When there is no letter in it, or nothing but a title, a suffix or an address.
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
    let unlabelled = remarks::without(sheet::without_apostrophe(&squeezed));
    let kept = without_birth_name(sheet::of_plain_formula(unlabelled), 2);
    let source = quoted::without_nicknames(&kept);
    let mut affixes = Affixes::of(&source);
    let mut segments = segments(&source);
    affixes.take_suffix_segments(&mut segments, 2);
    affixes.take_inner_suffix_segments(&mut segments);
    // `Vries, de, Anna`: read as `Vries, Anna de`. `Nguyen, Van, Hung` and `Jackson, La, Toya` are given names.
    let has_capital = |words: &Vec<String>| words.iter().any(|w| w.contains(char::is_uppercase));
    if let [family, particles, given] = segments.as_slice()
        && particles.iter().all(|word| is_particle(&bare(word)))
        && !has_capital(particles)
        && has_capital(family)
        && has_capital(given)
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

/// The name without the one that somebody was born with, which ends at a comma: `Anna Jones née Smith`, `Anna Müller, geb. Schmidt`,
/// `van Dijk née Bakker, Sanne`. So many words besides titles must be left.
pub(super) fn without_birth_name(name: &str, least: usize) -> Cow<'_, str> {
    let mut rest = Cow::Borrowed(name);
    while let Some(shorter) = without_one_birth_name(&rest, least) {
        rest = Cow::Owned(shorter);
    }
    rest
}

fn without_one_birth_name(name: &str, least: usize) -> Option<String> {
    // Compared without the case of ASCII letters: `nÉe` is `NÉE`.
    const MARKS: [&str; 14] = [
        "née",
        "nÉe",
        "geborene",
        "geborener",
        "rozená",
        "rozenÁ",
        "formerly",
        "fka",
        "f/k/a",
        "a/k/a",
        "a.k.a.",
        "урожд.",
        "урождённая",
        "урожденная",
    ];
    // `Tesfaye Haile Geb. Medhin` and `Jean-Marc Yves Aka Kouassi` are called so: small letters beside capitals.
    const SMALL_MARKS: [&str; 4] = ["geb.", "roz.", "aka", "o.s."];
    name.match_indices(' ').find_map(|(at, _)| {
        let (before, behind) = name.split_at_checked(at)?;
        let behind = behind.get(1..)?;
        let (word, rest) = behind.split_once(' ')?;
        let is_polish = || {
            let domu = rest.split_once(' ').map(|(word, _)| word);
            word.eq_ignore_ascii_case("z")
                && domu.is_some_and(|w| w.eq_ignore_ascii_case("domu") || w == "d.")
        };
        let is_mark = MARKS.iter().any(|mark| word.eq_ignore_ascii_case(mark))
            || SMALL_MARKS.contains(&word) && before.contains(char::is_uppercase)
            || is_polish();
        if !is_mark {
            return None;
        }
        let end = behind.find(',').unwrap_or(behind.len());
        let behind = behind.get(end..)?;
        let own = before
            .split([' ', ','])
            .filter(|word| word.contains(char::is_alphanumeric) && !is_title(word))
            .count();
        // `Müller geb. Schmidt, Anna`.
        let is_given = |word: &str| is_known_given(word) && !is_around_names(word);
        let given = behind
            .split([' ', ','])
            .find(|word| !word.is_empty())
            .is_some_and(is_given);
        let before = before.trim_end_matches([' ', ',', '-', '–']);
        (own >= least || own > 0 && given).then(|| format!("{before}{behind}"))
    })
}

fn finish(parts: [Vec<String>; 3], affixes: Affixes) -> Result<FullName, Unreadable> {
    let cleaned = text::clean(&parts.concat().join(" "));
    let cleaned = without_full_stop(trim(&cleaned));
    if !cleaned.chars().any(char::is_alphabetic) || alone::is_nobody(cleaned) {
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
pub(super) fn words(part: &str) -> Vec<String> {
    let own = part
        .split(' ')
        .filter(|word| word.starts_with(char::is_alphanumeric))
        .count();
    part.split(|c| matches!(c, ' ' | '|' | ';') || is_picture(c))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .filter(|word| !is_pronouns(word))
        .enumerate()
        // `Jane Doe #OpenToWork`, but not `John #Smith`.
        .filter(|(before, word)| !word.starts_with('#') || *before < 2 && own < 2)
        .map(|(_, word)| {
            let word = word.trim_start_matches(['#', '.']);
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
    word.contains('/')
        && word
            .trim_matches(['(', ')', '[', ']', '.', ','])
            .split('/')
            .all(is_pronoun)
}

pub(super) fn is_pronoun(word: &str) -> bool {
    const PRONOUNS: [&str; 44] = [
        "she", "her", "hers", "he", "him", "his", "they", "them", "theirs", "ze", "zie", "hir",
        "zir", "xe", "xem", "ey", "em", "it", "its", "any", "all", "el", "él", "ella", "elle",
        "elles", "il", "iel", "lui", "ela", "dela", "ele", "dele", "elu", "delu", "er", "ihm",
        "sie", "ihr", "hij", "hem", "zij", "haar", "hen",
    ];
    PRONOUNS.contains(&&*bare(word))
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
