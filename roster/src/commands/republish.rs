//! `roster republish`: sends events to Kafka again, for the day on which Kafka has lost something.

use std::time::Duration;

use clap::Args;
use events_schema::api::admin::{Republish as Wish, Republished};
use events_schema::api::limits::REPUBLISH_TIMEOUT;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// Longer than the service works on one portion, so that its answer says what happened.
const WAIT: Duration = REPUBLISH_TIMEOUT.saturating_add(Duration::from_secs(20));

/// Send events to Kafka again from the store, with the same `ce_id`: consumers ignore those that they have. Works portion by portion until
/// the shard is sent to its end; if it is interrupted, it names the position to go on from.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  roster republish --shard 5 --from 1")]
pub(crate) struct Republish {
    /// The shard, 0 to 63.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=63))]
    shard: u8,
    /// The first position in the shard to send, from 1.
    #[arg(long, value_name = "POSITION", value_parser = clap::value_parser!(i64).range(1..))]
    from: i64,
}

impl Republish {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        let (mut from, mut sent) = (self.from, 0);
        loop {
            let portion = tokio::select! {
                biased;
                _ = tokio::signal::ctrl_c() => Err(Failure::interrupted(
                    "events from the position on may not be in Kafka again.",
                )),
                portion = self.portion(&client, from) => portion,
            };
            // What was sent stays sent, and is ignored when it comes again.
            let portion = portion.map_err(|failure| failure.about("resume_from", json!(from)))?;
            sent += portion.sent;
            let Some(next) = portion.next else { break };
            if next <= from {
                let failure = Failure::internal("The service sent nothing and did not say why.");
                return Err(failure.about("resume_from", json!(from)));
            }
            from = next;
            output.note(&format!(
                "shard {}: {sent} events sent again; if this is cut off, go on with --from {from}",
                self.shard
            ));
        }
        output.record(&json!({ "sent": sent }))
    }

    async fn portion(&self, client: &Client, from: i64) -> Result<Republished, Failure> {
        let wish = Wish {
            shard: self.shard,
            from,
        };
        client.post_within("/admin/republish", &wish, WAIT).await
    }
}
