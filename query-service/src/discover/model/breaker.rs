//! Leaves a model alone that does not answer, so that it does not cost every request the time limit.

use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row before it is left alone.
const FAILURES: u32 = 3;
/// How long it is; then one request tries it.
pub(super) const PAUSE: Duration = Duration::from_secs(10);

/// Failures in a row, and until when nobody asks.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    paused_until: Option<Instant>,
}

impl Breaker {
    /// Whether a request may ask now. After a pause one may, and a further pause begins, which ends when that one is answered.
    pub(super) fn lets_through(&mut self, now: Instant) -> bool {
        match self.paused_until {
            Some(until) if now < until => false,
            Some(_) => {
                self.paused_until = Some(now + PAUSE);
                true
            }
            None => true,
        }
    }

    /// An answer came, whatever it says.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// None came; whether that begins a pause.
    pub(super) fn failed(&mut self, now: Instant) -> bool {
        self.failures = self.failures.saturating_add(1);
        let begins = self.failures >= FAILURES;
        if begins {
            self.paused_until = Some(now + PAUSE);
        }
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_failures_in_a_row_begin_a_pause_after_which_one_request_tries() {
        let start = Instant::now();
        let mut breaker = Breaker::default();
        for _ in 1..FAILURES {
            assert!(breaker.lets_through(start));
            assert!(!breaker.failed(start));
        }
        assert!(breaker.lets_through(start));
        assert!(breaker.failed(start));
        assert!(!breaker.lets_through(start));
        let nearly = start + PAUSE - Duration::from_millis(1);
        assert!(!breaker.lets_through(nearly));
        let later = start + PAUSE;
        assert!(breaker.lets_through(later));
        assert!(!breaker.lets_through(later), "one tries it");
        assert!(breaker.failed(later));
        assert!(!breaker.lets_through(later + PAUSE / 2));
        let again = later + PAUSE;
        assert!(breaker.lets_through(again));
        breaker.answered();
        assert!(breaker.lets_through(again));
    }

    #[test]
    fn an_answer_in_between_forgets_failures() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        for _ in 0..10 {
            for _ in 1..FAILURES {
                assert!(!breaker.failed(now));
            }
            breaker.answered();
            assert!(breaker.lets_through(now));
        }
    }

    #[test]
    fn a_try_that_nobody_waits_for_any_more_is_followed_by_another() {
        let now = Instant::now();
        let mut breaker = Breaker::default();
        for _ in 0..FAILURES {
            breaker.failed(now);
        }
        assert!(breaker.lets_through(now + PAUSE));
        assert!(breaker.lets_through(now + 2 * PAUSE));
    }
}
