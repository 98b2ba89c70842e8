//! The folder of one try on the local disk: the finished files, and the values that wait for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;

use super::fault::IndexFault;
use crate::builds::loader::Loader;

/// The folder of one try, named after its worker. It is removed with the last clone, so that a thread that still writes keeps it as long as
/// it must.
#[derive(Debug, Clone)]
pub(super) struct Spool(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    own: PathBuf,
    files: PathBuf,
    values: PathBuf,
}

impl Drop for Folder {
    /// A try that is broken off drops its folder where the tasks of others run, and gigabytes take their time to go.
    fn drop(&mut self) {
        let own = std::mem::take(&mut self.own);
        if own.as_os_str().is_empty() {
            return;
        }
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || remove(&own))),
            Err(_) => remove(&own),
        }
    }
}

/// Holds the thread up until all is gone.
fn remove(folder: &Path) {
    if let Err(fault) = std::fs::remove_dir_all(folder) {
        tracing::warn!(%fault, "a spool folder stays until the next try");
    }
}

impl Spool {
    /// Makes the empty folder of a try.
    pub(super) async fn create(spool: &Path, worker: Uuid) -> Result<Self, IndexFault> {
        let own = spool.join(worker.to_string());
        let folder = Folder {
            files: own.join("files"),
            values: own.join("values"),
            own,
        };
        for inner in [&folder.files, &folder.values] {
            tokio::fs::create_dir_all(inner)
                .await
                .map_err(IndexFault::Spool)?;
        }
        Ok(Self(Arc::new(folder)))
    }

    /// Where the finished files lie.
    pub(super) fn files(&self) -> &Path {
        &self.0.files
    }

    /// Where the writer keeps values until all rows are there.
    pub(super) fn values(&self) -> &Path {
        &self.0.values
    }

    /// Removes the folder and waits until it is gone, without holding up the thread that answers others. While a thread
    /// still writes, the folder goes with that thread instead.
    pub(super) async fn remove(self) {
        let Some(mut folder) = Arc::into_inner(self.0) else {
            return;
        };
        let own = std::mem::take(&mut folder.own);
        // Only a panic of the removal is lost here, which the next try makes good.
        let _ = tokio::task::spawn_blocking(move || remove(&own)).await;
    }
}

/// Removes the folders of tries that no lease keeps: those of killed processes. A folder without the name of a try is not this service's
/// and stays.
pub(super) async fn remove_leftovers(loader: &Loader) -> Result<(), IndexFault> {
    let spool = &loader.config.search_files.spool;
    tokio::fs::create_dir_all(spool)
        .await
        .map_err(IndexFault::Spool)?;
    let mut entries = tokio::fs::read_dir(spool)
        .await
        .map_err(IndexFault::Spool)?;
    let mut found: Vec<(Uuid, PathBuf)> = Vec::new();
    while let Some(entry) = entries.next_entry().await.map_err(IndexFault::Spool)? {
        let name = entry.file_name();
        if let Some(worker) = name.to_str().and_then(|name| name.parse().ok()) {
            found.push((worker, entry.path()));
        }
    }
    // Asked after the folder was read: a try has its lease before it has its folder.
    let live: Vec<Uuid> =
        sqlx::query_scalar(include_str!("../../../sql/search_files/live_workers.sql"))
            .fetch_all(&loader.pool)
            .await?;
    for (worker, folder) in found {
        if live.contains(&worker) {
            continue;
        }
        match tokio::fs::remove_dir_all(&folder).await {
            Ok(()) => {}
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {}
            Err(fault) => return Err(IndexFault::Spool(fault)),
        }
    }
    Ok(())
}
