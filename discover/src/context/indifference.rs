//! What is all the same to those who ask: "doesn't matter which sector", "regardless of size", "no matter where", "any level will do".
//!
//! Its NOT denies nothing that follows.

use crate::meaning::{Cue, Meaning};
use crate::text::Text;

/// Behind a NOT these say that it is all the same, and what may follow them.
const SAME: &[&str] = &["matter", "care", "mind"];

/// Behind what is all the same.
const IRRELEVANT: &[&str] = &[
    "irrelevant",
    "not important",
    "not relevant",
    "unimportant",
    "isn't important",
    "isn't relevant",
    "is irrelevant",
    "is unimportant",
    "is not important",
    "is not relevant",
];

/// Says that it is all the same, in front of what is.
const LEADS: &[&str] = &[
    "no matter",
    "makes no difference",
    "make no difference",
    "no difference",
];

/// To whom it is.
const TO_WHOM: &[&str] = &["to us", "to me", "for us", "for me"];

/// Behind "any" and what is meant.
const SUITS: &[&str] = &[
    "will do", "would do", "is fine", "is ok", "is okay", "is good", "works", "are fine", "are ok",
    "are okay",
];

/// Kinds of values, without one.
const KINDS: &[&str] = &[
    "sector",
    "industry",
    "vertical",
    "field",
    "size",
    "company size",
    "headcount",
    "location",
    "place",
    "city",
    "state",
    "country",
    "region",
    "seniority",
    "seniority level",
    "level",
    "function",
    "department",
    "title",
    "job title",
    "employer",
    "type",
    "experience",
    "years of experience",
    "where",
    "how big",
    "how large",
    "how small",
    "how old",
    "how senior",
    "for whom",
    "how many",
    "of size",
    "when founded",
    "when they were founded",
    "when they're founded",
    "when it was founded",
    "founding year",
    "year founded",
    "year of founding",
];

/// Words in front of a way to reach somebody.
const HAVING: &[&str] = &[
    "they have",
    "there's",
    "there is",
    "they",
    "have",
    "has",
    "a",
    "an",
    "their",
];

/// Words beside them that give no value either.
const BESIDE: &[&str] = &[
    "about",
    "of",
    "which",
    "what",
    "the",
    "their",
    "its",
    "a",
    "kind of",
    "sort of",
    "or",
    "and",
    "they",
    "they're",
    "it",
    "it's",
    "is",
    "are",
    "that is",
    "live",
    "lives",
    "work",
    "works",
    "based",
    "located",
    "in",
    "at",
    "from",
    "how",
    "big",
    "large",
    "old",
    "senior",
    "people",
    "companies",
    "company",
    "exact",
    "in which",
    "in the",
    "who",
];

/// Words of those that end no clause: what follows them is read.
const LEADING: &[&str] = &[
    "or", "and", "in", "at", "from", "of", "in the", "who", "which",
];

/// In front of what is all the same, where more than a kind is said of it.
const ASKING: &[&str] = &[
    "if", "whether", "which", "what", "where", "how", "who", "when", "about",
];

/// What is all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Indifference {
    /// Only what kind of value: it asks nothing, up to the piece behind it.
    OfKind(usize),
    /// More than that: up to the piece behind, it is told as it stands.
    OfMore(usize),
}

/// What begins at a piece and says that something is all the same.
pub(crate) fn indifference(text: Text<'_>, at: usize) -> Option<Indifference> {
    let of_kind = any_suits(text, at)
        .or_else(|| kind_in_front(text, at))
        .or_else(|| with_or_without(text, at));
    if let Some(to) = of_kind {
        return Some(Indifference::OfKind(to));
    }
    let it = usize::from(matches!(text.said(at).as_str(), "it" | "that" | "this"));
    let at = at + it;
    let behind = behind_lead(text, at)?;
    // "It makes no difference to us, (banks in Spain)"
    if says_no_difference(text, at) && ends_clause(text, behind) {
        return Some(Indifference::OfKind(behind));
    }
    if let Some(to) = kinds(text, behind) {
        return Some(Indifference::OfKind(to));
    }
    let denies = !is_regardless(text, at);
    let asks = ASKING.contains(&first_word(text, behind).as_str());
    let more = || (behind..).find(|at| ends_clause(text, *at));
    (denies && asks)
        .then(more)
        .flatten()
        .map(Indifference::OfMore)
}

/// "Doesn't matter", "no matter", "don't care", "regardless of": the piece behind.
fn behind_lead(text: Text<'_>, at: usize) -> Option<usize> {
    if is_regardless(text, at) {
        let of = text.said(at + 1);
        // "Of size" is one piece.
        return match of.as_str() {
            "of" => Some(at + 2),
            _ => of.starts_with("of ").then_some(at + 1),
        };
    }
    if let Some(behind) = text.said_as(at, LEADS) {
        return Some(text.said_as(behind, TO_WHOM).unwrap_or(behind));
    }
    let verb = text.skip(at + 1, &["really", "much", "actually", "too"]);
    let is_same = SAME.contains(&text.said(verb).as_str());
    (denies(text, at) && is_same).then_some(verb + 1)
}

fn says_no_difference(text: Text<'_>, at: usize) -> bool {
    let lead = text.said_as(at, LEADS).and_then(|to| to.checked_sub(1));
    lead.is_some_and(|last| text.said(last).ends_with("difference"))
}

fn is_regardless(text: Text<'_>, at: usize) -> bool {
    matches!(text.said(at).as_str(), "regardless" | "irrespective")
}

/// "Doesn't", "do not"
fn denies(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    text.may_be(at, Cue::Not) && (said.starts_with("do") || said.starts_with("won't"))
}

fn first_word(text: Text<'_>, at: usize) -> String {
    let said = text.said(at);
    said.split(' ').next().unwrap_or_default().to_owned()
}

/// Kinds of values with the words beside them, up to the piece behind the last one that ends something.
fn kinds(text: Text<'_>, from: usize) -> Option<usize> {
    let (mut at, mut end, mut is_named) = (from, from, false);
    let mut asks_contact = false;
    while text.piece(at).is_some() {
        let joins = |cue| at > from && text.may_be(at - 1, cue);
        let (is_or, is_and) = (joins(Cue::Or), joins(Cue::And));
        let asked = (at == from || is_or || is_and).then(|| contact_asked(text, at));
        // "Regardless of seniority or email", but "… and email" asks for one.
        let listed = (is_named && is_or).then(|| contact(text, at));
        if let Some(to) = asked.flatten().or(listed.flatten()) {
            (is_named, asks_contact) = (true, true);
            (at, end) = (to, to);
            continue;
        }
        if let Some(to) = text.said_as(at, KINDS) {
            is_named = true;
            at = to;
            end = to;
            continue;
        }
        let said = text.said(at);
        if !BESIDE.contains(&said.as_str()) {
            break;
        }
        at += 1;
        if !LEADING.contains(&said.as_str()) {
            end = at;
        }
    }
    // "If they have email or live in Texas" says more.
    let is_whole = !asks_contact || ends_clause(text, end);
    (is_named && is_whole).then_some(end)
}

/// A way to reach somebody: the piece behind.
fn contact(text: Text<'_>, at: usize) -> Option<usize> {
    let mut meanings = text.piece(at)?.meanings().iter();
    let is_one = meanings.any(|meaning| matches!(meaning, Meaning::Contact(_)));
    is_one.then_some(at + 1)
}

/// "Whether they have email (or not)", but not "(where they live) if they have email".
fn contact_asked(text: Text<'_>, at: usize) -> Option<usize> {
    if !matches!(text.said(at).as_str(), "whether" | "if") {
        return None;
    }
    let what = text.skip(at + 1, HAVING);
    let to = contact(text, what)?;
    Some(text.said_as(to, &["or not"]).unwrap_or(to))
}

/// "Any level will do"
fn any_suits(text: Text<'_>, at: usize) -> Option<usize> {
    if text.said(at) != "any" {
        return None;
    }
    text.said_as(text.said_as(at + 1, KINDS)?, SUITS)
}

/// "With or without email"
fn with_or_without(text: Text<'_>, at: usize) -> Option<usize> {
    let what = text.said_as(
        at,
        &[
            "with or without",
            "with and without",
            "with or without a",
            "with or without an",
        ],
    )?;
    let what = text.skip(what, &["any", "their"]);
    let to = contact(text, what)?;
    ends_clause(text, to).then_some(to)
}

/// "Email", "location", "whether they have email", and lists of these: the piece behind.
fn kinds_in_front(text: Text<'_>, at: usize) -> Option<usize> {
    let one = |at: usize| {
        let contact = contact_asked(text, at).or_else(|| contact(text, at));
        contact.or_else(|| text.said_as(at, KINDS).and_then(|_| kinds(text, at)))
    };
    let mut to = one(at)?;
    while text.may_be(to, Cue::Or) || text.may_be(to, Cue::And) {
        let Some(next) = one(to + 1) else { break };
        to = next;
    }
    Some(to)
}

/// "Location doesn't matter", "size is irrelevant", "whether they have email is not important to us"
fn kind_in_front(text: Text<'_>, at: usize) -> Option<usize> {
    let behind = kinds_in_front(text, at)?;
    let verb = text.skip(behind, &["is", "are"]);
    let to = match text.said_as(verb, IRRELEVANT) {
        Some(to) => text.said_as(to, TO_WHOM).unwrap_or(to),
        None => behind_lead(text, behind).filter(|_| denies(text, behind))?,
    };
    ends_clause(text, to).then_some(to)
}

/// Whether nothing follows, or a mark or "but" does.
fn ends_clause(text: Text<'_>, at: usize) -> bool {
    const MARKS: &[char] = &[',', ';', '.', ')', '\n', ':', '!', '?'];
    text.piece(at).is_none()
        || MARKS.iter().any(|mark| text.is_mark(at, *mark))
        || text.may_be(at, Cue::But)
}
