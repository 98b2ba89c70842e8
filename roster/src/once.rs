//! Commands that must not be carried out twice: sent under an idempotency key until their outcome is known.

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::again::{Patience, until_answered};
use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;

/// The name of one command.
#[derive(Debug, Args)]
pub(crate) struct Once {
    /// Makes the command safe to repeat: with the same key it is carried out once. A failure prints the key that was used (default: a new
    /// one).
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

impl Once {
    /// Sends the body until the answer is a result or a refusal, and shows the result. A failure that leaves the outcome open, or
    /// loses what only the answer says, names the key.
    pub(crate) async fn carry_out(
        &self,
        client: &Client,
        path: &str,
        body: &impl Serialize,
        output: Output,
    ) -> Result<(), Failure> {
        let key = self.idempotency_key.clone();
        let key = key.unwrap_or_else(|| Uuid::new_v4().to_string());
        let named = |failure: Failure| failure.about("idempotency_key", json!(key));
        let send = async || client.post_named(path, body, &key).await;
        let answer: Result<Value, Failure> = tokio::select! {
            // First, so that nothing is sent before an interruption would be heard.
            biased;
            _ = tokio::signal::ctrl_c() => {
                let left = "it may have been carried out. Repeated with its idempotency key it is carried out once.";
                return Err(named(Failure::interrupted(left)));
            }
            answer = until_answered(Patience::OF_A_COMMAND, send) => answer,
        };
        match answer {
            Ok(answer) => output.record(&answer).map_err(named),
            Err(failure) if failure.leaves_open() => Err(named(failure)),
            Err(failure) => Err(failure),
        }
    }
}
