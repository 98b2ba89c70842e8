//! One chunk into the load tables: scanned for the reference date, or parsed and copied.
//!
//! The transaction that copies the rows also marks the chunk loaded, under the lock of its row: done twice, for whatever reason, it changes
//! nothing.

use chrono::NaiveDate;
use documents::Dictionary;
use events_schema::record::RecordKind;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::builds::chunk::{self, Parsed, RejectedLine};
use crate::builds::failing::{self, Attempt, Part};
use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::record::Reading;
use crate::builds::schema::Tables;
use crate::builds::{outcome, rank, rejects};
use crate::database::within;

#[derive(sqlx::FromRow)]
struct Claimed {
    build: String,
    chunk: i32,
    object: String,
    sha256: String,
    first_line: i64,
    kind: String,
    reference_date: Option<NaiveDate>,
}

/// Scans or loads the next chunk that is due.
pub(super) async fn next_chunk(loader: &Loader) -> Result<Step, LoadFault> {
    let claim = include_str!("../../sql/loader/claim_chunk.sql");
    let Some((mut tx, claimed)) = failing::begin::<Claimed>(loader, claim).await? else {
        return Ok(Step::Idle);
    };
    let done = take(loader, &mut tx, &claimed);
    let done = within(loader.config.limits.load, done).await;
    let attempt = Attempt {
        build: &claimed.build,
        part: Part::Chunk(claimed.chunk),
    };
    failing::end(loader, tx, done, attempt).await?;
    Ok(Step::Done)
}

async fn take(loader: &Loader, db: &mut PgConnection, claimed: &Claimed) -> Result<(), LoadFault> {
    let bytes = loader.objects.read(&claimed.object).await?;
    let bytes = bytes.ok_or(LoadFault::Missing)?;
    let (sha256, checked) = (claimed.sha256.clone(), bytes.clone());
    if !tokio::task::spawn_blocking(move || chunk::has_digest(&checked, &sha256)).await? {
        return Err(LoadFault::Altered);
    }
    let today = sqlx::query_scalar(include_str!("../../sql/loader/today.sql")).bind(&claimed.build);
    let today: NaiveDate = today.fetch_one(&mut *db).await?;
    if let Some(reference_date) = claimed.reference_date {
        let days = (reference_date, today);
        return load(loader, db, claimed, bytes, days).await;
    }
    let newest = move || chunk::newest_last_seen(&bytes, today);
    let newest = tokio::task::spawn_blocking(newest).await?;
    sqlx::query(include_str!("../../sql/loader/scanned.sql"))
        .bind(&claimed.build)
        .bind(claimed.chunk)
        .bind(newest)
        .execute(db)
        .await?;
    Ok(())
}

async fn load(
    loader: &Loader,
    db: &mut PgConnection,
    claimed: &Claimed,
    bytes: bytes::Bytes,
    (reference_date, today): (NaiveDate, NaiveDate),
) -> Result<(), LoadFault> {
    let kind: RecordKind = claimed.kind.parse().map_err(|_| LoadFault::UnknownKind)?;
    let tables = Tables::new(&claimed.build, kind);
    tables.create(&loader.pool).await?;
    let reading = Reading {
        build: claimed.build.clone(),
        reference_date,
        today,
        levels: loader.config.levels,
    };
    let dictionary = settled(loader, &tables, &bytes, &reading).await?;
    let (into, first_line) = (tables.clone(), claimed.first_line);
    let parsed = tokio::task::spawn_blocking(move || {
        chunk::parse(&bytes, first_line, &into, &reading, &dictionary)
    })
    .await??;
    let Parsed {
        records,
        keys,
        rows,
        rejects,
        found,
    } = parsed;
    tables.copy_records(db, records).await?;
    tables.copy_keys(db, keys).await?;
    tables.mark_chunk(db, claimed.chunk).await?;
    write_rejects(db, &claimed.build, &rejects).await?;
    sqlx::query(include_str!("../../sql/loader/loaded.sql"))
        .bind(&claimed.build)
        .bind(claimed.chunk)
        .bind(i64::try_from(rows).unwrap_or(i64::MAX))
        .bind(Json(found))
        .bind(normalize::EDITION)
        .execute(&mut *db)
        .await?;
    loader
        .metrics
        .chunk(rows, u64::try_from(rejects.len()).unwrap_or(u64::MAX));
    Ok(fail_if_certain(loader, db, &claimed.build).await?)
}

/// Ends a sealed build of which too many lines are rejected, whatever the chunks hold that are not loaded yet.
async fn fail_if_certain(
    loader: &Loader,
    db: &mut PgConnection,
    build: &str,
) -> Result<(), sqlx::Error> {
    let so_far: Option<(i64, i64)> =
        sqlx::query_as(include_str!("../../sql/loader/rejects_of_sealed.sql"))
            .bind(build)
            .fetch_optional(&mut *db)
            .await?;
    match so_far.filter(|(lines, rejected)| rank::is_too_many(loader, *rejected, *lines)) {
        Some((lines, rejected)) => {
            let commonest = rejects::commonest(db, build).await?;
            let reason = format!("at least {rejected} of {lines} lines were rejected{commonest}");
            outcome::fail(db, build, &reason, rejected).await
        }
        None => Ok(()),
    }
}

/// The build's dictionary; made from this chunk if it is the first that is loaded. Rows that are loaded need it, so it never changes: the
/// worker that makes it holds the build's lock, and the others wait.
async fn settled(
    loader: &Loader,
    tables: &Tables,
    bytes: &bytes::Bytes,
    reading: &Reading,
) -> Result<Dictionary, LoadFault> {
    let mut tx = tables.locked(&loader.pool).await?;
    if let Some(dictionary) = tables.dictionary(&mut tx).await? {
        return Ok(dictionary);
    }
    let (bytes, kind, reading) = (bytes.clone(), tables.kind(), reading.clone());
    let build = reading.build.clone();
    let trained = tokio::task::spawn_blocking(move || chunk::train(&bytes, kind, &reading)).await?;
    tables.keep_dictionary(&mut tx, &trained).await?;
    tx.commit().await?;
    tracing::info!(
        build,
        bytes = trained.bytes().len(),
        "the dictionary of a build's documents is made"
    );
    Ok(trained)
}

async fn write_rejects(
    db: &mut PgConnection,
    build: &str,
    rejects: &[RejectedLine],
) -> Result<(), sqlx::Error> {
    if rejects.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/loader/insert_rejects.sql"))
        .bind(build)
        .bind(rejects.iter().map(|r| r.line).collect::<Vec<_>>())
        .bind(
            rejects
                .iter()
                .map(|r| r.reason.as_str())
                .collect::<Vec<_>>(),
        )
        .bind(rejects.iter().map(|r| r.text.as_str()).collect::<Vec<_>>())
        .execute(db)
        .await?;
    Ok(())
}
