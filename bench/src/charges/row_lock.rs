//! The limit: `SELECT … FOR UPDATE; INSERT ledger; UPDATE balance; COMMIT` over a pool, in its best shape.

use std::time::Duration;

use anyhow::Context;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tests::servers::Servers;
use uuid::Uuid;

use crate::charges::CREDITS;
use crate::measure::{self, Plan, Rate};

/// Numbers of connections that are tried; the best is kept, since a hot row rewards few.
const WORKERS: [usize; 4] = [2, 4, 8, 16];

const SCHEMA: &str = "
    CREATE TABLE contract (contract_id uuid PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
    CREATE TABLE ledger (
        request_id uuid PRIMARY KEY, contract_id uuid NOT NULL, credits bigint NOT NULL, balance_after bigint NOT NULL,
        occurred_at timestamptz NOT NULL DEFAULT now()
    )";

/// The tables, and how many workers do best on them.
pub(crate) struct RowLock {
    pool: PgPool,
    contract: Uuid,
    workers: usize,
}

impl RowLock {
    pub(crate) async fn prepare(servers: &Servers, plan: &Plan) -> anyhow::Result<Self> {
        let url = servers.create_database("row_lock").await?;
        let pool = PgPoolOptions::new()
            .max_connections(16)
            .connect(&url)
            .await?;
        sqlx::raw_sql(SCHEMA).execute(&pool).await?;
        let contract = Uuid::new_v4();
        sqlx::query("INSERT INTO contract VALUES ($1, $2)")
            .bind(contract)
            .bind(CREDITS)
            .execute(&pool)
            .await?;
        let mut limit = Self {
            pool,
            contract,
            workers: 0,
        };
        let mut best = 0.0;
        for workers in WORKERS {
            let rate = limit.with(workers, plan.length / 4).await?;
            if rate.per_second > best {
                best = rate.per_second;
                limit.workers = workers;
            }
        }
        Ok(limit)
    }

    pub(crate) async fn measure(&self, length: Duration) -> anyhow::Result<Rate> {
        self.with(self.workers, length).await
    }

    async fn with(&self, workers: usize, length: Duration) -> anyhow::Result<Rate> {
        let (pool, contract) = (self.pool.clone(), self.contract);
        measure::rate(workers, length, move |_| {
            let pool = pool.clone();
            async move { charge(&pool, contract).await.map(|()| 1) }
        })
        .await
    }
}

async fn charge(pool: &PgPool, contract: Uuid) -> anyhow::Result<()> {
    let mut transaction = pool.begin().await?;
    let balance: i64 =
        sqlx::query_scalar("SELECT balance FROM contract WHERE contract_id = $1 FOR UPDATE")
            .bind(contract)
            .fetch_one(&mut *transaction)
            .await?;
    let after = balance.checked_sub(1).context("no credits are left")?;
    sqlx::query("INSERT INTO ledger (request_id, contract_id, credits, balance_after) VALUES ($1, $2, 1, $3)")
        .bind(Uuid::new_v4())
        .bind(contract)
        .bind(after)
        .execute(&mut *transaction)
        .await?;
    sqlx::query("UPDATE contract SET balance = $2 WHERE contract_id = $1")
        .bind(contract)
        .bind(after)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}
