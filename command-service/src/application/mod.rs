//! What command-service does, between its listeners and its domain: each public function is one act.
//!
//! Guarantee: an `Ok` that reports a change is durable (its batch is committed). A refusal changed nothing.
//! Not here: HTTP, SQL, Kafka; rules of an aggregate (they are in `domain/`).

mod accounts;
mod admission;
mod api_key;
mod builds;
mod command;
mod contracts;
mod desk;
mod holds;
mod idempotency;
mod rate_window;
mod reports;
mod turns;

use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};
use events_schema::ids::Shard;
use service_kit::clock::Clock;
use uuid::Uuid;

use crate::domain::account::Account;
use crate::domain::contract::Contract;
use crate::domain::data_build::DataBuild;
use crate::domain::report::Report;
use crate::store::aggregates::Aggregates;
use crate::store::{Store, StoreFault};
use holds::Holds;
use rate_window::Moment;

pub use builds::ChunkReceived;
pub use command::{CommandError, Reason};
pub use reports::{NewReport, ReportFilter};

/// Who asked for a command, and in which trace.
#[derive(Debug, Clone)]
pub struct Cause {
    /// The HTTP request; all events of one command share it.
    pub request_id: Uuid,
    /// `api_key:<id>`, `operator:<token name>` or `service:<part>`.
    pub actor: String,
    /// W3C trace context.
    pub traceparent: Option<String>,
}

/// Secrets and limits of the application.
#[derive(Debug, Clone)]
pub struct Policy {
    /// HMAC secret of API keys and of the reporter's hash.
    pub api_key_pepper: service_kit::config::Secret<String>,
    /// How long a hold lives.
    pub hold_timeout: std::time::Duration,
    /// How long an idempotent charge is kept.
    pub idempotency_for: chrono::TimeDelta,
    /// Most accounts whose keys and windows stay in memory.
    pub max_desks: usize,
    /// Most holds on one contract at a time.
    pub max_holds: usize,
}

/// The acts of command-service. Cheap to clone.
#[derive(Clone)]
pub struct Application {
    store: Store,
    clock: Arc<dyn Clock>,
    policy: Arc<Policy>,
    desks: Arc<desk::Desks>,
    accounts: Aggregates<Account, ()>,
    contracts: Aggregates<Contract, Holds>,
    reports: Aggregates<Report, ()>,
    data_builds: Aggregates<DataBuild, ()>,
    /// Names of builds and their activation are decided one at a time.
    builds_turn: Arc<tokio::sync::Mutex<()>>,
    /// Charges under one name, too.
    name_turns: Arc<turns::Turns>,
}

impl Application {
    /// Over a store that already holds its leases.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, policy: Policy) -> Self {
        let desks = Arc::new(desk::Desks::new(policy.max_desks));
        Self {
            accounts: Aggregates::new(store.clone()),
            contracts: Aggregates::new(store.clone()),
            reports: Aggregates::new(store.clone()),
            data_builds: Aggregates::new(store.clone()),
            builds_turn: Arc::default(),
            name_turns: Arc::new(turns::Turns::new()),
            store,
            clock,
            policy: Arc::new(policy),
            desks,
        }
    }

    /// The store, for the publisher and the status page.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Whether this process may decide for the shard now.
    ///
    /// # Errors
    /// [`CommandError::Elsewhere`] with the owner's address, or without one when nobody owns the shard.
    pub fn owned_here(&self, shard: Shard) -> Result<(), CommandError> {
        if self.store.owns(shard) {
            Ok(())
        } else {
            Err(CommandError::Elsewhere {
                shard,
                owner: self.store.owner_of(shard),
            })
        }
    }

    /// The time as it is written down: Postgres keeps microseconds, so that every copy of it is the same.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now().trunc_subsecs(6)
    }

    /// `now` on both clocks.
    fn moment(&self, now: DateTime<Utc>) -> Moment {
        Moment {
            day: now,
            line: self.clock.monotonic(),
        }
    }

    fn fault(&self, fault: StoreFault) -> CommandError {
        CommandError::from_fault(&self.store, fault)
    }
}
