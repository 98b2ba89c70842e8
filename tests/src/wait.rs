//! Waiting for a state, with a limit.

use std::time::{Duration, Instant};

use anyhow::bail;

/// How often a state is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// Looks until `state` gives a value; after `limit` fails, naming `what`.
///
/// # Errors
/// When the limit is over.
pub async fn until<T>(
    what: &str,
    limit: Duration,
    mut state: impl AsyncFnMut() -> Option<T>,
) -> anyhow::Result<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(value) = state().await {
            return Ok(value);
        }
        if Instant::now() >= end {
            bail!("{what}: not within {limit:?}");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
