//! Giving a command to its shard, and what comes back.

use events_schema::api::internal::Receipt;
use events_schema::ids::Shard;
use futures::{StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use super::Application;
use crate::domain::aggregate::{Aggregate, Kind, Refusal, shard_of};
use crate::shard::{Ask, Change, Failing, Found, HeldContract, Reply, Wanted};

/// Seconds after which a client may try again when a part is not available.
const RETRY_AFTER_SECONDS: u32 = 2;

/// For lists so many aggregates are looked up at a time.
pub(super) const LISTED_AT_ONCE: usize = 8;

/// Why a command was not carried out, or not known to be.
#[derive(Debug, Clone, thiserror::Error)]
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
    /// A part failed; nothing has changed.
    #[error("{component} is not available")]
    Unavailable {
        /// `ledger` or `database`.
        component: &'static str,
        /// Seconds to wait.
        retry_after_seconds: u32,
    },
    /// A part failed, and whether the command was carried out is not known yet.
    #[error("the outcome is not known")]
    Unknown {
        /// Seconds to wait.
        retry_after_seconds: u32,
    },
}

/// A refusal, whoever gave it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// An aggregate.
    #[error(transparent)]
    Aggregate(Refusal),
    /// 401.
    #[error("the API key is not valid")]
    InvalidApiKey,
    /// The build named in a correction holds the other kind of record.
    #[error("the data build holds the other kind of record")]
    OtherKind,
    /// The build named in a correction is the one that the report is about.
    #[error("the report is about this very data build: a correction is in another one")]
    SameBuild,
    /// The reason of a rejection holds what was reported.
    #[error(
        "must hold no reported value and no e-mail address, since it is kept for ever and shown to the reporter; it holds {}",
        held(.0)
    )]
    ReasonTells(&'static str),
    /// The `Idempotency-Key` came with another request before.
    #[error("the Idempotency-Key was used for a different request")]
    NamedDifferently,
}

/// By the name of a field of the report, never by its value.
fn held(field: &str) -> String {
    match field {
        "email" => "an e-mail address".to_owned(),
        field => format!("the report's {field}"),
    }
}

impl<R: Into<Refusal>> From<R> for Reason {
    fn from(refusal: R) -> Self {
        Self::Aggregate(refusal.into())
    }
}

/// What a named change gave.
pub(super) enum Done {
    /// It was carried out; the state right after.
    Now(Aggregate),
    /// It was carried out before; what was kept of it.
    Before(Receipt),
}

impl Application {
    /// Carries out a change.
    pub(super) async fn change(&self, change: Change) -> Result<Aggregate, CommandError> {
        match self.change_once(change).await? {
            Done::Now(state) => Ok(state),
            Done::Before(_) => Err(self.strange("a change without a name was named")),
        }
    }

    /// Carries out a change that a client may have named.
    pub(super) async fn change_once(&self, change: Change) -> Result<Done, CommandError> {
        let shard = shard_of(change.id);
        match self.shards.ask(shard, Ask::Change(Box::new(change))).await {
            Reply::State(state) => Ok(Done::Now(state)),
            Reply::Before(receipt) => Ok(Done::Before(receipt)),
            other => Err(self.error_of(shard, other)),
        }
    }

    /// An aggregate, once all that it rests on is durable.
    pub(super) async fn read(&self, kind: Kind, id: Uuid) -> Result<Aggregate, CommandError> {
        let shard = shard_of(id);
        match self.shards.ask(shard, Ask::Read(kind, id)).await {
            Reply::State(state) => Ok(state),
            other => Err(self.error_of(shard, other)),
        }
    }

    /// An aggregate, here or at whoever owns its shard: what the store holds of it is all that anybody was told.
    pub(super) async fn read_anywhere(
        &self,
        kind: Kind,
        id: Uuid,
    ) -> Result<Aggregate, CommandError> {
        match self.read(kind, id).await {
            Err(CommandError::Elsewhere { shard, .. }) => {
                let found = self.store.fetch(shard, &Wanted::Aggregate(kind, id)).await;
                match found.map_err(|fault| self.fault(&fault))? {
                    Found::Aggregate { state, .. } => Ok(state),
                    _ => Err(self.strange("the store answered another question")),
                }
            }
            read => read,
        }
    }

    /// Aggregates of a list, in its order. What is stored of one may not be readable: that one is none, and hides no other. All lists
    /// together look up a few at a time: they share their connections with what requests wait for.
    pub(super) async fn read_listed(
        &self,
        kind: Kind,
        ids: Vec<Uuid>,
    ) -> Result<Vec<Option<Aggregate>>, CommandError> {
        let found = ids.into_iter().map(|id| self.read_one_listed(kind, id));
        stream::iter(found)
            .buffered(LISTED_AT_ONCE)
            .try_collect()
            .await
    }

    async fn read_one_listed(
        &self,
        kind: Kind,
        id: Uuid,
    ) -> Result<Option<Aggregate>, CommandError> {
        let _turn = self.listing.acquire().await;
        match self.read_anywhere(kind, id).await {
            Err(CommandError::Unavailable { .. }) => {}
            found => return found.map(Some),
        }
        // Whether that is for good, or the shard or Postgres are not there at this moment, the store says.
        let wanted = Wanted::Aggregate(kind, id);
        match self.store.fetch(shard_of(id), &wanted).await {
            Ok(Found::Aggregate { state, .. }) => Ok(Some(state)),
            Ok(_) => Err(self.strange("the store answered another question")),
            Err(fault) if fault.is_of_what_is_stored() => {
                tracing::error!(aggregate_id = %id, %fault, cause = fault.cause(), "a list has one that cannot be read");
                Ok(None)
            }
            Err(fault) => Err(self.fault(&fault)),
        }
    }

    /// Contracts, as one of the asks for them gives them.
    pub(super) async fn contracts_by(
        &self,
        shard: Shard,
        ask: Ask,
    ) -> Result<Vec<HeldContract>, CommandError> {
        match self.shards.ask(shard, ask).await {
            Reply::Contracts(contracts) => Ok(contracts),
            other => Err(self.error_of(shard, other)),
        }
    }

    /// Why there is no result.
    pub(super) fn error_of(&self, shard: Shard, reply: Reply) -> CommandError {
        match reply {
            Reply::Refused(refusal) => Reason::Aggregate(refusal).into(),
            Reply::NamedDifferently => Reason::NamedDifferently.into(),
            Reply::NotOwned => CommandError::Elsewhere {
                shard,
                owner: self.store.owner_of(shard),
            },
            Reply::Unavailable(failing) => CommandError::of(failing),
            Reply::Unknown => CommandError::unknown(),
            Reply::Answer(_)
            | Reply::State(_)
            | Reply::Contracts(_)
            | Reply::Credits(_)
            | Reply::Before(_) => self.strange("a shard answered another question"),
        }
    }

    pub(super) fn strange(&self, what: &'static str) -> CommandError {
        tracing::error!(what, "a bug in the ledger");
        CommandError::of(Failing::Ledger)
    }
}

impl CommandError {
    /// A part failed, and nobody knows what became of the command.
    pub(super) const fn unknown() -> Self {
        Self::Unknown {
            retry_after_seconds: RETRY_AFTER_SECONDS,
        }
    }

    /// A part failed; nothing has changed.
    pub(super) const fn of(failing: Failing) -> Self {
        let (component, retry_after_seconds) = match failing {
            Failing::Overloaded => ("ledger", 1),
            Failing::Database => ("database", RETRY_AFTER_SECONDS),
            Failing::Ledger => ("ledger", RETRY_AFTER_SECONDS),
        };
        Self::Unavailable {
            component,
            retry_after_seconds,
        }
    }
}
