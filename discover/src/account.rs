//! The account of a text: which of its words became a condition, and what was asked for besides.

use std::cmp::Reverse;

use events_schema::record::RecordKind;

use crate::amount::MONEY;
use crate::annotate::What;
use crate::combine::Combined;
use crate::cond::Cond;
use crate::context::Voice;
use crate::interpretation::{Ambiguous, Applied, Reason, Unsupported};
use crate::lex::{flag_letter, plain};
use crate::meaning::{Meaning, Place};
use crate::read::{Class, Is, Item};
use crate::stored::as_stored;
use crate::text::Text;
use crate::told::Told;
use crate::vocabulary::vocabulary;

/// Words and what became of them.
pub(crate) struct Account<'a> {
    pub(crate) text: &'a str,
    pub(crate) view: Text<'a>,
}

impl Account<'_> {
    /// Bytes of the text from the first token of a piece to the last of another.
    fn bytes(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let first = self.view.piece(from)?.from;
        let last = self.view.piece(to.checked_sub(1)?)?.to.checked_sub(1)?;
        Some((
            self.view.tokens.get(first)?.start,
            self.view.tokens.get(last)?.end,
        ))
    }

    /// Pieces as they were written, and their span in characters.
    pub(crate) fn phrase(&self, from: usize, to: usize) -> Option<(String, [usize; 2])> {
        let (start, end) = self.bytes(from, to)?;
        let characters = |bytes: usize| {
            self.text
                .get(..bytes)
                .map_or(0, |text| text.chars().count())
        };
        Some((
            self.text.get(start..end)?.to_owned(),
            [characters(start), characters(end)],
        ))
    }

    /// Phrases that became conditions, in their order.
    pub(crate) fn applied(
        &self,
        kind: RecordKind,
        items: &[Item],
        mut told: Vec<Told>,
    ) -> Vec<Applied> {
        told.sort_by_key(|one| one.from);
        let each = told.into_iter().filter_map(|one| {
            let (first, last) = (items.get(one.from)?, items.get(one.to)?);
            let (phrase, span) = self.phrase(first.from, last.to)?;
            Some(Applied {
                phrase,
                span,
                clause: as_stored(kind, &one.cond).sql(),
            })
        });
        each.collect()
    }

    /// Conditions as unsupported, too: the text cannot be asked of this kind of record.
    pub(crate) fn everything(
        &self,
        kind: RecordKind,
        items: &[Item],
        told: Vec<Told>,
        mut unsupported: Vec<Unsupported>,
    ) -> Vec<Unsupported> {
        let conditions = self.applied(kind, items, told).into_iter();
        unsupported.extend(conditions.map(|one| Unsupported {
            phrase: one.phrase,
            span: one.span,
            reason: Reason::NoSuchField,
        }));
        unsupported.sort_by_key(|one| one.span);
        unsupported
    }

    /// Names of cities and countries that are those of a state, too.
    pub(crate) fn ambiguous(&self, kind: RecordKind, items: &[Item]) -> Vec<Ambiguous> {
        let each = items.iter().filter_map(|item| {
            let Is::Condition(Class::Place, cond) = &item.what else {
                return None;
            };
            let (phrase, _) = self.phrase(item.from, item.to)?;
            let name = plain(&phrase);
            let is_state = self.view.piece(item.from)?.meanings().iter().any(
                |meaning| matches!(meaning, Meaning::Place(Place::State(state)) if *state == name),
            );
            let (column, country) = match kind {
                RecordKind::Person => ("state", "country"),
                RecordKind::Company => ("locations.state", "locations.country"),
            };
            let alternative = if is_state && !cond.is_about(column) {
                Cond::In(column, vec![name]).sql()
            } else if vocabulary().is_country(&name) && cond.is_about(column) {
                // "Georgia", of which the build has only the state.
                Cond::In(country, vec![name]).sql()
            } else if vocabulary().is_both_places(&name) {
                format!("{name} with its state or country")
            } else {
                return None;
            };
            Some(Ambiguous {
                phrase,
                chosen: cond.sql(),
                alternatives: vec![alternative],
            })
        });
        each.collect()
    }

    /// Runs of words that were not understood, with what turns them round and small words between them, and what turns round nothing.
    pub(crate) fn unsupported(&self, items: &[Item], combined: &Combined) -> Vec<Unsupported> {
        let mut found: Vec<(usize, usize, Reason)> = Vec::new();
        let mut open: Option<(usize, usize, Reason)> = None;
        for item in items {
            let what = match &item.what {
                // No column has both values.
                Is::Yields => &Is::Unsupported(Reason::NoSuchField),
                what => what,
            };
            match *what {
                Is::Unsupported(reason) => match &mut open {
                    // An unknown word right in front, or in front of its article, belongs to it.
                    Some((_, to, known))
                        if *known == Reason::UnknownTerm && self.are_articles(*to, item.from) =>
                    {
                        *to = item.to;
                        *known = reason;
                    }
                    _ => {
                        found.extend(open.take());
                        open = Some((item.from, item.to, reason));
                    }
                },
                Is::Unknown | Is::Small => match &mut open {
                    Some((_, to, _)) => *to = item.to,
                    None => open = Some((item.from, item.to, Reason::UnknownTerm)),
                },
                Is::Noise => {}
                _ => found.extend(open.take()),
            }
        }
        found.extend(open);
        // The last first: of two in a row the first takes the second with it.
        let mut turning = combined.turning.clone();
        turning.sort_unstable_by_key(|at| Reverse(*at));
        for item in turning.into_iter().filter_map(|at| items.get(at)) {
            if let Some(turned) = found.iter_mut().find(|one| one.0 >= item.to) {
                turned.0 = item.from;
            }
        }
        let idle = combined.idle.iter().filter_map(|at| items.get(*at));
        found.extend(idle.map(|item| (item.from, item.to, Reason::UnknownTerm)));
        found.sort_by_key(|one| one.0);
        let each = found.into_iter().filter_map(|(from, to, reason)| {
            let (phrase, span) = self.phrase(from, to)?;
            let says_something =
                |c: char| c.is_alphanumeric() || MONEY.contains(&c) || flag_letter(c).is_some();
            let has_word = phrase.chars().any(says_something);
            has_word.then_some(Unsupported {
                phrase,
                span,
                reason,
            })
        });
        each.collect()
    }

    /// Whether pieces are articles, all of them.
    fn are_articles(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| matches!(self.view.said(at).as_str(), "a" | "an" | "the"))
    }

    /// What was told about the one who asks, where it says something.
    pub(crate) fn told(&self, context: &[Voice]) -> Vec<Unsupported> {
        let is_told = |at: &usize| context.get(*at) == Some(&Voice::Tells);
        let is_mark = |at: usize| {
            let piece = self.view.piece(at);
            piece.is_some_and(|piece| matches!(piece.what, What::Mark(_)))
        };
        let says_something = |at: usize| {
            let piece = self.view.piece(at);
            !is_mark(at) && piece.is_some_and(|piece| !piece.is_small())
        };
        let mut told = Vec::new();
        let mut from = 0;
        while from < self.view.pieces.len() {
            let mut to = from + (from..).take_while(is_told).count();
            let next = to + 1;
            while to > from && is_mark(to - 1) {
                to -= 1;
            }
            if (from..to).any(says_something)
                && let Some((phrase, span)) = self.phrase(from, to)
            {
                told.push(Unsupported {
                    phrase,
                    span,
                    reason: Reason::NoSuchField,
                });
            }
            from = next;
        }
        told
    }
}
