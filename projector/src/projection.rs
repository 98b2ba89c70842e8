//! What a projection is: the fold of one topic's events into rows.
//!
//! Guarantee asked of every implementation: it runs inside the transaction that advances the checkpoints and touches
//! nothing but that connection, so rows and checkpoint are written together or not at all. It sees each event once and
//! in the order of its shard, and writes set-wise: one statement a table and batch. No clock, no I/O besides the
//! connection, no decision: an event is a fact.

use events_schema::Envelope;
use events_schema::topics::Topic;
use sqlx::PgConnection;

/// A fold of one topic into tables of its own.
pub trait Projection {
    /// Name in metrics and logs.
    const NAME: &'static str;
    /// The topic that it folds.
    const TOPIC: Topic;

    /// Applies events of [`Self::TOPIC`] in order.
    ///
    /// # Errors
    /// Whatever the database says; the whole transaction is given up then.
    fn apply(
        db: &mut PgConnection,
        events: &[&Envelope],
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send;
}

/// Whether the database refused because of the values given (SQLSTATE classes 22 and 23), so that trying again cannot
/// help: the event is poison. Anything else is the database's own trouble.
#[must_use]
pub fn is_poison(fault: &sqlx::Error) -> bool {
    match fault {
        sqlx::Error::Database(db) => db
            .code()
            .is_some_and(|code| code.starts_with("22") || code.starts_with("23")),
        sqlx::Error::Encode(_) => true,
        _ => false,
    }
}
