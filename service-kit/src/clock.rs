//! Time as a dependency. Code that decides by time takes a [`Clock`]; only this file reads the machine's.

use std::fmt::Debug;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

/// Where the time comes from. `now` is for what is written down, `monotonic` for measuring and deadlines.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The time of day, which may jump.
    fn now(&self) -> DateTime<Utc>;
    /// A point on a line that never goes back, and goes on while the machine sleeps. Points of one clock can be compared with
    /// each other, not with those of [`Instant::now`].
    fn monotonic(&self) -> Instant;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    /// `Instant` itself stands still on Linux while the machine is suspended, and what has a time limit elsewhere, as a lease,
    /// does not: here the line is one that counts the sleep.
    fn monotonic(&self) -> Instant {
        static START: LazyLock<(Instant, Duration)> =
            LazyLock::new(|| (Instant::now(), since_boot()));
        on_line(*START, since_boot())
    }
}

fn on_line((start, start_since_boot): (Instant, Duration), since_boot: Duration) -> Instant {
    start + since_boot.saturating_sub(start_since_boot)
}

#[cfg(target_os = "linux")]
fn since_boot() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    // It never was before the boot.
    time.try_into().unwrap_or_default()
}

/// Elsewhere the machine's own line.
#[cfg(not(target_os = "linux"))]
fn since_boot() -> Duration {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}

/// A clock for tests: it stands still until it is advanced. Clones share the time.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<(DateTime<Utc>, Instant)>>);

impl ManualClock {
    /// A clock that stands at `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        Self(Arc::new(Mutex::new((now, Instant::now()))))
    }

    /// Steps the time of day alone, as whoever sets a machine's clock does.
    pub fn step(&self, by: TimeDelta) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 += by;
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
    fn what_a_machine_slept_has_passed() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        // Of the hour nothing is on the line of `Instant`.
        assert_eq!(
            on_line((start, 10 * second), 3_610 * second),
            start + 3_600 * second
        );
    }

    #[test]
    fn the_machines_clock_goes_on_with_real_time() {
        let (start, real) = (SystemClock.monotonic(), Instant::now());
        while real.elapsed() < Duration::from_millis(20) {
            std::thread::yield_now();
        }
        assert!(SystemClock.monotonic() - start >= Duration::from_millis(20));
    }

    #[test]
    fn clones_of_a_manual_clock_move_together() {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH);
        let (copy, start) = (clock.clone(), clock.monotonic());
        clock.advance(Duration::from_secs(60));
        assert_eq!(copy.now().timestamp(), 60);
        assert_eq!(copy.monotonic() - start, Duration::from_secs(60));
    }
}
