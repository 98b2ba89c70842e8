//! What proves a key, and which keys there are not: neither costs a look-up twice.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use events_schema::ids::{AccountId, ApiKeyId};

use super::{Moment, Wanted};

/// What proves a key; never changes.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Whose key it is.
    pub account_id: AccountId,
    /// HMAC-SHA-256 of the secret part.
    pub secret_hmac: Vec<u8>,
}

/// So long a key that was not there is believed not to be.
const ABSENT_FOR: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Keys {
    most: usize,
    proofs: BTreeMap<ApiKeyId, Proof>,
    absent: BTreeMap<ApiKeyId, Instant>,
    /// Look-ups on their way, and those that wait for one of them to end.
    lookups: usize,
    waiting: VecDeque<ApiKeyId>,
}

/// Most keys that wait for their look-up.
const MOST_WAITING: usize = 512;

/// When something is looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// At once.
    Now,
    /// When another look-up ends.
    Later,
    /// Too much waits.
    Never,
}

/// What is known of a key.
pub(super) enum Known<'a> {
    /// What proves it.
    Proof(&'a Proof),
    /// There is none.
    Absent,
    /// Nothing yet.
    Nothing,
}

impl Keys {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            proofs: BTreeMap::new(),
            absent: BTreeMap::new(),
            lookups: 0,
            waiting: VecDeque::new(),
        }
    }

    pub(super) fn get(&self, id: &ApiKeyId, now: Moment) -> Known<'_> {
        match self.proofs.get(id) {
            Some(proof) => Known::Proof(proof),
            None if self.absent.get(id).is_some_and(|until| *until > now.line) => Known::Absent,
            None => Known::Nothing,
        }
    }

    /// Remembers what the store said. Whoever forges keys fills the list of absent ones and nothing else.
    pub(super) fn keep(&mut self, id: ApiKeyId, proof: Option<Proof>, now: Moment) {
        if let Some(proof) = proof {
            if self.proofs.len() >= self.most {
                // One after the other, in the order of their random ids; a key that is in use costs a look-up.
                let next = self.proofs.range(id.clone()..).next();
                let next = next.or_else(|| self.proofs.iter().next());
                let gone = next.map(|(id, _)| id.clone());
                gone.map(|id| self.proofs.remove(&id));
            }
            self.proofs.insert(id, proof);
        } else {
            if self.absent.len() >= self.most {
                self.absent.clear();
            }
            self.absent.insert(id, now.line + ABSENT_FOR);
        }
    }

    /// A key is issued.
    pub(super) fn issued(&mut self, id: &ApiKeyId) {
        self.absent.remove(id);
    }

    /// Somebody else may have issued keys.
    pub(super) fn forget_absent(&mut self) {
        self.absent.clear();
    }

    /// When something may be looked up. A key beyond the limit waits for the end of another's look-up, with few others: whoever
    /// forges keys must not take all places of those that wait.
    pub(super) fn turn(&mut self, wanted: &Wanted, most: usize) -> Turn {
        let Wanted::Key(id) = wanted else {
            return Turn::Now;
        };
        if self.lookups < most.max(1) {
            self.lookups += 1;
            return Turn::Now;
        }
        if self.waiting.len() >= MOST_WAITING {
            return Turn::Never;
        }
        self.waiting.push_back(id.clone());
        Turn::Later
    }

    /// A look-up ended; the key that is looked up in its place.
    pub(super) fn looked_up(&mut self, wanted: &Wanted) -> Option<ApiKeyId> {
        let Wanted::Key(_) = wanted else {
            return None;
        };
        let next = self.waiting.pop_front();
        if next.is_none() {
            self.lookups = self.lookups.saturating_sub(1);
        }
        next
    }

    /// What is on its way is not waited for any more, and what waits will ask again.
    pub(super) fn end_all_lookups(&mut self) {
        self.lookups = 0;
        self.waiting.clear();
    }
}
