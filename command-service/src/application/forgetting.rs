//! Named charges are forgotten after their time (24 h by default), in the background.

use std::time::Duration;

use events_schema::ids::Shard;
use tokio_util::sync::CancellationToken;

use super::Application;

/// Pause between two rounds.
const PAUSE: Duration = Duration::from_secs(60);
/// Rows deleted at a time: short transactions.
const SLICE: i64 = 5_000;

impl Application {
    /// Deletes what is over until shutdown. One process does it: the owner of the first shard.
    pub async fn run_forgetting(self, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = shutdown.cancelled() => return,
            }
            while self.store.owns(Shard::DATA_BUILDS) && !shutdown.is_cancelled() {
                // Twice the time: whoever looks for a name must not find it half gone.
                let older = self.policy.limits.idempotency_for * 2;
                match self.store.forget_charges(older, SLICE).await {
                    Ok(deleted) if deleted > 0 => {}
                    Ok(_) => break,
                    Err(fault) => {
                        tracing::warn!(%fault, cause = fault.cause(), "named charges not forgotten; tried again later");
                        break;
                    }
                }
            }
        }
    }
}
