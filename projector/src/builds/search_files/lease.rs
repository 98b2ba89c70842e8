//! Which worker writes the files of a build: a lease in `build_index`, renewed while the try goes on.
//!
//! Everything that a try changes for good is written only while the row still says that it is this worker's.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use events_schema::data_build::v1::SearchFiles;
use sqlx::types::Json;
use tokio::time::Instant;
use uuid::Uuid;

use super::fault::IndexFault;
use super::store;
use crate::builds::fault::LoadFault;
use crate::builds::loader::Loader;
use crate::database::within;

/// A build that this worker writes the files of.
#[derive(Debug, Clone)]
pub(super) struct Claimed {
    pub(super) build: String,
    pub(super) kind: String,
    /// Rows, as ranking counted them.
    pub(super) rows: i64,
    /// This try's number, from 1.
    pub(super) attempts: i32,
    /// The fault of the try before this one.
    pub(super) fault: Option<String>,
    /// Of this try alone.
    pub(super) worker: Uuid,
    stage: String,
}

impl Claimed {
    /// Whether the build waits for these files to be loaded.
    pub(super) fn is_first(&self) -> bool {
        self.stage == "ranked"
    }
}

/// Takes the next build that is due.
pub(super) async fn claim(loader: &Loader) -> Result<Option<Claimed>, LoadFault> {
    let worker = Uuid::new_v4();
    let claim = sqlx::query_as(include_str!("../../../sql/search_files/claim.sql"))
        .bind(worker)
        .bind(loader.config.search_files.lease.as_secs_f64());
    let claimed: Option<(String, String, String, i64, i32, Option<String>)> = within(
        loader.config.limits.write,
        claim.fetch_optional(&loader.pool),
    )
    .await?;
    Ok(
        claimed.map(|(build, kind, stage, rows, attempts, fault)| Claimed {
            build,
            kind,
            rows,
            attempts,
            fault,
            worker,
            stage,
        }),
    )
}

/// Renews the lease until that fails: another worker has it, the build is to be removed, or the database was away for too long.
pub(super) async fn keep(
    loader: &Loader,
    claimed: &Claimed,
    progress: &Arc<AtomicU64>,
) -> IndexFault {
    let lease = loader.config.search_files.lease;
    let mut until = Instant::now() + lease;
    loop {
        tokio::time::sleep(lease / 3).await;
        let began = Instant::now();
        let rows = i64::try_from(progress.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
        let renew = sqlx::query(include_str!("../../../sql/search_files/renew.sql"))
            .bind(&claimed.build)
            .bind(claimed.worker)
            .bind(lease.as_secs_f64())
            .bind(rows);
        // The whole try ends with the lease, so that nothing else of it needs a limit.
        match within(lease, renew.execute(&loader.pool)).await {
            Ok(done) if done.rows_affected() == 1 => until = began + lease,
            Ok(_) => return IndexFault::LeaseLost,
            Err(fault) if Instant::now() >= until => return fault.into(),
            Err(_) => {}
        }
    }
}

/// Removes what earlier tries of this build left in the object store, while nobody else can begin one.
pub(super) async fn remove_leftovers(loader: &Loader, claimed: &Claimed) -> Result<(), IndexFault> {
    let mut tx = loader.pool.begin().await?;
    let named: Option<Vec<String>> =
        sqlx::query_scalar(include_str!("../../../sql/search_files/named.sql"))
            .bind(&claimed.build)
            .bind(claimed.worker)
            .fetch_optional(&mut *tx)
            .await?;
    let named = named.ok_or(IndexFault::LeaseLost)?;
    store::remove_unnamed(&loader.objects, &claimed.build, &named).await?;
    tx.commit().await?;
    Ok(())
}

/// Names the files, if the build is still this worker's.
pub(super) async fn written(
    loader: &Loader,
    claimed: &Claimed,
    files: &SearchFiles,
) -> Result<(), LoadFault> {
    let done = sqlx::query(include_str!("../../../sql/search_files/written.sql"))
        .bind(&claimed.build)
        .bind(claimed.worker)
        .bind(Json(files))
        .execute(&loader.pool)
        .await?;
    if done.rows_affected() == 0 {
        tracing::warn!(
            build = claimed.build,
            "search files came too late: the build is another worker's or is to go"
        );
    }
    Ok(())
}

/// Another try after `pause`. Without a fault this one does not count.
pub(super) async fn again(
    loader: &Loader,
    claimed: &Claimed,
    pause: Duration,
    fault: Option<&str>,
) -> Result<(), LoadFault> {
    sqlx::query(include_str!("../../../sql/search_files/again.sql"))
        .bind(&claimed.build)
        .bind(claimed.worker)
        .bind(pause.as_secs_f64())
        .bind(i32::from(fault.is_none()))
        .bind(fault)
        .execute(&loader.pool)
        .await?;
    Ok(())
}

/// No further try.
pub(super) async fn give_up(
    loader: &Loader,
    claimed: &Claimed,
    fault: &str,
) -> Result<(), LoadFault> {
    // Best effort: what is left is removed with the build, or at the next try that an operator asks for.
    if let Err(fault) = remove_leftovers(loader, claimed).await {
        tracing::warn!(
            build = claimed.build,
            error = &fault as &dyn std::error::Error,
            "what tries left in the object store stays for now"
        );
    }
    sqlx::query(include_str!("../../../sql/search_files/given_up.sql"))
        .bind(&claimed.build)
        .bind(claimed.worker)
        .bind(fault)
        .execute(&loader.pool)
        .await?;
    Ok(())
}
