//! `builds.v1` into `data_build`, `build_chunk` and the pointer rows `active_build`.
//!
//! Chunks come by the thousand and are written set-wise; the other events are a handful a build and are taken one by
//! one, in order. Loading itself is the work of [`crate::builds`], which reads what is written here.

use events_schema::Envelope;
use events_schema::data_build::v1::{
    DataBuildActivated, DataBuildChunkStaged, DataBuildDropped, DataBuildLoaded,
    DataBuildReindexed, DataBuildSealed, DataBuildStarted,
};
use events_schema::event::BuildsEvent;
use events_schema::topics::Topic;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::builds::schema::schema_name;
use crate::projection::Projection;
use crate::projections::json;

/// Data builds by name.
pub(super) struct Builds;

impl Projection for Builds {
    const NAME: &'static str = "builds";
    const TOPIC: Topic = Topic::Builds;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        let mut chunks = Vec::new();
        for envelope in events {
            match BuildsEvent::of(&envelope.event) {
                Some(BuildsEvent::DataBuildChunkStaged(chunk)) => chunks.push(chunk),
                Some(event) => one(db, event, envelope).await?,
                None => {}
            }
        }
        stage(db, &chunks).await
    }
}

async fn one(
    db: &mut PgConnection,
    event: BuildsEvent<'_>,
    envelope: &Envelope,
) -> Result<(), sqlx::Error> {
    match event {
        BuildsEvent::DataBuildChunkStaged(e) => stage(db, &[e]).await,
        BuildsEvent::DataBuildStarted(e) => start(db, e).await,
        BuildsEvent::DataBuildSealed(e) => seal(db, e).await,
        BuildsEvent::DataBuildLoaded(e) => loaded(db, e).await,
        BuildsEvent::DataBuildActivated(e) => activate(db, e, envelope.pos).await,
        BuildsEvent::DataBuildFailed(e) => {
            let end = End {
                build: e.build.as_str(),
                status: "failed",
                at: envelope.occurred_at,
                reason: Some(&e.reason),
                rejected: i64::try_from(e.rejected).ok(),
                rejects_object: e.rejects_object.as_deref(),
            };
            end.write(db).await
        }
        BuildsEvent::DataBuildAbandoned(e) => {
            let end = End {
                build: e.build.as_str(),
                status: "abandoned",
                at: e.abandoned_at,
                reason: None,
                rejected: None,
                rejects_object: None,
            };
            end.write(db).await
        }
        BuildsEvent::DataBuildReindexed(e) => reindexed(db, e).await,
        BuildsEvent::DataBuildDropped(e) => dropped(db, e).await,
    }
}

async fn start(db: &mut PgConnection, e: &DataBuildStarted) -> Result<(), sqlx::Error> {
    sqlx::query(include_str!("../../sql/builds/insert_builds.sql"))
        .bind([e.build.as_str()].as_slice())
        .bind([e.kind.name()].as_slice())
        .bind([schema_name(e.build.as_str())].as_slice())
        .bind([e.as_of].as_slice())
        .bind([e.started_at].as_slice())
        .execute(db)
        .await?;
    Ok(())
}

async fn stage(db: &mut PgConnection, chunks: &[&DataBuildChunkStaged]) -> Result<(), sqlx::Error> {
    if chunks.is_empty() {
        return Ok(());
    }
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let number = |chunk: u32| i32::try_from(chunk).unwrap_or(i32::MAX);
    sqlx::query(include_str!("../../sql/builds/insert_chunks.sql"))
        .bind(chunks.iter().map(|c| c.build.as_str()).collect::<Vec<_>>())
        .bind(chunks.iter().map(|c| number(c.chunk)).collect::<Vec<_>>())
        .bind(chunks.iter().map(|c| c.object.as_str()).collect::<Vec<_>>())
        .bind(chunks.iter().map(|c| c.sha256.as_str()).collect::<Vec<_>>())
        .bind(chunks.iter().map(|c| i64::from(c.rows)).collect::<Vec<_>>())
        .bind(
            chunks
                .iter()
                .map(|c| whole(c.first_line))
                .collect::<Vec<_>>(),
        )
        .execute(db)
        .await?;
    Ok(())
}

async fn seal(db: &mut PgConnection, e: &DataBuildSealed) -> Result<(), sqlx::Error> {
    sqlx::query(include_str!("../../sql/builds/seal.sql"))
        .bind([e.build.as_str()].as_slice())
        .bind([i32::try_from(e.chunks).unwrap_or(i32::MAX)].as_slice())
        .bind([i64::try_from(e.rows).unwrap_or(i64::MAX)].as_slice())
        .execute(db)
        .await?;
    Ok(())
}

async fn loaded(db: &mut PgConnection, e: &DataBuildLoaded) -> Result<(), sqlx::Error> {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let search_files = e.search_files.as_ref().map(json).transpose()?.map(Json);
    sqlx::query(include_str!("../../sql/builds/loaded.sql"))
        .bind([e.build.as_str()].as_slice())
        .bind([whole(e.rows)].as_slice())
        .bind([whole(e.rejected)].as_slice())
        .bind([e.rejects_object.as_deref()].as_slice())
        .bind([e.reference_date].as_slice())
        .bind([Json(json(&e.report)?)].as_slice())
        .bind([search_files].as_slice())
        .execute(db)
        .await?;
    Ok(())
}

async fn reindexed(db: &mut PgConnection, e: &DataBuildReindexed) -> Result<(), sqlx::Error> {
    sqlx::query(include_str!("../../sql/builds/reindexed.sql"))
        .bind(e.build.as_str())
        .bind(Json(json(&e.search_files)?))
        .execute(db)
        .await?;
    Ok(())
}

async fn dropped(db: &mut PgConnection, e: &DataBuildDropped) -> Result<(), sqlx::Error> {
    sqlx::query(include_str!("../../sql/builds/dropped.sql"))
        .bind(e.build.as_str())
        .execute(db)
        .await?;
    Ok(())
}

/// The end of a build that will never be active.
struct End<'a> {
    build: &'a str,
    status: &'static str,
    at: chrono::DateTime<chrono::Utc>,
    reason: Option<&'a str>,
    rejected: Option<i64>,
    rejects_object: Option<&'a str>,
}

impl End<'_> {
    async fn write(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query(include_str!("../../sql/builds/ended.sql"))
            .bind([self.build].as_slice())
            .bind([self.status].as_slice())
            .bind([self.at].as_slice())
            .bind([self.reason].as_slice())
            .bind([self.rejected].as_slice())
            .bind([self.rejects_object].as_slice())
            .execute(db)
            .await?;
        Ok(())
    }
}

/// The flip: from this transaction's commit on, new requests find the build. The older one is retired with it. An event that
/// was parked and comes after a later activation of the kind only leaves its trace: the pointer never goes back.
async fn activate(
    db: &mut PgConnection,
    e: &DataBuildActivated,
    pos: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(include_str!("../../sql/builds/retire.sql"))
        .bind(e.kind.name())
        .bind(e.build.as_str())
        .bind(e.activated_at)
        .bind(pos)
        .execute(&mut *db)
        .await?;
    for statement in [
        include_str!("../../sql/builds/activate.sql"),
        include_str!("../../sql/builds/activate_late.sql"),
    ] {
        sqlx::query(statement)
            .bind(e.build.as_str())
            .bind(e.activated_at)
            .bind(pos)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}
