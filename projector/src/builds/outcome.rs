//! The end of loading: the rejects file, statistics, and the word to command-service, repeated until it is taken.

use chrono::NaiveDate;
use events_schema::api::internal::{LoadOutcome, LoadResult};
use events_schema::data_build::v1::LoadReport;
use events_schema::record::RecordKind;
use http::{HeaderMap, Method};
use serde_json::json;
use service_kit::client::CallFault;
use sqlx::types::Json;

use crate::builds::chunk;
use crate::builds::loader::{LoadFault, Loader, Step};
use crate::builds::objects::rejects_object;
use crate::builds::schema::Tables;

/// Rejects that are read at a time.
const PAGE: i64 = 1_000;

#[derive(sqlx::FromRow)]
struct Ended {
    build: String,
    kind: String,
    stage: String,
    rows: i64,
    rejected: i64,
    reference_date: Option<NaiveDate>,
    report: Option<Json<LoadReport>>,
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
    let kind: RecordKind = ended.kind.parse().map_err(|_| LoadFault::UnknownKind)?;
    let object = if ended.rejected > 0 {
        Some(write_rejects(loader, &ended.build).await?)
    } else {
        None
    };
    if ended.stage == "ranked" {
        let mut own = loader.pool.acquire().await?;
        Tables::new(&ended.build, kind).vacuum(&mut own).await?;
    }
    tell(loader, &ended, object.clone()).await?;
    sqlx::query(include_str!("../../sql/loader/reported.sql"))
        .bind(&ended.build)
        .bind(object)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Step::Done)
}

async fn tell(
    loader: &Loader,
    ended: &Ended,
    rejects_object: Option<String>,
) -> Result<(), LoadFault> {
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    let result = match (ended.stage.as_str(), ended.reference_date) {
        ("ranked", Some(reference_date)) => LoadResult::Loaded {
            rows: whole(ended.rows),
            rejected: whole(ended.rejected),
            rejects_object,
            reference_date,
            report: ended
                .report
                .as_ref()
                .map(|report| report.0.clone())
                .unwrap_or_default(),
        },
        _ => LoadResult::Failed {
            reason: ended.reason.clone().unwrap_or_default(),
            rejected: whole(ended.rejected),
            rejects_object,
        },
    };
    let body = serde_json::to_vec(&LoadOutcome { result })?;
    let mut last = CallFault::Malformed("no command-service is configured".to_owned());
    for url in &loader.command_service_urls {
        let url = format!("{url}/internal/builds/{}/outcome", ended.build);
        match loader
            .client
            .send(Method::POST, &url, HeaderMap::new(), body.clone().into())
            .await
        {
            Ok(answer) if answer.status.is_success() => return Ok(()),
            // The build was abandoned meanwhile: nobody waits for its outcome.
            Ok(answer) if answer.status.as_u16() == 404 || answer.status.as_u16() == 409 => {
                tracing::warn!(
                    build = ended.build,
                    status = answer.status.as_u16(),
                    "the outcome is not wanted"
                );
                return Ok(());
            }
            Ok(answer) => last = CallFault::Status(answer.status, answer.body),
            Err(fault) => last = fault,
        }
    }
    Err(last.into())
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
