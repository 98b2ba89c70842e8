//! `roster contract`: what an account may spend, on what, until when.

use chrono::NaiveDate;
use clap::{Args, Subcommand};
use events_schema::Credits;
use events_schema::api::admin::{CreateContract, EndContract, GrantCredits};
use events_schema::api::endpoint::EndpointSet;
use events_schema::api::limits::MAX_PRICE;
use events_schema::ids::{AccountId, ContractId};
use serde_json::Value;

use crate::arguments::{EndpointNumber, by_endpoint, credits, endpoint_set};
use crate::client::Client;
use crate::failure::Failure;
use crate::once::Once;
use crate::output::Output;
use crate::settings::Settings;

/// What can be done with contracts.
#[derive(Debug, Subcommand)]
pub(crate) enum Contract {
    /// Make a contract.
    Create(Create),
    /// Add credits to a contract.
    #[command(
        after_help = "Example:\n  roster contract grant CONTRACT --credits 500 --idempotency-key order-4711"
    )]
    Grant {
        /// The contract.
        contract: ContractId,
        /// How many credits to add, from 1.
        #[arg(long, value_name = "N", value_parser = credits::<1>, allow_negative_numbers = true)]
        credits: Credits,
        #[command(flatten)]
        once: Once,
    },
    /// End a contract: it serves no more requests from now on, whatever is left on it. Ending it again changes nothing, the first reason stands.
    #[command(
        after_help = "Example:\n  roster contract end CONTRACT --reason 'granted by mistake, ticket 4711'"
    )]
    End {
        /// The contract.
        contract: ContractId,
        /// Why, for whoever reads the events: 1 to 500 characters.
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: String,
    },
    /// Show a contract with its balance.
    #[command(after_help = "Example:\n  roster contract show CONTRACT --json")]
    Show {
        /// The contract.
        contract: ContractId,
    },
    /// List the contracts of an account.
    #[command(after_help = "Example:\n  roster contract list --account ID")]
    List {
        /// The account.
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
}

/// Make a contract. Dates may lie in the past.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roster contract create --account ID --credits 5000
  roster contract create --account ID --credits 0 --endpoints person_enrich,person_search \\
      --starts 2026-12-01 --expires 2027-11-30 --price person_enrich=2 --price person_search=0")]
pub(crate) struct Create {
    /// The account.
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Credits at the start, from 0.
    #[arg(long, value_name = "N", value_parser = credits::<0>, allow_negative_numbers = true)]
    credits: Credits,
    /// Covered endpoints: all, or a comma list of names.
    #[arg(long, value_name = "all|NAME,…", default_value = "all", value_parser = endpoint_set)]
    endpoints: EndpointSet,
    /// First day, UTC (default: today).
    #[arg(long, value_name = "DATE")]
    starts: Option<NaiveDate>,
    /// Last day, UTC (default: open).
    #[arg(long, value_name = "DATE")]
    expires: Option<NaiveDate>,
    /// Price in credits a unit, for endpoints whose price differs from the default; repeatable.
    #[arg(long = "price", value_name = "ENDPOINT=N")]
    prices: Vec<EndpointNumber<0, MAX_PRICE>>,
    #[command(flatten)]
    once: Once,
}

impl Create {
    fn into_parts(self) -> Result<(CreateContract, Once), Failure> {
        let prices = by_endpoint::<0, MAX_PRICE, i64>(&self.prices)?;
        let contract = CreateContract {
            account_id: self.account,
            credits: self.credits,
            endpoints: self.endpoints,
            starts_on: self.starts,
            expires_on: self.expires,
            prices: prices
                .into_iter()
                .map(|(endpoint, price)| (endpoint, Credits(price)))
                .collect(),
        };
        Ok((contract, self.once))
    }
}

impl Contract {
    pub(crate) async fn run(self, settings: &Settings, output: Output) -> Result<(), Failure> {
        let client = Client::of_command_service(settings)?;
        match self {
            Self::Create(create) => {
                let (contract, once) = create.into_parts()?;
                once.carry_out(&client, "/admin/contracts", &contract, output)
                    .await
            }
            Self::Grant {
                contract,
                credits,
                once,
            } => {
                let grant = GrantCredits { credits };
                let path = format!("/admin/contracts/{contract}/grants");
                once.carry_out(&client, &path, &grant, output).await
            }
            Self::End { contract, reason } => {
                let end = EndContract { reason };
                let path = format!("/admin/contracts/{contract}/end");
                let ended: Value = client.post(&path, &end).await?;
                output.record(&ended)
            }
            Self::Show { contract } => {
                let contract: Value = client.get(&format!("/admin/contracts/{contract}")).await?;
                output.record(&contract)
            }
            Self::List { account } => {
                let contracts: Value = client
                    .get(&format!("/admin/contracts?account={account}"))
                    .await?;
                output.list(&contracts, "contracts", LIST_COLUMNS)
            }
        }
    }
}

const LIST_COLUMNS: &[&str] = &[
    "contract_id",
    "credits_total",
    "credits_used",
    "credits_held",
    "credits_remaining",
    "starts_on",
    "expiration_date",
    "is_expired",
    "ended_at",
];
