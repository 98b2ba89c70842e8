//! Brings the event store's schema up to date, before anything else is asked.
//!
//! Guarantee: work may take as long as it takes, as an index over a big table does; waiting may not. While it runs, another
//! connection looks whether it waits for a lock, and for whose; the log says it, and so does the fault that ends a wait of
//! [`StoreSettings::schema_timeout`]. Nothing heard of Postgres at all is such a wait, too.

use std::time::Duration;

use sqlx::postgres::PgPool;
use tokio::time::{Instant, sleep, timeout};

use super::{StoreFault, StoreSettings};

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Of looks in a wait, at the least.
const LOOKS: u32 = 4;
/// That Postgres takes.
const LONGEST_MS: u128 = 2_147_483_647;
const SILENT: &str = "Postgres does not answer";

pub(super) async fn bring_up(pool: &PgPool, settings: &StoreSettings) -> Result<(), StoreFault> {
    let patience = settings.schema_timeout;
    let connection = pool.acquire().await.map_err(StoreFault::not_asked)?;
    // A pool would keep what was set, and the lock that a wait was given up for.
    let mut connection = connection.detach();
    // The look comes first and knows more: this is for a wait that nobody is there any more to end.
    let longest = (patience * 2).as_millis().min(LONGEST_MS).to_string();
    let process = sqlx::query_scalar(include_str!("../../sql/schema_patience.sql"));
    let process = process.bind(longest).fetch_one(&mut connection);
    let process: Result<i32, _> = timeout(settings.answer_timeout, process)
        .await
        .map_err(|_| StoreFault::NoAnswer)?;
    let process = process?;
    let migrations = sqlx::migrate!("./migrations");
    tokio::select! {
        done = migrations.run(&mut connection) => done.map_err(StoreFault::from_migration),
        why = waits(pool, process, patience) => Err(StoreFault::SchemaWaits(patience, why)),
    }
}

/// Ends when the process of Postgres has waited so long: what for.
async fn waits(pool: &PgPool, process: i32, patience: Duration) -> String {
    let look_every = LOOK_EVERY.min(patience / LOOKS);
    let mut since = None;
    loop {
        sleep(look_every).await;
        let holders = sqlx::query_scalar(include_str!("../../sql/schema_holders.sql"));
        let holders = holders.bind(process).fetch_one(pool);
        let why = match timeout(patience, holders).await {
            Ok(Ok(None)) => {
                tracing::info!("the schema is being brought up to date");
                since = None;
                continue;
            }
            Ok(Ok(Some::<String>(holders))) => format!("a lock is held by {holders}"),
            Ok(Err(_)) | Err(_) => SILENT.to_owned(),
        };
        tracing::warn!(%why, "the schema waits to be brought up to date");
        if since.get_or_insert_with(Instant::now).elapsed() >= patience {
            return why;
        }
    }
}
