//! What a text tells about the one who asks: not part of what is asked.

mod request;

use crate::annotate::{Piece, What};
use crate::text::Text;

use request::{REQUESTS, asked, behind_purpose, request};

const FIRST_PERSON: &[&str] = &[
    "i", "i'm", "im", "i am", "we", "we're", "we are", "i've", "we've", "i'd", "we'd", "i'll",
    "we'll", "our", "my",
];
/// In front of a colon these only announce what follows.
const LABELS: &[&str] = &[
    "list",
    "icp",
    "target",
    "search",
    "looking",
    "wanted",
    "want",
    "need",
    "needed",
    "request",
    "query",
    "persona",
    "account",
    "acct",
    "audience",
    "segment",
    "looking for",
    "target list",
    "account list",
    "target account",
    "target acct",
    "search for",
    "ideal customer profile",
    "target persona",
    "brief",
    "sourcing",
    "profile",
    "hi",
    "hello",
];

/// Verbs that ask where a sentence begins with them.
const OPENINGS: &[&str] = &["compare", "invite"];

/// For each piece whether it is context.
pub(crate) fn context(text: Text<'_>) -> Vec<bool> {
    let mut dropped = vec![false; text.pieces.len()];
    for (from, to, mark) in segments(text.pieces, &['.', '!', '?', '\n', ':', ';', '—']) {
        sentence(text, from, to, mark, &mut dropped);
    }
    for (at, place) in dropped.iter_mut().enumerate() {
        *place |= is_asked_to_know(text, at);
    }
    dropped
}

/// "Do you know", "let me know": what is asked for, not what somebody is skilled in.
fn is_asked_to_know(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let asks = before.is_some_and(|who| matches!(who.as_str(), "you" | "me" | "us" | "let me"));
    asks && text.said(at) == "know"
}

/// Ranges of pieces between marks, with the mark that ends each.
fn segments(pieces: &[Piece], marks: &[char]) -> Vec<(usize, usize, Option<char>)> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, piece) in pieces.iter().enumerate() {
        if let What::Mark(mark) = piece.what
            && marks.contains(&mark)
        {
            found.push((from, at, Some(mark)));
            from = at + 1;
        }
    }
    found.push((from, pieces.len(), None));
    found
}

fn sentence(text: Text<'_>, from: usize, to: usize, mark: Option<char>, dropped: &mut [bool]) {
    let mut drop = |range: std::ops::Range<usize>| {
        for place in dropped.get_mut(range).into_iter().flatten() {
            *place = true;
        }
    };
    let said: Vec<String> = (from..to).map(|at| text.said(at)).collect();
    let first = said.iter().position(|word| {
        !matches!(
            word.as_str(),
            "hi" | "hello"
                | "hey"
                | "hiya"
                | "so"
                | "and"
                | ","
                | "hey so"
                | "yo"
                | "dear"
                | "team"
                | "well"
        )
    });
    let is_first_person = first.is_some_and(|at| {
        is_first_person(text, from + at)
            || (matches!(said.get(at).map(String::as_str), Some("for"))
                && matches!(
                    said.get(at + 1).map(String::as_str),
                    Some("a" | "my" | "our")
                ))
    });
    if mark == Some(':') {
        let label = said.iter().any(|word| LABELS.contains(&word.as_str()));
        let is_asked = (from..to).any(|at| {
            text.piece(at)
                .is_some_and(|piece| !piece.is_small() && !piece.meanings().is_empty())
        });
        if is_first_person || (label && !is_asked) {
            drop(from..to);
            return;
        }
    }
    // Clauses that tell why.
    let mut at = from;
    while at < to {
        let word = text.said(at);
        let next = text.said(at + 1);
        let why = word == "because"
            || (word == "so" || word == "so that")
                && matches!(next.as_str(), "we" | "i" | "that" | "that we")
            || matches!(word.as_str(), "since" | "as")
                && matches!(next.as_str(), "we" | "they" | "i" | "they're" | "we're")
            || word == "for" && matches!(next.as_str(), "our" | "my")
            || at > from
                && text.is_mark(at - 1, ',')
                && FIRST_PERSON.contains(&word.as_str())
                && asked(text, at, to).is_none()
            || at > from
                && text.is_mark(at - 1, '(')
                && (at..to)
                    .take_while(|at| !text.is_mark(*at, ')'))
                    .any(|at| matches!(text.said(at).as_str(), "ours" | "our" | "we" | "us"));
        if why {
            let mut end = at;
            let asks = |at: usize| {
                let said = text.said(at);
                said != "for" && REQUESTS.contains(&said.as_str())
            };
            while end < to && !text.is_mark(end, ',') && !text.is_mark(end, ')') && !asks(end) {
                end += 1;
            }
            drop(at..end);
            at = end;
        }
        at += 1;
    }
    let begin = from + first.unwrap_or(0);
    if OPENINGS.contains(&text.said(begin).as_str()) {
        drop(begin..begin + 1);
    }
    // "As a recruiter at Siemens I need …": in front of the first person stands who that is.
    let speaker = if is_first_person {
        Some(begin)
    } else {
        speaker_behind_role(text, begin, to)
    };
    match speaker.map(|speaker| request(text, speaker, to)) {
        Some(Some(end)) => drop(from..behind_purpose(text, end, to)),
        Some(None) if is_first_person => drop(from..to),
        _ => {}
    }
}

fn is_first_person(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    FIRST_PERSON.iter().any(|first| {
        said.strip_prefix(first)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// The first person, behind what they are or for whom they ask: "as CEO of Siemens I", "on behalf of Siemens we".
fn speaker_behind_role(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    let next = text.said(from + 1);
    let is_role = match text.said(from).as_str() {
        "as" => !matches!(next.as_str(), "many" | "much" | "few"),
        "being" => true,
        "on" => next == "behalf",
        _ => false,
    };
    let mut behind = from + 1..to;
    is_role
        .then(|| behind.find(|at| is_first_person(text, *at)))
        .flatten()
}
