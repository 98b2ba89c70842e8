//! Emoji that people set around a name: `🌿 greenleaf`, `acme 🚀✨`.
//!
//! Only those at the ends go. What may belong to a name (`★`, `♥`, `♪`, letters in boxes) is none.

use crate::text;

/// A place without the emoji before and behind it, if there are some and more than a code is left: `NO`, `IT` and `HI` are words, too. A flag
/// stays.
pub(crate) fn off_place(place: &str) -> Option<&str> {
    let bare = trimmed(place, |_| false);
    (bare.len() < place.len() && bare.len() > 3).then_some(bare)
}

/// The text without emoji and flags before and behind it. A sign of the older blocks that touches a word stays: `club☕`.
pub(crate) fn and_flags_off(name: &str) -> &str {
    trimmed(name, |c| matches!(c, '\u{1f1e6}'..='\u{1f1ff}'))
}

fn trimmed(name: &str, is_also: impl Fn(char) -> bool) -> &str {
    /// Joins pictures, and is the last of a word of Malayalam.
    const JOINER: char = '\u{200d}';
    if name.is_ascii() {
        return name;
    }
    let is_picture = |c: char| is_also(c) || matches!(c, '\u{1f300}'..='\u{1faff}');
    let is_any = |c: char| is_picture(c) || is_emoji_sign(c) || matches!(c, ' ' | JOINER);
    // What stands between the name and one end, read from the name.
    let goes = |next: Option<char>, gap: &str| {
        next.is_some_and(|c| is_picture(c) || c == ' ') && gap.contains(|c| c != ' ' && c != JOINER)
    };
    let mut rest = name.trim_start_matches(is_any);
    let gap = name.strip_suffix(rest).unwrap_or_default();
    if !goes(gap.chars().next_back(), gap) {
        rest = name;
    }
    let mut inner = rest.trim_end_matches(is_any);
    let mut gap = rest.strip_prefix(inner).unwrap_or_default();
    if let Some(behind) = gap.strip_prefix(JOINER) {
        gap = behind;
        inner = rest.strip_suffix(gap).unwrap_or(rest);
    }
    if !goes(gap.chars().next(), gap) {
        inner = rest;
    }
    if text::is_blank(inner) { name } else { inner }
}

/// Signs of the older blocks that are shown as pictures: `☕`, `⚡`, `✅`, `⭐`. Hearts are words.
const fn is_emoji_sign(c: char) -> bool {
    matches!(
        c,
        '☀'..='☄' | '☎' | '☑' | '☔' | '☕' | '☘' | '☝' | '☢' | '☣' | '☹' | '☺' | '♈'..='♓' | '♻' | '♿' | '⚒'..='⛽' | '✂' | '✅'
            | '✈'..='✏' | '✒'..='✔' | '✨' | '✳' | '✴' | '❄' | '❌' | '❎' | '❓'..='❕' | '❗'
            | '⭐' | '⭕'
    )
}
