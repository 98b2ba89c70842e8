//! Events of a billing contract, version 1.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::endpoint::{Endpoint, EndpointSet};
use crate::credits::Credits;
use crate::ids::{AccountId, ContractId};

/// `contract.created.v1`: a contract with its first credits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContractCreated {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose it is.
    pub account_id: AccountId,
    /// Endpoints that it covers.
    pub endpoints: EndpointSet,
    /// Credits granted at the start; the balance after this event.
    pub credits: Credits,
    /// First day on which it serves (UTC).
    pub starts_on: NaiveDate,
    /// Last day on which it serves (UTC); none = open.
    pub expires_on: Option<NaiveDate>,
    /// Prices that differ from the default price book, in credits a unit.
    pub prices: BTreeMap<Endpoint, Credits>,
}

/// `contract.credits_granted.v1`: credits were added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreditsGranted {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose it is.
    pub account_id: AccountId,
    /// How many, above zero.
    pub credits: Credits,
    /// The balance right after.
    pub balance_after: Credits,
}

/// `contract.credits_charged.v1`: one request was paid for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreditsCharged {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose it is.
    pub account_id: AccountId,
    /// The endpoint that was called.
    pub endpoint: Endpoint,
    /// What was delivered: matches, records, or 1 a call.
    pub units: u32,
    /// Credits taken: units times the contract's price. Zero where the price is zero or nothing was delivered.
    pub credits: Credits,
    /// The balance right after: what `Credits-Remaining` said.
    pub balance_after: Credits,
}

/// `contract.ended.v1`: it serves no more requests, whatever is left on it. Those that it served when it ended are still charged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContractEnded {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose it is.
    pub account_id: AccountId,
    /// Why, in the words of the operator: 1 to 500 characters.
    pub reason: String,
    /// When; its day (UTC) is the last one of the contract.
    pub ended_at: DateTime<Utc>,
    /// The balance, which this event leaves as it was.
    pub balance_after: Credits,
}
