//! What proves a key, and which keys do not exist: neither is looked up twice.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use events_schema::ids::{AccountId, ApiKeyId};

use super::{Moment, Wanted};

/// What proves a key; never changes.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The account that the key belongs to.
    pub account_id: AccountId,
    /// HMAC-SHA-256 of the secret part.
    pub secret_hmac: Vec<u8>,
}

/// For how long a key that was not found is taken not to exist.
const ABSENT_FOR: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Keys {
    most: usize,
    proofs: BTreeMap<ApiKeyId, Proof>,
    absent: BTreeMap<ApiKeyId, Instant>,
    /// Issued a moment ago: a look-up that was sent before may answer that they do not exist.
    issued: BTreeMap<ApiKeyId, Instant>,
    /// Look-ups in flight, and keys that wait for one of them to end.
    lookups: usize,
    waiting: VecDeque<ApiKeyId>,
}

/// Most keys that wait for their look-up.
const MAX_WAITING: usize = 512;

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
            issued: BTreeMap::new(),
            lookups: 0,
            waiting: VecDeque::new(),
        }
    }

    /// How many keys are remembered: of the existing and the absent ones the larger number.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.proofs.len().max(self.absent.len())
    }

    pub(super) fn get(&self, id: &ApiKeyId, now: Moment) -> Known<'_> {
        match self.proofs.get(id) {
            Some(proof) => Known::Proof(proof),
            None if self
                .absent
                .get(id)
                .is_some_and(|until| *until > now.monotonic) =>
            {
                Known::Absent
            }
            None => Known::Nothing,
        }
    }

    /// Remembers what the store said. Forged keys fill the list of absent ones and nothing else.
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
        } else if self
            .issued
            .get(&id)
            .is_none_or(|until| *until <= now.monotonic)
        {
            if self.absent.len() >= self.most {
                self.absent.clear();
            }
            self.absent.insert(id, now.monotonic + ABSENT_FOR);
        }
    }

    /// A key is issued, and that is durable: it may be used at once.
    pub(super) fn issued(&mut self, id: &ApiKeyId, proof: &Proof, now: Moment) {
        self.keep(id.clone(), Some(proof.clone()), now);
        self.absent.remove(id);
        self.issued.retain(|_, until| *until > now.monotonic);
        if self.issued.len() < self.most {
            self.issued.insert(id.clone(), now.monotonic + ABSENT_FOR);
        }
    }

    /// Forgets which keys were absent: another owner may have issued keys meanwhile.
    pub(super) fn forget_absent(&mut self) {
        self.absent.clear();
    }

    /// When something may be looked up. A key beyond the limit waits for the end of another key's look-up, with few others: forged keys
    /// must not fill the queue.
    pub(super) fn turn(&mut self, wanted: &Wanted, most: usize) -> Turn {
        let Wanted::Key(id) = wanted else {
            return Turn::Now;
        };
        if self.lookups < most.max(1) {
            self.lookups += 1;
            return Turn::Now;
        }
        if self.waiting.len() >= MAX_WAITING {
            return Turn::Never;
        }
        self.waiting.push_back(id.clone());
        Turn::Later
    }

    /// A look-up ended. Returns the key that is looked up next.
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

    /// Look-ups in flight are not waited for any more, and works that wait will ask again.
    pub(super) fn end_all_lookups(&mut self) {
        self.lookups = 0;
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use chrono::DateTime;

    use super::*;

    fn at(seconds: u64) -> Moment {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        let since = Duration::from_secs(seconds);
        Moment {
            utc: DateTime::UNIX_EPOCH + since,
            monotonic: *START + since,
        }
    }

    fn key(n: u8) -> ApiKeyId {
        ApiKeyId::new(AccountId::new([1; 16]), [n; 10])
    }

    fn is_absent(keys: &Keys, n: u8, now: u64) -> bool {
        matches!(keys.get(&key(n), at(now)), Known::Absent)
    }

    #[test]
    fn a_key_is_believed_not_to_be_there_for_ten_seconds() {
        let mut keys = Keys::new(10);
        keys.keep(key(1), None, at(0));
        assert!(is_absent(&keys, 1, 9) && !is_absent(&keys, 1, 10));
    }

    fn proof() -> Proof {
        Proof {
            account_id: AccountId::new([1; 16]),
            secret_hmac: vec![0; 32],
        }
    }

    #[test]
    fn a_key_that_was_issued_here_is_not_looked_up() {
        let mut keys = Keys::new(10);
        keys.keep(key(1), None, at(0));
        keys.issued(&key(1), &proof(), at(1));
        assert!(matches!(keys.get(&key(1), at(1)), Known::Proof(_)));
    }

    #[test]
    fn what_a_look_up_says_that_was_sent_before_a_key_was_issued_is_not_kept() {
        let mut keys = Keys::new(1);
        keys.issued(&key(1), &proof(), at(1));
        // It has made room for others.
        keys.keep(key(9), Some(proof()), at(1));
        assert!(matches!(keys.get(&key(1), at(1)), Known::Nothing));
        keys.keep(key(1), None, at(3));
        assert!(!is_absent(&keys, 1, 3));
        keys.keep(key(1), None, at(11));
        assert!(is_absent(&keys, 1, 11));
        // Those that are over make room.
        keys.issued(&key(3), &proof(), at(12));
        assert_eq!(keys.issued.len(), 1);
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let mut keys = Keys::new(2);
        for n in 1..=5 {
            keys.keep(key(n), None, at(0));
            keys.keep(key(n + 10), Some(proof()), at(0));
            keys.issued(&key(n + 20), &proof(), at(0));
            assert!(is_absent(&keys, n, 1));
            assert!(n % 2 == 1 || is_absent(&keys, n - 1, 1));
            assert!(matches!(keys.get(&key(n + 20), at(0)), Known::Proof(_)));
        }
        let kept = (keys.absent.len(), keys.proofs.len(), keys.issued.len());
        assert_eq!(kept, (1, 2, 2));
    }
}
