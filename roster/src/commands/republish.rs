//! `roster republish`: sends events to Kafka again, for the day on which Kafka has lost something.

use std::time::Duration;

use clap::Args;
use events_schema::api::limits::REPUBLISH_TIMEOUT;
use serde_json::{Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// Longer than the service works, so that its answer says what happened.
const WAIT: Duration = REPUBLISH_TIMEOUT.saturating_add(Duration::from_secs(20));

/// Sends events to Kafka again from the store, with the same `ce_id`: consumers ignore what they have. Ends after
/// four minutes at the latest; where it fails it can be repeated from the same position.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  roster republish --shard 5 --from 1")]
pub(crate) struct Republish {
    /// Shard, 0 to 63.
    #[arg(long, value_parser = clap::value_parser!(u8).range(..64))]
    shard: u8,
    /// First position in the shard, from 1.
    #[arg(long, value_name = "POSITION", value_parser = clap::value_parser!(i64).range(1..))]
    from: i64,
}

impl Republish {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let body = json!({ "shard": self.shard, "from": self.from });
        let sent = Client::of_command_service(settings)?
            .post_within::<Value>("/admin/republish", &body, WAIT)
            .await;
        // How far it came is not known: what was sent stays sent, and is ignored when it comes again.
        let sent = sent.map_err(|failure| failure.about("resume_from", json!(self.from)))?;
        output.record(&sent)
    }
}
