//! The end of loading: the files of rejects and of findings, and the report to command-service, repeated until it is accepted.
//!
//! No outcome keeps the others from being reported: each part of the work has a time limit, and a part that exceeds it counts as a failed
//! report.

use std::time::Duration;

use chrono::NaiveDate;
use events_schema::api::internal::LoadResult;
use events_schema::data_build::v1::{LoadReport, SearchFiles};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::record::Found;
use crate::builds::rejects;
use crate::builds::tell::{self, Taken};
use crate::database::{self, within};

/// Pause between the first report and the second; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause, however often the report failed: a command-service that is back should not wait for long.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(sqlx::FromRow)]
struct Ended {
    build: String,
    stage: String,
    rows: i64,
    rejected: i64,
    reference_date: Option<NaiveDate>,
    report: Option<Json<Found>>,
    search_files: Option<Json<SearchFiles>>,
    reason: Option<String>,
    /// Whether the events say that the build ended.
    is_known: bool,
}

/// Reports the next outcome that is not reported yet.
pub(super) async fn next(loader: &Loader) -> Result<Step, LoadFault> {
    let due = sqlx::query_as(include_str!("../../sql/loader/claim_outcome.sql"));
    let ended = database::claim::<Ended>(&loader.pool, loader.config.limits.write, due).await?;
    let Some((mut tx, ended)) = ended else {
        return Ok(Step::Idle);
    };
    let told = if ended.is_known {
        // The build has ended according to the events, by this report or another: nothing waits for it.
        Ok(None)
    } else {
        send_outcome(loader, &ended).await
    };
    let noted = async {
        match told {
            Ok(object) => {
                sqlx::query(include_str!("../../sql/loader/reported.sql"))
                    .bind(&ended.build)
                    .bind(object)
                    .execute(&mut *tx)
                    .await?;
                Ok(tx.commit().await?)
            }
            Err(fault) => {
                tx.rollback().await.ok();
                in_vain(loader, &ended.build, &fault).await
            }
        }
    };
    within(loader.config.limits.write, noted).await?;
    Ok(Step::Done)
}

/// Reports an outcome; returns the path of its rejects file once command-service has accepted it. A refusal does not end it: an outcome is
/// refused only where something is wrong with the address or the store, since a repeated report, and one about an abandoned build, are
/// accepted.
async fn send_outcome(loader: &Loader, ended: &Ended) -> Result<Option<String>, LoadFault> {
    let object = if ended.rejected > 0 {
        Some(rejects::write(loader, &ended.build).await?)
    } else {
        None
    };
    let sent = send(loader, ended, object.clone());
    within(loader.config.limits.load, sent).await?;
    Ok(object)
}

async fn send(
    loader: &Loader,
    ended: &Ended,
    rejects_object: Option<String>,
) -> Result<(), LoadFault> {
    let result = result(loader, ended, rejects_object).await?;
    match tell::tell(loader, &ended.build, result).await? {
        Taken::Yes => Ok(()),
        Taken::Refused(refusal) => Err(refusal.into()),
    }
}

/// To be reported again later; `roster status` shows it until then.
async fn in_vain(loader: &Loader, build: &str, fault: &LoadFault) -> Result<(), LoadFault> {
    tracing::warn!(
        build,
        error = fault as &dyn std::error::Error,
        "the outcome of a build was told in vain"
    );
    loader.metrics.told_in_vain();
    sqlx::query(include_str!("../../sql/loader/told_in_vain.sql"))
        .bind(build)
        .bind(fault.words())
        .bind(FIRST_PAUSE.as_secs_f64())
        .bind(LONGEST_PAUSE.as_secs_f64())
        .execute(&loader.pool)
        .await?;
    Ok(())
}

/// An outcome whose report has failed so far, or a build that should be loaded again and cannot be yet.
#[derive(Debug, serde::Serialize, sqlx::FromRow)]
pub struct Untold {
    build: String,
    outcome: String,
    attempts: i32,
    fault: String,
}

/// Outcomes whose report has failed so far, and builds that cannot be loaded again, at most 100.
///
/// # Errors
/// When the database fails.
pub async fn untold(pool: &PgPool) -> Result<Vec<Untold>, sqlx::Error> {
    sqlx::query_as(include_str!("../../sql/loader/untold.sql"))
        .fetch_all(pool)
        .await
}

/// The build will never be loaded; reported like any outcome.
pub(super) async fn fail(
    db: &mut PgConnection,
    build: &str,
    reason: &str,
    rejected: i64,
) -> Result<(), sqlx::Error> {
    tracing::warn!(build, reason, "a build has failed");
    sqlx::query(include_str!("../../sql/loader/failed.sql"))
        .bind(build)
        .bind(reason)
        .bind(rejected)
        .execute(db)
        .await?;
    Ok(())
}

async fn result(
    loader: &Loader,
    ended: &Ended,
    rejects_object: Option<String>,
) -> Result<LoadResult, LoadFault> {
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok(match (ended.stage.as_str(), ended.reference_date) {
        ("indexed", Some(reference_date)) => LoadResult::Loaded {
            rows: whole(ended.rows),
            rejected: whole(ended.rejected),
            rejects_object,
            reference_date,
            report: write_report(loader, ended).await?,
            search_files: ended.search_files.as_ref().map(|files| files.0.clone()),
        },
        ("failed", _) => LoadResult::Failed {
            reason: ended.reason.clone().unwrap_or_default(),
            rejected: whole(ended.rejected),
            rejects_object,
        },
        (stage, _) => LoadResult::Failed {
            reason: format!("it ended as {stage} without a reference date"),
            rejected: whole(ended.rejected),
            rejects_object,
        },
    })
}

/// Names and values go into a file beside the rejects; only counts are reported and become an event.
async fn write_report(loader: &Loader, ended: &Ended) -> Result<LoadReport, LoadFault> {
    let Some(Json(found)) = ended.report.as_ref().filter(|found| !found.0.is_empty()) else {
        return Ok(LoadReport::default());
    };
    let object = format!("builds/{}/report.json", ended.build);
    let file = serde_json::to_vec_pretty(found)?;
    loader.objects.write(&object, file).await?;
    Ok(LoadReport {
        object: Some(object),
        ..found.counts()
    })
}
