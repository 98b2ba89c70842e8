//! What the one who asks does not want: "I don't want", "we are not looking for", "do not show me", "stop showing", "no need for".
//!
//! Who says it and the wish tell nothing of what is asked for, but the NOT does: it is kept, and all that is said of what is not
//! wanted is left out together.

use crate::annotate::What;
use crate::meaning::Cue;
use crate::text::Text;

use super::request::{asked, behind_purpose};
use super::speaker::is_first_person;

/// In front of the one who asks.
const POLITE: &[&str] = &["please", "pls", "kindly", "also", "so", "but"];

/// Between the one who asks and what they want or do not want.
const AUXILIARIES: &[&str] = &[
    "do",
    "would",
    "will",
    "should",
    "must",
    "can",
    "are",
    "am",
    "is",
    "really",
    "actually",
    "definitely",
    "certainly",
    "also",
    "currently",
    "still",
];

/// Between a NOT and the wish.
const BETWEEN: &[&str] = &[
    "really",
    "actually",
    "currently",
    "be",
    "to",
    "please",
    "even",
    "at all",
    "right now",
    "now",
    "allowed",
    "supposed",
    "going",
    "trying",
    "planning",
    "willing",
];

/// What anybody may ask for or not, also where nobody is said to: "not looking for".
const WISHES: &[&str] = &[
    "want",
    "wanting",
    "want to see",
    "need",
    "needing",
    "looking for",
    "look for",
    "looking",
    "searching for",
    "search for",
    "seeking",
    "interested in",
    "show",
    "show me",
    "give me",
    "send me",
    "list",
    "include",
];

/// What only those who ask say of themselves.
const UNDERTAKINGS: &[&str] = &[
    "like",
    "love",
    "would like",
    "would love",
    "wish for",
    "require",
    "seek",
    "after",
    "after some",
    "hunting",
    "hunting for",
    "target",
    "targeting",
    "sourcing",
    "in need of",
    "hiring",
    "hiring for",
    "hire",
    "recruiting",
    "recruiting for",
    "recruit",
    "headhunting",
    "inviting",
    "invite",
    "interviewing",
    "interview",
    "contacting",
    "contact",
    "approaching",
    "approach",
];

/// The one who asks and the wish in one.
const SPOKEN: &[&str] = &["i want", "i need", "we want", "we need"];

/// What those who ask take instead of what they do not want.
const PREFERENCES: &[&str] = &["prefer", "would prefer", "rather have", "would rather"];

/// In front of what they would rather not have.
const RATHER: &[&str] = &[
    "rather",
    "rather have",
    "would rather",
    "prefer",
    "would prefer",
    "much prefer",
    "much rather",
];

/// What is done with what somebody would rather not have.
const SEEN: &[&str] = &[
    "see",
    "have",
    "get",
    "include",
    "be shown",
    "contact",
    "want",
    "hire",
    "target",
    "approach",
    "reach out to",
    "see any",
];

/// Words that ask, where a clause begins with them behind what is not wanted.
const REQUESTED: &[&str] = &[
    "find",
    "get",
    "give",
    "pull",
    "provide",
    "identify",
    "suggest",
    "recommend",
    "send",
    "show",
    "list",
    "return",
];

/// In front of words that ask, and behind them.
const ASKING: &[&str] = &[
    "please", "pls", "kindly", "can", "could", "would", "will", "you", "just", "only", "instead",
    "rather", "then", "now",
];

/// What those who ask for somebody do: of what they do not do they may as well tell.
const HIRING: &[&str] = &["hire", "hiring", "recruit", "recruiting", "headhunting"];

/// What somebody who asks may look for without a record.
const JOBS: &[&str] = &[
    "job",
    "jobs",
    "work",
    "position",
    "role",
    "opportunity",
    "opportunities",
];

/// What there is none of: "no need for".
const NEEDS: &[&str] = &["need for", "need of", "interest in", "use for"];

/// What is to be done no more: "stop showing me".
const STOPPED: &[&str] = &[
    "showing",
    "listing",
    "sending",
    "giving",
    "suggesting",
    "including",
];

/// Of what stands behind these more is wanted, or something else is done with it: "I don't want only nurses", "… to miss nurses".
const LIMITS: &[&str] = &["only", "just", "necessarily", "exclusively", "to"];

/// Pieces with which the one who asks says what they do not want.
#[derive(Debug, Clone, Copy)]
pub(super) struct Denial {
    /// The piece that says so.
    pub(super) not: usize,
    /// The piece behind all of them.
    pub(super) to: usize,
}

/// A denial that begins at a piece.
pub(super) fn denial(text: Text<'_>, at: usize, to: usize) -> Option<Denial> {
    let (not, has_speaker) = behind_speaker(text, at);
    if let Some(denial) = preference(text, not, to).filter(|_| has_speaker) {
        return Some(denial);
    }
    let is_none = text.may_be(not, Cue::Without) && text.said(not).ends_with("no");
    let verb = text.skip(not + 1, BETWEEN);
    let end = if is_none {
        text.said_as(verb, NEEDS)?
    } else if text.said(not) == "stop" {
        text.skip(text.said_as(verb, STOPPED)?, &["me", "us"])
    } else if denies(text, not) {
        wished(text, verb, has_speaker)?
    } else {
        return None;
    };
    let needs = matches!(text.said(verb).as_str(), "need" | "needing");
    if tells(text, verb, end, to) {
        return None;
    }
    let end = if has_speaker && !needs {
        behind_purpose(text, end, to)
    } else {
        end
    };
    let is_whole = end < to && !LIMITS.contains(&text.said(end).as_str());
    (is_whole && says_what(text, end)).then_some(Denial { not, to: end })
}

/// "(We'd) rather not see", "(I would) prefer no": what they would rather not have.
fn preference(text: Text<'_>, at: usize, to: usize) -> Option<Denial> {
    let behind = text.said_as(at, RATHER)?;
    let not = text.skip(behind, &["to", "have", "to have", "see", "to see"]);
    let is_none = text.may_be(not, Cue::Without) && text.said(not).ends_with("no");
    let is_nobody = matches!(text.said(not).as_str(), "no one" | "nobody");
    let end = if is_none || is_nobody {
        not + 1
    } else if denies(text, not) {
        let verb = text.skip(not + 1, BETWEEN);
        text.said_as(verb, SEEN).unwrap_or(verb)
    } else {
        return None;
    };
    // "We'd prefer not to exclude managers"
    let turns = [Cue::Not, Cue::Except, Cue::Without, Cue::Outside];
    let is_turned = turns.into_iter().any(|cue| text.may_be(end, cue));
    let is_whole = end < to && !LIMITS.contains(&text.said(end).as_str()) && !is_turned;
    (is_whole && says_what(text, end)).then_some(Denial { not, to: end })
}

/// The piece behind words with which the one who asks says what they want, which begin at a piece.
pub(super) fn wish(text: Text<'_>, at: usize, to: usize) -> Option<usize> {
    // "Our team wants"
    if matches!(text.said(at).as_str(), "our" | "my")
        && matches!(text.said(at + 2).as_str(), "wants" | "needs")
    {
        return Some(at + 3).filter(|end| *end < to);
    }
    let (verb, has_speaker) = behind_speaker(text, at);
    let behind_verb = wished(text, text.skip(verb, &["just", "only"]), has_speaker);
    let end = behind_verb
        .or_else(|| text.said_as(text.skip(at, POLITE), SPOKEN))
        .or_else(|| text.said_as(verb, PREFERENCES).filter(|_| has_speaker))
        .or_else(|| requested(text, at))?;
    (end < to).then(|| behind_purpose(text, end, to))
}

/// "Please find", "can you get me"
fn requested(text: Text<'_>, at: usize) -> Option<usize> {
    let verb = text.skip(at, ASKING);
    let said = text.said(verb);
    let is_one = said.split(' ').any(|word| REQUESTED.contains(&word));
    is_one.then(|| text.skip(verb + 1, &["me", "us"]))
}

/// Whether what is denied tells about the one who asks, or about those who are sought: "we don't hire in Germany", "not looking for a
/// job", "not interested in moving to Ohio".
fn tells(text: Text<'_>, verb: usize, end: usize, to: usize) -> bool {
    let noun = text.skip(end, &["a", "an", "any", "another", "new"]);
    let is_job = JOBS.contains(&text.said(noun).rsplit(' ').next().unwrap_or_default());
    let is_where = [Cue::In, Cue::At].iter().any(|cue| text.may_be(end, *cue));
    let asks_behind = asked(text, to, text.pieces.len()).is_some();
    let hires = HIRING.contains(&text.said(verb).split(' ').next().unwrap_or_default());
    is_job || hires && (is_where || asks_behind) || is_gerund(text, end)
}

/// "Moving to", "expanding in": what somebody does, and no noun.
fn is_gerund(text: Text<'_>, at: usize) -> bool {
    let next = text.said(at + 1);
    let goes_on = matches!(
        next.as_str(),
        "to" | "into" | "in" | "at" | "with" | "on" | "from" | "for"
    );
    text.said(at).ends_with("ing") && goes_on
}

/// The piece behind the one who asks and what is said in between, and whether somebody is said to ask.
fn behind_speaker(text: Text<'_>, at: usize) -> (usize, bool) {
    let at = text.skip(at, POLITE);
    let has_speaker = is_first_person(text, at);
    let behind = if has_speaker { at + 1 } else { at };
    (text.skip(behind, AUXILIARIES), has_speaker)
}

fn wished(text: Text<'_>, verb: usize, has_speaker: bool) -> Option<usize> {
    let undertaken = || text.said_as(verb, UNDERTAKINGS).filter(|_| has_speaker);
    text.said_as(verb, WISHES).or_else(undertaken)
}

/// Whether a piece says what is not wanted: "we are not hiring, but …" says nothing of the kind.
fn says_what(text: Text<'_>, at: usize) -> bool {
    let is_mark = text
        .piece(at)
        .is_some_and(|piece| matches!(piece.what, What::Mark(mark) if mark != '"'));
    let joins = [Cue::But, Cue::And, Cue::Or];
    !is_mark && !joins.into_iter().any(|cue| text.may_be(at, cue))
}

/// Whether a piece denies what somebody does, and is no "nobody".
fn denies(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    let is_nobody = matches!(
        said.split(' ').next(),
        Some("no" | "nobody" | "none" | "non")
    );
    text.may_be(at, Cue::Not) && (!is_nobody || said == "no longer")
        || matches!(said.as_str(), "wouldn't" | "would not")
}
