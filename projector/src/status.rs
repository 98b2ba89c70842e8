//! What readiness and `/admin/lag` tell about this process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared between the consumer and the listener.
#[derive(Debug, Default)]
pub struct Status {
    consuming: AtomicBool,
    stopped: AtomicBool,
    behind_history: AtomicBool,
    gaps_filled: AtomicU64,
}

impl Status {
    /// Whether events are being taken at this moment.
    #[must_use]
    pub fn is_consuming(&self) -> bool {
        self.consuming.load(Ordering::Relaxed) && !self.is_stopped() && !self.is_behind_history()
    }

    /// Whether too many keys are parked.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the read models hold events that the event store does not have, since it went back.
    #[must_use]
    pub fn is_behind_history(&self) -> bool {
        self.behind_history.load(Ordering::Relaxed)
    }

    /// Events that the topics had lost, since the start of the process.
    #[must_use]
    pub fn gaps_filled(&self) -> u64 {
        self.gaps_filled.load(Ordering::Relaxed)
    }

    pub(crate) fn set_consuming(&self, is_consuming: bool) {
        self.consuming.store(is_consuming, Ordering::Relaxed);
    }

    pub(crate) fn set_stopped(&self, is_stopped: bool) {
        self.stopped.store(is_stopped, Ordering::Relaxed);
    }

    pub(crate) fn set_behind_history(&self, is_behind: bool) {
        self.behind_history.store(is_behind, Ordering::Relaxed);
    }

    pub(crate) fn count_filled(&self, events: u64) {
        self.gaps_filled.fetch_add(events, Ordering::Relaxed);
    }
}
