//! The same queries on the typed columns of the build's table, with the best indexes that Postgres has for them: a B-tree a
//! column, trigrams for the patterns. One connection, no parallel workers.

use std::time::Instant;

use anyhow::Context;
use dialect::Value as Literal;
use documents::{Dictionary, Unpacker};
use serde_json::{Map, Value};
use sqlx::postgres::{PgArguments, PgConnection};
use sqlx::query::QueryScalar;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, Connection, Executor, Postgres};
use tests::sql::{self, Flavor, Sql};

use super::Timed;
use super::queries::Asked;
use crate::world::World;

/// Columns that the queries compare or order by.
const INDEXED: &[&str] = &[
    "work_email",
    "linkedin_url",
    "mobile_phone",
    "full_name",
    "last_name",
    "company_name",
    "company_domain",
    "country",
    "seniority_level",
    "job_title",
    "job_function",
    "company_size",
    "company_industry",
    "city",
    "state",
    "last_seen",
];
const NUMBERS: &[&str] = &["years_of_experience", "num_sources", "is_decision_maker"];
/// An id as the queries compare it: as text.
const ID: &str = "lower(service_id::text) collate \"C\"";
/// Columns that the queries look into by patterns.
const TRIGRAMS: &[&str] = &[
    "work_email",
    "linkedin_url",
    "full_name",
    "job_title",
    "company_name",
];

/// `None` for what stands in no typed column: conditions on lists.
pub(crate) async fn run(
    world: &World,
    queries: &[Asked],
    runs: usize,
) -> anyhow::Result<Vec<Option<Timed>>> {
    let mut db = connect(world).await?;
    index(&mut db).await?;
    let mut answers = Vec::new();
    for asked in queries {
        let condition = sql::condition(Flavor::Postgres, &asked.query);
        let order = sql::order(Flavor::Postgres, &asked.query);
        answers.push(match (condition, order) {
            (Some(condition), Some(order)) => {
                Some(time(&mut db, &condition, &order, asked.offset, runs).await?)
            }
            _ => None,
        });
    }
    Ok(answers)
}

/// A document at this rank or after it that has every scalar which the queries ask for.
pub(crate) async fn record_from(world: &World, rank: u32) -> anyhow::Result<Map<String, Value>> {
    let mut db = connect(world).await?;
    let record: Json<Map<String, Value>> = sqlx::query_scalar(
        "select to_jsonb(r) - 'doc' from (
             select * from person
             where rank >= $1 and work_email is not null and mobile_phone is not null and linkedin_url is not null
             order by rank limit 1
         ) r",
    )
    .bind(i32::try_from(rank)?)
    .fetch_one(&mut db)
    .await?;
    Ok(record.0)
}

/// A connection on the schema of the active build.
pub(crate) async fn connect(world: &World) -> anyhow::Result<PgConnection> {
    let mut db = PgConnection::connect(&world.stack.read_model_url).await?;
    let schema: String =
        sqlx::query_scalar("select schema_name from active_build where kind = 'person'")
            .fetch_one(&mut db)
            .await?;
    db.execute(AssertSqlSafe(format!(
        "set search_path = {schema}, public; set max_parallel_workers_per_gather = 0; set work_mem = '256MB'"
    )))
    .await?;
    Ok(db)
}

/// What unpacks the build's documents, on a connection of [`connect`].
pub(crate) async fn unpacker(db: &mut PgConnection) -> anyhow::Result<Unpacker> {
    let dictionary = sqlx::query_scalar("select bytes from dictionary")
        .fetch_one(db)
        .await?;
    Ok(Unpacker::new(Dictionary::of_bytes(dictionary))?)
}

async fn index(db: &mut PgConnection) -> anyhow::Result<()> {
    db.execute("create extension if not exists pg_trgm with schema public")
        .await
        .context("the extension pg_trgm")?;
    let compared = |column: &str| format!("lower(\"{column}\") collate \"C\"");
    let keys = INDEXED.iter().map(|column| compared(column));
    for key in keys.chain([ID.to_owned()]) {
        db.execute(AssertSqlSafe(format!(
            "create index on person (({key}), rank)"
        )))
        .await?;
    }
    for column in NUMBERS {
        db.execute(AssertSqlSafe(format!(
            "create index on person ({column}, rank)"
        )))
        .await?;
    }
    for column in TRIGRAMS {
        let key = compared(column);
        db.execute(AssertSqlSafe(format!(
            "create index on person using gin (({key}) gin_trgm_ops)"
        )))
        .await?;
    }
    db.execute("vacuum analyze person").await?;
    Ok(())
}

async fn time(
    db: &mut PgConnection,
    condition: &Sql,
    order: &str,
    offset: u32,
    runs: usize,
) -> anyhow::Result<Timed> {
    let count = format!("select count(*) from person where {}", condition.text);
    let page = format!(
        "select rank from person where {} order by {order} limit 100 offset {offset}",
        condition.text
    );
    let (mut times, mut total, mut ranks) = (Vec::new(), 0_i64, Vec::new());
    for _ in 0..=runs {
        let start = Instant::now();
        total = bound(sqlx::query_scalar(AssertSqlSafe(count.clone())), condition)
            .fetch_one(&mut *db)
            .await?;
        ranks = bound(
            sqlx::query_scalar::<_, i32>(AssertSqlSafe(page.clone())),
            condition,
        )
        .fetch_all(&mut *db)
        .await?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    let warm = times.get_mut(1..).unwrap_or_default();
    warm.sort_by(f64::total_cmp);
    Ok(Timed {
        total: u64::try_from(total)?,
        ranks: ranks
            .into_iter()
            .map(u32::try_from)
            .collect::<Result<_, _>>()?,
        milliseconds: warm.get(warm.len() / 2).copied().unwrap_or_default(),
    })
}

fn bound<'q, O>(
    mut query: QueryScalar<'q, Postgres, O, PgArguments>,
    condition: &Sql,
) -> QueryScalar<'q, Postgres, O, PgArguments> {
    for value in &condition.values {
        query = match value {
            Literal::Text(text) => query.bind(text.clone()),
            Literal::Integer(number) => query.bind(*number),
            Literal::Number(number) => query.bind(*number),
            Literal::Boolean(boolean) => query.bind(*boolean),
        };
    }
    query
}
