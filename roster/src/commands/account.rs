//! `roster account`: customers.

use clap::Subcommand;
use events_schema::api::admin::OpenAccount;

use crate::client::Client;
use crate::failure::Failure;
use crate::once::Once;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum Account {
    /// Open an account.
    #[command(after_help = "Example:\n  roster account create --name \"Northwind Tools\" --json")]
    Create {
        /// Name, for operators: 1 to 200 characters.
        #[arg(long)]
        name: String,
        #[command(flatten)]
        once: Once,
    },
    /// List every account.
    #[command(after_help = "Example:\n  roster account list")]
    List,
}

impl Account {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        match self {
            Self::Create { name, once } => {
                let account = OpenAccount { name };
                once.carry_out(&client, "/admin/accounts", &account, output)
                    .await
            }
            Self::List => {
                let accounts = client.all_pages("/admin/accounts", "accounts").await?;
                output.list(&accounts, "accounts", &["account_id", "name", "opened_at"])
            }
        }
    }
}
