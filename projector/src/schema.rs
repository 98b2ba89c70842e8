//! Brings the schema of the read models up to date, before anything else is asked.

pub use service_kit::schema::SchemaFault;
use sqlx::postgres::PgPool;

use crate::MIGRATIONS;
use crate::database::Limits;

/// Runs the migrations that were not run yet.
///
/// # Errors
/// [`SchemaFault`]; what was done of a migration is undone.
pub async fn bring_up(pool: &PgPool, limits: Limits) -> Result<(), SchemaFault> {
    service_kit::schema::bring_up(pool, &MIGRATIONS, limits.schema, limits.answer).await
}
