//! Searches: sixty queries on the column files, beside Postgres with the best indexes and beside DuckDB over the same records;
//! then pages over HTTP, charged, beside the same documents by a prepared statement.
//!
//! Every engine gives count and first page, uncached and warm, on one thread; counts and pages must be the same, else the
//! bench fails: a fast wrong answer is none.

mod duckdb;
mod engine;
mod pages;
mod postgres;
mod queries;

use anyhow::{Context, ensure};

use crate::measure::Plan;
use crate::report;
use crate::world::World;

/// What one engine made of one query.
#[derive(Debug, Clone)]
pub(crate) struct Timed {
    pub(crate) total: u64,
    pub(crate) ranks: Vec<u32>,
    /// Median of count and page.
    pub(crate) milliseconds: f64,
}

/// Runs of each query; the median counts.
const RUNS: usize = 7;
/// The others are slow; their medians are as steady with fewer.
const RUNS_OF_OTHERS: usize = 3;

pub(crate) async fn run(plan: &Plan, world: &World) -> anyhow::Result<()> {
    let engine = engine::Engine::open(world).await?;
    let queries = queries::read(&engine.middle_record(world).await?)?;
    let ours = engine.run(&queries, RUNS)?;
    let postgres = postgres::run(world, &queries, RUNS_OF_OTHERS).await?;
    let duckdb = duckdb::run(world, &queries, RUNS_OF_OTHERS).await?;
    let mut lines = Vec::new();
    for (at, query) in queries.iter().enumerate() {
        let own = ours.get(at).context("a query without an answer")?;
        let beside = [&postgres, &duckdb].map(|all| all.get(at).cloned().flatten());
        for other in beside.iter().flatten() {
            ensure!(
                (other.total, &other.ranks) == (own.total, &own.ranks),
                "{}: {} rows here, {} there, or another page",
                query.text,
                own.total,
                other.total
            );
        }
        let [postgres, duckdb] = beside.map(|timed| timed.map(|timed| timed.milliseconds));
        lines.push(report::SearchLine {
            query: query.text.clone(),
            total: own.total,
            milliseconds: own.milliseconds,
            postgres,
            duckdb,
        });
    }
    report::searches(engine.rows(), &lines);
    pages::run(plan, world).await
}
