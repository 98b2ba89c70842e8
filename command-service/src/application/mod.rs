//! What command-service does, between its listeners and its shards: each public function is one act.
//!
//! Guarantee: an `Ok` that reports a change is durable (its batch is committed). A refusal changed nothing.
//! Not here: HTTP, SQL, Kafka; what a shard decides and when (`shard`); rules of an aggregate (`domain`).

mod accounts;
mod api_key;
mod builds;
mod calls;
mod command;
mod contracts;
mod driver;
mod forgetting;
mod once;
mod reports;

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, SubsecRound, Utc};
use events_schema::ids::Shard;
use service_kit::Watched;
use service_kit::clock::Clock;

use crate::domain::aggregate::Aggregate;
use crate::shard::Limits;
use crate::store::{Store, StoreFault};
use driver::Shards;

pub use crate::shard::Cause;
pub use builds::ChunkReceived;
pub use command::{CommandError, Reason};
pub use contracts::{AccountCredits, CreditsOf};
pub use once::Once;
pub use reports::{Filed, NewReport, ReportFilter};

/// Secrets and limits of the application.
#[derive(Debug, Clone)]
pub struct Policy {
    /// HMAC secret of API keys and of the reporter's hash.
    pub api_key_pepper: service_kit::config::Secret<String>,
    /// Of each shard.
    pub limits: Limits,
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Listed<T, Id> {
    /// In the order of the list.
    pub found: Vec<T>,
    /// Of which nothing is stored, or what cannot be read: the store is damaged or newer than this program.
    pub unreadable: Vec<Id>,
    /// The last of both; none of an empty page.
    pub last: Option<Id>,
    /// Whether the list goes on behind the page.
    pub goes_on: bool,
}

/// Cuts off what was asked for beyond a page of `limit`, which shows whether the list goes on.
fn cut<T>(found: &mut Vec<T>, limit: i64) -> bool {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = found.len() > limit;
    found.truncate(limit);
    goes_on
}

impl<T, Id: Clone + Display> Listed<T, Id> {
    /// Of the names on a page and what was found of each.
    fn of(
        ids: Vec<Id>,
        states: Vec<Option<Aggregate>>,
        goes_on: bool,
        view: impl Fn(&Aggregate) -> Result<T, CommandError>,
    ) -> Result<Self, CommandError> {
        let mut page = Self {
            found: Vec::with_capacity(ids.len()),
            unreadable: Vec::new(),
            last: ids.last().cloned(),
            goes_on,
        };
        for (id, state) in ids.into_iter().zip(states) {
            match state.as_ref().map(&view) {
                Some(Ok(found)) => page.found.push(found),
                Some(Err(CommandError::Refused(refusal))) => {
                    tracing::error!(%id, %refusal, "a list has one of which nothing is stored");
                    page.unreadable.push(id);
                }
                Some(Err(failure)) => return Err(failure),
                None => page.unreadable.push(id),
            }
        }
        Ok(page)
    }
}

/// The acts of command-service. Cheap to clone.
#[derive(Clone)]
pub struct Application {
    store: Store,
    clock: Arc<dyn Clock>,
    policy: Arc<Policy>,
    shards: Shards,
    drivers: Arc<Mutex<Watched>>,
    /// Names of builds are given one at a time.
    builds_turn: Arc<tokio::sync::Mutex<()>>,
    /// What all lists together may look up at a time.
    listing: Arc<tokio::sync::Semaphore>,
}

impl Application {
    /// Over a store; starts a driver for each shard.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, policy: Policy) -> Self {
        let limits = Arc::new(policy.limits.clone());
        let (shards, drivers) = Shards::start(&store, &clock, &limits);
        Self {
            builds_turn: Arc::default(),
            listing: Arc::new(tokio::sync::Semaphore::new(command::LISTED_AT_ONCE)),
            drivers: Arc::new(Mutex::new(drivers)),
            shards,
            store,
            clock,
            policy: Arc::new(policy),
        }
    }

    /// The tasks that drive the shards, for whoever watches them: none ends before the application does.
    #[must_use]
    pub fn take_drivers(&self) -> Watched {
        let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut drivers)
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

    /// A look-up beside the shards failed.
    fn fault(&self, fault: &StoreFault) -> CommandError {
        tracing::warn!(%fault, cause = fault.cause(), "a look-up failed");
        CommandError::of(fault.failing())
    }

    /// A change beside the shards failed, or nobody knows whether it was made.
    fn fault_of_change(&self, fault: &StoreFault) -> CommandError {
        let error = self.fault(fault);
        if fault.is_not_done() {
            error
        } else {
            CommandError::unknown()
        }
    }
}
