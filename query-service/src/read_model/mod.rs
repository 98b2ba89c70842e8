//! Reading data builds and ledgers from Postgres. The only place with SQL; it writes nothing.
//!
//! A build's tables stand in a schema of their own and are reached by `search_path`: each [`BuildReader`] has a pool
//! whose connections were opened for that schema, so one set of static statements serves every build and a request
//! keeps the build it began with. Nothing of a request ever becomes part of a statement's text.

mod answer;
mod at_hand;
mod build;
mod connect;
mod document;
mod ledger;
mod pointers;

pub use build::BuildReader;
pub use connect::{ReadLimits, Source};
pub use document::StoredDocument;
pub use ledger::{Entry, Ledgers, Page};
pub use pointers::{Pointer, Pointers, Role, UnreadablePointer};

use std::time::Duration;

/// Why a read gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ReadFault {
    /// The statement took longer than its limit.
    #[error("a statement took longer than {limit:?}")]
    TimedOut {
        /// The limit.
        limit: Duration,
        /// What it took.
        elapsed: Duration,
    },
    /// Nothing came back: neither an answer nor word that the statement took too long.
    #[error("the read model said nothing for {0:?}")]
    Silent(Duration),
    /// Every connection was in use for too long.
    #[error("no connection became free in {0:?}")]
    Busy(Duration),
    /// Anything else: not reachable, no free connection, a table that is gone.
    #[error("the read model cannot be read")]
    Database(#[from] sqlx::Error),
    /// A row that does not have the agreed form.
    #[error("the read model holds a {0} of another form")]
    Form(&'static str),
    /// A document that cannot be unpacked.
    #[error("the read model holds a damaged document")]
    Document(#[from] documents::UnpackFault),
    /// A place in the order of a build that no record has.
    #[error("the build has no record of rank {0}")]
    NoSuchRank(u32),
}

/// SQLSTATE `query_canceled`, which `statement_timeout` raises.
const QUERY_CANCELED: &str = "57014";

fn fault(fault: sqlx::Error, limit: Duration, elapsed: Duration) -> ReadFault {
    let code = fault
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    if code.as_deref() == Some(QUERY_CANCELED) {
        ReadFault::TimedOut { limit, elapsed }
    } else {
        fault.into()
    }
}
