//! Documents in the three forms that a build could store them in, on the same Postgres: bytes a row, and rows read in a
//! second. The rows are generated persons as the loader reads them; every reader ends with the JSON in its hands.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use chrono::NaiveDate;
use documents::{Dictionary, Packer, Unpacker};
use events_schema::record::RecordKind;
use projector::builds::record::{Lines, Reading};
use projector::config::Levels;
use sqlx::postgres::{PgPool, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, Executor, Row};
use tests::servers::Servers;

use crate::lines::Generated;
use crate::measure::{self, Plan, Rate, whole};
use crate::report::{self, Comparison};

/// More rows than the buffers of a small Postgres hold of the largest form.
const ROWS: u32 = 60_000;
/// Of one statement that writes.
const BATCH: usize = 1_000;
const CONNECTIONS: u32 = 16;
/// Callers of one row, and of a page.
const OF_ONE: usize = 16;
const OF_PAGE: usize = 4;
const PAGE: u32 = 100;
/// So far apart are the rows that follow each other: a prime, so that all are read before one is read again.
const STEP: u32 = 24_737;

const FORMS: [Form; 3] = [
    Form {
        name: "jsonb",
        column: "doc jsonb not null",
        is_packed: false,
    },
    Form {
        name: "json, compressed by lz4",
        column: "doc json compression lz4 not null",
        is_packed: false,
    },
    Form {
        name: "zstd with the build's dictionary, as it is stored",
        column: "doc bytea not null",
        is_packed: true,
    },
];

/// One way to store a document.
#[derive(Clone, Copy)]
struct Form {
    name: &'static str,
    column: &'static str,
    is_packed: bool,
}

/// A table of all documents in one form.
#[derive(Clone)]
struct Table {
    pool: PgPool,
    one: String,
    page: String,
    rows: u32,
    unpacker: Option<Arc<Unpacker>>,
}

pub(crate) async fn run(plan: &Plan, servers: &Servers) -> anyhow::Result<()> {
    let documents = generated(plan.persons.min(ROWS))?;
    let start = Instant::now();
    let dictionary = documents::train(&documents);
    let trained = start.elapsed();
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .test_before_acquire(false)
        .connect(&servers.create_database("documents").await?)
        .await?;
    let mut tables = Vec::new();
    let length: usize = documents.iter().map(Vec::len).sum();
    report::amount("Bytes of a document", "JSON", length / documents.len());
    for (place, form) in FORMS.into_iter().enumerate() {
        let name = format!("form_{place}");
        let table = Table::fill(&pool, &name, form, &documents, &dictionary).await?;
        let bytes: i64 = sqlx::query_scalar("select pg_table_size($1::regclass)")
            .bind(&name)
            .fetch_one(&pool)
            .await?;
        report::amount(
            "Bytes of a row",
            form.name,
            usize::try_from(bytes)? / documents.len(),
        );
        tables.push(table);
    }
    report::phase("the dictionary trained, one thread", trained);
    let names = FORMS.map(|form| form.name);
    let mut ones = Comparison::new("Rows by primary key, 16 callers", &names);
    let mut pages = Comparison::new("Pages of 100 rows in order, 4 callers", &names);
    for _ in 0..plan.rounds {
        let (mut one, mut page) = (Vec::new(), Vec::new());
        for table in &tables {
            one.push(table.ones(plan.length).await?);
            page.push(table.pages(plan.length).await?);
        }
        ones.add(&one);
        pages.add(&page);
    }
    ones.print();
    pages.print();
    unpacking(plan, &documents, &dictionary)
}

/// Documents as the loader makes them.
fn generated(persons: u32) -> anyhow::Result<Vec<Vec<u8>>> {
    normalize::warm_up();
    let reading = Reading {
        build: "bench-person".to_owned(),
        reference_date: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        today: NaiveDate::from_ymd_opt(2026, 10, 2).unwrap_or_default(),
        levels: Levels::default(),
    };
    let mut reader = Lines::of(RecordKind::Person, &reading);
    let lines = Generated::make(persons)?.first(usize::try_from(persons)?)?;
    let read = lines.iter().map(|line| Ok(reader.read(line)?.doc));
    let documents: Vec<Vec<u8>> = read.collect::<anyhow::Result<_>>()?;
    ensure!(!documents.is_empty(), "no persons to store");
    Ok(documents)
}

impl Table {
    async fn fill(
        pool: &PgPool,
        name: &str,
        form: Form,
        documents: &[Vec<u8>],
        dictionary: &Dictionary,
    ) -> anyhow::Result<Self> {
        let column = form.column;
        pool.execute(AssertSqlSafe(format!(
            "create table {name} (rank int primary key, {column})"
        )))
        .await?;
        if form.is_packed {
            pool.execute(AssertSqlSafe(format!(
                "alter table {name} alter doc set storage external"
            )))
            .await?;
        }
        let mut packer = Packer::new(dictionary)?;
        let mut rank = 0;
        for batch in documents.chunks(BATCH) {
            let ranks: Vec<i32> = (1..=i32::try_from(batch.len())?)
                .map(|n| rank + n)
                .collect();
            rank += i32::try_from(batch.len())?;
            if form.is_packed {
                let packed: Result<Vec<Vec<u8>>, _> =
                    batch.iter().map(|document| packer.pack(document)).collect();
                let insert =
                    format!("insert into {name} select * from unnest($1::int[], $2::bytea[])");
                let insert = sqlx::query(AssertSqlSafe(insert)).bind(ranks).bind(packed?);
                insert.execute(pool).await?;
            } else {
                let texts: Result<Vec<&str>, _> = batch
                    .iter()
                    .map(|document| std::str::from_utf8(document))
                    .collect();
                let (_, kind) = column.split_once(' ').context("a column has a type")?;
                let kind = kind.split(' ').next().unwrap_or(kind);
                let insert = format!(
                    "insert into {name} select n, t::{kind} from unnest($1::int[], $2::text[]) as given (n, t)"
                );
                let insert = sqlx::query(AssertSqlSafe(insert)).bind(ranks).bind(texts?);
                insert.execute(pool).await?;
            }
        }
        pool.execute(AssertSqlSafe(format!("vacuum (analyze) {name}")))
            .await?;
        // The server prints a jsonb as text whatever form it is asked for.
        let doc = if form.is_packed { "doc" } else { "doc::text" };
        Ok(Self {
            pool: pool.clone(),
            one: format!("select {doc} from {name} where rank = $1"),
            page: format!("select {doc} from {name} where rank = any($1) order by rank"),
            rows: u32::try_from(documents.len())?,
            unpacker: if form.is_packed {
                Some(Arc::new(Unpacker::new(dictionary.clone())?))
            } else {
                None
            },
        })
    }

    /// One row by its primary key.
    async fn ones(&self, length: Duration) -> anyhow::Result<Rate> {
        let (next, table) = (AtomicU32::new(0), self.clone());
        measure::rate(OF_ONE, length, move |_| {
            let rank = next.fetch_add(STEP, Ordering::Relaxed) % table.rows + 1;
            let table = table.clone();
            async move {
                let row = sqlx::query(AssertSqlSafe(table.one.clone()))
                    .bind(i32::try_from(rank)?)
                    .fetch_one(&table.pool)
                    .await?;
                table.take(&row)
            }
        })
        .await
    }

    /// A hundred rows that follow each other, in one round trip.
    async fn pages(&self, length: Duration) -> anyhow::Result<Rate> {
        let (next, table) = (AtomicU32::new(0), self.clone());
        measure::rate(OF_PAGE, length, move |_| {
            let last = table.rows.saturating_sub(PAGE).max(1);
            let first = next.fetch_add(STEP, Ordering::Relaxed) % last + 1;
            let table = table.clone();
            async move {
                let ranks = (first..first + PAGE).map(i32::try_from);
                let ranks = ranks.collect::<Result<Vec<i32>, _>>()?;
                let page = sqlx::query(AssertSqlSafe(table.page.clone()))
                    .bind(ranks)
                    .fetch_all(&table.pool)
                    .await?;
                for row in &page {
                    table.take(row)?;
                }
                Ok(1)
            }
        })
        .await
    }

    /// The JSON of a row in the hands of its reader.
    fn take(&self, row: &PgRow) -> anyhow::Result<u64> {
        let stored = row
            .try_get_raw(0)?
            .as_bytes()
            .map_err(|fault| anyhow!(fault))?;
        let json = match &self.unpacker {
            Some(unpacker) => unpacker.unpack(stored)?,
            None => stored.to_vec(),
        };
        ensure!(json.first() == Some(&b'{'), "no document");
        Ok(1)
    }
}

/// What packing and unpacking take of one thread.
fn unpacking(plan: &Plan, documents: &[Vec<u8>], dictionary: &Dictionary) -> anyhow::Result<()> {
    let mut packer = Packer::new(dictionary)?;
    let unpacker = Unpacker::new(dictionary.clone())?;
    let mut comparison = Comparison::new(
        "Documents of one thread, without Postgres",
        &["unpacked", "packed"],
    );
    for _ in 0..plan.rounds {
        let start = Instant::now();
        let packed: Result<Vec<Vec<u8>>, _> =
            documents.iter().map(|one| packer.pack(one)).collect();
        let (packed, packing) = (packed?, start.elapsed());
        let start = Instant::now();
        for one in &packed {
            std::hint::black_box(unpacker.unpack(one)?);
        }
        let rate = |time: Duration| Rate {
            per_second: whole(u64::try_from(documents.len()).unwrap_or(u64::MAX))
                / time.as_secs_f64(),
            latency: None,
        };
        comparison.add(&[rate(start.elapsed()), rate(packing)]);
    }
    comparison.print();
    Ok(())
}
