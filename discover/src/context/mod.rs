//! What a text tells about the one who asks: not part of what is asked.

mod denial;
mod request;

use std::ops::Range;

use crate::annotate::{Piece, What};
use crate::meaning::{Cue, Meaning};
use crate::text::Text;

use denial::{denial, wish};
use request::{REQUESTS, asked, behind_purpose, names_user, request, wanted_by_another};

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

/// With these whoever asks says what they are about to do, without a word for themselves.
const UNDERTAKEN: &[&str] = &[
    "looking to",
    "trying to",
    "hoping to",
    "wanting to",
    "want to",
    "planning to",
];

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

/// Whether in front of a piece something is not wanted: "we're not hiring managers, we're hiring engineers".
fn denies_before(text: Text<'_>, from: usize, at: usize) -> bool {
    (from..at).any(|before| denial(text, before, at).is_some())
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

/// "Do you know", "let me know": what is asked for, not what somebody is skilled in.
fn is_asked_to_know(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let asks = before.is_some_and(|who| matches!(who.as_str(), "you" | "me" | "us" | "let me"));
    asks && text.said(at) == "know"
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

/// Whether what stands behind a colon says who is sought, so that what stands in front is only told: "we sell to banks: CFOs in Rome",
/// but not "we want banks: over 1000 employees", "we want banks: they must be private".
fn names_all_asked(text: Text<'_>, from: usize) -> bool {
    let in_line = |at: &usize| !text.is_mark(*at, '.') && !text.is_mark(*at, '\n');
    let mut line = (from..text.pieces.len()).take_while(in_line);
    !refers_back(text, from) && line.any(|at| says_who(text, at))
}

/// Whether a clause begins with a word for those who were named before, or with what is left out of them.
fn refers_back(text: Text<'_>, from: usize) -> bool {
    const OF_THOSE: &[&str] = &[
        "they",
        "they're",
        "these",
        "those",
        "must",
        "must be",
        "must have",
        "should",
        "should be",
        "all",
        "each",
        "it",
        "ideally",
    ];
    let from = text.skip(from, &["please", "pls", "and", "but", ","]);
    let leaves_out = [Cue::Not, Cue::Without, Cue::Except, Cue::Neither];
    text.said_as(from, OF_THOSE).is_some() || leaves_out.iter().any(|cue| text.may_be(from, *cue))
}

/// Whether a piece says who is sought.
fn says_who(text: Text<'_>, at: usize) -> bool {
    let meanings = text.piece(at).map_or(&[][..], Piece::meanings);
    meanings.iter().any(|meaning| {
        meaning.is_role()
            || matches!(
                meaning,
                Meaning::Industry(_)
                    | Meaning::Size(_)
                    | Meaning::Type(_)
                    | Meaning::DecisionMaker
                    | Meaning::PlatformWorker
            )
    })
}

/// Where in a sentence about the one who asks those are named of whom the next sentence says more: "our fund buys (hospitals in Texas).
/// They must be private". Not what the one who asks sells, or is.
fn named_by_the_way(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    const THEIRS: &[&str] = &[
        "sell",
        "selling",
        "sells",
        "offer",
        "offering",
        "build",
        "building",
        "make",
        "making",
        "develop",
        "developing",
        "provide",
        "providing",
        "a",
        "an",
        "at",
        "for",
        "as",
    ];
    let named = (from..to).find(|at| says_who(text, *at))?;
    let is_theirs = (from + 1..named).any(|at| {
        let said = text.said(at);
        said.rsplit(' ')
            .next()
            .is_some_and(|last| THEIRS.contains(&last))
    });
    (!is_theirs && refers_back(text, to + 1)).then_some(named)
}

/// Reads who asks, and gives the piece behind the words with which they do.
fn sentence(
    text: Text<'_>,
    from: usize,
    to: usize,
    mark: Option<char>,
    voices: &mut [Voice],
) -> usize {
    let mut drop = |range: Range<usize>| tell(voices, range);
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
                | "good morning"
                | "good afternoon"
                | "good evening"
                | "good day"
                | "greetings"
                | "dear"
                | "team"
                | "well"
                | "if possible"
                | "if you can"
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
        let names_all = || names_all_asked(text, to + 1);
        if is_first_person && names_all() || (label && !is_asked) {
            drop(from..to);
            return to;
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
                && !matches!(next.as_str(), "mean" | "meant")
                && asked(text, at, to).is_none()
                && !(denies_before(text, from, at) && wish(text, at, to).is_some())
            || at > from
                && text.is_mark(at - 1, '(')
                && (at..to)
                    .take_while(|at| !text.is_mark(*at, ')'))
                    .any(|at| matches!(text.said(at).as_str(), "ours" | "our" | "we" | "us"));
        let is_denial = || (at..at + 2).any(|at| denial(text, at, to).is_some());
        if why && !is_denial() {
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
    if denial(text, begin, to).is_some() {
        drop(from..begin);
        return begin;
    }
    if let Some(behind) = behind_undertaken(text, begin, to) {
        drop(from..behind);
        return behind;
    }
    // "As a recruiter at Siemens I need …": in front of the first person stands who that is.
    let speaker = if is_first_person || names_user(text, begin) {
        Some(begin)
    } else {
        speaker_behind_role(text, begin, to)
    };
    // "The user wants", but not "the customer success managers"
    let asks = |speaker| match names_user(text, speaker) {
        true => wanted_by_another(text, speaker),
        false => request(text, speaker, to),
    };
    match speaker.map(asks) {
        Some(Some(end)) => {
            let behind = behind_purpose(text, end, to);
            drop(from..behind);
            behind
        }
        Some(None) if is_first_person => {
            let end = named_by_the_way(text, begin, to).unwrap_or(to);
            drop(from..end);
            ask(voices, end..to);
            end
        }
        _ => begin,
    }
}

/// The piece behind what somebody is about to do, where they say it without a word for themselves: "looking to sell software to".
fn behind_undertaken(text: Text<'_>, at: usize, to: usize) -> Option<usize> {
    let end = text.said_as(at, UNDERTAKEN)?;
    let behind = behind_purpose(text, end, to);
    (behind > end).then_some(behind)
}

fn is_first_person(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    // "I mean Florida" tells nothing of the one who asks.
    if matches!(text.said(at + 1).as_str(), "mean" | "meant") {
        return false;
    }
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
