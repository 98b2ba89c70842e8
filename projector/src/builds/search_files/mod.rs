//! The search files of a build: written from its rows in rank order, put into the object store, and named.
//!
//! `build_index` says what is to be written. One worker at a time holds a lease on a build; a try spools on the local disk, then uploads
//! into a folder that is called after its content, the manifest last, and only then names the files by a row. After ranking, the stage of
//! the build goes from `ranked` to `indexed` with it, and the outcome of loading is reported; files that an operator asked for are reported
//! on their own ([`reindex`]).
//!
//! Guarantees: what a row or an event names is whole; a try that is killed is taken over once its lease is over and leaves nothing that a
//! row or an event names; what it left is removed by a later one. A fault that comes again ends after a bounded number of tries: a build
//! that was not loaded yet fails with the reason, one that was keeps the files it had.

mod fault;
mod lease;
pub mod reindex;
mod spool;
mod store;
mod write;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use events_schema::data_build::v1::SearchFiles;
use events_schema::record::RecordKind;
use tokio_util::sync::CancellationToken;

use crate::builds::failing::LONGEST_PAUSE;
use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::schema::Tables;
use crate::database::within;
use fault::{Class, IndexFault};
use lease::Claimed;
use spool::Spool;

/// Writes the search files of the next build that wants some.
pub(super) async fn next(loader: &Loader, shutdown: &CancellationToken) -> Result<Step, LoadFault> {
    let Some(claimed) = lease::claim(loader).await? else {
        return Ok(Step::Idle);
    };
    let most = loader.config.search_files.attempts;
    let limit = loader.config.limits.load;
    if claimed.attempts > most {
        let why = claimed.fault.clone();
        let why = why.unwrap_or_else(|| format!("{most} tries ended with their process"));
        within(limit, lease::give_up(loader, &claimed, &why)).await?;
        return Ok(Step::Done);
    }
    let progress = Arc::new(AtomicU64::new(0));
    let tried = tokio::select! {
        biased;
        () = shutdown.cancelled() => Err(IndexFault::Stopped),
        fault = lease::keep(loader, &claimed, &progress) => Err(fault),
        tried = one_try(loader, &claimed, &progress) => tried,
    };
    match tried {
        Ok(files) => {
            within(limit, lease::written(loader, &claimed, &files)).await?;
            tracing::info!(
                build = claimed.build,
                files = files.files,
                bytes = files.bytes,
                "the search files of a build are written"
            );
        }
        Err(fault) => within(limit, end(loader, &claimed, &fault)).await?,
    }
    Ok(Step::Done)
}

/// One try, from nothing.
async fn one_try(
    loader: &Loader,
    claimed: &Claimed,
    progress: &Arc<AtomicU64>,
) -> Result<SearchFiles, IndexFault> {
    spool::remove_leftovers(loader).await?;
    lease::remove_leftovers(loader, claimed).await?;
    let kind: RecordKind = claimed.kind.parse().map_err(|_| IndexFault::UnknownKind)?;
    let tables = Tables::new(&claimed.build, kind);
    if claimed.is_first() {
        let mut own = loader.pool.acquire().await?;
        tables.vacuum(&mut own).await?;
    }
    let spool = Spool::create(&loader.config.search_files.spool, claimed.worker).await?;
    let written = async {
        let manifest = write::write(loader, claimed, &tables, &spool, progress).await?;
        store::upload(loader, &claimed.build, spool.files(), &manifest).await
    };
    let written = written.await;
    spool.remove().await;
    written
}

/// After a try that failed: another one later, or none.
async fn end(loader: &Loader, claimed: &Claimed, fault: &IndexFault) -> Result<(), LoadFault> {
    let config = &loader.config.search_files;
    let (build, why) = (&claimed.build, fault.with_causes());
    match fault.class() {
        Class::Gone => {
            tracing::warn!(build, why, "the search files of a build are left to others");
            Ok(())
        }
        Class::Stopped => lease::again(loader, claimed, Duration::ZERO, None).await,
        Class::Passing => {
            tracing::warn!(build, why, "the search files of a build are tried again");
            lease::again(loader, claimed, config.pause, None).await
        }
        Class::Lasting if claimed.attempts >= config.attempts => {
            tracing::error!(build, why, "the search files of a build are given up");
            lease::give_up(loader, claimed, &why).await
        }
        Class::Lasting => {
            tracing::warn!(build, why, "the search files of a build are tried again");
            lease::again(
                loader,
                claimed,
                pause(config.pause, claimed.attempts),
                Some(&why),
            )
            .await
        }
    }
}

/// Twice as long after each try.
fn pause(first: Duration, attempts: i32) -> Duration {
    let doubled = u32::try_from(attempts.saturating_sub(1))
        .unwrap_or(0)
        .min(16);
    first.saturating_mul(1 << doubled).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_between_two_tries_doubles_up_to_five_minutes() {
        let first = Duration::from_secs(5);
        let pauses: Vec<u64> = (0..9).map(|n| pause(first, n).as_secs()).collect();
        assert_eq!(pauses, [5, 5, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(pause(first, i32::MAX), LONGEST_PAUSE);
    }
}
