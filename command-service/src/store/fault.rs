//! What can fail in the store.

use std::sync::Arc;

use events_schema::event::UnreadableEvent;
use events_schema::ids::Shard;

/// A failure of the store; cheap to clone, since it goes to every command of a batch.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreFault {
    /// Another process wrote to the shard, or an earlier batch of it failed: decide again on fresh state.
    #[error("shard {0} was written by another owner or is being reloaded")]
    Stale(Shard),
    /// The shard belongs to another process, or to none at this moment.
    #[error("shard {0} is not owned here")]
    NotOwner(Shard),
    /// Too many commands wait for the shard.
    #[error("too many commands wait for shard {0}")]
    Overloaded(Shard),
    /// Postgres failed or did not answer.
    #[error("the event store failed")]
    Database(#[source] Arc<sqlx::Error>),
    /// The schema could not be brought up to date.
    #[error("the event store's schema could not be brought up to date")]
    Migration(#[source] Arc<sqlx::migrate::MigrateError>),
    /// A stored event cannot be read: the store is damaged or newer than this program.
    #[error("a stored event cannot be read")]
    Unreadable(#[source] Arc<UnreadableEvent>),
    /// A snapshot, a stored id or an event of a wrong type.
    #[error("stored data cannot be read: {0}")]
    Damaged(String),
}

impl StoreFault {
    pub(super) fn from_migration(fault: sqlx::migrate::MigrateError) -> Self {
        Self::Migration(Arc::new(fault))
    }
}

impl From<sqlx::Error> for StoreFault {
    fn from(fault: sqlx::Error) -> Self {
        Self::Database(Arc::new(fault))
    }
}

impl From<UnreadableEvent> for StoreFault {
    fn from(fault: UnreadableEvent) -> Self {
        Self::Unreadable(Arc::new(fault))
    }
}
