//! Why something is asked: "because we sell to them", "so that we can hire", "as they are ours" tell of the one who asks.

use crate::text::Text;

use super::denial::{denial, wish};
use super::indifference::{Indifference, indifference};
use super::request::{REQUESTS, asked, restricted};
use super::speaker::FIRST_PERSON;
use super::{Voice, tell};

/// Takes clauses that say why for what those who ask tell of themselves.
pub(super) fn tell_reasons(text: Text<'_>, from: usize, to: usize, voices: &mut [Voice]) {
    let mut at = from;
    while at < to {
        let gives_reason = begins_reason(text, at)
            || is_remark(text, from, at, to)
            || is_bracket_of_own(text, at, to);
        let is_denial = || (at..at + 2).any(|at| denial(text, at, to).is_some());
        if gives_reason && !is_denial() {
            let end = end_of_reason(text, at, to);
            tell(voices, at..end);
            at = end;
        }
        at += 1;
    }
}

/// "Because", "so that we", "since they", "for our (team)"
fn begins_reason(text: Text<'_>, at: usize) -> bool {
    let next = text.said(at + 1);
    match text.said(at).as_str() {
        "because" => true,
        "so" | "so that" => matches!(next.as_str(), "we" | "i" | "that" | "that we"),
        "since" | "as" => matches!(next.as_str(), "we" | "they" | "i" | "they're" | "we're"),
        "for" => matches!(next.as_str(), "our" | "my"),
        _ => false,
    }
}

/// "(CFOs), we sell to them", but not "(CFOs), I mean directors", "(CFOs), we need directors", "(we don't want banks), we want insurers"
fn is_remark(text: Text<'_>, from: usize, at: usize, to: usize) -> bool {
    let is_said = || FIRST_PERSON.contains(&text.said(at).as_str());
    let corrects = || matches!(text.said(at + 1).as_str(), "mean" | "meant");
    at > from
        && text.is_mark(at - 1, ',')
        && is_said()
        && !corrects()
        && asked(text, at, to).is_none()
        && restricted(text, at).is_none()
        && !has_condition(text, at + 1)
        && !(denies_before(text, from, at) && wish(text, at, to).is_some())
}

/// In front of a condition behind what is all the same.
const CONDITIONS: &[&str] = &[
    "if",
    "as long as",
    "so long as",
    "provided",
    "provided that",
];

/// "(I don't care where they live) if they have email": what is all the same has a condition behind it.
fn has_condition(text: Text<'_>, at: usize) -> bool {
    let same = indifference(text, at);
    same.is_some_and(|same| {
        let (Indifference::OfKind(to) | Indifference::OfMore(to)) = same;
        text.said_as(to, CONDITIONS).is_some()
    })
}

/// "(A client of ours)", "(for us)": a bracket that begins there and speaks of those who ask.
fn is_bracket_of_own(text: Text<'_>, at: usize, to: usize) -> bool {
    let is_inside = at
        .checked_sub(1)
        .is_some_and(|before| text.is_mark(before, '('));
    let mut inside = (at..to).take_while(|at| !text.is_mark(*at, ')'));
    is_inside && inside.any(|at| matches!(text.said(at).as_str(), "ours" | "our" | "we" | "us"))
}

/// Where a reason ends: at a comma, a bracket or what asks anew, "because we hire, find (engineers)".
fn end_of_reason(text: Text<'_>, at: usize, to: usize) -> usize {
    let asks = |at: usize| {
        let said = text.said(at);
        said != "for" && REQUESTS.contains(&said.as_str())
    };
    let ends = |at: &usize| text.is_mark(*at, ',') || text.is_mark(*at, ')') || asks(*at);
    (at..to).find(ends).unwrap_or(to)
}

/// Whether in front of a piece something is not wanted: "we're not hiring managers, we're hiring engineers".
fn denies_before(text: Text<'_>, from: usize, at: usize) -> bool {
    (from..at).any(|before| denial(text, before, at).is_some())
}
