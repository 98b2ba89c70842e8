//! `roster movement`: charges and grants.

use clap::Subcommand;
use serde_json::Value;
use uuid::Uuid;

use crate::client::Client;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

/// What can be asked of movements.
#[derive(Debug, Subcommand)]
pub(crate) enum Movement {
    /// Show what a request was charged or granted, by the request_id of the entry in the customer's ledger: the Request-ID of its answer,
    /// unless it is a grant with an idempotency key. The credits that a contract begins with are shown by `roster contract show`.
    #[command(after_help = "Example:\n  roster movement show 01a21735-c66c-70f1-9c4c-f5ddd06d9979")]
    Show {
        /// The request.
        request: Uuid,
    },
}

impl Movement {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        match self {
            Self::Show { request } => {
                let path = format!("/admin/movements/{request}");
                let movement: Value = client.get(&path).await?;
                output.record(&movement)
            }
        }
    }
}
