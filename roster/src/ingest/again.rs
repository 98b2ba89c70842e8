//! Requests that change nothing when they come again: sent until they are answered for good.

use std::time::Duration;

use crate::failure::Failure;

/// Tries in all: about half a minute, enough for a service that is being restarted.
const TRIES: u32 = 9;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// Sends a request until its answer is a result or a refusal, with pauses as the service asks for them.
pub(crate) async fn until_answered<T>(
    send: impl AsyncFn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut pause = FIRST_PAUSE;
    for _ in 1..TRIES {
        match send().await {
            Err(failure) if failure.is_retryable() => {
                let asked = failure
                    .retry_after_seconds()
                    .map_or(pause, Duration::from_secs);
                tokio::time::sleep(asked.min(LONGEST_PAUSE)).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            answer => return answer,
        }
    }
    send().await
}
