//! Charges under one name are made one after the other, so that the second sees the first one's row.
//!
//! The guard is the statement of the charge, which refuses a second row under a live name; but it refuses the whole batch,
//! neighbours included, and those have to be tried again. Within one process it need not come to that.

use std::hash::{BuildHasher, Hash, RandomState};

use tokio::sync::{Mutex, MutexGuard};

/// Names that share a lock wait for each other without need; with so many locks that is seldom.
const LOCKS: usize = 1_024;

/// Locks by name.
pub(super) struct Turns {
    hasher: RandomState,
    locks: Box<[Mutex<()>]>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            locks: (0..LOCKS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Waits until nobody else has a turn under this name.
    pub(super) async fn of(&self, name: impl Hash) -> Option<MutexGuard<'_, ()>> {
        let place = self.hasher.hash_one(name) as usize % LOCKS;
        Some(self.locks.get(place)?.lock().await)
    }
}
