//! The same queries on DuckDB, the best other tool for scans of columns: in a Python process of its own, over a table made of
//! the build's documents, lists and objects included.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use dialect::Value as Literal;
use futures::TryStreamExt as _;
use serde_json::{Value, json};
use tests::process::temporary_folder;
use tests::servers::checkout;
use tests::sql::{self, Flavor};

use super::queries::Asked;
use super::{Timed, postgres};
use crate::world::World;

/// Python with the package `duckdb`, as `make bench` sets it up.
const PYTHON: &str = "BENCH_PYTHON";

/// `None` where DuckDB says no.
pub(crate) async fn run(
    world: &World,
    queries: &[Asked],
    runs: usize,
) -> anyhow::Result<Vec<Option<Timed>>> {
    let folder = temporary_folder("duckdb")?;
    let answers = run_in(&folder, world, queries, runs).await;
    // A folder that stays behind is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    answers
}

async fn run_in(
    folder: &Path,
    world: &World,
    queries: &[Asked],
    runs: usize,
) -> anyhow::Result<Vec<Option<Timed>>> {
    let documents = folder.join("documents.ndjson");
    write_documents(world, &documents).await?;
    let asked: Vec<Value> = queries.iter().map(job).collect::<anyhow::Result<_>>()?;
    let job = json!({
        "documents": documents,
        "database": folder.join("persons.duckdb"),
        "runs": runs,
        "queries": asked,
    });
    let python = std::env::var(PYTHON).with_context(|| format!("{PYTHON} is not set"))?;
    let job_file = folder.join("job.json");
    std::fs::write(&job_file, serde_json::to_vec(&job)?)?;
    let output = Command::new(python)
        .arg(checkout().join("bench/src/search/duckdb_queries.py"))
        .stdin(Stdio::from(File::open(&job_file)?))
        .output()
        .context("Python cannot be run")?;
    ensure!(
        output.status.success(),
        "duckdb_queries.py: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout)?;
    let answers: Vec<Option<Timed>> = lines.lines().map(answer).collect::<anyhow::Result<_>>()?;
    ensure!(
        answers.len() == queries.len(),
        "DuckDB answered less than it was asked"
    );
    Ok(answers)
}

async fn write_documents(world: &World, file: &Path) -> anyhow::Result<()> {
    let mut db = postgres::connect(world).await?;
    let unpacker = postgres::unpacker(&mut db).await?;
    let mut writer = BufWriter::new(File::create(file)?);
    let mut rows =
        sqlx::query_scalar::<_, Vec<u8>>("select doc from person order by rank").fetch(&mut db);
    while let Some(packed) = rows.try_next().await? {
        writer.write_all(&unpacker.unpack(&packed)?)?;
        writer.write_all(b"\n")?;
    }
    writer.flush()?;
    Ok(())
}

fn job(asked: &Asked) -> anyhow::Result<Value> {
    let condition = sql::condition(Flavor::DuckDb, &asked.query);
    let order = sql::order(Flavor::DuckDb, &asked.query);
    let (Some(condition), Some(order)) = (condition, order) else {
        anyhow::bail!("{}: no SQL for DuckDB", asked.text);
    };
    let values: Vec<Value> = condition
        .values
        .iter()
        .map(|value| match value {
            Literal::Text(text) => json!(text),
            Literal::Integer(number) => json!(number),
            Literal::Number(number) => json!(number),
            Literal::Boolean(boolean) => json!(boolean),
        })
        .collect();
    Ok(json!({ "where": condition.text, "order": order, "values": values, "offset": asked.offset }))
}

fn answer(line: &str) -> anyhow::Result<Option<Timed>> {
    let answer: Value = serde_json::from_str(line)?;
    if let Some(fault) = answer.get("error") {
        anyhow::bail!("DuckDB: {fault}");
    }
    let ranks = answer.get("ranks").cloned().context("no ranks")?;
    Ok(Some(Timed {
        total: answer
            .get("count")
            .and_then(Value::as_u64)
            .context("no count")?,
        ranks: serde_json::from_value(ranks)?,
        milliseconds: answer
            .get("milliseconds")
            .and_then(Value::as_f64)
            .context("no time")?,
    }))
}
