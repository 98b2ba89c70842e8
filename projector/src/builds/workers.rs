//! The loader's loop: workers that take one step after the other, whatever is due.

use std::time::Duration;

use service_kit::Watched;
use tokio_util::sync::CancellationToken;

use crate::builds::fault::LoadFault;
use crate::builds::loader::{Loader, Step};
use crate::builds::search_files::reindex;
use crate::builds::{edition, load, outcome, rank, search_files, sweep};
use crate::database::within;

/// How long a worker waits after a fault.
const RETRY: Duration = Duration::from_secs(1);

impl Loader {
    /// Works until `shutdown`, or until one of the workers breaks off. A step that is under way then is given up: it is done
    /// again at the next start.
    pub async fn run(self, shutdown: CancellationToken) {
        let stop = shutdown.child_token();
        let mut workers = Watched::default();
        let mut start = |name, duty| {
            workers.spawn(name, worker(self.clone(), stop.clone(), duty));
        };
        for _ in 0..self.config.workers.max(1) {
            start("worker that loads", Duty::Load);
        }
        start("worker that writes search files", Duty::Index);
        start("worker that tells and removes", Duty::Keep);
        let (loader, over) = (self.clone(), stop.clone());
        workers.spawn("worker that looks at editions", async move {
            tokio::select! {
                () = over.cancelled() => {}
                never = edition::watch(loader) => match never {},
            }
        });
        workers.guard(&stop, stop.cancelled()).await;
        workers.over().await;
    }
}

/// What a worker is for: loading must not wait for a command-service that is down, nor the other way round, and only one
/// build at a time is given the memory that its search files need.
#[derive(Clone, Copy)]
enum Duty {
    Load,
    Index,
    Keep,
}

async fn worker(loader: Loader, shutdown: CancellationToken, duty: Duty) {
    while !shutdown.is_cancelled() {
        let step = async {
            match duty {
                Duty::Load => load_step(&loader).await,
                Duty::Keep => Box::pin(keep_step(&loader)).await,
                Duty::Index => search_files::next(&loader, &shutdown).await,
            }
        };
        let taken = match duty {
            // It ends by itself and says so, so that another process need not wait for its lease.
            Duty::Index => Box::pin(step).await,
            Duty::Load | Duty::Keep => tokio::select! {
                () = shutdown.cancelled() => return,
                taken = step => taken,
            },
        };
        let pause = match taken {
            Ok(Step::Done) => continue,
            Ok(Step::Idle) => loader.config.poll,
            Err(fault) => {
                tracing::warn!(
                    error = &fault as &dyn std::error::Error,
                    "a step of loading is taken again"
                );
                RETRY
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Scans or loads one chunk, else ranks one build.
async fn load_step(loader: &Loader) -> Result<Step, LoadFault> {
    for statement in [
        include_str!("../../sql/loader/loaded_before.sql"),
        include_str!("../../sql/loader/settle_reference_dates.sql"),
    ] {
        let settled = sqlx::query(statement).execute(&loader.pool);
        within(loader.config.limits.write, settled).await?;
    }
    match load::next_chunk(loader).await? {
        Step::Done => Ok(Step::Done),
        Step::Idle => rank::next_build(loader).await,
    }
}

/// Reports one outcome or one set of new search files, else removes replaced files, else drops one build.
async fn keep_step(loader: &Loader) -> Result<Step, LoadFault> {
    if outcome::next(loader).await? == Step::Done {
        return Ok(Step::Done);
    }
    // They are repeated until they are done: given up, they are met again.
    let limit = loader.config.limits.load;
    if Box::pin(within(limit, reindex::tell_next(loader))).await? == Step::Done
        || Box::pin(within(limit, reindex::remove_replaced(loader))).await? == Step::Done
    {
        return Ok(Step::Done);
    }
    sweep::next(loader).await
}
