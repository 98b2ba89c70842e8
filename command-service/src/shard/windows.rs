//! Rate limits: one fixed window a key and counted thing, anchored at its first request (docs/ARCHITECTURE.md, "What an admission decides").
//! In the shard owner's memory; windows start anew when a shard moves to another owner.
//!
//! Guarantee: no window lets more than its limit through, in whatever order requests that read the clock at the same time
//! arrive here, and whatever is done to the time of day: windows are measured by the monotonic clock.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::RateWindow;
use events_schema::api::limits::RATE_WINDOW_SECONDS;
use events_schema::ids::ApiKeyId;

use super::Moment;

/// What has a count of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counted {
    /// Requests of an endpoint.
    Endpoint(Endpoint),
    /// Reading one's own account: credits, ledger, reports.
    OwnAccount,
}

/// Why a request is not let through.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The limit is reached.
    Limited(RateWindow),
    /// More windows are in use than there is memory for.
    Full,
}

/// Windows of all keys of a shard.
#[derive(Debug)]
pub(super) struct Windows {
    most: usize,
    prune_at: usize,
    /// Not before.
    prune_from: Option<Instant>,
    windows: BTreeMap<(ApiKeyId, Counted), Window>,
    /// A fault of earlier logic.
    #[cfg(test)]
    pub(super) resets_backwards: bool,
}

#[derive(Debug)]
struct Window {
    started: Instant,
    counted: u32,
}

#[cfg(test)]
impl Window {
    fn reset_backwards(&mut self, now: Moment) {
        if now.monotonic < self.started {
            *self = Self {
                started: now.monotonic,
                counted: 0,
            };
        }
    }
}

const LENGTH: Duration = Duration::from_secs(RATE_WINDOW_SECONDS as u64);

/// Windows that are over are dropped when this many are kept, and again when there are twice as many as were left or all places are taken;
/// but seldom, since each is looked at: a caller that takes all places must not make every request do so.
const PRUNE_AT: usize = 4_096;
const PRUNE_EVERY: Duration = Duration::from_secs(1);

impl Windows {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            prune_at: PRUNE_AT,
            prune_from: None,
            windows: BTreeMap::new(),
            #[cfg(test)]
            resets_backwards: false,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.windows.len()
    }

    /// Counts one request, unless it is stopped.
    pub(super) fn count(
        &mut self,
        key: &ApiKeyId,
        counted: Counted,
        limit: u32,
        now: Moment,
    ) -> Result<RateWindow, Stopped> {
        // Of two requests the one that read the clock first may be counted last: it then belongs to the window that exists.
        let passed = |window: &Window| now.monotonic.saturating_duration_since(window.started);
        let of = (key.clone(), counted);
        if self.windows.len() >= self.prune_at.min(self.most)
            && self.prune_from.is_none_or(|from| from <= now.monotonic)
        {
            self.prune_from = Some(now.monotonic + PRUNE_EVERY);
            self.windows.retain(|_, window| passed(window) < LENGTH);
            self.prune_at = PRUNE_AT.max(self.windows.len() * 2);
        }
        if self.windows.len() >= self.most && !self.windows.contains_key(&of) {
            return Err(Stopped::Full);
        }
        let new = || Window {
            started: now.monotonic,
            counted: 0,
        };
        let window = self.windows.entry(of).or_insert_with(new);
        if passed(window) >= LENGTH {
            *window = new();
        }
        #[cfg(test)]
        if self.resets_backwards {
            window.reset_backwards(now);
        }
        let allowed = window.counted < limit;
        if allowed {
            window.counted += 1;
        }
        // Each is rounded up on its own: a request at that second finds a new window.
        let left = LENGTH.saturating_sub(passed(window));
        let seconds = u32::try_from(left.as_millis().div_ceil(1_000));
        let end = now.utc + left;
        let state = RateWindow {
            limit,
            remaining: limit.saturating_sub(window.counted),
            reset_at: end.timestamp() + i64::from(end.timestamp_subsec_nanos() > 0),
            retry_after_seconds: seconds.unwrap_or(RATE_WINDOW_SECONDS).max(1),
        };
        if allowed {
            Ok(state)
        } else {
            Err(Stopped::Limited(state))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use chrono::{DateTime, TimeDelta};
    use events_schema::ids::AccountId;
    use proptest::prelude::*;

    use super::*;

    /// So long after a moment that stays the same during a test.
    fn at(milliseconds: u64) -> Moment {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        let since = Duration::from_millis(milliseconds);
        Moment {
            utc: DateTime::from_timestamp_millis(1_800_000_000_000).unwrap() + since,
            monotonic: *START + since,
        }
    }

    const PERSON: Counted = Counted::Endpoint(Endpoint::PersonEnrich);

    fn limited(counted: Result<RateWindow, Stopped>) -> RateWindow {
        match counted {
            Err(Stopped::Limited(window)) => window,
            other => panic!("{other:?}"),
        }
    }

    fn key() -> ApiKeyId {
        ApiKeyId::new(AccountId::new([1; 16]), [2; 10])
    }

    #[test]
    fn the_request_after_the_limit_is_refused_and_not_counted() {
        let mut windows = Windows::new(1_000);
        for left in [1, 0] {
            let state = windows.count(&key(), PERSON, 2, at(0)).unwrap();
            assert_eq!(state.remaining, left);
        }
        let refused = limited(windows.count(&key(), PERSON, 2, at(59_999)));
        assert_eq!((refused.remaining, refused.retry_after_seconds), (0, 1));
        assert!(windows.count(&key(), PERSON, 2, at(60_000)).is_ok());
    }

    #[test]
    fn a_window_is_anchored_at_its_first_request() {
        let mut windows = Windows::new(1_000);
        windows.count(&key(), PERSON, 1, at(30_500)).unwrap();
        let refused = limited(windows.count(&key(), PERSON, 1, at(60_000)));
        assert_eq!(refused.retry_after_seconds, 31);
        // The window ends at 90.5 s.
        assert_eq!(refused.reset_at, at(91_000).utc.timestamp());
        // Whoever asks late in a second is told the same, not a second in which the window still is.
        for asked in [60_400, 60_900, 90_499] {
            let refused = limited(windows.count(&key(), PERSON, 1, at(asked)));
            assert_eq!(refused.reset_at, at(91_000).utc.timestamp(), "{asked}");
        }
    }

    #[test]
    fn a_request_that_read_the_clock_before_the_first_one_is_counted_in_its_window() {
        let mut windows = Windows::new(1_000);
        let mut count = |now| windows.count(&key(), PERSON, 2, at(now));
        assert!(count(100).is_ok());
        assert_eq!(count(99).unwrap().remaining, 0);
        assert!(count(98).is_err() && count(100).is_err());
        assert!(count(60_099).is_err());
        assert!(count(60_100).is_ok());
    }

    #[test]
    fn a_clock_that_is_set_back_or_forward_changes_no_window() {
        let mut windows = Windows::new(1_000);
        let mut count = |now: Moment| windows.count(&key(), PERSON, 1, now);
        assert!(count(at(0)).is_ok());
        for hours in [-1, 1] {
            let now = Moment {
                utc: at(1_000).utc + TimeDelta::hours(hours),
                ..at(1_000)
            };
            let refused = limited(count(now));
            assert_eq!(refused.retry_after_seconds, 59);
            assert_eq!(refused.reset_at, now.utc.timestamp() + 59);
        }
    }

    proptest! {
        #[test]
        fn no_window_lets_more_than_its_limit_through(
            limit in 0u32..5,
            steps in prop::collection::vec((0u64..20_000, 0u64..500), 1..200),
        ) {
            let mut windows = Windows::new(1_000);
            let mut now = 1_000;
            let mut let_through: Vec<u64> = Vec::new();
            for (step, late) in steps {
                now += step;
                // Read up to half a second before it is counted.
                if windows.count(&key(), PERSON, limit, at(now - late)).is_ok() {
                    let_through.push(now);
                }
            }
            // Windows do not overlap: of a window's length two can be touched, each with its limit.
            for (place, first) in let_through.iter().enumerate() {
                let within = let_through.iter().skip(place).take_while(|at| **at < first + 59_500);
                prop_assert!(within.count() <= 2 * limit as usize);
            }
        }
    }

    #[test]
    fn what_is_counted_has_windows_of_its_own() {
        let mut windows = Windows::new(1_000);
        windows.count(&key(), PERSON, 1, at(0)).unwrap();
        assert!(windows.count(&key(), Counted::OwnAccount, 1, at(0)).is_ok());
    }

    #[test]
    fn windows_that_are_over_are_looked_for_once_a_second_however_many_come() {
        let mut windows = Windows::new(1);
        let mut count = |counted, now| windows.count(&key(), counted, 1, at(now));
        assert!(count(PERSON, 0).is_ok());
        assert_eq!(count(Counted::OwnAccount, 59_500), Err(Stopped::Full));
        let again = count(Counted::OwnAccount, 60_100);
        assert_eq!(again, Err(Stopped::Full), "looked through again");
        assert!(count(Counted::OwnAccount, 60_500).is_ok());
    }

    #[test]
    fn windows_in_use_are_looked_through_again_when_there_are_twice_as_many() {
        let mut windows = Windows::new(usize::MAX);
        let mut count = |n: usize, now| {
            // Each byte becomes one of 62 characters.
            let digit = |place: u32| u8::try_from(n / 62_usize.pow(place) % 62).unwrap();
            let mut random = [0; 10];
            random[..3].copy_from_slice(&[digit(0), digit(1), digit(2)]);
            let key = ApiKeyId::new(AccountId::new([7; 16]), random);
            assert!(windows.count(&key, PERSON, 1, at(now)).is_ok());
            windows.len()
        };
        // This one is over first.
        count(0, 0);
        for n in 1..PRUNE_AT {
            count(n, 30_000);
        }
        // All of them stay, and this one's look is the first.
        assert_eq!(count(PRUNE_AT, 50_000), PRUNE_AT + 1);
        for n in PRUNE_AT + 1..2 * PRUNE_AT {
            assert_eq!(count(n, 60_000), n + 1);
        }
        assert_eq!(count(2 * PRUNE_AT, 60_000), 2 * PRUNE_AT);
    }

    #[test]
    fn a_window_in_use_is_never_dropped_for_another() {
        let mut windows = Windows::new(1);
        let mut count = |counted, now| windows.count(&key(), counted, 1, at(now));
        assert!(count(PERSON, 0).is_ok());
        assert_eq!(count(Counted::OwnAccount, 1), Err(Stopped::Full));
        assert_eq!(limited(count(PERSON, 2)).remaining, 0);
        assert!(count(Counted::OwnAccount, 60_000).is_ok());
    }
}
