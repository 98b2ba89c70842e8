//! A bounded memory of answers that are too young to be asked for again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

type Digest = [u8; 32];

/// Remembers for `age` and for at most `entries` keys; when it is full of young ones, it forgets all.
pub(super) struct Memory {
    age: Duration,
    entries: usize,
    known: Mutex<HashMap<Digest, (Instant, bool)>>,
}

impl Memory {
    pub(super) fn new(age: Duration, entries: usize) -> Self {
        Self {
            age,
            entries,
            known: Mutex::default(),
        }
    }

    pub(super) fn recall(&self, digest: &Digest) -> Option<bool> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .get(digest)
            .filter(|(at, _)| at.elapsed() < self.age)
            .map(|(_, is_valid)| *is_valid)
    }

    pub(super) fn keep(&self, digest: Digest, is_valid: bool) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.entries {
            known.retain(|_, (at, _)| at.elapsed() < self.age);
        }
        if known.len() >= self.entries {
            known.clear();
        }
        known.insert(digest, (Instant::now(), is_valid));
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("age", &self.age)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_its_age_only() {
        let memory = Memory::new(Duration::from_secs(60), 10);
        memory.keep([1; 32], true);
        memory.keep([2; 32], false);
        assert_eq!(
            (
                memory.recall(&[1; 32]),
                memory.recall(&[2; 32]),
                memory.recall(&[3; 32])
            ),
            (Some(true), Some(false), None)
        );
        let forgetful = Memory::new(Duration::ZERO, 10);
        forgetful.keep([1; 32], true);
        assert_eq!(forgetful.recall(&[1; 32]), None);
    }

    #[test]
    fn it_never_grows_above_its_bound() {
        let memory = Memory::new(Duration::from_secs(60), 3);
        for n in 0..10 {
            memory.keep([n; 32], true);
            assert!(memory.known.lock().is_ok_and(|known| known.len() <= 3));
        }
        assert_eq!(memory.recall(&[9; 32]), Some(true));
    }
}
