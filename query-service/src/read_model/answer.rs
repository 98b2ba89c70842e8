//! How long an answer of the read model is waited for.

use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::query::QueryAs;
use sqlx::{FromRow, Postgres};

use super::at_hand::{AtHand, Taken};
use super::{ReadFault, fault};

/// How much longer than the longest statement: Postgres ends that one itself and says so, unless nothing that it says arrives.
const ON_ITS_WAY: Duration = Duration::from_secs(1);

/// A connection on which something was asked. Dropped before the answer was there it is closed: what it would still say belongs
/// to nobody, a pool would wait for it without end, and a wire that drops everything in silence may never come back.
struct Asked(Option<PoolConnection<Postgres>>);

impl Asked {
    /// Its answer is there.
    const fn answered(&mut self) -> Option<PoolConnection<Postgres>> {
        self.0.take()
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        drop(self.0.take().map(PoolConnection::detach));
    }
}

/// Runs a statement that may take so long, on a connection of the pool.
pub(super) async fn rows<T>(
    pool: &PgPool,
    longest_statement: Duration,
    query: QueryAs<'_, Postgres, T, PgArguments>,
) -> Result<Vec<T>, ReadFault>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let connection = pool.acquire().await?;
    let (rows, _connection) = ask(connection, longest_statement, query).await?;
    rows
}

/// The same on a connection at hand, which stays there if all went well.
pub(super) async fn rows_at_hand<T>(
    connections: &AtHand,
    longest_statement: Duration,
    query: QueryAs<'_, Postgres, T, PgArguments>,
) -> Result<Vec<T>, ReadFault>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let taken = connections.take().await?;
    let (rows, connection) = ask(taken.connection, longest_statement, query).await?;
    let rows = rows?;
    connections.keep(Taken {
        connection,
        ..taken
    });
    Ok(rows)
}

/// What the database answers, and the connection on which it did.
async fn ask<T>(
    connection: PoolConnection<Postgres>,
    longest_statement: Duration,
    query: QueryAs<'_, Postgres, T, PgArguments>,
) -> Result<(Result<Vec<T>, ReadFault>, PoolConnection<Postgres>), ReadFault>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let mut asked = Asked(Some(connection));
    let started = Instant::now();
    let limit = longest_statement + ON_ITS_WAY;
    let silent = || ReadFault::Silent(limit);
    let connection = asked.0.as_deref_mut().ok_or_else(silent)?;
    let answered = tokio::time::timeout(limit, query.fetch_all(connection)).await;
    let rows = answered.map_err(|_| silent())?;
    let rows = rows.map_err(|cause| fault(cause, longest_statement, started.elapsed()));
    Ok((rows, asked.answered().ok_or_else(silent)?))
}
