//! What a process knows of its lease on one shard, and how far the shard is committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use service_kit::clock::Clock;
use tokio::sync::watch;

/// One shard, seen from one process. Written by the leases, read by whoever asks for the owner.
pub(super) struct Slot {
    /// Counts how often the lease was taken: what is known of the shard is worth nothing in the next one.
    grant: AtomicU64,
    /// Milliseconds after `started` until which the lease certainly holds; 0 = not owned.
    valid_until: AtomicU64,
    started: Instant,
    /// One that goes on while the machine sleeps, as the lease does.
    clock: Arc<dyn Clock>,
    /// Of the lease that was taken last, as the store counts them.
    number: AtomicI64,
    /// Highest position that was seen here, committed by whomever.
    seen: AtomicI64,
    /// Highest position committed here.
    pub(super) committed: watch::Sender<i64>,
    /// Its last batch did not go well: the next goes alone.
    pub(super) goes_alone: AtomicBool,
}

impl Slot {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            grant: AtomicU64::new(0),
            valid_until: AtomicU64::new(0),
            started: clock.monotonic(),
            clock,
            number: AtomicI64::new(0),
            seen: AtomicI64::new(0),
            committed: watch::Sender::new(0),
            goes_alone: AtomicBool::new(false),
        }
    }

    pub(super) fn is_owned(&self) -> bool {
        self.clock.monotonic() < self.until()
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

    /// The highest position that the store was seen to have.
    pub(super) fn seen(&self) -> i64 {
        self.seen.load(Ordering::Acquire)
    }

    /// The store has this position; the highest that it had before.
    pub(super) fn see(&self, pos: i64) -> i64 {
        self.seen.fetch_max(pos, Ordering::AcqRel)
    }

    /// The number of the lease in the store.
    pub(super) fn number(&self) -> i64 {
        self.number.load(Ordering::Acquire)
    }

    /// The lease was taken anew, under this number.
    pub(super) fn take(&self, asked_at: Instant, lease: Duration, number: i64) {
        self.number.store(number, Ordering::Release);
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

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use service_kit::clock::ManualClock;

    use super::*;

    /// The machine sleeps: the clock of a lease goes on, and `Instant::now` hardly does.
    #[test]
    fn a_lease_runs_out_while_the_machine_sleeps() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let slot = Slot::new(Arc::new(clock.clone()));
        slot.take(clock.monotonic(), Duration::from_secs(5), 1);
        assert!(slot.is_owned());
        clock.advance(Duration::from_secs(4));
        assert!(!slot.is_owned());
    }
}
