//! Commands that must not be carried out twice: sent under a name until their outcome is known.

use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use uuid::Uuid;

use crate::client::Client;
use crate::failure::Failure;

/// Tries in all: some seconds, enough for a shard that changes hands.
const TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// The name of one command.
#[derive(Debug, Args)]
pub(crate) struct Once {
    /// Names this command: repeated with the same key, it is carried out once. A failure prints the key that it had (default:
    /// a new one).
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

impl Once {
    /// Sends the body until the answer is a result or a refusal. A failure that leaves the outcome open names the key.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        client: &Client,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let key = self.idempotency_key.clone();
        let key = key.unwrap_or_else(|| Uuid::new_v4().to_string());
        let mut pause = FIRST_PAUSE;
        for _ in 1..TRIES {
            match client.post_named(path, body, &key).await {
                Err(failure) if failure.is_retryable() => {
                    let asked = failure.retry_after_seconds();
                    let asked = asked.map_or(pause, Duration::from_secs);
                    tokio::time::sleep(asked.min(LONGEST_PAUSE)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                answer => return answer,
            }
        }
        let last = client.post_named(path, body, &key).await;
        last.map_err(|failure| {
            if failure.is_retryable() {
                failure.about("idempotency_key", json!(key))
            } else {
                failure
            }
        })
    }
}
