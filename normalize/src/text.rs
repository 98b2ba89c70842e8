//! White space, Unicode form and letter case: what every other field builds on.
//!
//! Stored text is NFC, lower case, with single spaces (`docs/CANON.md`). [`fold`] is for keys and comparison only and
//! is never stored or shown.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::{garbled, hangul, sheet};

/// The longest text that a field of one line is looked at in, in bytes. Some parsers take time that grows with the
/// square of the length; what is longer than this is no name, host or address.
pub(crate) const MAX_LINE_BYTES: usize = 1024;

/// NFC, single spaces, lower case; full-width letters and signs are ASCII ones and ligatures letters; invisible and control characters are
/// dropped; HTML entities and letters read in the wrong encoding are put right; what makes a formula of a text goes.
#[must_use]
pub fn clean(text: &str) -> String {
    lower(&squeeze(text))
}

/// As [`clean`], but a byte order mark stays: lists of schools have names that begin with one and are looked up by it.
pub(crate) fn clean_but_for_marks(text: &str) -> String {
    let is_dropped = |c| is_invisible(c) && c != '\u{feff}';
    lower(&mended(text, is_dropped))
}

/// As [`clean`], but letters of full width stay: a name that a network gave is another one with each sign.
pub(crate) fn clean_slug(slug: &str) -> String {
    lower(&squeezed(slug, is_invisible))
}

fn lower(spaced: &str) -> String {
    if spaced.is_ascii() {
        return spaced.to_ascii_lowercase();
    }
    let lower = spaced.to_lowercase();
    // Lower-casing can leave NFC: a capital may have a composed form where its small letter has none.
    if is_nfc(&lower) {
        lower
    } else {
        lower.nfc().collect()
    }
}

/// NFC and single spaces; the letter case stays.
#[must_use]
pub fn squeeze(text: &str) -> String {
    mended(text, is_invisible)
}

/// As [`squeezed`], with what an export garbled put right: letters before any character is dropped that is half of one, entities
/// when nothing stands between their letters.
fn mended(text: &str, is_dropped: impl Fn(char) -> bool + Copy) -> String {
    let mut plain = mended_once(text, is_dropped);
    // What was parted by an entity, a tag, or what cannot be seen stands side by side now.
    for _ in 0..garbled::passes(plain.len()) {
        if !garbled::is_suspect(&plain) {
            break;
        }
        let again = mended_once(&plain, is_dropped);
        if again == plain {
            break;
        }
        plain = again;
    }
    plain
}

fn mended_once(text: &str, is_dropped: impl Fn(char) -> bool + Copy) -> String {
    let plain = squeezed(&garbled::reread(&narrowed(text)), is_dropped);
    let plain = match garbled::without_entities(&plain) {
        Some(decoded) => squeezed(&decoded, is_dropped),
        None => plain,
    };
    let plain = match garbled::without_tags(&plain) {
        Some(bare) => squeezed(&bare, is_dropped),
        None => plain,
    };
    match sheet::of_formula(&plain) {
        Cow::Borrowed(_) => plain,
        Cow::Owned(value) => value,
    }
}

fn squeezed(text: &str, is_dropped: impl Fn(char) -> bool) -> String {
    if is_squeezed_ascii(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    let mut push = |c: char| {
        if c.is_whitespace() || c.is_control() {
            gap = true;
        } else if !is_dropped(c) {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        }
    };
    if is_nfc(text) {
        text.chars().for_each(&mut push);
    } else {
        text.nfc().for_each(&mut push);
    }
    out
}

/// The text with full-width letters, digits and signs as the ASCII ones that they stand for, the hyphens of typesetting as `-`, and its
/// ligatures as letters.
/// Registers of East Asia write all that is Latin so; `ＮＴＴ` is no other name than `NTT`.
pub(crate) fn narrowed(text: &str) -> Cow<'_, str> {
    respelt(text, narrow)
}

/// The text with the ligatures of typesetting as their letters.
pub(crate) fn without_ligatures(text: &str) -> Cow<'_, str> {
    respelt(text, |c| c)
}

fn respelt(text: &str, letter: impl Fn(char) -> char) -> Cow<'_, str> {
    let is_other = |c: char| letter(c) != c || ligature(c).is_some();
    if text.is_ascii() || !text.contains(is_other) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match ligature(c) {
            Some(letters) => out.push_str(letters),
            None => out.push(letter(c)),
        }
    }
    Cow::Owned(out)
}

/// The letters that typesetting sets as one sign, which stays when a text is taken out of a printed page: `ofﬁce`.
const fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return None,
    })
}

fn narrow(c: char) -> char {
    /// How far U+FF01 to U+FF5E stand from `!` to `~`.
    const FULL_WIDTH: u32 = 0xfee0;
    match c {
        '\u{2010}' | '\u{2011}' => '-',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - FULL_WIDTH).unwrap_or(c),
        _ => c,
    }
}

/// What is stored is read again and again: most of it is plain and as it should be.
fn is_squeezed_ascii(text: &str) -> bool {
    let mut before = b' ';
    let is_kept = text.bytes().all(|byte| {
        let is_kept = byte.is_ascii_graphic() || (byte == b' ' && before != b' ');
        before = byte;
        is_kept
    });
    is_kept && (before != b' ' || text.is_empty())
}

/// Trims white space, invisible characters and joiners that join nothing from both ends without touching what is inside.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace()
            || c.is_control()
            || is_invisible(c)
            || matches!(c, '\u{200c}' | '\u{200d}')
    })
}

/// `côte d'azur` as `côte d azur`: a `d` or `l` before an apostrophe as a word of its own.
pub(crate) fn elided(name: &str) -> Cow<'_, str> {
    let is_mark = |c: char| matches!(c, '\'' | '’' | '`');
    if !name.contains(is_mark) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    let (mut first, mut second) = (' ', ' ');
    for c in name.chars() {
        let is_elided = !first.is_alphanumeric() && matches!(second, 'd' | 'l' | 'D' | 'L');
        out.push(if is_mark(c) && is_elided { ' ' } else { c });
        (first, second) = (second, c);
    }
    Cow::Owned(out)
}

/// The text without invisible characters, wherever they stand. Those that part lines stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let is_dropped = |c: char| is_invisible(c) && !c.is_whitespace();
    if text.contains(is_dropped) {
        Cow::Owned(text.replace(is_dropped, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// ASCII letters and digits in lower case with single spaces: accents, punctuation and scripts are folded away.
///
/// Hangul is written by the Revised Romanization, other scripts by the tables of `deunicode`. For keys and comparison only: two different
/// names may fold to one.
#[must_use]
pub fn fold(text: &str) -> String {
    let ascii: Cow<'_, str> = if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        let composed: String = without_ligatures(text).nfc().collect();
        Cow::Owned(deunicode::deunicode(&hangul::in_latin(&composed)))
    };
    let mut out = String::with_capacity(ascii.len());
    let mut gap = false;
    for c in ascii.chars() {
        if c.is_ascii_alphanumeric() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c.to_ascii_lowercase());
        } else if !matches!(c, '\'' | '`' | '.') {
            gap = true;
        }
    }
    out
}

/// True for text in Latin letters, whatever its accents and punctuation: folding it invents nothing.
pub(crate) fn is_latin(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_ascii()
            || ('\u{a0}'..'\u{250}').contains(&c)
            || ('\u{2b0}'..'\u{370}').contains(&c)
            || ('\u{1e00}'..'\u{1f00}').contains(&c)
            || ('\u{2000}'..'\u{2070}').contains(&c)
    })
}

/// Scripts of a text's letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Scripts(u8);

impl Scripts {
    const LATIN: u8 = 1;
    const GREEK: u8 = 2;
    const CYRILLIC: u8 = 4;
    const OTHER: u8 = 8;

    pub(crate) fn of(text: &str) -> Self {
        let script = |c: char| match c {
            '\u{370}'..'\u{400}' | '\u{1f00}'..'\u{2000}' => Self::GREEK,
            '\u{400}'..'\u{530}' => Self::CYRILLIC,
            _ if is_latin(c.encode_utf8(&mut [0; 4])) => Self::LATIN,
            _ => Self::OTHER,
        };
        let letters = text.chars().filter(|c| c.is_alphabetic());
        Self(letters.map(script).fold(0, |all, one| all | one))
    }

    /// Whether both have letters, and of no script both: the one may be a translation of the other.
    pub(crate) const fn are_apart(self, other: Self) -> bool {
        self.0 != 0 && other.0 != 0 && self.0 & other.0 == 0
    }

    /// Whether its words, folded, are words: other scripts than Latin, Greek and Cyrillic become a word a letter.
    pub(crate) const fn have_words(self) -> bool {
        self.0 & Self::OTHER == 0
    }
}

/// True when nothing in the text could be read: no letter and no digit of any script.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// Characters that print nothing and carry no meaning in a name: marks of direction and of form, tags, annotations. The joiners
/// U+200C and U+200D stay: Persian and the Indic scripts spell with them. So do U+FE00 and others that tell the variants of a
/// Han character apart.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'
            | '\u{e0001}'
            | '\u{e0020}'..='\u{e007f}'
    )
}
