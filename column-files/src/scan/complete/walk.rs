//! Which texts of a dictionary begin with what was typed, but for some slips: a walk through the sorted texts as through a
//! tree, with a row of edit distances for each character of the way.
//!
//! A slip is a character too many, one too few, another one, or two in each other's place. A letter with an accent is the
//! letter without.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::view::{TextDictionary, compare_heads};

/// Looks into the dictionary of one walk at most: two or three milliseconds. Beyond, texts are not found; a walk with fewer
/// slips comes to its end long before.
const MAX_LOOKS: u32 = 6_000;

/// The texts that begin with `typed` but for at most `most` slips; a text may be in several ranges. With `is_end_sure` the
/// last character is no slip.
pub(super) fn reached(
    texts: TextDictionary<'_>,
    typed: &[char],
    most: u8,
    is_end_sure: bool,
) -> Vec<Range<u32>> {
    let plain: Vec<char> = typed.iter().copied().map(base).collect();
    let mut walk = Walk {
        texts,
        typed,
        plain,
        most,
        is_end_sure,
        looks: 0,
        reached: Vec::new(),
    };
    // Before the first character of a text all that was typed so far is too much.
    let first: Vec<u8> = (0..=typed.len()).map(slips).collect();
    let all = 1..texts.len.saturating_add(1);
    walk.descend(all, &mut String::new(), &Step::root(first));
    walk.reached
}

struct Walk<'a> {
    texts: TextDictionary<'a>,
    typed: &'a [char],
    /// `typed` without accents.
    plain: Vec<char>,
    most: u8,
    is_end_sure: bool,
    looks: u32,
    reached: Vec<Range<u32>>,
}

/// A place on the way.
struct Step {
    /// For each number of characters typed: the slips between these and the way so far.
    row: Vec<u8>,
    /// The row one character before, and that character, without accent.
    before: Option<(Vec<u8>, char)>,
}

impl Step {
    const fn root(row: Vec<u8>) -> Self {
        Self { row, before: None }
    }
}

impl Walk<'_> {
    /// Looks at all texts of `codes`, which begin with `way`.
    fn descend(&mut self, codes: Range<u32>, way: &mut String, step: &Step) {
        let least = step.row.iter().min().copied().unwrap_or(u8::MAX);
        if least > self.most || self.looks > MAX_LOOKS {
            return;
        }
        if least == self.most && least > 0 {
            return self.finish(way, step);
        }
        let mut from = codes.start;
        while from < codes.end && self.looks <= MAX_LOOKS {
            let Some(next) = self.next_character(from, way.len()) else {
                // The text ends here.
                from += 1;
                continue;
            };
            way.push(next);
            let bound = way.as_bytes();
            self.looks += 1;
            let end = self.texts.first_code_in(from..codes.end, |prefix, tail| {
                compare_heads(prefix, tail, bound).is_le()
            });
            // A damaged dictionary may not be sorted; the walk goes on all the same.
            let below = from..end.max(from + 1);
            let after = self.after(step, next);
            self.note(&after, step, below.clone());
            self.descend(below.clone(), way, &after);
            way.pop();
            from = below.end;
        }
    }

    /// No slip is left: what was typed behind here must follow as it is, or with the second of two characters that
    /// changed places.
    fn finish(&mut self, way: &mut String, step: &Step) {
        for (at, slips) in step.row.iter().enumerate() {
            if let Some(rest) = self.typed.get(at..).filter(|rest| !rest.is_empty()) {
                self.look_up(way, *slips, rest.iter().copied());
            }
        }
        let Some((before, last)) = &step.before else {
            return;
        };
        for (at, slips) in before.iter().enumerate() {
            let (Some(first), Some(second)) = (self.plain.get(at), self.plain.get(at + 1)) else {
                break;
            };
            if second == last && first != last {
                let rest = self.typed.get(at + 2..).unwrap_or_default();
                let rest = std::iter::once(*first).chain(rest.iter().copied());
                self.look_up(way, slips.saturating_add(1), rest);
            }
        }
    }

    /// Finds the texts that go on with `rest`.
    fn look_up(&mut self, way: &mut String, slips: u8, rest: impl Iterator<Item = char>) {
        if slips > self.most {
            return;
        }
        let length = way.len();
        way.extend(rest);
        self.looks += 2;
        let codes = self.texts.prefix_range(way.as_bytes());
        way.truncate(length);
        if !codes.is_empty() {
            self.reached.push(codes);
        }
    }

    /// The row behind another character.
    fn after(&self, step: &Step, next: char) -> Step {
        let plain = base(next);
        let mut row = Vec::with_capacity(step.row.len());
        let mut left = step.row.first().copied().unwrap_or(0).saturating_add(1);
        row.push(left);
        let pairs = step.row.iter().zip(step.row.iter().skip(1));
        for (at, ((diagonal, above), typed)) in pairs.zip(&self.plain).enumerate() {
            let changed = diagonal.saturating_add(u8::from(*typed != plain));
            left = changed
                .min(above.saturating_add(1))
                .min(left.saturating_add(1));
            if let Some((before, last)) = &step.before
                && let Some(one_before) = at.checked_sub(1)
                && *typed == *last
                && self.plain.get(one_before) == Some(&plain)
                && let Some(swapped) = before.get(one_before)
            {
                left = left.min(swapped.saturating_add(1));
            }
            row.push(left);
        }
        // Two slips in a word that begins differently are another word.
        let begins_differently = step.before.is_none() && self.plain.first() != Some(&plain);
        if begins_differently && self.most > 1 {
            for slips in &mut row {
                *slips = slips.saturating_add(self.most - 1);
            }
        }
        Step {
            row,
            before: Some((step.row.clone(), plain)),
        }
    }

    /// Notes the texts below when all that was typed is reached.
    fn note(&mut self, after: &Step, before: &Step, codes: Range<u32>) {
        let slips = if self.is_end_sure {
            // Reached by the last character itself.
            let ends_alike = after.before.as_ref().map(|(_, last)| last) == self.plain.last();
            let diagonal = self.typed.len().checked_sub(1);
            diagonal
                .and_then(|at| before.row.get(at))
                .filter(|_| ends_alike)
        } else {
            after.row.last()
        };
        if slips.is_some_and(|slips| *slips <= self.most) {
            self.reached.push(codes);
        }
    }

    /// The character of a text that begins at a byte; none at its end.
    fn next_character(&mut self, code: u32, at: usize) -> Option<char> {
        self.looks += 1;
        let (prefix, tail) = self.texts.get(code)?;
        let mut bytes = prefix.iter().chain(tail).skip(at).copied();
        let first = bytes.next()?;
        let length = match first {
            0..=0x7F => 1,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        let mut character = [first, 0, 0, 0];
        for place in character.iter_mut().take(length).skip(1) {
            *place = bytes.next()?;
        }
        let text = std::str::from_utf8(character.get(..length)?).ok()?;
        text.chars().next()
    }
}

/// The letter without its accent or stroke. What is put together of letters, like a Hangul syllable, stays.
fn base(letter: char) -> char {
    match letter {
        '\0'..='\x7f' => return letter,
        // Strokes are no marks of their own in Unicode.
        'ł' => return 'l',
        'ø' => return 'o',
        'đ' | 'ð' => return 'd',
        'ħ' => return 'h',
        'ı' => return 'i',
        _ => {}
    }
    let mut parts = std::iter::once(letter).nfd();
    let first = parts.next().unwrap_or(letter);
    if parts.all(is_combining_mark) {
        first
    } else {
        letter
    }
}

fn slips(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
