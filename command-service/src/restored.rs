//! `command-service restored`: after the event store went back, and before anything is decided on it.
//!
//! A command of this process, not of the admin listener: as soon as an instance answers, it also charges, and what it charges before
//! the new history has begun stands in the places of events that consumers know ([ADR 24](../../docs/adr/0024-histories.md)).

use std::time::Duration;

use tokio::time::Instant;

use crate::store::{Store, StoreFault};

const PAUSE: Duration = Duration::from_millis(200);

/// Why no history was begun.
#[derive(Debug, thiserror::Error)]
pub enum RestoredFault {
    /// The event store.
    #[error(transparent)]
    Store(#[from] StoreFault),
    /// What an instance has committed and not sent yet would have two ids.
    #[error("stop every command-service first; still alive: {}", .0.join(", "))]
    Alive(Vec<String>),
}

/// Begins a new history; its number. `has_run`: a command-service has written since the store went back. Leases that stand in the
/// store from before are waited for.
///
/// # Errors
/// [`RestoredFault`]; then nothing is changed.
pub async fn begin(store: &Store, has_run: bool, patience: Duration) -> Result<i64, RestoredFault> {
    let deadline = Instant::now() + patience;
    loop {
        let alive = store.living_instances().await?;
        if alive.is_empty() {
            return Ok(store.begin_history(has_run).await?);
        }
        if Instant::now() >= deadline {
            return Err(RestoredFault::Alive(alive));
        }
        tokio::time::sleep(PAUSE).await;
    }
}
