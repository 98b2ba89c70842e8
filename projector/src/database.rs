//! The read model's database: its connections, and how long it is waited for.
//!
//! Guarantee: whatever the wire does, a call ends within its limit. Limits of Postgres do not give that: where packets are
//! dropped in silence, nothing of what it says arrives. A connection whose call was given up is closed, unless it says at
//! once that it has no more to say: what belongs to an earlier call is never taken for the answer of a later one, and no
//! place of the pool waits for a wire that is dead.

use std::io;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgPoolOptions, PgRow};
use sqlx::query::QueryAs;
use sqlx::{Connection, FromRow, Postgres, Transaction};

/// How long a connection that was given back, or was idle, may take to say that it is there.
const PING: Duration = Duration::from_secs(1);

/// How long the read model's database is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A call about a few rows: leases, checkpoints, what is due; also a new connection.
    pub answer: Duration,
    /// One batch of events, one step of the comparison.
    pub write: Duration,
    /// One chunk, from the object store to its commit; the outcome or the removal of a build.
    pub load: Duration,
    /// Ranking a build and making its indexes.
    pub rank: Duration,
    /// Bringing the schema up to date, while it waits for others' locks or for a word of Postgres.
    pub schema: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            write: Duration::from_secs(60),
            load: Duration::from_secs(15 * 60),
            rank: Duration::from_secs(6 * 3600),
            schema: Duration::from_secs(60),
        }
    }
}

/// A pool of at most `connections`, none of which is lent or kept when it is silent.
#[must_use]
pub fn pool(connections: u32, limits: Limits) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(limits.answer)
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(is_there(connection)))
        .after_release(|connection, _| Box::pin(is_there(connection)))
}

/// A fault closes the connection without a word.
async fn is_there(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    within(PING, connection.ping()).await.map(|()| true)
}

/// Waits for `work` no longer than `limit`; what it has begun is given up then.
///
/// # Errors
/// Those of `work`; an I/O fault when the limit is over, after which nobody knows what was done.
pub async fn within<T, E: From<sqlx::Error>>(
    limit: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let done = tokio::time::timeout(limit, work).await;
    done.unwrap_or_else(|_| {
        let silent = format!("no answer within {limit:?}");
        let silent = io::Error::new(io::ErrorKind::TimedOut, silent);
        Err(sqlx::Error::Io(silent).into())
    })
}

/// What is due by a statement that locks its row, and the transaction that holds the lock.
///
/// # Errors
/// When the database fails or the limit is over.
pub async fn claim<T>(
    pool: &PgPool,
    limit: Duration,
    due: QueryAs<'_, Postgres, T, PgArguments>,
) -> Result<Option<(Transaction<'static, Postgres>, T)>, sqlx::Error>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    within(limit, async {
        let mut tx = pool.begin().await?;
        let due = due.fetch_optional(&mut *tx).await?;
        Ok(due.map(|due| (tx, due)))
    })
    .await
}
