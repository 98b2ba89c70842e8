//! Requests that may be repeated without effect: sent until there is a final answer.

use std::time::Duration;

use crate::failure::Failure;

const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// How long an answer is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// In all.
    tries: u32,
    longest_pause: Duration,
}

impl Patience {
    /// Some seconds, enough for a shard that changes hands.
    pub(crate) const OF_A_COMMAND: Self = Self {
        tries: 5,
        longest_pause: Duration::from_secs(4),
    };
    /// About half a minute, enough for a service that is being restarted.
    pub(crate) const OF_A_LOAD: Self = Self {
        tries: 9,
        longest_pause: Duration::from_secs(8),
    };
}

/// Sends a request until its answer is a result or a refusal, pausing as long as the service asks.
pub(crate) async fn until_answered<T>(
    patience: Patience,
    send: impl AsyncFn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut pause = FIRST_PAUSE;
    for _ in 1..patience.tries {
        match send().await {
            Err(failure) if failure.is_retryable() => {
                let asked = failure.retry_after_seconds().map(Duration::from_secs);
                // Longer than asked for after some tries, so that they last as long as the service may be away.
                let asked = asked.map_or(pause, |asked| asked.max(pause));
                tokio::time::sleep(asked.min(patience.longest_pause)).await;
                pause = (pause * 2).min(patience.longest_pause);
            }
            answer => return answer,
        }
    }
    send().await
}
