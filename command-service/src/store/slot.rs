//! What a process knows of its lease on one shard, and how far the shard is committed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// One shard, seen from one process. Written by the leases, read by whoever asks for the owner.
pub(super) struct Slot {
    /// Counts how often the lease was taken: what is known of the shard is worth nothing in the next one.
    grant: AtomicU64,
    /// Milliseconds after `started` until which the lease certainly holds; 0 = not owned.
    valid_until: AtomicU64,
    started: Instant,
    /// Highest position committed here.
    pub(super) committed: watch::Sender<i64>,
}

impl Slot {
    pub(super) fn new() -> Self {
        Self {
            grant: AtomicU64::new(0),
            valid_until: AtomicU64::new(0),
            started: Instant::now(),
            committed: watch::Sender::new(0),
        }
    }

    pub(super) fn is_owned(&self) -> bool {
        Instant::now() < self.until()
    }

    /// Until when the lease holds, and which one it is.
    pub(super) fn lease(&self) -> (Instant, u64) {
        // The grant first: it is raised before the time.
        let grant = self.grant.load(Ordering::Acquire);
        (self.until(), grant)
    }

    fn until(&self) -> Instant {
        self.started + Duration::from_millis(self.valid_until.load(Ordering::Acquire))
    }

    /// The lease was taken anew.
    pub(super) fn take(&self, asked_at: Instant, lease: Duration) {
        self.grant.fetch_add(1, Ordering::AcqRel);
        self.extend(asked_at, lease);
    }

    /// The lease holds until `asked_at + lease`, less a fifth as margin between two clocks' speeds.
    pub(super) fn extend(&self, asked_at: Instant, lease: Duration) {
        let until = asked_at.duration_since(self.started) + lease - lease / 5;
        let until = u64::try_from(until.as_millis()).unwrap_or(u64::MAX);
        self.valid_until.store(until, Ordering::Release);
    }

    /// The lease is gone.
    pub(super) fn disown(&self) {
        self.valid_until.store(0, Ordering::Release);
    }
}
