//! The end of loading: the files of rejects and of what was found, statistics, and the word to command-service, repeated until it is taken.

use std::time::Duration;

use chrono::NaiveDate;
use events_schema::api::internal::LoadResult;
use events_schema::data_build::v1::{LoadReport, SearchFiles};
use serde_json::json;
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use crate::builds::chunk;
use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::record::Found;
use crate::builds::tell::{self, Taken};
use crate::database;

/// Between the first time of telling and the second; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// However often it was told in vain: a command-service that is back should not wait for long.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Rejects that are read at a time.
const PAGE: i64 = 1_000;

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

/// Tells the next outcome that is not told yet.
pub(super) async fn next(loader: &Loader) -> Result<Step, LoadFault> {
    let due = sqlx::query_as(include_str!("../../sql/loader/claim_outcome.sql"));
    let ended = database::claim::<Ended>(&loader.pool, loader.config.limits.write, due).await?;
    let Some((mut tx, ended)) = ended else {
        return Ok(Step::Idle);
    };
    let told = if ended.is_known {
        // The events say that it ended, by this word or another: nobody waits for it.
        Ok(None)
    } else {
        told(loader, &ended).await
    };
    match told {
        Ok(object) => {
            sqlx::query(include_str!("../../sql/loader/reported.sql"))
                .bind(&ended.build)
                .bind(object)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Err(fault) => {
            tx.rollback().await.ok();
            in_vain(loader, &ended.build, &fault).await?;
        }
    }
    Ok(Step::Done)
}

/// Tells an outcome; the path of its rejects file once command-service has taken it. A refusal is no end: an outcome is only
/// refused where something is wrong with the address or the store, since the same word again, and one about a build that
/// was abandoned, is taken.
async fn told(loader: &Loader, ended: &Ended) -> Result<Option<String>, LoadFault> {
    let object = if ended.rejected > 0 {
        Some(write_rejects(loader, &ended.build).await?)
    } else {
        None
    };
    let result = result(loader, ended, object.clone()).await?;
    match tell::tell(loader, &ended.build, result).await? {
        Taken::Yes => Ok(object),
        Taken::Refused(refusal) => Err(refusal.into()),
    }
}

/// Told again later; `roster status` shows it until then.
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

/// An outcome that was told in vain so far, or a build that should be loaded again and cannot be yet.
#[derive(Debug, serde::Serialize, sqlx::FromRow)]
pub struct Untold {
    build: String,
    outcome: String,
    attempts: i32,
    fault: String,
}

/// Outcomes that were told in vain so far, and builds that cannot be loaded again, at most 100.
///
/// # Errors
/// When the database fails.
pub async fn untold(pool: &PgPool) -> Result<Vec<Untold>, sqlx::Error> {
    sqlx::query_as(include_str!("../../sql/loader/untold.sql"))
        .fetch_all(pool)
        .await
}

/// The build will never be loaded; told like any outcome.
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
        _ => LoadResult::Failed {
            reason: ended.reason.clone().unwrap_or_default(),
            rejected: whole(ended.rejected),
            rejects_object,
        },
    })
}

/// Names and values go into a file beside the rejects; what is told, and becomes an event, are counts.
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

/// The rejects file: one object a line, in order of the lines. Written as a whole, so again is the same.
async fn write_rejects(loader: &Loader, build: &str) -> Result<String, LoadFault> {
    let (mut file, mut after) = (Vec::new(), -1_i64);
    let mut source = Source::default();
    loop {
        let page: Vec<(i64, String, Option<String>)> =
            sqlx::query_as(include_str!("../../sql/loader/rejects_page.sql"))
                .bind(build)
                .bind(after)
                .bind(PAGE)
                .fetch_all(&loader.pool)
                .await?;
        let Some((last, _, _)) = page.last() else {
            break;
        };
        after = *last;
        for (line, reason, text) in page {
            let text = match text {
                Some(text) => text,
                None => source.line(loader, build, line).await?,
            };
            serde_json::to_writer(
                &mut file,
                &json!({"line": line, "reason": reason, "text": text}),
            )?;
            file.push(b'\n');
        }
    }
    let object = rejects_object(build);
    loader.objects.write(&object, file).await?;
    Ok(object)
}

/// Where a build's rejects file stands.
fn rejects_object(build: &str) -> String {
    format!("builds/{build}/rejects.ndjson")
}

/// The chunk in which the last asked line stands: lines of repeated ids are read from where they came.
#[derive(Default)]
struct Source {
    object: String,
    first_line: i64,
    bytes: bytes::Bytes,
}

impl Source {
    async fn line(&mut self, loader: &Loader, build: &str, line: i64) -> Result<String, LoadFault> {
        let found: Option<(String, i64)> =
            sqlx::query_as(include_str!("../../sql/loader/chunk_of_line.sql"))
                .bind(build)
                .bind(line)
                .fetch_optional(&loader.pool)
                .await?;
        let Some((object, first_line)) = found else {
            return Ok(String::new());
        };
        if object != self.object {
            // The rejects file names line and reason also where the text is gone.
            self.bytes = loader.objects.read(&object).await?.unwrap_or_default();
            (self.object, self.first_line) = (object, first_line);
        }
        let text = chunk::lines(&self.bytes, self.first_line).find(|(number, _)| *number == line);
        Ok(text.map(|(_, text)| chunk::kept(text)).unwrap_or_default())
    }
}
