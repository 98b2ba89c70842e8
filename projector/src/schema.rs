//! Brings the schema of the read models up to date, before anything else is asked.
//!
//! Guarantee: work may take as long as it takes, and so may the turn of another start that is at work; waiting may not. While it
//! runs, another connection looks whether it waits for a lock, and for whose, or is gone; the log says it, and so does the fault
//! that ends a wait of [`Limits::schema`]. Nothing heard of Postgres at all is such a wait, too; a refusal is not.

use std::time::Duration;

use service_kit::patience::{Look, outwait};
use sqlx::Connection as _;
use sqlx::migrate::{Migrate as _, MigrateError};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};

use crate::MIGRATIONS;
use crate::database::{Limits, within};

/// That Postgres takes.
const LONGEST_MS: u128 = 2_147_483_647;

/// Why the schema is not up to date.
#[derive(Debug, thiserror::Error)]
pub enum SchemaFault {
    /// Somebody holds a lock that it needs, or Postgres is silent.
    #[error("the read models' schema was not brought up to date within {0:?}: {1}")]
    Waits(Duration, String),
    /// A migration was refused.
    #[error("the migrations failed")]
    Migration(#[from] MigrateError),
    /// There was no connection.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

/// Runs the migrations that were not run yet.
///
/// # Errors
/// [`SchemaFault`]; what was done of a migration is undone.
pub async fn bring_up(pool: &PgPool, limits: Limits) -> Result<(), SchemaFault> {
    let patience = limits.schema;
    // A pool would keep what is set, and the lock that a wait was given up for.
    let mut connection = pool.acquire().await?.detach();
    // The look comes first and knows more: this is for a wait that nobody is there any more to end.
    let longest = (patience * 2).as_millis().min(LONGEST_MS).to_string();
    let process = sqlx::query_scalar(include_str!("../sql/schema/patience.sql"));
    let process = process.bind(&longest).fetch_one(&mut connection);
    let process: i32 = within(limits.answer, process).await?;
    let options = pool.connect_options();
    let why = outwait(patience, "bringing the schema up to date", || {
        look(&options, process)
    });
    tokio::select! {
        done = migrate(&mut connection, longest) => Ok(done?),
        why = why => Err(SchemaFault::Waits(patience, why)),
    }
}

/// The turn comes before the limit on locks, since another start may be at work for long. It lasts until the connection is closed.
async fn migrate(connection: &mut PgConnection, longest: String) -> Result<(), MigrateError> {
    connection.lock().await?;
    let limit = sqlx::query(include_str!("../sql/schema/lock_patience.sql"));
    limit.bind(longest).execute(&mut *connection).await?;
    MIGRATIONS.run(connection).await
}

/// On a connection of its own: a pool does not tell silence from a refusal.
async fn look(options: &PgConnectOptions, process: i32) -> Look {
    let seen = async {
        let mut connection = PgConnection::connect_with(options).await?;
        let seen = sqlx::query_as(include_str!("../sql/schema/look.sql"));
        let seen = seen.bind(process).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(seen)
    };
    match seen.await {
        Ok((is_at_work, holders)) => Look::of(is_at_work, holders),
        Err(sqlx::Error::Io(_)) => Look::silent(),
        Err(fault) => {
            let code = fault.as_database_error().and_then(|answer| answer.code());
            let code = code.map(|code| format!("SQLSTATE {code}"));
            Look::Unknown(code.unwrap_or_else(|| fault.to_string()))
        }
    }
}
