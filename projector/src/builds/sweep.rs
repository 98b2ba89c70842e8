//! Builds whose time is over: objects, search files among them, tables and rows go. A build that somebody still reads is
//! tried again later; one whose search files are being written is marked, and goes when the writer has noticed.
//!
//! Guarantee: nothing of a build is removed before command-service took it that the build goes. It decides this in turn
//! with activations: one that came first keeps the build, whatever is known here; one that comes later is refused.

use std::time::Duration;

use events_schema::api::internal::LoadResult;

use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::schema::drop_schema;
use crate::builds::tell::{Taken, tell};
use crate::database::within;

/// Drops the next build that is due.
pub(super) async fn next(loader: &Loader) -> Result<Step, LoadFault> {
    let config = &loader.config;
    let seconds = |span: Duration| span.as_secs_f64();
    let due = sqlx::query_as(include_str!("../../sql/loader/claim_expired.sql"))
        .bind(config.kept_builds)
        .bind(seconds(config.keep_retired))
        .bind(seconds(config.drop_grace))
        .bind(seconds(config.failed_grace));
    let due: Option<(String, bool)> =
        within(config.limits.write, due.fetch_optional(&loader.pool)).await?;
    let Some((build, is_told)) = due else {
        return Ok(Step::Idle);
    };
    if is_told {
        remove(loader, &build).await?;
    } else {
        announce(loader, &build).await?;
    }
    Ok(Step::Done)
}

/// Asks command-service to let the build go, and marks it.
async fn announce(loader: &Loader, build: &str) -> Result<(), LoadFault> {
    match tell(loader, build, LoadResult::Dropping).await? {
        Taken::Yes => {
            sqlx::query(include_str!("../../sql/loader/dropping.sql"))
                .bind(build)
                .execute(&loader.pool)
                .await?;
        }
        Taken::Refused(refusal) => {
            tracing::warn!(build, %refusal, "a build is kept");
            sqlx::query(include_str!("../../sql/loader/drop_refused.sql"))
                .bind(build)
                .bind(loader.config.drop_grace.as_secs_f64())
                .execute(&loader.pool)
                .await?;
        }
    }
    Ok(())
}

async fn remove(loader: &Loader, build: &str) -> Result<(), LoadFault> {
    loader
        .objects
        .remove_prefix(&format!("builds/{build}"))
        .await?;
    let mut tx = loader.pool.begin().await?;
    drop_schema(&mut tx, build).await?;
    for statement in [
        include_str!("../../sql/loader/forget_rejects.sql"),
        include_str!("../../sql/loader/forget_chunks.sql"),
        include_str!("../../sql/loader/forget_index.sql"),
        include_str!("../../sql/loader/dropped.sql"),
    ] {
        sqlx::query(statement).bind(build).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    tracing::info!(build, "a build was dropped");
    Ok(())
}
