//! Words that begin something which no column answers, and how far it reaches: "who speak Spanish" is not about Spain.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use events_schema::record::RecordKind;
use serde::Deserialize;

use crate::Reason;
use crate::annotate::is_place;
use crate::meaning::{Cue, Meaning};
use crate::text::Text;
use crate::vocabulary::{part, vocabulary};

mod learned;
mod past;

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
    let piece = text.piece(at)?;
    let stems: Vec<&str> = text
        .tokens
        .get(piece.from..)?
        .iter()
        .take(4)
        .take_while(|token| token.is_word())
        .map(|token| token.stem.as_str())
        .collect();
    let texts: Vec<&str> = text
        .tokens
        .get(piece.from..)?
        .iter()
        .take(4)
        .map(|token| token.text.as_str())
        .collect();
    let (length, reason, reach) = (1..=stems.len()).rev().find_map(|length| {
        let (phrase, raw) = (
            stems.get(..length)?.join(" "),
            texts.get(..length)?.join(" "),
        );
        let found = TRAPS
            .phrases
            .get(&phrase)
            .or_else(|| TRAPS.phrases.get(&raw));
        found.map(|(reason, reach)| (length, *reason, *reach))
    })?;
    // "Young companies" are of no age that a bound says; whoever leads them is another matter.
    let says_age = kind == RecordKind::Company
        && matches!(stems.get(..length), Some(["young" | "younger"]))
        && text.says_companies(at + 1);
    let reason = if says_age {
        Reason::NoSuchField
    } else {
        reason
    };
    // "Looking to hire nurses" is what the one who asks wants.
    if matches!(stems.get(..length), Some(["looking", "to"])) && is_asked(text, at) {
        return None;
    }
    // "Teachers at an old school" work at one.
    let is_joined_next = |token: &crate::lex::Token| token.is_joined;
    if matches!(stems.get(..length), Some(["old", "school"]))
        && !text.tokens.get(piece.from + 1).is_some_and(is_joined_next)
    {
        return None;
    }
    // "First, managers in Spain; second, …" counts the requests.
    if phrase_counts(text, at) {
        return None;
    }
    if matches!(stems.get(..length), Some(["volunteer", "at"])) && !is_verb(text, at) {
        return None;
    }
    // A longer phrase of the vocabulary is what it says: "senior vice president", "master data manager".
    if piece.to - piece.from > length
        || (piece.to - piece.from == length && !piece.meanings().is_empty() && !piece.is_small())
    {
        return None;
    }
    let end_token = piece.from + length;
    let mut end = at + 1;
    while text.piece(end).is_some_and(|piece| piece.from < end_token) {
        end += 1;
    }
    // "backed by at least 10 sources" is a column.
    let counts_sources = (end..end + 5).any(|at| text.may_be(at, Cue::Sources));
    if counts_sources && texts.first() == Some(&"backed") {
        return None;
    }
    // "People managing engineers" are no engineers.
    let who = at.checked_sub(1);
    let does =
        stems.first() == Some(&"managing") && who.is_some_and(|who| text.may_be(who, Cue::People));
    // In front of a role it describes those who have it: "recently promoted managers", "Spanish-speaking nurses".
    // "Recently hired CTOs", but "who recently joined sales" says where they went.
    let is_done = || {
        let said = who.map(|who| text.said(who)).unwrap_or_default();
        let last = said.rsplit(' ').next().unwrap_or_default();
        let is_mark = who
            .and_then(|who| text.first_token(who))
            .is_some_and(|token| !token.is_word());
        let is_attributive = who.is_none()
            || is_mark
            || matches!(
                last,
                "the"
                    | "all"
                    | "any"
                    | "some"
                    | "me"
                    | "us"
                    | "find"
                    | "show"
                    | "list"
                    | "get"
                    | "want"
                    | "need"
                    | "for"
                    | "and"
                    | "or"
                    | "not"
                    | "no"
            );
        let tells = |at: usize| {
            text.tokens.get(at).is_some_and(|token| {
                matches!(token.text.as_str(), "who" | "that" | "which" | "whose")
            })
        };
        let is_verb = !is_attributive || (0..piece.from).any(tells);
        let ends = stems
            .get(length - 1)
            .is_some_and(|word| word.ends_with("ed"));
        stems.first() == Some(&"recently") && ends && !is_verb
    };
    let is_attribute = kind == RecordKind::Person
        && !does
        && (stems.first().is_some_and(|word| {
            word.ends_with("ed")
                || word.ends_with("ing")
                || matches!(*word, "fluent" | "bilingual" | "native" | "remote")
                || length == 3 && *word == "open"
        }) || is_done())
        && text.piece(end).is_some_and(|next| {
            next.meanings()
                .iter()
                .any(|meaning| meaning.is_role() || matches!(meaning, Meaning::Word(Cue::People)))
        });
    // "Fluent Spanish speaking nurses" are nurses.
    if let Some(behind) = spoken(text, end).filter(|_| kind == RecordKind::Person) {
        return Some((behind, reason));
    }
    // "Mobile-first companies" are in no order.
    let is_joined = length == 1
        && stems.first() == Some(&"first")
        && text.first_token(at).is_some_and(|token| token.is_joined);
    // "Rank VPs in Spain by experience": whom, and how is said behind it.
    let is_order = matches!(stems.first(), Some(&("rank" | "sort" | "order")))
        && (0..at).all(|at| text.may_be(at, Cue::Filler));
    let reach = if is_attribute || is_joined || is_order {
        Reach::Words
    } else {
        reach
    };
    // "average tenure" is a column.
    if reason == Reason::Ranking && kind == RecordKind::Company && text.may_be(end, Cue::Tenure) {
        return None;
    }
    // "Who were last seen in 2025" is a column.
    if reason == Reason::PastEmployer && text.may_be(end, Cue::Seen) {
        return None;
    }
    if reason == Reason::PastEmployer && reach == Reach::Clause {
        return Some((past::clause(text, end), reason));
    }
    let word = stems.get(length - 1).copied().unwrap_or_default();
    if learned::is_of_school(text, at, word, end) {
        return Some((clause_from(text, end + 1, false), reason));
    }
    Some((
        match reach {
            Reach::Words => numbers_around(text, end, reason),
            Reach::Next if reason == Reason::PastEmployer => past_role(text, next(text, end)),
            Reach::Next => next(text, end),
            // What is named is content; what is done needs something that it is done to.
            Reach::Clause => {
                let phrase = stems.get(..length).unwrap_or_default().join(" ");
                let is_whole = TRAPS.named.contains(word) || TRAPS.named.contains(&phrase);
                clause_from(text, end, is_whole)
            }
            Reach::Rest => text.pieces.len(),
        },
        reason,
    ))
}

/// The piece behind a language and "speaking", where a role follows.
fn spoken(text: Text<'_>, language: usize) -> Option<usize> {
    let speaking = language + 1;
    let mut follows = text.piece(speaking + 1)?.meanings().iter();
    let is_role = follows.any(Meaning::is_role);
    (text.said(speaking) == "speaking" && is_role).then_some(speaking + 1)
}

/// Whether "looking to" opens a text, and a verb follows with which somebody asks.
fn is_asked(text: Text<'_>, at: usize) -> bool {
    let opens = (0..at).all(|before| text.may_be(before, Cue::Filler));
    let verb = text.skip(at + 1, &["to"]);
    opens
        && (vocabulary().is_request(&text.stem(verb)) || vocabulary().is_purpose(&text.said(verb)))
}

/// Whether a word that is a noun, too, says what somebody does: "who volunteer at", not "volunteers at".
fn is_verb(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let said = before.unwrap_or_default();
    let is_plural = text.said(at) != text.stem(at);
    match said.rsplit(' ').next().unwrap_or_default() {
        "who" | "that" | "which" | "also" | "often" | "regularly" => true,
        "" | "a" | "an" | "the" | "as" | "unpaid" | "or" | "," => false,
        _ => !is_plural,
    }
}

/// Whether a word only numbers what follows it.
pub(crate) fn phrase_counts(text: Text<'_>, at: usize) -> bool {
    let is_number = matches!(
        text.said(at).as_str(),
        "first" | "firstly" | "second" | "secondly" | "third" | "thirdly" | "fourth"
    );
    is_number && (text.is_mark(at + 1, ',') || text.is_mark(at + 1, ':')) || is_bullet(text, at)
}

/// "1) nurses 2) dentists"
fn is_bullet(text: Text<'_>, at: usize) -> bool {
    const MOST: f64 = 20.0;
    let number = text.piece(at).and_then(|piece| piece.number());
    let is_count = number.is_some_and(|number| number.fract() == 0.0 && number <= MOST);
    let is_open = (0..at).any(|before| text.is_mark(before, '('));
    is_count && text.is_mark(at + 1, ')') && !is_open
}

/// Whether a piece says that somebody works, and what or where stands behind "in" or "for".
fn is_working_in_field(text: Text<'_>, at: usize) -> bool {
    let behind = match text.said(at).as_str() {
        "working" | "work" | "works" if matches!(text.said(at + 1).as_str(), "in" | "for") => {
            at + 2
        }
        "working in" | "work in" | "works in" => at + 1,
        _ => return false,
    };
    let behind = text.skip(behind, &["a", "an", "the"]);
    let meanings = text.piece(behind).map_or(&[][..], |piece| piece.meanings());
    meanings.iter().any(|meaning| {
        matches!(
            meaning,
            Meaning::Function(_) | Meaning::Industry(_) | Meaning::Place(_) | Meaning::Size(_)
        )
    })
}

/// The number behind "top".
fn numbers_around(text: Text<'_>, end: usize, reason: Reason) -> usize {
    if reason == Reason::Ranking && text.number(end).is_some() {
        end + 1
    } else {
        end
    }
}

/// "Former McKinsey (consultants now working as founders)": the role in front of "now" is of the past, too, where another one follows.
fn past_role(text: Text<'_>, at: usize) -> usize {
    const MAX_BETWEEN: usize = 6;
    let says_role = |at: usize| {
        let mut meanings = text
            .piece(at)
            .map_or(&[][..], |piece| piece.meanings())
            .iter();
        meanings.any(Meaning::is_role)
    };
    let to = at + (at..).take_while(|at| says_role(*at)).count();
    let now = text.skip(to, &["who", "are", "who are", "is", "who is", ","]);
    let is_now = matches!(text.said(now).as_str(), "now" | "currently" | "presently");
    let goes_on = (now + 1..now + MAX_BETWEEN).any(says_role);
    if is_now && goes_on { to } else { at }
}

/// Over the next phrase that says something.
fn next(text: Text<'_>, mut at: usize) -> usize {
    while text.may_be(at, Cue::Filler) && !text.may_be(at, Cue::In) && !text.may_be(at, Cue::At) {
        at += 1;
    }
    let is_content = text
        .piece(at)
        .is_some_and(|piece| !matches!(piece.what, crate::annotate::What::Mark(_)));
    if is_content { at + 1 } else { at }
}

/// The end of a clause that begins before piece `at`.
pub(crate) fn clause_end(text: Text<'_>, at: usize) -> usize {
    clause_from(text, at, false)
}

fn clause_from(text: Text<'_>, at: usize, mut has_content: bool) -> usize {
    let mut end = at;
    while let Some(piece) = text.piece(end) {
        if [
            ',', ';', '.', ':', '(', ')', '!', '?', '\n', '"', '—', '-', '≠',
        ]
        .iter()
        .any(|mark| piece.is_mark(*mark))
        {
            break;
        }
        if piece.may_be(Cue::But) || piece.may_be(Cue::Except) {
            break;
        }
        let word = text.said(end);
        if has_content
            && matches!(
                word.as_str(),
                "with"
                    | "who"
                    | "that"
                    | "whose"
                    | "having"
                    | "which"
                    | "who have"
                    | "that have"
                    | "who has"
                    | "that has"
                    | "who are"
                    | "that are"
                    | "but not"
            )
        {
            break;
        }
        if has_content && word.contains("work") && (word.ends_with(" as") || word.ends_with(" at"))
        {
            break;
        }
        let next = end + 1;
        let has_place = text
            .piece(next)
            .is_some_and(|next| next.meanings().iter().any(is_place));
        let has_employer = text.piece(next).is_some_and(|next| {
            next.meanings().iter().any(|meaning| {
                matches!(
                    meaning,
                    Meaning::Company(_) | Meaning::Industry(_) | Meaning::Size(_)
                )
            })
        });
        // "In the automotive industry"
        let is_field = text.piece(next).is_some_and(|next| {
            let mut meanings = next.meanings().iter();
            meanings.any(|meaning| matches!(meaning, Meaning::Industry(_)))
        }) && text.may_be(next + 1, Cue::Sector);
        let leads_in = piece.may_be(Cue::In) || word == "in the";
        if has_content && leads_in && is_field {
            break;
        }
        if has_content
            && (leads_in && has_place || piece.may_be(Cue::In) && text.may_be(next, Cue::Sector))
        {
            break;
        }
        // "Native speakers working in finance", not "working in teams"
        if has_content && is_working_in_field(text, end) {
            break;
        }
        if has_content && word == "at" && has_employer {
            break;
        }
        // "Between 1 and 5 billion"
        let is_between = end
            .checked_sub(2)
            .is_some_and(|low| text.may_be(low, Cue::Between) && text.number(low + 1).is_some());
        if !is_between && (piece.may_be(Cue::And) || piece.may_be(Cue::Or)) {
            let behind = text.skip(next, &["a", "an", "the", "their"]);
            let begins = text.piece(behind).is_none_or(|next| {
                [
                    Cue::With,
                    Cue::In,
                    Cue::At,
                    Cue::Not,
                    Cue::Without,
                    Cue::Seen,
                    Cue::Founded,
                    Cue::More,
                    Cue::Less,
                    Cue::AtLeast,
                    Cue::AtMost,
                ]
                .iter()
                .any(|cue| next.may_be(*cue))
                    || next.number().is_some()
                    || next.meanings().iter().any(|meaning| {
                        matches!(
                            meaning,
                            Meaning::Contact(_) | Meaning::Level(_) | Meaning::DecisionMaker
                        )
                    })
            });
            let is_who = matches!(
                text.said(next).as_str(),
                "who" | "who are" | "are" | "that" | "is" | "live" | "work"
            );
            if begins || is_who {
                break;
            }
        }
        has_content |= !piece.is_small();
        end += 1;
        // "In role for 2+ years HR directors": a time ends what is said of it, where a role follows.
        if has_content && is_time_before_role(text, end) {
            break;
        }
    }
    end
}

/// Whether a number of years or months stands in front of a piece, and a role at it.
fn is_time_before_role(text: Text<'_>, at: usize) -> bool {
    let unit = at.checked_sub(1);
    let is_unit = unit.is_some_and(|unit| matches!(text.stem(unit).as_str(), "year" | "month"));
    let mut before = unit.into_iter().flat_map(|unit| (0..unit).rev()).take(2);
    let is_counted = before.any(|at| text.number(at).is_some());
    let mut meanings = text
        .piece(at)
        .map_or(&[][..], |piece| piece.meanings())
        .iter();
    is_unit && is_counted && meanings.any(Meaning::is_role)
}
