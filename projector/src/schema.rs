//! Brings the schema of the read models up to date, before anything else is asked.
//!
//! Guarantee: work may take as long as it takes; waiting may not. While it runs, another connection looks whether it waits for a
//! lock, and for whose; the log says it, and so does the fault that ends a wait of [`Limits::schema`]. Nothing heard of Postgres
//! at all is such a wait, too.

use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::postgres::PgPool;
use tokio::time::{Instant, sleep};

use crate::MIGRATIONS;
use crate::database::{Limits, within};

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Of looks in a wait, at the least.
const LOOKS: u32 = 4;
/// That Postgres takes.
const LONGEST_MS: u128 = 2_147_483_647;
const SILENT: &str = "Postgres does not answer";

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
    let process = process.bind(longest).fetch_one(&mut connection);
    let process: i32 = within(limits.answer, process).await?;
    tokio::select! {
        done = MIGRATIONS.run(&mut connection) => Ok(done?),
        why = waits(pool, process, patience) => Err(SchemaFault::Waits(patience, why)),
    }
}

/// Ends when the process of Postgres has waited so long: what for.
async fn waits(pool: &PgPool, process: i32, patience: Duration) -> String {
    let look_every = LOOK_EVERY.min(patience / LOOKS);
    let mut since = None;
    loop {
        sleep(look_every).await;
        let holders = sqlx::query_scalar(include_str!("../sql/schema/holders.sql"));
        let holders = holders.bind(process).fetch_one(pool);
        let why = match within(patience, holders).await {
            Ok(None) => {
                tracing::info!("the schema is being brought up to date");
                since = None;
                continue;
            }
            Ok(Some::<String>(holders)) => format!("a lock is held by {holders}"),
            Err(_) => SILENT.to_owned(),
        };
        tracing::warn!(%why, "the schema waits to be brought up to date");
        if since.get_or_insert_with(Instant::now).elapsed() >= patience {
            return why;
        }
    }
}
