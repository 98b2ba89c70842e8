//! A sentence in which those who ask speak: their greeting, what they tell, and where they begin to ask (docs/DISCOVER.md, R14).

use crate::annotate::Piece;
use crate::meaning::{Cue, Meaning};
use crate::text::Text;

use super::denial::denial;
use super::indifference::indifference;
use super::reasons::tell_reasons;
use super::request::{behind_purpose, names_user, request, wanted_by_another};
use super::speaker::{other_speaker, speaks_of_self};
use super::{Voice, ask, tell};

/// What may stand in front of the first word that says something.
const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hiya",
    "so",
    "and",
    ",",
    "hey so",
    "yo",
    "good morning",
    "good afternoon",
    "good evening",
    "good day",
    "greetings",
    "dear",
    "team",
    "well",
    "if possible",
    "if you can",
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

/// What somebody asks for: with what it is about, it only announces what follows a colon.
const OCCASIONS: &[&str] = &[
    "thesis",
    "dissertation",
    "project",
    "task",
    "assignment",
    "homework",
    "study",
];
/// What an occasion is about.
const OCCASIONED: &[&str] = &[
    "my",
    "our",
    "a",
    "for",
    "client",
    "customer",
    "research",
    "market research",
    "marketing",
    "sales",
    "school",
    "master",
    "phd",
    "university",
    "new",
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

/// Reads who asks, and gives the piece behind the words with which they do.
pub(super) fn sentence(
    text: Text<'_>,
    from: usize,
    to: usize,
    mark: Option<char>,
    voices: &mut [Voice],
) -> usize {
    let first = (from..to).find(|at| !GREETINGS.contains(&text.said(*at).as_str()));
    let asker = first.filter(|at| speaks_of_self(text, *at));
    let announces = || asker.is_some() && names_all_asked(text, to + 1) || is_label(text, from, to);
    if mark == Some(':') && announces() {
        tell(voices, from..to);
        return to;
    }
    tell_reasons(text, from, to, voices);
    let begin = first.unwrap_or(from);
    if OPENINGS.contains(&text.said(begin).as_str()) {
        tell(voices, begin..begin + 1);
    }
    if denial(text, begin, to).is_some() {
        tell(voices, from..begin);
        return begin;
    }
    // "We don't mind which level, marketers in Rome"
    let behind_self = begin + usize::from(asker.is_some());
    if indifference(text, behind_self).is_some() {
        tell(voices, from..behind_self);
        return behind_self;
    }
    if let Some(behind) = behind_undertaken(text, begin, to) {
        tell(voices, from..behind);
        return behind;
    }
    let speaker = asker.or_else(|| other_speaker(text, begin, to));
    match speaker.map(|speaker| request_of(text, speaker, to)) {
        Some(Some(end)) => {
            let behind = behind_purpose(text, end, to);
            tell(voices, from..behind);
            behind
        }
        Some(None) if asker.is_some() => {
            let end = named_by_the_way(text, begin, to).unwrap_or(to);
            tell(voices, from..end);
            ask(voices, end..to);
            end
        }
        _ => begin,
    }
}

/// "We need", "the user wants": the piece behind; but not "the customer success managers".
fn request_of(text: Text<'_>, speaker: usize, to: usize) -> Option<usize> {
    match names_user(text, speaker) {
        true => wanted_by_another(text, speaker),
        false => request(text, speaker, to),
    }
}

/// "Target list:", "ICP:", "research project:", but not "target accounts in Texas:": whether a label stands there, and nothing that is asked for.
fn is_label(text: Text<'_>, from: usize, to: usize) -> bool {
    let is_asked = |at: usize| {
        let piece = text.piece(at);
        piece.is_some_and(|piece| !piece.is_small() && !piece.meanings().is_empty())
    };
    (from..to).any(|at| LABELS.contains(&text.said(at).as_str())) && !(from..to).any(is_asked)
        || is_occasion(text, from, to)
}

/// "Research project: hospitals in Rome", but not "project: over 500 employees".
fn is_occasion(text: Text<'_>, from: usize, to: usize) -> bool {
    let is_one = |at: usize| OCCASIONS.contains(&text.stem(at).as_str());
    let is_about = |at: usize| OCCASIONED.contains(&text.said(at).as_str());
    (from..to).any(is_one)
        && (from..to).all(|at| is_one(at) || is_about(at))
        && names_all_asked(text, to + 1)
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
pub(super) fn says_who(text: Text<'_>, at: usize) -> bool {
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

/// The piece behind what somebody is about to do, where they say it without a word for themselves: "looking to sell software to".
fn behind_undertaken(text: Text<'_>, at: usize, to: usize) -> Option<usize> {
    let end = text.said_as(at, UNDERTAKEN)?;
    let behind = behind_purpose(text, end, to);
    (behind > end).then_some(behind)
}
