//! What can fail in the store.

use std::sync::Arc;
use std::time::Duration;

use events_schema::event::UnreadableEvent;

use service_kit::schema::SchemaFault;
use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::shard::Failing;

/// A failure of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreFault {
    /// Postgres did not answer in time; the connection is closed. What was asked for may still be done.
    #[error("the event store did not answer in time")]
    NoAnswer,
    /// There was no connection: nothing was asked.
    #[error("the event store gave no connection")]
    NotAsked(#[source] Arc<sqlx::Error>),
    /// The thread that writes batches together cannot be started.
    #[error("no thread can be started for the event store")]
    NoThread(#[source] Arc<std::io::Error>),
    /// Another process took this one's place, and goes by the same address.
    #[error(
        "another process goes by the same INTERNAL_ADDRESS, {0}: each instance needs one of its own, by which the others reach it"
    )]
    AddressTaken(String),
    /// Postgres failed.
    #[error("the event store failed")]
    Database(#[source] Arc<sqlx::Error>),
    /// The schema could not be brought up to date.
    #[error("the event store's schema could not be brought up to date")]
    Migration(#[source] Arc<sqlx::migrate::MigrateError>),
    /// The schema could not be brought up to date, for what an older version has written.
    #[error(
        "requests that moved credits twice stand in the event store; docs/BACKUP.md, \"Before a big event store is updated\", \
         says how to find them and what to do"
    )]
    MovedTwice(#[source] Arc<sqlx::migrate::MigrateError>),
    /// Another version made the schema what it is: this one will never open it.
    #[error("the event store is of another version")]
    OfAnotherVersion(#[source] Arc<SchemaFault>),
    /// Somebody holds a lock that the schema needs, or Postgres is silent.
    #[error("the event store's schema was not brought up to date within {0:?}: {1}")]
    SchemaWaits(Duration, String),
    /// A stored event cannot be read: the store is damaged or newer than this program.
    #[error("a stored event cannot be read")]
    Unreadable(#[source] Arc<UnreadableEvent>),
    /// A snapshot, a stored id or an event of a wrong type.
    #[error("stored data cannot be read: {0}")]
    Damaged(String),
}

impl StoreFault {
    /// SQLSTATE and constraint, where Postgres answered that a statement violates something: it is not committed, and never
    /// will be.
    pub(super) fn refusal(&self) -> Option<(String, String)> {
        let Self::Database(fault) = self else {
            return None;
        };
        let answer = fault.as_database_error()?;
        let code = answer.code()?;
        let is_refusal = ["22", "23", "42"]
            .iter()
            .any(|class| code.starts_with(class));
        let constraint = answer.constraint().unwrap_or_default().to_owned();
        is_refusal.then(|| (code.into_owned(), constraint))
    }

    /// Whether Postgres refused a statement or gave it up for its time: the session is as good as before.
    pub(super) fn is_of_the_statement(&self) -> bool {
        let Self::Database(fault) = self else {
            return false;
        };
        let code = fault.as_database_error().and_then(|answer| answer.code());
        let is_given_up = matches!(code.as_deref(), Some("55P03" | "57014"));
        is_given_up || self.refusal().is_some()
    }

    /// Whether the store answered, and what it holds cannot be read: by this program, or by Postgres itself (class XX, a damaged page).
    #[must_use]
    pub fn is_of_what_is_stored(&self) -> bool {
        match self {
            Self::Unreadable(_) | Self::Damaged(_) => true,
            Self::Database(fault) => match &**fault {
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => true,
                other => {
                    let answer = other.as_database_error();
                    let code = answer.and_then(|answer| answer.code());
                    code.is_some_and(|code| code.starts_with("XX"))
                }
            },
            _ => false,
        }
    }

    /// A connection could not be had.
    pub(super) fn not_asked(fault: sqlx::Error) -> Self {
        Self::NotAsked(Arc::new(fault))
    }

    /// Whether a statement surely changed nothing: it was not sent, or Postgres answered it with an error, after which nothing of
    /// it stands. Not so where Postgres ended the connection.
    #[must_use]
    pub fn is_not_done(&self) -> bool {
        match self {
            Self::NotAsked(_) => true,
            Self::Database(fault) => {
                let answer = fault.as_database_error();
                let answer = answer.and_then(|answer| answer.try_downcast_ref::<PgDatabaseError>());
                answer.is_some_and(|answer| answer.severity() == PgSeverity::Error)
            }
            _ => false,
        }
    }

    /// What lies behind it, for the log: of an answer of Postgres the SQLSTATE alone, since its words quote what is in rows.
    #[must_use]
    pub fn cause(&self) -> String {
        match self {
            Self::Database(fault) => match fault.as_database_error() {
                Some(answer) => format!("SQLSTATE {}", answer.code().unwrap_or_default()),
                None => fault.to_string(),
            },
            other => std::error::Error::source(other).map_or_else(String::new, ToString::to_string),
        }
    }

    /// Which part failed, for whoever asked.
    #[must_use]
    pub const fn failing(&self) -> Failing {
        match self {
            Self::NoAnswer | Self::NotAsked(_) | Self::Database(_) | Self::SchemaWaits(..) => {
                Failing::Database
            }
            Self::NoThread(_)
            | Self::AddressTaken(_)
            | Self::Migration(_)
            | Self::MovedTwice(_)
            | Self::OfAnotherVersion(_)
            | Self::Unreadable(_)
            | Self::Damaged(_) => Failing::Ledger,
        }
    }

    pub(super) fn from_migration(fault: sqlx::migrate::MigrateError) -> Self {
        let answer = match &fault {
            MigrateError::Execute(fault) | MigrateError::ExecuteMigration(fault, _) => {
                fault.as_database_error()
            }
            _ => None,
        };
        let is_moved_twice =
            answer.is_some_and(|answer| answer.constraint() == Some("event_movement"));
        let fault = Arc::new(fault);
        if is_moved_twice {
            Self::MovedTwice(fault)
        } else {
            Self::Migration(fault)
        }
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
