//! Which words of a description are open, and whether they are said with a NOT.

use super::NotAccepted;
use super::turning::Turning;
use crate::account::Account;
use crate::read::{Class, Is, Item};
use crate::{Interpretation, Reason};

/// Words that nothing knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    /// First character, and the one behind the last.
    pub(super) span: [usize; 2],
    /// Whether what they ask for is left out.
    pub(super) said: Said,
    /// How they are tied to what stands beside them.
    tied: Tied,
}

/// What words are an alternative to. An alternative is not added: what a model adds must hold besides what was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Tied {
    /// "Or" ties them to what was read, or to what no column answers.
    by_or: bool,
    /// "And" or a comma ties them to these; neighbours of one class are alternatives.
    in_list_of: Vec<Class>,
}

/// How words are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// As what is sought.
    Plain,
    /// As what is not.
    Negated,
    /// It cannot be told: how far a NOT before them reaches, or whether one behind them is said of them.
    Unclear,
}

/// The open words: nothing knows them, and no other reason was found why they are unsupported.
pub(super) fn open(
    account: &Account<'_>,
    items: &[Item],
    interpretation: &Interpretation,
) -> Vec<Open> {
    let unknown: Vec<[usize; 2]> = interpretation
        .unsupported
        .iter()
        .filter(|one| one.reason == Reason::UnknownTerm)
        .map(|one| one.span)
        .collect();
    let turning = Turning::of(account, items);
    let mut reach = Reach::default();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let said = reach.step(&item.what);
        if item.what != Is::Unknown {
            continue;
        }
        let said = turning.judge(said, at);
        let Some((_, span)) = account.phrase(item.from, item.to) else {
            continue;
        };
        if unknown.iter().any(|one| is_inside(span, *one)) {
            let tied = Tied::of(items, at);
            found.push(Open { span, said, tied });
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
        let mut inside = open.iter().filter(|open| is_inside(open.span, one.span));
        let said = |open: &Open| {
            if open.tied.by_or {
                Said::Unclear
            } else {
                open.said
            }
        };
        let begin = inside.next()?;
        let first = said(begin);
        let is_plain = first != Said::Unclear && inside.all(|next| said(next) == first);
        let negated = first == Said::Negated;
        // That it is left out is told beside it, not by the word that says so.
        let passed = if negated {
            begin.span[0] - one.span[0]
        } else {
            0
        };
        let (start, _) = one.phrase.char_indices().nth(passed)?;
        is_plain.then_some((one.phrase.get(start..)?, negated))
    })
}

impl Tied {
    /// How the item at a place is tied to what stands before and behind it.
    fn of(items: &[Item], at: usize) -> Self {
        let mut tied = Self::default();
        let (before, behind) = items.split_at(at.min(items.len()));
        tied.look(&mut before.iter().rev());
        tied.look(&mut behind.iter().skip(1));
        tied
    }

    /// Goes over small words and further words that are open, up to what is not.
    fn look(&mut self, items: &mut dyn Iterator<Item = &Item>) {
        let (mut or, mut list) = (false, false);
        for item in items {
            match &item.what {
                Is::Or => or = true,
                Is::And | Is::Comma => list = true,
                Is::Noise | Is::Small | Is::Either => {}
                // A join between words that are open is theirs.
                Is::Unknown => (or, list) = (false, false),
                Is::Condition(class, _) => {
                    self.by_or |= or;
                    if list {
                        self.in_list_of.push(*class);
                    }
                    return;
                }
                Is::Unsupported(_)
                | Is::Yields
                | Is::Break
                | Is::But
                | Is::Not
                | Is::Except
                | Is::Unwanted
                | Is::Another
                | Is::Open
                | Is::Close => {
                    self.by_or |= or;
                    return;
                }
            }
        }
    }

    /// Whether a condition of a class would be an alternative.
    fn makes_alternative(&self, class: Option<Class>) -> bool {
        self.by_or || class.is_some_and(|class| self.in_list_of.contains(&class))
    }
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
            Is::Not | Is::Except | Is::Unwanted => {
                *self = Self {
                    negated: !self.negated,
                    ..Self::default()
                };
            }
            Is::But | Is::Break | Is::Another => *self = Self::default(),
            Is::Or | Is::And | Is::Comma | Is::Either | Is::Open | Is::Close => {
                self.is_unclear |= self.negated && self.covers;
            }
            Is::Condition(..) | Is::Unsupported(_) | Is::Yields => {
                self.is_unclear |= self.negated;
            }
            Is::Unknown => {
                let said = self.said();
                self.covers = true;
                return said;
            }
            Is::Noise | Is::Small => {}
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

/// The words that a condition names, and what it is.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) phrase: &'a str,
    /// Whether it leaves out what it names.
    pub(super) negated: bool,
    /// Neighbours of its class are alternatives; none if they are not.
    pub(super) class: Option<Class>,
}

/// Where a phrase stands in the description: in open words, said as the condition says it, with small words beside them, and
/// in nothing that was read or is unsupported for another reason. The first such place.
///
/// # Errors
/// When it stands nowhere so.
pub(super) fn place(
    text: &str,
    asked: &Asked<'_>,
    interpretation: &Interpretation,
    open: &[Open],
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
    let expected = if asked.negated {
        Said::Negated
    } else {
        Said::Plain
    };
    for span in places(text, asked.phrase) {
        let mut within = open
            .iter()
            .filter(|one| overlaps(span, one.span))
            .peekable();
        if within.peek().is_none() || taken.iter().any(|one| overlaps(span, *one)) {
            continue;
        }
        let (mut is_said, mut is_beside) = (true, true);
        for one in within {
            is_said &= one.said == expected;
            is_beside &= !one.tied.makes_alternative(asked.class);
        }
        match (is_said, is_beside) {
            (true, true) => return Ok(span),
            (false, _) => fault = NotAccepted::OtherNegation,
            (true, false) => fault = NotAccepted::Alternative,
        }
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
