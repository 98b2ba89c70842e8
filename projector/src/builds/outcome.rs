//! The end of loading: the files of rejects and of what was found, statistics, and the word to command-service, repeated until it is taken.

use chrono::NaiveDate;
use events_schema::api::internal::LoadResult;
use events_schema::data_build::v1::{LoadReport, SearchFiles};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::builds::chunk;
use crate::builds::loader::{LoadFault, Loader, Step};
use crate::builds::record::Found;
use crate::builds::tell;

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
}

/// Tells the next outcome that is not told yet.
pub(super) async fn next(loader: &Loader) -> Result<Step, LoadFault> {
    let mut tx = loader.pool.begin().await?;
    let ended: Option<Ended> = sqlx::query_as(include_str!("../../sql/loader/claim_outcome.sql"))
        .fetch_optional(&mut *tx)
        .await?;
    let Some(ended) = ended else {
        return Ok(Step::Idle);
    };
    let object = if ended.rejected > 0 {
        Some(write_rejects(loader, &ended.build).await?)
    } else {
        None
    };
    report(loader, &ended, object.clone()).await?;
    sqlx::query(include_str!("../../sql/loader/reported.sql"))
        .bind(&ended.build)
        .bind(object)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Step::Done)
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

async fn report(
    loader: &Loader,
    ended: &Ended,
    rejects_object: Option<String>,
) -> Result<(), LoadFault> {
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    let result = match (ended.stage.as_str(), ended.reference_date) {
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
    };
    // An outcome that nobody wants is told, too: the build was abandoned meanwhile.
    tell::tell(loader, &ended.build, result).await?;
    Ok(())
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
