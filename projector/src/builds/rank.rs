//! A build of which every chunk is loaded: duplicates out, ranks given, final tables and indexes made.
//!
//! All of it is one transaction, so a kill leaves either the load tables or the final ones. It asks for the search files, which are a step
//! of their own. The ranking of a build that is given up meanwhile stops. The load tables are not logged: what a crash of Postgres took
//! from them is loaded again before anything is ranked.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use events_schema::record::RecordKind;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::builds::failing::{self, Attempt, Part};
use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::outcome;
use crate::builds::record::{Found, Tally};
use crate::builds::rejects;
use crate::builds::schema::Tables;
use crate::database::within;

/// How often a worker checks whether the build that it ranks was given up.
const LOOK: Duration = Duration::from_secs(1);

#[derive(sqlx::FromRow)]
struct Claimed {
    build: String,
    kind: String,
    chunks: i32,
    lines: i64,
    /// Whether the events say that it was loaded: then it was accepted as it is, whatever the settings are now.
    is_known: bool,
}

/// Ranks the next build that is complete.
pub(super) async fn next_build(loader: &Loader) -> Result<Step, LoadFault> {
    let claim = include_str!("../../sql/loader/claim_complete.sql");
    let Some((mut tx, claimed)) = failing::begin::<Claimed>(loader, claim).await? else {
        return Ok(Step::Idle);
    };
    let process = sqlx::query_scalar(include_str!("../../sql/loader/own_process.sql"));
    let process: i32 = within(loader.config.limits.answer, process.fetch_one(&mut *tx)).await?;
    let is_given_up = AtomicBool::new(false);
    let done = {
        let done = rank(loader, &mut tx, &claimed);
        tokio::select! {
            done = within(loader.config.limits.rank, done) => done,
            never = watch(loader, &claimed.build, process, &is_given_up) => match never {},
        }
    };
    if is_given_up.into_inner() {
        tracing::info!(
            build = claimed.build,
            "a build that was given up is ranked no further"
        );
        within(loader.config.limits.write, tx.rollback()).await?;
        return Ok(Step::Done);
    }
    let attempt = Attempt {
        build: &claimed.build,
        part: Part::Ranking,
    };
    failing::end(loader, tx, done, attempt).await?;
    Ok(Step::Done)
}

/// Checks whether the build is still to be loaded, and cancels what Postgres is doing for it where it is not: its statements take hours,
/// and hold the build's row. Runs until the ranking ends.
async fn watch(loader: &Loader, build: &str, process: i32, is_given_up: &AtomicBool) -> Infallible {
    loop {
        tokio::time::sleep(LOOK).await;
        let ended = sqlx::query_scalar::<_, bool>(include_str!("../../sql/loader/end_ranking.sql"))
            .bind(build)
            .bind(process)
            .fetch_optional(&loader.pool);
        match within(loader.config.limits.answer, ended).await {
            Ok(None) => {}
            // Again, since it may have been between two statements.
            Ok(Some(_)) => is_given_up.store(true, Ordering::Relaxed),
            // A check that fails says nothing about the build.
            Err(fault) => {
                tracing::debug!(%fault, build, "a build that is ranked cannot be looked at")
            }
        }
    }
}

/// Ranks the build, or gives back what a crash took, or ends it as failed: all in the caller's transaction.
async fn rank(loader: &Loader, db: &mut PgConnection, claimed: &Claimed) -> Result<(), LoadFault> {
    let (build, lines) = (claimed.build.as_str(), claimed.lines);
    refuse_overlap(db, build).await?;
    let kind: RecordKind = claimed.kind.parse().map_err(|_| LoadFault::UnknownKind)?;
    let tables = Tables::new(build, kind);
    // A build without any line has no chunk that would have made them.
    tables.create(&loader.pool).await?;
    let held = tables.chunks(db).await?;
    // Asked of the tables, not of the marks: another worker may have taken lost chunks' marks back between the claim's look
    // at them and its lock.
    if held.len() < usize::try_from(claimed.chunks).unwrap_or_default() {
        let lost = sqlx::query(include_str!("../../sql/loader/load_again.sql"))
            .bind(build)
            .bind(held)
            .execute(&mut *db)
            .await?
            .rows_affected();
        tracing::warn!(
            build,
            lost,
            "a crash of Postgres took chunks; they are loaded again"
        );
        return Ok(());
    }
    tables.reject_duplicates(db, build).await?;
    let rejected: i64 = sqlx::query_scalar(include_str!("../../sql/loader/count_rejects.sql"))
        .bind(build)
        .fetch_one(&mut *db)
        .await?;
    let records: i64 = sqlx::query_scalar(include_str!("../../sql/loader/count_rows.sql"))
        .bind(build)
        .fetch_one(&mut *db)
        .await?;
    if !claimed.is_known
        && let Some(reason) = refusal(loader, lines, rejected, records)
    {
        let reason = format!("{reason}{}", rejects::commonest(db, build).await?);
        outcome::fail(db, build, &reason, rejected).await?;
        return Ok(());
    }
    let rows = tables
        .rank(db, build, loader.config.sort_memory_mib)
        .await?;
    if let Some(role) = &loader.config.reader_role {
        tables.grant(db, role).await?;
    }
    let found = summary(db, build).await?;
    sqlx::query(include_str!("../../sql/loader/ranked.sql"))
        .bind(build)
        .bind(rows)
        .bind(rejected)
        .bind(Json(found))
        .execute(&mut *db)
        .await?;
    tracing::info!(build, rows, rejected, "a build is ranked");
    Ok(())
}

/// Chunks of one build never hold the same lines: staging refuses that, but not in what was staged before it did.
async fn refuse_overlap(db: &mut PgConnection, build: &str) -> Result<(), LoadFault> {
    let overlap: Option<(i32, i64)> = sqlx::query_as(include_str!("../../sql/loader/overlap.sql"))
        .bind(build)
        .fetch_optional(db)
        .await?;
    match overlap {
        Some((chunk, line)) => Err(LoadFault::Overlap { chunk, line }),
        None => Ok(()),
    }
}

/// Why a build that was read to its end cannot be used: too many of its lines, or all, were rejected. One without any record would answer
/// every request of its kind with "no match".
fn refusal(loader: &Loader, lines: i64, rejected: i64, records: i64) -> Option<String> {
    if is_too_many(loader, rejected, lines) {
        Some(format!("{rejected} of {lines} lines were rejected"))
    } else if records == 0 {
        Some(format!(
            "it holds no record: {rejected} of {lines} lines were rejected"
        ))
    } else {
        None
    }
}

/// More than a tenth of the lines and more than a hundred, by default.
pub(super) fn is_too_many(loader: &Loader, rejected: i64, lines: i64) -> bool {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    rejected > whole(loader.config.max_rejected)
        && rejected.saturating_mul(whole(loader.config.max_rejected_share)) > lines
}

async fn summary(db: &mut PgConnection, build: &str) -> Result<Found, sqlx::Error> {
    let reports: Vec<Json<Found>> =
        sqlx::query_scalar(include_str!("../../sql/loader/chunk_reports.sql"))
            .bind(build)
            .fetch_all(db)
            .await?;
    let mut tally = Tally::default();
    for Json(found) in &reports {
        tally.merge(found);
    }
    Ok(tally.into_summary())
}
