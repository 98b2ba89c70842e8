//! Clients and operators: what they want, and how far they have come.

use std::collections::BTreeMap;

use events_schema::Credits;
use events_schema::api::internal::{Hold, IdempotencyClaim};
use events_schema::ids::{ApiKeyId, ContractId};
use uuid::Uuid;

/// A request of a client, as the service that answers it sees it.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) key: ApiKeyId,
    pub(super) request_id: Uuid,
    pub(super) name: Option<IdempotencyClaim>,
    /// The worst case.
    pub(super) units: u32,
    /// Tells its receipt apart.
    pub(super) number: u64,
    /// How often the client may still repeat it.
    pub(super) repeats: u32,
    /// How often it may still be sent to another owner.
    pub(super) attempts: u32,
    pub(super) sent_at: u64,
    /// The client is gone: what comes is not delivered.
    pub(super) is_gone: bool,
    /// Sent when everything is over: it must get an answer that says how things stand.
    pub(super) is_last: bool,
}

/// What an operator does.
#[derive(Debug, Clone)]
pub(super) enum Act {
    /// Add credits, named by the request: repeated until it is known to be done.
    Grant {
        contract: ContractId,
        credits: Credits,
        request_id: Uuid,
    },
    /// Revoke a key, repeated until it is known to be done.
    Revoke(ApiKeyId),
    /// End a contract, repeated until it is known to be done.
    End(ContractId),
    /// Look at the account with its keys.
    Look,
    /// Look at a contract.
    Read(ContractId, Told),
    /// Look at all contracts of the account.
    List(Told),
    /// The same by a key, as its holder.
    Credits { key: ApiKeyId, told: Told },
    /// Ask whether a key is valid.
    Check { key: ApiKeyId, since: u64 },
    /// Make the new contract.
    Make { credits: Credits, price: Credits },
    /// Issue the new key.
    Issue,
    /// File a report under a name.
    File(IdempotencyClaim),
}

/// The last position of each contract that somebody had been told of before it was looked at.
pub(super) type Told = BTreeMap<ContractId, i64>;

/// Why an owner was asked something.
#[derive(Debug, Clone)]
pub(super) enum Purpose {
    Admit(Box<Request>),
    Settle(Box<Request>, Box<Hold>, u32),
    Release(Box<Hold>, u32),
    Operate(Act, u32),
}
