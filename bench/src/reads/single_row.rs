//! One document by the primary key of the active build's table, by a prepared statement.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::ensure;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Row};

use crate::measure::{self, Rate};
use crate::world::World;

/// Connections of one caller each.
pub(crate) struct SingleRow {
    pool: PgPool,
    statement: String,
    rows: u32,
    callers: usize,
}

impl SingleRow {
    pub(crate) async fn prepare(world: &World, callers: usize) -> anyhow::Result<Self> {
        let connections = u32::try_from(callers)?;
        let pool = PgPoolOptions::new()
            .min_connections(connections)
            .max_connections(connections)
            .connect(&world.stack.read_model_url)
            .await?;
        let schema: String =
            sqlx::query_scalar("select schema_name from active_build where kind = 'person'")
                .fetch_one(&pool)
                .await?;
        let count = format!("select count(*)::int from {schema}.person");
        let rows: i32 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&pool)
            .await?;
        Ok(Self {
            pool,
            statement: format!("select doc from {schema}.person where rank = $1"),
            rows: u32::try_from(rows)?.max(1),
            callers,
        })
    }

    pub(crate) async fn measure(&self, length: Duration) -> anyhow::Result<Rate> {
        let (pool, statement, rows) = (self.pool.clone(), self.statement.clone(), self.rows);
        let next = AtomicU32::new(0);
        measure::rate(self.callers, length, move |_| {
            // A prime step, as for enrich.
            let rank = next.fetch_add(24_737, Ordering::Relaxed) % rows + 1;
            let (pool, statement) = (pool.clone(), statement.clone());
            async move {
                let row = sqlx::query(AssertSqlSafe(statement))
                    .bind(i32::try_from(rank)?)
                    .fetch_one(&pool)
                    .await?;
                // The bytes are here; reading them is no part of the limit.
                ensure!(!row.is_empty(), "a row without a document");
                Ok(1)
            }
        })
        .await
    }
}
