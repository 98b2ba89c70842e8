//! Pages over HTTP as a customer takes them: authenticated, counted, searched, rendered, charged. The limit is what no
//! service can beat: the documents of such a page by a prepared statement, from this process, by as many callers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::json;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Row};
use tests::Customer;

use crate::measure::{self, Plan, Rate};
use crate::report::Comparison;
use crate::world::World;

/// More than any run charges.
const CREDITS: i64 = 1_000_000_000;
/// Callers, records a page, title.
const PAGES: [(usize, u32, &str); 3] = [
    (16, 10, "Pages of 10 persons, 16 callers"),
    (1, 10, "Pages of 10 persons, one caller"),
    (1, 100, "Pages of 100 whole persons, one caller"),
];
const NAMES: [&str; 2] = [
    "documents of a page by rank",
    "POST /person/search, charged",
];

/// Different filters, so that most are found in the cache of totals and some are not, as among customers.
const CITIES: &[&str] = &[
    "london",
    "chicago",
    "berlin",
    "philadelphia",
    "rennes",
    "manchester",
    "paris",
    "mumbai",
    "madrid",
    "toronto",
    "sydney",
    "austin",
    "seattle",
    "boston",
    "denver",
    "lyon",
    "hamburg",
];
const LEVELS: &[&str] = &["senior", "entry", "manager", "director", "vp"];

pub(crate) async fn run(plan: &Plan, world: &World) -> anyhow::Result<()> {
    let customer = Arc::new(world.stack.customer(CREDITS).await?);
    for (callers, records, title) in PAGES {
        let limit = Documents::prepare(world, callers).await?;
        let mut comparison = Comparison::new(title, &NAMES);
        for _ in 0..plan.rounds {
            let raw = limit.measure(records, plan.length).await?;
            comparison.add(&[raw, search(&customer, callers, records, plan.length).await?]);
        }
        comparison.print();
    }
    Ok(())
}

async fn search(
    customer: &Arc<Customer>,
    callers: usize,
    records: u32,
    length: Duration,
) -> anyhow::Result<Rate> {
    let customer = Arc::clone(customer);
    let next = AtomicUsize::new(0);
    measure::rate(callers, length, move |_| {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let city = CITIES.get(place % CITIES.len()).copied().unwrap_or_default();
        let level = LEVELS.get(place / CITIES.len() % LEVELS.len()).copied().unwrap_or_default();
        let customer = Arc::clone(&customer);
        async move {
            let body = json!({
                "query": format!("SELECT * FROM person WHERE city = '{city}' OR seniority_level = '{level}'"),
                "limit": records,
            });
            let (status, answer) = customer.post_unread("/person/search", &body).await?;
            ensure!(status == 200, "{status}: {}", String::from_utf8_lossy(&answer));
            // Not read into a tree: the client has the same two cores.
            let page: AnsweredPage = serde_json::from_slice(&answer)?;
            let rows = page.matches.len();
            ensure!(rows == usize::try_from(records)?, "a page of {rows}");
            Ok(1)
        }
    })
    .await
}

#[derive(serde::Deserialize)]
struct AnsweredPage {
    matches: Vec<serde::de::IgnoredAny>,
}

/// Connections of one caller each.
struct Documents {
    pool: PgPool,
    statement: String,
    rows: u32,
    callers: usize,
}

impl Documents {
    async fn prepare(world: &World, callers: usize) -> anyhow::Result<Self> {
        let connections = u32::try_from(callers)?;
        let pool = PgPoolOptions::new()
            .min_connections(connections)
            .max_connections(connections)
            .connect(&world.stack.read_model_url)
            .await?;
        let (schema, rows): (String, i64) = sqlx::query_as(
            "select schema_name, rows from data_build join active_build using (build, schema_name) where active_build.kind = 'person'",
        )
        .fetch_one(&pool)
        .await?;
        Ok(Self {
            pool,
            statement: format!(
                "select rank, service_id, doc from {schema}.person where rank = any($1)"
            ),
            rows: u32::try_from(rows)?.max(1),
            callers,
        })
    }

    async fn measure(&self, records: u32, length: Duration) -> anyhow::Result<Rate> {
        let (pool, statement, rows) = (self.pool.clone(), self.statement.clone(), self.rows);
        let next = AtomicUsize::new(0);
        measure::rate(self.callers, length, move |_| {
            // A prime step; the records of a page of a filter stand some rows apart.
            let first = u32::try_from(next.fetch_add(24_737, Ordering::Relaxed)).unwrap_or(0);
            let ranks = (0..records).map(|at| first.wrapping_add(at * 37) % rows + 1);
            let ranks: Vec<i32> = ranks.filter_map(|rank| i32::try_from(rank).ok()).collect();
            let (pool, statement) = (pool.clone(), statement.clone());
            async move {
                let found = sqlx::query(AssertSqlSafe(statement))
                    .bind(ranks)
                    .fetch_all(&pool)
                    .await?;
                let first = found.first().context("no rows")?;
                ensure!(!first.is_empty(), "a row without a document");
                Ok(1)
            }
        })
        .await
    }
}
