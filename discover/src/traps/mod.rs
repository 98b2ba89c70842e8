//! Words that begin something which no column answers, and how far it reaches: "who speak Spanish" is not about Spain.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use events_schema::record::RecordKind;
use serde::Deserialize;

use crate::Reason;
use crate::meaning::Meaning;
use crate::text::Text;
use crate::vocabulary::part;

mod clause;
mod learned;
mod origin;
mod past;
mod phrase;

pub(crate) use clause::clause_end;

use phrase::Phrase;
pub(crate) use phrase::leaves_out_of_region;

/// How far an unanswerable phrase reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reach {
    /// Only its own words.
    Words,
    /// The next phrase too.
    Next,
    /// To the end of the clause.
    Clause,
    /// To the end of the text: what follows a statement for a database is part of it.
    Rest,
}

/// `traps.json`: phrases by topic.
#[derive(Debug, Deserialize)]
struct Source {
    traps: Vec<Topic>,
    said_without_object: HashSet<String>,
}

#[derive(Debug, Deserialize)]
struct Topic {
    reason: Reason,
    reach: Reach,
    words: Vec<String>,
}

/// Words that begin what no column answers.
#[derive(Debug)]
struct Traps {
    phrases: HashMap<String, (Reason, Reach)>,
    /// The words of the phrases.
    words: HashSet<String>,
    /// Those that say something without an object: whole phrases, or their last words.
    named: HashSet<String>,
}

static TRAPS: LazyLock<Traps> = LazyLock::new(|| {
    let source: Source = part("traps.json", include_str!("../../traps.json"));
    let mut phrases = HashMap::new();
    for topic in source.traps {
        for phrase in topic.words {
            phrases.insert(phrase, (topic.reason, topic.reach));
        }
    }
    let words = phrases.keys().flat_map(|phrase: &String| phrase.split(' '));
    Traps {
        words: words.map(str::to_owned).collect(),
        phrases,
        named: source.said_without_object,
    }
});

/// Whether a word is part of an unanswerable phrase: it is no slip of another one.
pub(crate) fn knows(word: &str) -> bool {
    TRAPS.words.contains(word)
}

/// Whether an unanswerable phrase begins with these words.
pub(crate) fn begins_with(words: &[&str]) -> bool {
    (1..=words.len().min(4)).any(|length| {
        let phrase = words.get(..length).unwrap_or_default().join(" ");
        TRAPS.phrases.contains_key(&phrase)
    })
}

/// An unanswerable phrase that begins with piece `at`: the piece behind it, and why.
pub(crate) fn trap(kind: RecordKind, text: Text<'_>, at: usize) -> Option<(usize, Reason)> {
    let phrase = Phrase::of(kind, text, at)?;
    if phrase.is_no_trap() || phrase.is_of_longer() || phrase.counts_sources() {
        return None;
    }
    // "Fluent Spanish speaking nurses" are nurses.
    if let Some(behind) = spoken(text, phrase.end).filter(|_| kind == RecordKind::Person) {
        return Some((behind, phrase.reason));
    }
    if phrase.is_column() {
        return None;
    }
    Some((phrase.reaches_to(), phrase.reason))
}

/// The piece behind a language and "speaking", where a role follows.
fn spoken(text: Text<'_>, language: usize) -> Option<usize> {
    let speaking = language + 1;
    let mut follows = text.piece(speaking + 1)?.meanings().iter();
    let is_role = follows.any(Meaning::is_role);
    (text.said(speaking) == "speaking" && is_role).then_some(speaking + 1)
}

/// Whether a word only numbers what follows it.
pub(crate) fn phrase_counts(text: Text<'_>, at: usize) -> bool {
    let is_number = matches!(
        text.said(at).as_str(),
        "first" | "firstly" | "second" | "secondly" | "third" | "thirdly" | "fourth"
    );
    is_number && (text.is_mark(at + 1, ',') || text.is_mark(at + 1, ':')) || is_bullet(text, at)
}

/// "(1) nurses (2) dentists": numbers in brackets of which the first one begins something, and a second one is there. "CFOs (10)" are
/// counted.
fn is_bracketed_bullet(text: Text<'_>, at: usize) -> bool {
    const MARKS: &[char] = &[',', ';', ':', '.', '\n'];
    let number = |at: usize| text.piece(at).and_then(|piece| piece.number());
    let opens = |at: usize| {
        let open = at.checked_sub(1)?;
        (text.is_mark(open, '(') && text.is_mark(at + 1, ')')).then_some(open)
    };
    let begins = |open: usize| {
        let before = open.checked_sub(1);
        before.is_none_or(|before| MARKS.iter().any(|mark| text.is_mark(before, *mark)))
    };
    let mut all = 0..text.pieces.len();
    let has_first = all.any(|at| number(at) == Some(1.0) && opens(at).is_some_and(begins));
    let mut all = 0..text.pieces.len();
    let has_second = all.any(|at| number(at) == Some(2.0) && opens(at).is_some());
    opens(at).is_some() && has_first && has_second
}

/// "1) nurses 2) dentists"
fn is_bullet(text: Text<'_>, at: usize) -> bool {
    const MOST: f64 = 20.0;
    let number = text.piece(at).and_then(|piece| piece.number());
    let is_count = number.is_some_and(|number| number.fract() == 0.0 && number <= MOST);
    let is_open = (0..at).any(|before| text.is_mark(before, '('));
    is_count && text.is_mark(at + 1, ')') && (!is_open || is_bracketed_bullet(text, at))
}
