//! Builds whose time is over: objects, tables and rows go. A build that somebody still reads is tried again later.

use std::time::Duration;

use crate::builds::loader::{LoadFault, Loader, Step};
use crate::builds::schema::drop_schema;

/// Drops the next build that is due.
pub(super) async fn next(loader: &Loader) -> Result<Step, LoadFault> {
    let config = &loader.config;
    let seconds = |span: Duration| span.as_secs_f64();
    let due: Option<String> =
        sqlx::query_scalar(include_str!("../../sql/loader/claim_expired.sql"))
            .bind(config.kept_builds)
            .bind(seconds(config.keep_retired))
            .bind(seconds(config.drop_grace))
            .bind(seconds(config.failed_grace))
            .fetch_optional(&loader.pool)
            .await?;
    let Some(build) = due else {
        return Ok(Step::Idle);
    };
    loader.objects.remove_build(&build).await?;
    let mut tx = loader.pool.begin().await?;
    drop_schema(&mut tx, &build).await?;
    for statement in [
        include_str!("../../sql/loader/forget_rejects.sql"),
        include_str!("../../sql/loader/forget_chunks.sql"),
        include_str!("../../sql/loader/dropped.sql"),
    ] {
        sqlx::query(statement)
            .bind(&build)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    tracing::info!(build, "a build was dropped");
    Ok(Step::Done)
}
