//! `roster dlq`: events that a projection could not apply, parked by the projector.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with dead letters.
#[derive(Debug, Subcommand)]
pub(crate) enum Dlq {
    /// Every parked event.
    #[command(after_help = "Example:\n  roster dlq list")]
    List,
    /// Apply a parked event again.
    #[command(after_help = "Example:\n  roster dlq retry 17\n  roster dlq retry 17 --from-store")]
    Retry {
        /// Number in the list.
        id: u64,
        /// Where what Kafka gave cannot be read, take what the event store has in its place.
        #[arg(long)]
        from_store: bool,
    },
    /// Give up a parked event: the read models stay without it.
    #[command(after_help = "Example:\n  roster dlq discard 17")]
    Discard {
        /// Number in the list.
        id: u64,
    },
}

impl Dlq {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_projector(settings)?;
        let (id, act) = match self {
            Self::List => {
                let letters: Value = client.get("/admin/dead-letters").await?;
                let columns = [
                    "id",
                    "topic",
                    "shard",
                    "pos",
                    "event_type",
                    "attempts",
                    "created_at",
                    "error",
                ];
                return output.list(&letters, "dead_letters", &columns);
            }
            Self::Retry {
                id,
                from_store: true,
            } => (id, "retry-from-store"),
            Self::Retry { id, .. } => (id, "retry"),
            Self::Discard { id } => (id, "discard"),
        };
        let answer = client
            .act(&format!("/admin/dead-letters/{id}/{act}"))
            .await?;
        output.record(&if answer.is_null() {
            json!({ "id": id, "done": act })
        } else {
            answer
        })
    }
}
