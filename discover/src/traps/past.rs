//! Where people worked before: "who previously worked at Netflix", "previous company: Netflix, Google".

use crate::meaning::Meaning;
use crate::text::Text;

use super::clause::{Said, clause_from};

/// Words between one for the past and the employer, which end no clause.
const BETWEEN: &[&str] = &[
    "was",
    "were",
    "was at",
    "were at",
    "who were",
    "been",
    "have",
    "has",
    "previously",
    "formerly",
    "once",
    "worked",
    "worked at",
    "worked for",
    "worked in",
    "worked with",
    "working",
    "working at",
    "working for",
    "work at",
    "work for",
    "work",
    "employed",
    "employed at",
    "employed by",
    "at",
    "for",
    "by",
    "with",
    "company",
    "employer",
    "to",
    "be",
    "is",
    ":",
    "the",
];

/// The end of a clause about the past that goes on with piece `at`.
pub(super) fn clause(text: Text<'_>, at: usize) -> usize {
    let first = text.skip(at, BETWEEN);
    let has_employer = |at: usize| {
        let meanings = text.piece(at).map_or(&[][..], |piece| piece.meanings());
        meanings
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Company(_)))
    };
    // "Who were managers at Netflix", but "who were managers in Berlin" says where they are.
    let is_role = |at: usize| {
        let meanings = text.piece(at).map_or(&[][..], |piece| piece.meanings());
        meanings.iter().any(Meaning::is_role)
    };
    let behind = first + (first..).take_while(|at| is_role(*at)).count();
    let names_employer = text.said(behind) == "at" && has_employer(behind + 1);
    let first = if behind > first && names_employer {
        behind + 1
    } else {
        first
    };
    let is_mark_only = text.is_mark(first.saturating_sub(1), ':') && first == at + 1;
    let first = if is_mark_only && text.piece(first).is_none() {
        at
    } else {
        first
    };
    let mut end = clause_from(text, first, Said::Nothing).max(first);
    // "Netflix, Google or Meta"
    while text.is_mark(end, ',') && has_employer(first) {
        let joined = text.skip(end + 1, &["or", "and"]);
        if !has_employer(joined) {
            break;
        }
        end = clause_from(text, joined, Said::Nothing);
    }
    end
}
