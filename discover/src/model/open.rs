//! Which words of a description are open, and whether they are said with a NOT.

use super::NotAccepted;
use crate::lex::tokens;
use crate::read::{Is, Item};
use crate::{Account, Interpretation, Reason};

/// Words that nothing knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    /// First character, and the one behind the last.
    pub(super) span: [usize; 2],
    /// Whether what they ask for is left out.
    pub(super) said: Said,
}

/// How words are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// As what is sought.
    Plain,
    /// As what is not.
    Negated,
    /// It cannot be told how far a NOT before them reaches.
    Unclear,
}

/// Words that turn round what stands beside them and that the rules may not have read as such.
const TURNING: &[&str] = &[
    "no",
    "not",
    "non",
    "never",
    "nor",
    "neither",
    "nobody",
    "none",
    "without",
    "except",
    "excluding",
    "but",
    "rather",
    "instead",
    "anything",
    "lacking",
    "hardly",
    "anti",
];

/// The open words: nothing knows them, and no other reason was found why they are unsupported.
pub(super) fn open(
    account: &Account<'_>,
    items: &[Item],
    interpretation: &Interpretation,
) -> Vec<Open> {
    let unknown: Vec<[usize; 2]> = interpretation
        .unsupported
        .iter()
        .filter(|one| one.reason == Reason::UnknownTerm && !turns(&one.phrase))
        .map(|one| one.span)
        .collect();
    let mut reach = Reach::default();
    let mut found = Vec::new();
    for item in items {
        let said = reach.step(&item.what);
        if item.what != Is::Unknown {
            continue;
        }
        let Some((_, span)) = account.phrase(item.from, item.to) else {
            continue;
        };
        if unknown.iter().any(|one| is_inside(span, *one)) {
            found.push(Open { span, said });
        }
    }
    found
}

/// The phrases of which a model may say what they mean: those that are said in one way. With each, whether it is left out.
pub(super) fn told<'a>(
    interpretation: &'a Interpretation,
    open: &'a [Open],
) -> impl Iterator<Item = (&'a str, bool)> {
    interpretation.unsupported.iter().filter_map(|one| {
        let mut said = open
            .iter()
            .filter(|open| is_inside(open.span, one.span))
            .map(|open| open.said);
        let first = said.next()?;
        let is_plain = first != Said::Unclear && said.all(|next| next == first);
        is_plain.then_some((one.phrase.as_str(), first == Said::Negated))
    })
}

/// Whether a phrase has a word that may turn it round.
fn turns(phrase: &str) -> bool {
    let mut words = tokens(phrase).into_iter();
    words.any(|token| TURNING.contains(&token.text.as_str()))
}

/// How far a NOT reaches, as far as that is plain.
#[derive(Debug, Default)]
struct Reach {
    negated: bool,
    /// Something that it is said of has come, so that what follows may be more of the same list, or not.
    covers: bool,
    /// A join has come behind that.
    is_unclear: bool,
}

impl Reach {
    /// How `what` is said.
    fn step(&mut self, what: &Is) -> Said {
        match what {
            Is::Not | Is::Except => {
                *self = Self {
                    negated: !self.negated,
                    ..Self::default()
                };
            }
            Is::But | Is::Break | Is::Another => *self = Self::default(),
            Is::Or | Is::And | Is::Comma | Is::Either | Is::Open | Is::Close => {
                self.is_unclear |= self.negated && self.covers;
            }
            Is::Condition(..) | Is::Unsupported(_) => {
                self.is_unclear |= self.negated;
            }
            Is::Unknown => {
                let said = self.said();
                self.covers = true;
                return said;
            }
            Is::Noise => {}
        }
        self.said()
    }

    const fn said(&self) -> Said {
        match (self.is_unclear, self.negated) {
            (true, _) => Said::Unclear,
            (false, true) => Said::Negated,
            (false, false) => Said::Plain,
        }
    }
}

/// Where a phrase stands in the description: in open words, said as the condition says it, with small words beside them, and
/// in nothing that was read or is unsupported for another reason. The first such place.
///
/// # Errors
/// When it stands nowhere so.
pub(super) fn place(
    text: &str,
    phrase: &str,
    interpretation: &Interpretation,
    open: &[Open],
    negated: bool,
) -> Result<[usize; 2], NotAccepted> {
    let taken: Vec<[usize; 2]> = interpretation
        .applied
        .iter()
        .map(|one| one.span)
        .chain(
            interpretation
                .unsupported
                .iter()
                .filter(|one| one.reason != Reason::UnknownTerm)
                .map(|one| one.span),
        )
        .collect();
    let mut fault = NotAccepted::OtherWords;
    for span in places(text, phrase) {
        let mut said = open
            .iter()
            .filter(|one| overlaps(span, one.span))
            .map(|one| one.said)
            .peekable();
        if said.peek().is_none() || taken.iter().any(|one| overlaps(span, *one)) {
            continue;
        }
        let expected = if negated { Said::Negated } else { Said::Plain };
        if said.all(|said| said == expected) {
            return Ok(span);
        }
        fault = NotAccepted::OtherNegation;
    }
    Err(fault)
}

/// Where a phrase stands as whole words, in characters.
fn places(text: &str, phrase: &str) -> Vec<[usize; 2]> {
    if !phrase.chars().any(char::is_alphanumeric) {
        return Vec::new();
    }
    let is_end = |character: Option<char>| !character.is_some_and(char::is_alphanumeric);
    let is_edge = |inside: Option<char>, outside: Option<char>| is_end(inside) || is_end(outside);
    let length = phrase.chars().count();
    let each = text.match_indices(phrase).filter_map(|(start, found)| {
        let (before, behind) = (text.get(..start)?, text.get(start + found.len()..)?);
        let begins = is_edge(found.chars().next(), before.chars().next_back());
        let ends = is_edge(found.chars().next_back(), behind.chars().next());
        let from = before.chars().count();
        (begins && ends).then_some([from, from + length])
    });
    each.collect()
}

const fn overlaps(a: [usize; 2], b: [usize; 2]) -> bool {
    a[0] < b[1] && b[0] < a[1]
}

const fn is_inside(a: [usize; 2], b: [usize; 2]) -> bool {
    b[0] <= a[0] && a[1] <= b[1]
}
