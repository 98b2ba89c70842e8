//! What a text tells about the one who asks: not part of what is asked.

mod denial;
mod indifference;
mod reasons;
mod request;
mod sentence;
mod speaker;

use std::ops::Range;

use crate::annotate::What;
use crate::meaning::Cue;
use crate::text::Text;

use denial::{denial, wish};
pub(crate) use indifference::{Indifference, indifference};
use sentence::sentence;

/// What a piece says of the one who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Voice {
    /// Nothing: it is of what is asked for.
    #[default]
    Asks,
    /// Who that is, or what they do: it is context.
    Tells,
    /// That they do not want what follows.
    Denies,
    /// What they want, behind what they do not.
    AsksAnew,
}

/// For each piece what it says of the one who asks.
pub(crate) fn context(text: Text<'_>) -> Vec<Voice> {
    let mut voices = vec![Voice::default(); text.pieces.len()];
    for (from, to, mark) in segments(text, &['.', '!', '?', '\n', ':', ';', '—']) {
        let behind = sentence(text, from, to, mark, &mut voices);
        denials(text, behind, to, &mut voices);
    }
    for (at, voice) in voices.iter_mut().enumerate() {
        if is_asked_to_know(text, at) {
            *voice = Voice::Tells;
        }
    }
    voices
}

fn tell(voices: &mut [Voice], range: Range<usize>) {
    for voice in voices.get_mut(range).into_iter().flatten() {
        *voice = Voice::Tells;
    }
}

fn ask(voices: &mut [Voice], range: Range<usize>) {
    for voice in voices.get_mut(range).into_iter().flatten() {
        *voice = Voice::Asks;
    }
}

/// Reads what is not wanted where a clause begins with it, and what is wanted behind that.
fn denials(text: Text<'_>, from: usize, to: usize, voices: &mut [Voice]) {
    let is_open = |voices: &[Voice], at: usize| voices.get(at) == Some(&Voice::Asks);
    let mut denies = false;
    for at in from..to {
        if at > from && !follows_clause(text, at) || !is_open(voices, at) {
            continue;
        }
        if let Some(denial) = denial(text, at, to) {
            denies = true;
            tell(voices, at..denial.to);
            if let Some(not) = voices.get_mut(denial.not) {
                *not = Voice::Denies;
            }
        } else if denies && let Some(end) = wish(text, at, to) {
            tell(voices, at..end);
            if let Some(first) = voices.get_mut(at) {
                *first = Voice::AsksAnew;
            }
        }
    }
}

/// Whether in front of a piece a clause ends.
fn follows_clause(text: Text<'_>, at: usize) -> bool {
    let joins = [Cue::And, Cue::But].iter();
    at.checked_sub(1).is_some_and(|before| {
        let said = text.said(before);
        matches!(said.as_str(), "," | "(" | "so" | "because" | "since" | "as")
            || joins.copied().any(|cue| text.may_be(before, cue))
    })
}

/// "Do you know", "let me know", "does anyone know of": what is asked for, not what somebody is skilled in.
fn is_asked_to_know(text: Text<'_>, at: usize) -> bool {
    let said = |back: usize| at.checked_sub(back).map(|at| text.said(at));
    let who = said(1).unwrap_or_default();
    let is_question = || matches!(said(2).as_deref(), Some("do" | "does"));
    let asks = match who.as_str() {
        "you" | "me" | "us" | "let me" => true,
        "we" | "i" | "anyone" | "anybody" | "someone" | "somebody" => is_question(),
        _ => at == 0 && matches!(text.said(at + 1).as_str(), "of" | "any" | "of any"),
    };
    asks && matches!(text.said(at).as_str(), "know" | "know of")
}

/// Ranges of pieces between marks, with the mark that ends each.
fn segments(text: Text<'_>, marks: &[char]) -> Vec<(usize, usize, Option<char>)> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, piece) in text.pieces.iter().enumerate() {
        let mark = match piece.what {
            What::Mark(mark) => Some(mark),
            // It says "to", too.
            _ => (text.said(at) == "—").then_some('—'),
        };
        if let Some(mark) = mark.filter(|mark| marks.contains(mark)) {
            found.push((from, at, Some(mark)));
            from = at + 1;
        }
    }
    found.push((from, text.pieces.len(), None));
    found
}
