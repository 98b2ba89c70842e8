//! Carrying out one command: load, handle, commit; again on fresh state when a rival wrote first.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, AggregateContext, AggregateError, EventStore};
use events_schema::ids::Shard;
use uuid::Uuid;

use super::Cause;
use crate::domain::Decider;
use crate::domain::account::AccountRefusal;
use crate::domain::contract::ContractRefusal;
use crate::domain::data_build::DataBuildRefusal;
use crate::domain::report::ReportRefusal;
use crate::store::aggregates::{Aggregates, Locked};
use crate::store::{SideRows, Store, StoreFault};

/// How often a command is decided again when its shard turned out to be stale.
pub(super) const ATTEMPTS: usize = 4;

/// Seconds after which a client may try again when a part is not available.
const RETRY_AFTER_SECONDS: u32 = 2;

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The business says no.
    #[error(transparent)]
    Refused(#[from] Reason),
    /// Another process owns the shard.
    #[error("shard {shard} is owned elsewhere")]
    Elsewhere {
        /// The shard.
        shard: Shard,
        /// Base URL of the owner's internal listener; none = nobody at this moment.
        owner: Option<String>,
    },
    /// A part failed; nothing is known to have changed.
    #[error("{component} is not available")]
    Unavailable {
        /// `ledger` or `database`.
        component: &'static str,
        /// Seconds to wait.
        retry_after_seconds: u32,
        /// What failed, for the log.
        #[source]
        fault: StoreFault,
    },
}

/// A refusal, whichever aggregate gave it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Of an account.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// Of a contract.
    #[error(transparent)]
    Contract(#[from] ContractRefusal),
    /// Of a data build.
    #[error(transparent)]
    DataBuild(#[from] DataBuildRefusal),
    /// Of a report.
    #[error(transparent)]
    Report(#[from] ReportRefusal),
    /// 401.
    #[error("the API key is not valid")]
    InvalidApiKey,
    /// The build named in a correction holds the other kind of record.
    #[error("the data build holds the other kind of record")]
    OtherKind,
}

impl CommandError {
    /// The fault as a client may see it.
    pub(super) fn from_fault(store: &Store, fault: StoreFault) -> Self {
        let component = match &fault {
            StoreFault::NotOwner(shard) => {
                let shard = *shard;
                return Self::Elsewhere {
                    shard,
                    owner: store.owner_of(shard),
                };
            }
            StoreFault::Stale(_) | StoreFault::Overloaded(_) => "ledger",
            StoreFault::Database(_) => "database",
            StoreFault::Migration(_) | StoreFault::Unreadable(_) | StoreFault::Damaged(_) => {
                "ledger"
            }
        };
        Self::Unavailable {
            component,
            retry_after_seconds: RETRY_AFTER_SECONDS,
            fault,
        }
    }
}

/// Why one try of a command ended.
enum Ended<R> {
    Refused(R),
    Fault(StoreFault),
}

/// Why one try of a command gave nothing.
pub(super) enum Tried {
    /// The state that it was decided on is not the last one: nothing was written.
    Stale(StoreFault),
    /// For good.
    Ended(CommandError),
}

/// Carries out one command on one aggregate.
///
/// `beside` sees the state right after the events, may change what lives beside the aggregate in the same
/// step, and gives the rows that are written with the events. It runs once a try.
pub(super) async fn execute<D, B>(
    store: &Store,
    aggregates: &Aggregates<D, B>,
    aggregate_id: Uuid,
    command: D::Command,
    (cause, now): (&Cause, DateTime<Utc>),
    beside: impl Fn(&D, &mut B) -> SideRows,
) -> Result<Vec<D::Event>, CommandError>
where
    D: Decider,
    D::Refusal: Into<Reason>,
    B: Default + Send + 'static,
{
    let mut attempt = 1;
    loop {
        let (command, context) = (command.clone(), (cause, now));
        match try_once(store, aggregates, aggregate_id, command, context, &beside).await {
            Ok(events) => return Ok(events),
            Err(Tried::Stale(_)) if attempt < ATTEMPTS => attempt += 1,
            Err(Tried::Stale(fault)) => return Err(CommandError::from_fault(store, fault)),
            Err(Tried::Ended(error)) => return Err(error),
        }
    }
}

/// One try of [`execute`], for who has to look again before the next.
pub(super) async fn try_once<D, B>(
    store: &Store,
    aggregates: &Aggregates<D, B>,
    aggregate_id: Uuid,
    command: D::Command,
    context: (&Cause, DateTime<Utc>),
    beside: &impl Fn(&D, &mut B) -> SideRows,
) -> Result<Vec<D::Event>, Tried>
where
    D: Decider,
    D::Refusal: Into<Reason>,
    B: Default + Send + 'static,
{
    let tried = once(aggregates, aggregate_id, command, context, beside).await;
    tried.map_err(|ended| match ended {
        Ended::Refused(refusal) => Tried::Ended(CommandError::Refused(refusal.into())),
        Ended::Fault(fault @ StoreFault::Stale(_)) => Tried::Stale(fault),
        Ended::Fault(fault) => Tried::Ended(CommandError::from_fault(store, fault)),
    })
}

async fn once<D, B>(
    aggregates: &Aggregates<D, B>,
    aggregate_id: Uuid,
    command: D::Command,
    (cause, now): (&Cause, DateTime<Utc>),
    beside: &impl Fn(&D, &mut B) -> SideRows,
) -> Result<Vec<D::Event>, Ended<D::Refusal>>
where
    D: Decider,
    B: Default + Send + 'static,
{
    let mut context: Locked<D, B> = aggregates
        .load_aggregate(&aggregate_id.to_string())
        .await
        .map_err(ended)?;
    let sink = EventSink::default();
    if let Err(refusal) = context.aggregate().handle(command, &(), &sink).await {
        context.refused();
        return Err(Ended::Refused(refusal));
    }
    let events = sink.collect().await;
    let rows = context.with_state(|state, live| beside(state, live));
    context.attach(
        cause.clone(),
        now,
        if events.is_empty() {
            SideRows::default()
        } else {
            rows
        },
    );
    let committed = aggregates
        .commit(events, context, HashMap::new())
        .await
        .map_err(ended)?;
    Ok(committed
        .into_iter()
        .map(|envelope| envelope.payload.0)
        .collect())
}

fn ended<R: std::error::Error>(fault: AggregateError<R>) -> Ended<R> {
    match fault {
        AggregateError::UserError(refusal) => Ended::Refused(refusal),
        AggregateError::UnexpectedError(cause) => match cause.downcast::<StoreFault>() {
            Ok(fault) => Ended::Fault(*fault),
            Err(other) => Ended::Fault(StoreFault::Damaged(other.to_string())),
        },
        other => Ended::Fault(StoreFault::Damaged(other.to_string())),
    }
}
