//! Brings the event store's schema up to date, before anything else is asked.

use std::sync::Arc;

use service_kit::schema::{self, SchemaFault};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgPool;

use super::{StoreFault, StoreSettings};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

pub(super) async fn bring_up(pool: &PgPool, settings: &StoreSettings) -> Result<(), StoreFault> {
    let (patience, answer) = (settings.schema_timeout, settings.answer_timeout);
    schema::bring_up(pool, &MIGRATIONS, patience, answer)
        .await
        .map_err(|fault| match fault {
            SchemaFault::NotAsked(fault) => StoreFault::not_asked(fault),
            SchemaFault::NoAnswer => StoreFault::NoAnswer,
            SchemaFault::Waits(patience, why) => StoreFault::SchemaWaits(patience, why),
            another @ (SchemaFault::Newer(_) | SchemaFault::Altered(_)) => {
                StoreFault::OfAnotherVersion(Arc::new(another))
            }
            SchemaFault::Migration(fault) => StoreFault::from_migration(fault),
            SchemaFault::Database(fault) => StoreFault::Database(Arc::new(fault)),
        })
}
