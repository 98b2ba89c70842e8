//! What a process knows of one shard: whether it owns it, which generation of state is valid, and its queue.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use events_schema::ids::Shard;
use tokio::sync::{mpsc, watch};

use super::StoreFault;
use super::writer::Entry;

/// One shard, seen from one process.
pub(super) struct ShardSlot {
    shard: Shard,
    /// State loaded in another generation is not valid any more.
    generation: AtomicU64,
    /// Milliseconds after `started` until which the lease certainly holds; 0 = not owned.
    valid_until: AtomicU64,
    started: Instant,
    queue: mpsc::Sender<Entry>,
    /// Highest position committed here.
    pub(super) committed: watch::Sender<i64>,
}

impl ShardSlot {
    /// The slot and the receiving end of its queue.
    pub(super) fn new(shard: Shard, queue_commands: usize) -> (Self, mpsc::Receiver<Entry>) {
        let (queue, received) = mpsc::channel(queue_commands);
        let slot = Self {
            shard,
            generation: AtomicU64::new(1),
            valid_until: AtomicU64::new(0),
            started: Instant::now(),
            queue,
            committed: watch::Sender::new(0),
        };
        (slot, received)
    }

    pub(super) fn is_owned(&self) -> bool {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        now < self.valid_until.load(Ordering::Acquire)
    }

    /// The lease holds until `asked_at + lease`, less a fifth as margin between two clocks' speeds.
    pub(super) fn extend(&self, asked_at: Instant, lease: Duration) {
        let until = asked_at.duration_since(self.started) + lease - lease / 5;
        self.valid_until.store(
            u64::try_from(until.as_millis()).unwrap_or(u64::MAX),
            Ordering::Release,
        );
    }

    /// The lease is gone, and with it all state in memory.
    pub(super) fn disown(&self) {
        self.valid_until.store(0, Ordering::Release);
        self.invalidate();
    }

    /// From now on all state must be loaded anew.
    pub(super) fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// A place in the queue, taken before the decision so that a decided command is never turned away.
    pub(super) fn reserve(&self) -> Result<mpsc::OwnedPermit<Entry>, StoreFault> {
        if !self.is_owned() {
            return Err(StoreFault::NotOwner(self.shard));
        }
        self.queue
            .clone()
            .try_reserve_owned()
            .map_err(|_| StoreFault::Overloaded(self.shard))
    }
}
