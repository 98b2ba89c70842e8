//! Rate limits: one fixed window a key and endpoint, anchored at its first request (interface.md 8).
//! In the shard owner's memory; windows start anew when a shard moves to another owner.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::RateWindow;
use events_schema::api::limits::RATE_WINDOW_SECONDS;
use events_schema::ids::ApiKeyId;

/// Windows of one account's keys.
#[derive(Debug, Default)]
pub(super) struct Windows(HashMap<(ApiKeyId, Endpoint), Window>);

#[derive(Debug)]
struct Window {
    started: DateTime<Utc>,
    counted: u32,
}

/// Windows that are over are dropped when so many are kept.
const PRUNE_AT: usize = 4_096;

impl Windows {
    /// Counts one request. `Err` = the limit is reached; this request is not counted.
    pub(super) fn count(
        &mut self,
        key: &ApiKeyId,
        endpoint: Endpoint,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<RateWindow, RateWindow> {
        let length = TimeDelta::seconds(i64::from(RATE_WINDOW_SECONDS));
        if self.0.len() >= PRUNE_AT {
            self.0.retain(|_, window| now < window.started + length);
        }
        let window = self.0.entry((key.clone(), endpoint)).or_insert(Window {
            started: now,
            counted: 0,
        });
        // A clock that was set back must not lengthen a window.
        if now >= window.started + length || now < window.started {
            *window = Window {
                started: now,
                counted: 0,
            };
        }
        let allowed = window.counted < limit;
        if allowed {
            window.counted += 1;
        }
        let ends_in = (window.started + length - now).num_milliseconds().max(1);
        let seconds = ends_in.div_euclid(1_000) + i64::from(ends_in.rem_euclid(1_000) > 0);
        let state = RateWindow {
            limit,
            remaining: limit.saturating_sub(window.counted),
            reset_at: now.timestamp() + seconds,
            retry_after_seconds: u32::try_from(seconds.max(1)).unwrap_or(RATE_WINDOW_SECONDS),
        };
        if allowed { Ok(state) } else { Err(state) }
    }
}

#[cfg(test)]
mod tests {
    use events_schema::ids::AccountId;

    use super::*;

    fn at(milliseconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(1_800_000_000_000 + milliseconds).unwrap()
    }

    fn key() -> ApiKeyId {
        ApiKeyId::new(AccountId::new([1; 16]), [2; 10])
    }

    #[test]
    fn the_request_after_the_limit_is_refused_and_not_counted() {
        let mut windows = Windows::default();
        for left in [1, 0] {
            let state = windows
                .count(&key(), Endpoint::PersonEnrich, 2, at(0))
                .unwrap();
            assert_eq!(state.remaining, left);
        }
        let refused = windows
            .count(&key(), Endpoint::PersonEnrich, 2, at(59_999))
            .unwrap_err();
        assert_eq!((refused.remaining, refused.retry_after_seconds), (0, 1));
        assert!(
            windows
                .count(&key(), Endpoint::PersonEnrich, 2, at(60_000))
                .is_ok()
        );
    }

    #[test]
    fn a_window_is_anchored_at_its_first_request() {
        let mut windows = Windows::default();
        windows
            .count(&key(), Endpoint::PersonEnrich, 1, at(30_500))
            .unwrap();
        let refused = windows
            .count(&key(), Endpoint::PersonEnrich, 1, at(60_000))
            .unwrap_err();
        assert_eq!(refused.retry_after_seconds, 31);
        assert_eq!(refused.reset_at, at(60_000).timestamp() + 31);
    }

    #[test]
    fn endpoints_have_windows_of_their_own() {
        let mut windows = Windows::default();
        windows
            .count(&key(), Endpoint::PersonEnrich, 1, at(0))
            .unwrap();
        assert!(
            windows
                .count(&key(), Endpoint::CompanyEnrich, 1, at(0))
                .is_ok()
        );
    }
}
