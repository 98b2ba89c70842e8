//! What Postgres takes of the very rows that the loader writes: `COPY` into the tables of a build before they are ranked,
//! a connection a core.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sqlx::postgres::PgPoolOptions;
use tests::servers::Servers;

use crate::ingest::normalizing::{self, Sample};
use crate::measure::Rate;

/// The rows are copied so many times: long enough for Postgres to write, not only to remember.
const REPEATS: usize = 5;

pub(crate) async fn measure(servers: &Servers, sample: &Sample) -> anyhow::Result<Rate> {
    let pool = PgPoolOptions::new()
        .max_connections(16)
        .connect(&servers.create_database("copy").await?)
        .await?;
    let tables = normalizing::tables();
    tables.create(&pool).await?;
    let (rows, next) = (Arc::new(sample.rows()?), Arc::new(AtomicUsize::new(0)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let copying: Vec<_> = (0..cores)
        .map(|_| {
            let (pool, tables) = (pool.clone(), tables.clone());
            let (rows, next) = (Arc::clone(&rows), Arc::clone(&next));
            tokio::spawn(async move {
                while next.load(Ordering::Relaxed) < rows.len() * REPEATS {
                    let place = next.fetch_add(1, Ordering::Relaxed) % rows.len();
                    let Some(batch) = rows.get(place) else { break };
                    let mut tx = pool.begin().await?;
                    tables.copy_records(&mut tx, batch.records.clone()).await?;
                    tables.copy_keys(&mut tx, batch.keys.clone()).await?;
                    tx.commit().await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for task in copying {
        task.await??;
    }
    let copied = sample.count() * f64::from(u32::try_from(REPEATS)?);
    Ok(Rate {
        per_second: copied / start.elapsed().as_secs_f64(),
        latency: None,
    })
}
