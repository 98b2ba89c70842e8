//! `roster key`: API keys. A key is shown once, by the command that made it.

use clap::Subcommand;
use events_schema::api::admin::IssueApiKey;
use events_schema::api::endpoint::EndpointSet;
use events_schema::api::limits::MAX_RATE_LIMIT;
use events_schema::ids::{AccountId, ApiKeyId};
use serde_json::Value;

use crate::arguments::{EndpointNumber, api_key_id, by_endpoint, endpoint_set};
use crate::client::Client;
use crate::failure::Failure;
use crate::once::Once;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Issue a key. It is shown only now, and again when the command is repeated with the same `--idempotency-key`.
    #[command(after_help = "\
Examples:
  roster key create --account ID
  roster key create --account ID --endpoints person_enrich,company_enrich --rate-limit person_enrich=600")]
    Create {
        /// The account.
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Endpoints that the key may call: all, or a comma list of names.
        #[arg(long, value_name = "all|NAME,…", default_value = "all", value_parser = endpoint_set)]
        endpoints: EndpointSet,
        /// Requests a minute where they differ from the default; repeatable.
        #[arg(long = "rate-limit", value_name = "ENDPOINT=N")]
        rate_limits: Vec<EndpointNumber<1, MAX_RATE_LIMIT>>,
        #[command(flatten)]
        once: Once,
    },
    /// Revoke a key: it answers 401 from now on.
    #[command(after_help = "Example:\n  roster key revoke API_KEY_ID")]
    Revoke {
        /// Public part of the key: the 12 characters after `rk_live_`.
        #[arg(value_parser = api_key_id)]
        api_key_id: ApiKeyId,
    },
    /// List the keys of an account.
    #[command(after_help = "Example:\n  roster key list --account ID")]
    List {
        /// The account.
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
}

impl Key {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        match self {
            Self::Create {
                account,
                endpoints,
                rate_limits,
                once,
            } => {
                let rate_limits = by_endpoint(&rate_limits)?;
                let body = IssueApiKey {
                    account_id: account,
                    endpoints,
                    rate_limits,
                };
                once.carry_out(&client, "/admin/keys", &body, output).await
            }
            Self::Revoke { api_key_id } => {
                let key = client
                    .act(&format!("/admin/keys/{api_key_id}/revoke"))
                    .await?;
                output.record(&key)
            }
            Self::List { account } => {
                let keys: Value = client
                    .get(&format!("/admin/keys?account={account}"))
                    .await?;
                let columns = [
                    "api_key_id",
                    "endpoints",
                    "rate_limits",
                    "issued_at",
                    "revoked_at",
                ];
                output.list(&keys, "keys", &columns)
            }
        }
    }
}
