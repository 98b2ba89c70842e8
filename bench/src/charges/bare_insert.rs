//! What Postgres takes at all: rows like those of charges, made by the server itself and put into a table with the same indexes, in
//! batches as large as those of a busy ledger, one statement after the other. Nothing is decided, sent, bound or answered.
//! At a rate, the same statement says how long a commit of such rows takes on this machine, whoever asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use command_service::store::{Store, StoreSettings};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use service_kit::config::Secret;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tests::servers::Servers;
use uuid::Uuid;

use crate::measure::{self, Rate};

/// Rows of one statement: about what queues up in a shard while a batch is on its way.
const BATCH: i64 = 1_000;

/// Rows of one statement at a rate that leaves Postgres time: about what queues up in the three milliseconds that a commit takes then.
const SMALL_BATCH: i64 = 100;

const INSERT: &str = r#"
    INSERT INTO event (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, occurred_at)
    SELECT 0, pos, 1, pos, $1, pos, 'contract.credits_charged.v1',
           ('{"account_id":"018f2f0e-5b7c-8a00-9c3e-0d6f5b1c2a3d","contract_id":"018f2f0e-5b7c-8a00-9c3e-0d6f5b1c2a3e","endpoint":"person_enrich","units":1,"credits":1,"balance_after":' || pos || '}')::jsonb,
           ('018f2f0e-5b7c-7000-8000-' || lpad(to_hex(pos), 12, '0'))::uuid, 'service:query-service', now()
    FROM generate_series($2::bigint + 1, $2 + $3) AS pos"#;

/// An event store of its own, that nobody owns.
pub(crate) struct BareInsert {
    pool: PgPool,
    aggregate: Uuid,
    last: Arc<AtomicI64>,
}

impl BareInsert {
    pub(crate) async fn prepare(servers: &Servers) -> anyhow::Result<Self> {
        let url = servers.create_database("bare_insert").await?;
        let address = "http://127.0.0.1:1".to_owned();
        // Makes the tables.
        Store::open(StoreSettings::new(
            Secret::new(url.clone()),
            Uuid::new_v4(),
            address,
        ))
        .await?;
        Ok(Self {
            pool: PgPoolOptions::new()
                .max_connections(1)
                .connect(&url)
                .await?,
            aggregate: Uuid::new_v4(),
            last: Arc::default(),
        })
    }

    /// Rows a second. All of them are on disk when it returns: what is measured next would wait for them.
    pub(crate) async fn measure(&self, length: Duration) -> anyhow::Result<Rate> {
        let rate = self.insert(length).await?;
        sqlx::query("CHECKPOINT").execute(&self.pool).await?;
        Ok(rate)
    }

    /// So many rows a second, whatever Postgres takes for them. The times are those of a statement, from when it was due.
    pub(crate) async fn insert_at(
        &self,
        per_second: f64,
        length: Duration,
    ) -> anyhow::Result<Rate> {
        let statements = per_second / measure::whole(SMALL_BATCH.unsigned_abs());
        measure::open_loop(statements, length, self.one_insert(SMALL_BATCH)).await
    }

    async fn insert(&self, length: Duration) -> anyhow::Result<Rate> {
        let insert = self.one_insert(BATCH);
        measure::rate(1, length, move |_| insert()).await
    }

    fn one_insert(
        &self,
        rows: i64,
    ) -> impl Fn() -> BoxFuture<'static, anyhow::Result<u64>> + Send + Sync + 'static {
        let (pool, aggregate, last) = (self.pool.clone(), self.aggregate, self.last.clone());
        move || {
            let (pool, last) = (pool.clone(), last.clone());
            async move {
                let done = sqlx::query(INSERT)
                    .bind(aggregate)
                    .bind(last.fetch_add(rows, Ordering::Relaxed))
                    .bind(rows)
                    .execute(&pool)
                    .await?;
                Ok(done.rows_affected())
            }
            .boxed()
        }
    }
}
