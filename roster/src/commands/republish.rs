//! `roster republish`: sends events to Kafka again, for the day on which Kafka has lost something.

use clap::Args;
use serde_json::{Value, json};

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// Sends events to Kafka again from the store, with the same `ce_id`: consumers ignore what they have.
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
        let sent: Value = Client::of_command_service(settings)?
            .post("/admin/republish", &body)
            .await?;
        output.record(&sent)
    }
}
