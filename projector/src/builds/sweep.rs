//! Removes builds whose time is over: objects (search files among them), tables and rows. A build that is still being read is tried again
//! later, and others are removed meanwhile; one whose search files are being written is marked, and removed once the writer has noticed.
//!
//! Guarantee: nothing of a build is removed before command-service has accepted the removal. It decides removals and activations one after
//! the other: an activation that came first keeps the build, whatever is known here; one that comes later is refused.

use std::time::Duration;

use events_schema::api::internal::LoadResult;
use sqlx::{PgPool, Postgres, Transaction};

use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::schema::drop_schema;
use crate::builds::tell::{Taken, tell};
use crate::database::within;

/// Pause before a build that could not be reported or removed is tried again. The oldest comes first: without a pause it would be tried for
/// ever, and no other would be removed.
const AGAIN: Duration = Duration::from_secs(10);
/// A worker that ranks a build holds the build's row, for hours; the outcomes of other builds must not wait for that.
const LOCK_PATIENCE: &str = "2s";

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
    let gone = async {
        if is_told {
            remove(loader, &build).await
        } else {
            announce(loader, &build).await
        }
    };
    let gone = within(config.limits.load, gone).await;
    if gone.is_err() {
        // Where not even the pause can be written, the build is met again at once; what is reported is why it could not be removed.
        let put_off = put_off(loader, &build, AGAIN);
        within(config.limits.write, put_off).await.ok();
    }
    gone.map(|()| Step::Done)
}

/// Asks command-service to let the build go, and marks it.
async fn announce(loader: &Loader, build: &str) -> Result<(), LoadFault> {
    match tell(loader, build, LoadResult::Dropping).await? {
        Taken::Yes => {
            let mut tx = impatient(&loader.pool).await?;
            sqlx::query(include_str!("../../sql/loader/dropping.sql"))
                .bind(build)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Taken::Refused(refusal) => {
            tracing::warn!(build, %refusal, "a build is kept");
            put_off(loader, build, loader.config.drop_grace).await?;
        }
    }
    Ok(())
}

/// The build is tried again after this time.
async fn put_off(loader: &Loader, build: &str, pause: Duration) -> Result<(), LoadFault> {
    let mut tx = impatient(&loader.pool).await?;
    sqlx::query(include_str!("../../sql/loader/drop_later.sql"))
        .bind(build)
        .bind(pause.as_secs_f64())
        .execute(&mut *tx)
        .await?;
    Ok(tx.commit().await?)
}

/// A transaction that does not wait long for others' locks.
async fn impatient(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut tx = pool.begin().await?;
    sqlx::query(include_str!("../../sql/loader/lock_patience.sql"))
        .bind(LOCK_PATIENCE)
        .execute(&mut *tx)
        .await?;
    Ok(tx)
}

async fn remove(loader: &Loader, build: &str) -> Result<(), LoadFault> {
    loader
        .objects
        .remove_prefix(&format!("builds/{build}"))
        .await?;
    let mut tx = impatient(&loader.pool).await?;
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
