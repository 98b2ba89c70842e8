//! What proves a key, and which keys there are not: neither costs a look-up twice.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use events_schema::ids::{AccountId, ApiKeyId};

use super::Moment;

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
    lookups: usize,
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
                self.proofs.clear();
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

    pub(super) const fn lookups(&self) -> usize {
        self.lookups
    }

    pub(super) fn count_lookup(&mut self, is_one: bool) {
        self.lookups += usize::from(is_one);
    }

    pub(super) fn end_lookup(&mut self, is_one: bool) {
        self.lookups = self.lookups.saturating_sub(usize::from(is_one));
    }

    pub(super) const fn end_all_lookups(&mut self) {
        self.lookups = 0;
    }
}
