//! Brings the event store's schema up to date, before anything else is asked.
//!
//! Guarantee: work may take as long as it takes, as an index over a big table does, and so may the turn of another start that is at
//! work; waiting may not. While it runs, another connection looks whether it waits for a lock, and for whose, or is gone; the log
//! says it, and so does the fault that ends a wait of [`StoreSettings::schema_timeout`]. Nothing heard of Postgres at all is such a
//! wait, too; a refusal is not.

use sqlx::Connection as _;
use sqlx::migrate::{Migrate as _, MigrateError};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use tokio::time::timeout;

use service_kit::patience::{Look, outwait};

use super::{StoreFault, StoreSettings};

/// That Postgres takes.
const LONGEST_MS: u128 = 2_147_483_647;

pub(super) async fn bring_up(pool: &PgPool, settings: &StoreSettings) -> Result<(), StoreFault> {
    let patience = settings.schema_timeout;
    let connection = pool.acquire().await.map_err(StoreFault::not_asked)?;
    // A pool would keep what was set, and the lock that a wait was given up for.
    let mut connection = connection.detach();
    // The look comes first and knows more: this is for a wait that nobody is there any more to end.
    let longest = (patience * 2).as_millis().min(LONGEST_MS).to_string();
    let process = sqlx::query_scalar(include_str!("../../sql/schema_patience.sql"));
    let process = process.bind(&longest).fetch_one(&mut connection);
    let process: Result<i32, _> = timeout(settings.answer_timeout, process)
        .await
        .map_err(|_| StoreFault::NoAnswer)?;
    let process = process?;
    let options = pool.connect_options();
    let why = outwait(patience, "bringing the schema up to date", || {
        look(&options, process)
    });
    tokio::select! {
        done = migrate(&mut connection, longest) => done.map_err(StoreFault::from_migration),
        why = why => Err(StoreFault::SchemaWaits(patience, why)),
    }
}

/// The turn comes before the limit on locks, since another start may be at work for long. It lasts until the connection is closed.
async fn migrate(connection: &mut PgConnection, longest: String) -> Result<(), MigrateError> {
    connection.lock().await?;
    let limit = sqlx::query(include_str!("../../sql/schema_lock_patience.sql"));
    limit.bind(longest).execute(&mut *connection).await?;
    sqlx::migrate!("./migrations").run(connection).await
}

/// On a connection of its own: a pool does not tell silence from a refusal.
async fn look(options: &PgConnectOptions, process: i32) -> Look {
    let seen = async {
        let mut connection = PgConnection::connect_with(options).await?;
        let seen = sqlx::query_as(include_str!("../../sql/schema_look.sql"));
        let seen = seen.bind(process).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(seen)
    };
    match seen.await {
        Ok((is_at_work, holders)) => Look::of(is_at_work, holders),
        Err(sqlx::Error::Io(_)) => Look::silent(),
        Err(fault) => Look::Unknown(StoreFault::from(fault).cause()),
    }
}
