//! Time as a dependency. Code that decides by time takes a [`Clock`]; only this file reads the machine's.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

/// Where the time comes from. `now` is for what is written down, `monotonic` for measuring and deadlines.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The time of day, which may jump.
    fn now(&self) -> DateTime<Utc>;
    /// A point on a line that never goes back.
    fn monotonic(&self) -> Instant;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn monotonic(&self) -> Instant {
        Instant::now()
    }
}

/// A clock for tests: it stands still until it is advanced. Clones share the time.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<(DateTime<Utc>, Instant)>>);

impl ManualClock {
    /// A clock that stands at `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new((now, Instant::now()))))
    }

    /// Moves both readings forward.
    pub fn advance(&self, by: Duration) {
        let mut time = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        time.0 += by;
        time.1 += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    fn monotonic(&self) -> Instant {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> DateTime<Utc> {
        (**self).now()
    }

    fn monotonic(&self) -> Instant {
        (**self).monotonic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_manual_clock_move_together() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let (copy, start) = (clock.clone(), clock.monotonic());
        clock.advance(Duration::from_secs(60));
        assert_eq!(copy.now().timestamp(), 60);
        assert_eq!(copy.monotonic() - start, Duration::from_secs(60));
    }
}
