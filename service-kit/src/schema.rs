//! Brings the schema of a database up to date, before anything else is asked of it.
//!
//! Guarantee: work may take as long as it takes, as an index over a big table does, and so may the turn of another start that is at
//! work; waiting may not. While it runs, another connection looks whether it waits for a lock, and for whose, or is gone; the log
//! says it, and so does the fault that ends the wait. Nothing heard of Postgres at all is such a wait, too; a refusal is not.

use std::time::Duration;

use sqlx::Connection as _;
use sqlx::migrate::{Migrate as _, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use tokio::time::timeout;

use crate::patience::{Look, outwait};

/// The longest time limit that Postgres takes, in milliseconds.
const LONGEST_MS: u128 = 2_147_483_647;

/// Why a schema is not up to date. What was done of a migration is undone.
#[derive(Debug, thiserror::Error)]
pub enum SchemaFault {
    /// There was no connection.
    #[error("the database gave no connection")]
    NotAsked(#[source] sqlx::Error),
    /// Postgres said nothing, before anything was begun.
    #[error("the database did not answer in time")]
    NoAnswer,
    /// Somebody holds a lock that is needed, or Postgres is silent.
    #[error("the schema was not brought up to date within {0:?}: {1}")]
    Waits(Duration, String),
    /// A newer version has brought it further than this one knows.
    #[error(
        "a newer version has been at work on this database (migration {0}): this version may not write to it, docs/OPERATING.md, \"Going back\""
    )]
    Newer(i64),
    /// What ran here under a number is not what this version has under it.
    #[error(
        "migration {0} ran here with another text than this version has: the database was made by a version of another line"
    )]
    Altered(i64),
    /// A migration was refused.
    #[error("the migrations failed")]
    Migration(#[source] MigrateError),
    /// Postgres failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

impl From<MigrateError> for SchemaFault {
    fn from(fault: MigrateError) -> Self {
        match fault {
            MigrateError::VersionMissing(number) => Self::Newer(number),
            MigrateError::VersionMismatch(number) => Self::Altered(number),
            other => Self::Migration(other),
        }
    }
}

/// Runs those of `migrations` that were not run yet. It waits `patience` for others, `answer` for a word about a few rows.
///
/// # Errors
/// [`SchemaFault`].
pub async fn bring_up(
    pool: &PgPool,
    migrations: &Migrator,
    patience: Duration,
    answer: Duration,
) -> Result<(), SchemaFault> {
    let connection = pool.acquire().await.map_err(SchemaFault::NotAsked)?;
    // A pool would keep what is set, and the lock that a wait was given up for.
    let mut connection = connection.detach();
    // The look comes first and knows more: this is for a wait that nobody is there any more to end.
    let longest = (patience * 2).as_millis().min(LONGEST_MS).to_string();
    let process = sqlx::query_scalar(include_str!("../sql/schema/patience.sql"));
    let process = process.bind(&longest).fetch_one(&mut connection);
    let process: Result<i32, _> = timeout(answer, process)
        .await
        .map_err(|_| SchemaFault::NoAnswer)?;
    let process = process?;
    let options = pool.connect_options();
    let why = outwait(patience, "bringing the schema up to date", || {
        look(&options, process)
    });
    tokio::select! {
        done = migrate(&mut connection, migrations, longest) => Ok(done?),
        why = why => Err(SchemaFault::Waits(patience, why)),
    }
}

/// The turn comes before the limit on locks, since another start may be at work for long. It lasts until the connection is closed.
async fn migrate(
    connection: &mut PgConnection,
    migrations: &Migrator,
    longest: String,
) -> Result<(), MigrateError> {
    connection.lock().await?;
    let limit = sqlx::query(include_str!("../sql/schema/lock_patience.sql"));
    limit.bind(longest).execute(&mut *connection).await?;
    migrations.run(connection).await
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
        // The SQLSTATE alone: Postgres' words quote what is in rows.
        Err(fault) => Look::Unknown(match fault.as_database_error() {
            Some(answer) => format!("SQLSTATE {}", answer.code().unwrap_or_default()),
            None => fault.to_string(),
        }),
    }
}
