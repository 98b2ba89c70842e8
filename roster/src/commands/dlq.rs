//! `roster dlq`: events that a projection could not apply, parked by the projector.

use clap::Subcommand;
use serde::Deserialize;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with dead letters.
#[derive(Debug, Subcommand)]
pub(crate) enum Dlq {
    /// List every parked key by its first event, with the number of events that wait.
    #[command(after_help = "Example:\n  roster dlq list")]
    List,
    /// Apply the parked events of a key again, in order until one fails. Works portion by portion; if it is interrupted, it names the event
    /// to go on from.
    #[command(after_help = "Example:\n  roster dlq retry 17\n  roster dlq retry 17 --from-store")]
    Retry {
        /// Number of the event in the list, or of any other event of its key.
        id: u64,
        /// Where Kafka's copy of an event cannot be read, apply the event store's copy.
        #[arg(long)]
        from_store: bool,
    },
    /// Give up a parked event: it will never be applied to the read models.
    #[command(after_help = "Example:\n  roster dlq discard 17")]
    Discard {
        /// Number of the event in the list.
        id: u64,
    },
}

/// What the projector says of one portion of a retry.
#[derive(Deserialize)]
struct Portion {
    applied: u64,
    left: u64,
    next: Option<u64>,
    error: Option<String>,
}

impl Dlq {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_projector(settings)?;
        match self {
            Self::List => {
                let keys = client
                    .all_pages("/admin/dead-letters", "dead_letters")
                    .await?;
                output.list(&keys, "dead_letters", &COLUMNS)
            }
            Self::Retry { id, from_store } => retry(&client, id, from_store, output).await,
            Self::Discard { id } => {
                client
                    .act(&format!("/admin/dead-letters/{id}/discard"))
                    .await?;
                output.record(&json!({ "id": id, "done": "discard" }))
            }
        }
    }
}

const COLUMNS: [&str; 9] = [
    "id",
    "letters",
    "topic",
    "shard",
    "pos",
    "event_type",
    "attempts",
    "created_at",
    "error",
];

/// Portion by portion, until no event of the key is left or one fails.
async fn retry(
    client: &Client,
    mut id: u64,
    from_store: bool,
    output: Output,
) -> Result<(), Failure> {
    let act = if from_store {
        "retry-from-store"
    } else {
        "retry"
    };
    let (mut applied, nothing) = (0, json!({}));
    loop {
        let path = format!("/admin/dead-letters/{id}/{act}");
        let portion = tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => Err(Failure::interrupted(
                "what was applied stays applied; `roster dlq list` shows the first letter of the key that still waits.",
            )),
            portion = client.post(&path, &nothing) => portion,
        };
        let portion: Portion = portion.map_err(|failure| {
            failure
                .about("applied", json!(applied))
                .about("resume_from", json!(id))
        })?;
        applied += portion.applied;
        match portion.next {
            // A portion without progress and without a reason would be repeated for ever.
            Some(next) if portion.error.is_none() && portion.applied > 0 => id = next,
            next => {
                return output.record(&json!({
                    "applied": applied, "left": portion.left, "next": next, "error": portion.error,
                }));
            }
        }
        output.note(&format!(
            "{applied} applied, {} left; if this is cut off, go on with letter {id}",
            portion.left
        ));
    }
}
