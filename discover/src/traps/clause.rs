//! Where a clause ends that no column answers: "who speak Spanish (and live in Berlin)".

use crate::annotate::{Piece, is_place};
use crate::meaning::{Cue, Meaning};
use crate::text::Text;

/// Marks that end a clause.
const MARKS: &[char] = &[
    ',', ';', '.', ':', '(', ')', '!', '?', '\n', '"', '—', '-', '≠',
];

/// Words that begin another clause.
const RELATIVE: &[&str] = &[
    "with",
    "who",
    "that",
    "whose",
    "having",
    "which",
    "who have",
    "that have",
    "who has",
    "that has",
    "who are",
    "that are",
    "but not",
];

/// Cues behind "and" or "or" that begin another condition: "and at least 5 years", "or without email".
const BEGINNINGS: &[Cue] = &[
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
];

/// What a clause has said where its end is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    Something,
}

/// The end of a clause that begins before piece `at`.
pub(crate) fn clause_end(text: Text<'_>, at: usize) -> usize {
    clause_from(text, at, Said::Nothing)
}

/// The end of a clause that goes on with piece `at`, behind words that said something or nothing yet.
pub(super) fn clause_from(text: Text<'_>, at: usize, said: Said) -> usize {
    let mut has_content = said == Said::Something;
    let mut end = at;
    while let Some(piece) = text.piece(end) {
        if is_closed_by(piece)
            || has_content && is_left(text, end, piece)
            || joins_another(text, end, piece)
        {
            break;
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

/// A mark, "but", "except"
fn is_closed_by(piece: &Piece) -> bool {
    MARKS.iter().any(|mark| piece.is_mark(*mark))
        || piece.may_be(Cue::But)
        || piece.may_be(Cue::Except)
}

/// Whether something else is said from a piece on: "who", "works as", "in Spain", "working in finance", "at Siemens".
fn is_left(text: Text<'_>, at: usize, piece: &Piece) -> bool {
    let word = text.said(at);
    RELATIVE.contains(&word.as_str())
        || word.contains("work") && (word.ends_with(" as") || word.ends_with(" at"))
        || leads_into_place(text, at, piece)
        || is_working_in_field(text, at)
        || word == "at" && is_employer(text, at + 1)
}

/// "In Spain", "in the automotive industry", "in the public sector"
fn leads_into_place(text: Text<'_>, at: usize, piece: &Piece) -> bool {
    let is_in = piece.may_be(Cue::In);
    let next = at + 1;
    let meanings = text.piece(next).map_or(&[][..], |next| next.meanings());
    let is_industry = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
    let is_field = meanings.iter().any(is_industry) && text.may_be(next + 1, Cue::Sector);
    let has_place = meanings.iter().any(is_place);
    (is_in || text.said(at) == "in the") && (is_field || has_place)
        || is_in && text.may_be(next, Cue::Sector)
}

/// Whether a piece says at what people work: "(at) Siemens", "banks", "startups".
fn is_employer(text: Text<'_>, at: usize) -> bool {
    let meanings = text.piece(at).map_or(&[][..], |piece| piece.meanings());
    meanings.iter().any(|meaning| {
        matches!(
            meaning,
            Meaning::Company(_) | Meaning::Industry(_) | Meaning::Size(_)
        )
    })
}

/// Whether a piece says that somebody works, and what or where stands behind "in" or "for": "native speakers working in finance", not
/// "working in teams".
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

/// Whether "and" or "or" joins another condition: "and with email", "or 5 years", "and are managers".
fn joins_another(text: Text<'_>, at: usize, piece: &Piece) -> bool {
    if !piece.may_be(Cue::And) && !piece.may_be(Cue::Or) || is_between(text, at) {
        return false;
    }
    let behind = text.skip(at + 1, &["a", "an", "the", "their"]);
    let is_who = matches!(
        text.said(at + 1).as_str(),
        "who" | "who are" | "are" | "that" | "is" | "live" | "work"
    );
    text.piece(behind).is_none_or(begins_condition) || is_who
}

/// "Between 1 (and) 5 billion"
fn is_between(text: Text<'_>, and: usize) -> bool {
    let low = and.checked_sub(2);
    low.is_some_and(|low| text.may_be(low, Cue::Between) && text.number(low + 1).is_some())
}

/// "With", "at least", "5", "email", "managers"
fn begins_condition(piece: &Piece) -> bool {
    BEGINNINGS.iter().any(|cue| piece.may_be(*cue))
        || piece.number().is_some()
        || piece.meanings().iter().any(|meaning| {
            matches!(
                meaning,
                Meaning::Contact(_) | Meaning::Level(_) | Meaning::DecisionMaker
            )
        })
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
