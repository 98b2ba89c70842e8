//! What each phrase became within the whole condition: its clause is a part of the query as it stands there, so that of what is
//! left out the opposite is told.

use crate::cond::Cond;
use crate::read::{Is, Item};

/// A condition, and what the words of each part of it say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub(crate) cond: Cond,
    /// Put together by AND and OR alone, these are the condition.
    pub(crate) told: Vec<Told>,
}

/// Words, and the clause that they became.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    /// The first item and the last one.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// A word in front turns it round.
    is_turned: bool,
    pub(crate) cond: Cond,
}

impl Part {
    pub(crate) fn of(item: usize, cond: Cond) -> Self {
        let told = Told {
            from: item,
            to: item,
            is_turned: false,
            cond: cond.clone(),
        };
        Self {
            cond,
            told: vec![told],
        }
    }

    /// The word that turns it round belongs to its phrase.
    pub(crate) fn turned_from(&mut self, item: Option<usize>) {
        let first = self.told.iter_mut().min_by_key(|one| one.from);
        if let (Some(item), Some(first)) = (item, first) {
            first.from = item;
            first.is_turned = true;
        }
    }

    pub(crate) fn all(parts: Vec<Self>) -> Self {
        let (conds, told) = parted(parts);
        Self {
            cond: Cond::all(conds),
            told,
        }
    }

    pub(crate) fn any(parts: Vec<Self>) -> Self {
        let (conds, told) = parted(parts);
        Self {
            cond: Cond::any(conds),
            told,
        }
    }

    /// What is left out. Of alternatives each is, so that each says its own part; of what must hold together only the whole.
    pub(crate) fn not(self, items: &[Item]) -> Self {
        let each = self.told.iter().map(|one| one.cond.clone()).collect();
        let told = if Cond::any(each) == self.cond {
            let phrases = joined(self.told, items, |one| !one.is_turned);
            let turned = phrases.into_iter().map(|phrase| Told {
                cond: phrase.cond.not(),
                ..phrase
            });
            turned.collect()
        } else {
            let whole = self.cond.clone().not();
            let phrases = joined(self.told, items, |_| true);
            let turned = phrases.into_iter().map(|phrase| Told {
                cond: whole.clone(),
                ..phrase
            });
            turned.collect()
        };
        Self {
            cond: self.cond.not(),
            told,
        }
    }
}

fn parted(parts: Vec<Part>) -> (Vec<Cond>, Vec<Told>) {
    let (conds, told): (Vec<Cond>, Vec<Vec<Told>>) =
        parts.into_iter().map(|part| (part.cond, part.told)).unzip();
    (conds, told.concat())
}

/// Phrases that go on with the one before, as one with it: "excluding banks, insurers". What was not understood parts them.
fn joined(mut told: Vec<Told>, items: &[Item], goes_on: impl Fn(&Told) -> bool) -> Vec<Told> {
    told.sort_by_key(|one| one.from);
    let mut phrases: Vec<Told> = Vec::new();
    for one in told {
        let is_parted =
            |item: &Item| matches!(item.what, Is::Unknown | Is::Unsupported(_) | Is::Yields);
        match phrases.last_mut() {
            Some(last)
                if goes_on(&one)
                    && !items
                        .get(last.to..one.from)
                        .is_some_and(|between| between.iter().any(is_parted)) =>
            {
                last.to = last.to.max(one.to);
                last.cond = Cond::any(vec![last.cond.clone(), one.cond]);
            }
            _ => phrases.push(one),
        }
    }
    phrases
}
