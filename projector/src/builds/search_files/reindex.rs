//! Search files that an operator asks for: the request is durable, the files are written like those of a new build and reported to
//! command-service, which makes an event of them; then older files of the build are removed.

use std::time::Duration;

use chrono::{DateTime, Utc};
use events_schema::api::admin::{Reindex, ReindexState};
use events_schema::api::internal::LoadResult;
use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::BuildName;
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use super::store;
use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::tell::{Taken, tell};
use crate::database;

/// Pause between two reports.
const TELL_AGAIN: Duration = Duration::from_secs(5);

/// Why files are not written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReindexRefusal {
    /// There is no such build.
    Unknown,
    /// It is loading, or will never be loaded.
    NotLoaded,
    /// Its time is over.
    Dropped,
}

/// Asks for the search files of a build anew. While they are being written, asking again changes nothing.
///
/// # Errors
/// When the database fails.
pub async fn ask(
    pool: &PgPool,
    build: &BuildName,
) -> Result<Result<Reindex, ReindexRefusal>, sqlx::Error> {
    let mut tx = pool.begin().await?;
    let stage: Option<String> =
        sqlx::query_scalar(include_str!("../../../sql/search_files/stage.sql"))
            .bind(build.as_str())
            .fetch_optional(&mut *tx)
            .await?;
    let status: Option<String> = sqlx::query_scalar(include_str!(
        "../../../sql/search_files/status_of_build.sql"
    ))
    .bind(build.as_str())
    .fetch_optional(&mut *tx)
    .await?;
    let refusal = match (status.as_deref(), stage.as_deref()) {
        (None, _) => Some(ReindexRefusal::Unknown),
        (_, Some("dropping" | "dropped")) => Some(ReindexRefusal::Dropped),
        (Some("loaded" | "active" | "retired"), Some("indexed")) => None,
        _ => Some(ReindexRefusal::NotLoaded),
    };
    if let Some(refusal) = refusal {
        return Ok(Err(refusal));
    }
    sqlx::query(include_str!("../../../sql/search_files/ask.sql"))
        .bind(build.as_str())
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    let asked = progress(pool, build).await?;
    Ok(asked.ok_or(ReindexRefusal::Dropped))
}

#[derive(sqlx::FromRow)]
struct Row {
    state: String,
    asked_at: DateTime<Utc>,
    attempts: i32,
    rows_written: i64,
    rows: i64,
    fault: Option<String>,
    search_files: Option<Json<SearchFiles>>,
    is_leased: bool,
    is_known: bool,
}

/// How far the search files of a build are; `None` when none were ever written or asked for here.
///
/// # Errors
/// When the database fails.
pub async fn progress(pool: &PgPool, build: &BuildName) -> Result<Option<Reindex>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(include_str!("../../../sql/search_files/progress.sql"))
        .bind(build.as_str())
        .fetch_optional(pool)
        .await?;
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok(row.map(|row| Reindex {
        build: build.clone(),
        state: match (row.state.as_str(), row.is_leased, row.is_known) {
            ("asked", true, _) => ReindexState::Writing,
            ("asked", false, _) => ReindexState::Waiting,
            ("failed", _, _) => ReindexState::Failed,
            ("told" | "done", _, true) => ReindexState::Done,
            _ => ReindexState::Written,
        },
        asked_at: row.asked_at,
        attempts: u32::try_from(row.attempts).unwrap_or(0),
        rows_written: whole(row.rows_written),
        rows: whole(row.rows),
        fault: row.fault,
        search_files: row.search_files.map(|files| files.0),
    }))
}

/// Reports the next files that were written anew to command-service.
pub(in crate::builds) async fn tell_next(loader: &Loader) -> Result<Step, LoadFault> {
    type Written = (String, Json<SearchFiles>);
    let due = sqlx::query_as(include_str!("../../../sql/search_files/claim_written.sql"));
    let limit = loader.config.limits.write;
    let written = database::claim::<Written>(&loader.pool, limit, due).await?;
    let Some((mut tx, (build, Json(search_files)))) = written else {
        return Ok(Step::Idle);
    };
    match tell(loader, &build, LoadResult::Reindexed { search_files }).await {
        Ok(Taken::Yes) => {
            sqlx::query(include_str!("../../../sql/search_files/told.sql"))
                .bind(&build)
                .execute(&mut *tx)
                .await?;
        }
        // It was abandoned or dropped meanwhile.
        Ok(Taken::Refused(refusal)) if refusal.is_conflict() => {
            sqlx::query(include_str!("../../../sql/search_files/not_wanted.sql"))
                .bind(&build)
                .bind(refusal.to_string())
                .execute(&mut *tx)
                .await?;
        }
        Ok(Taken::Refused(refusal)) => in_vain(&mut tx, &build, &refusal.into()).await?,
        Err(fault) => in_vain(&mut tx, &build, &fault).await?,
    }
    tx.commit().await?;
    Ok(Step::Done)
}

/// The report was not accepted: it is sent again later, and the progress shows why.
async fn in_vain(db: &mut PgConnection, build: &str, fault: &LoadFault) -> Result<(), LoadFault> {
    tracing::warn!(
        build,
        error = fault as &dyn std::error::Error,
        "new search files were told in vain"
    );
    sqlx::query(include_str!("../../../sql/search_files/told_in_vain.sql"))
        .bind(build)
        .bind(fault.to_string())
        .bind(TELL_AGAIN.as_secs_f64())
        .execute(db)
        .await?;
    Ok(())
}

/// Removes the files that the newest ones of a build replaced, once the services that fetched them have had time to look again.
pub(in crate::builds) async fn remove_replaced(loader: &Loader) -> Result<Step, LoadFault> {
    let due = sqlx::query_as(include_str!("../../../sql/search_files/claim_told.sql"))
        .bind(loader.config.drop_grace.as_secs_f64());
    let limit = loader.config.limits.write;
    let told = database::claim::<(String, String)>(&loader.pool, limit, due).await?;
    let Some((mut tx, (build, manifest))) = told else {
        return Ok(Step::Idle);
    };
    store::remove_unnamed(&loader.objects, &build, &[manifest]).await?;
    sqlx::query(include_str!("../../../sql/search_files/cleaned.sql"))
        .bind(&build)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Step::Done)
}
