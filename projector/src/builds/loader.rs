//! The loader's loop: workers that take one step after the other, whatever is due.
//!
//! Any number of workers and processes share the work through row locks (`skip locked`), which a killed process gives
//! back by itself.

use std::time::Duration;

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use service_kit::Watched;
use service_kit::client::Client;
use service_kit::objects::{Objects, ObjectsFault};

use crate::builds::search_files::reindex;
use crate::builds::tell::Refusal;
use crate::builds::{load, outcome, rank, search_files, sweep};
use crate::config::BuildsConfig;
use crate::database::within;
use crate::metrics::Metrics;

/// How long a worker waits after a fault.
const RETRY: Duration = Duration::from_secs(1);

/// Why a step was not done. What follows is said by `failing`; a fault that is of no one build is simply met again.
#[derive(Debug, thiserror::Error)]
pub enum LoadFault {
    /// The read model's database.
    #[error("the read model cannot be read or written")]
    Database(#[from] sqlx::Error),
    /// The object store.
    #[error("the object store cannot be read or written")]
    Objects(#[from] ObjectsFault),
    /// A thread of the parser ended badly.
    #[error("the parser ended badly")]
    Parser(#[from] tokio::task::JoinError),
    /// A document could not be packed.
    #[error("a document could not be packed")]
    Documents(#[from] documents::PackFault),
    /// command-service did not take an outcome.
    #[error("command-service did not take the outcome of a build")]
    Outcome(#[from] service_kit::client::CallFault),
    /// command-service refused an outcome.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A document of the loader's own that cannot be written.
    #[error("a document cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// A row that this version does not understand.
    #[error("the read model holds a build of an unknown kind")]
    UnknownKind,
    /// The bytes of a chunk are not what was staged.
    #[error("its bytes {0}")]
    Staged(&'static str),
    /// Two chunks hold the same lines.
    #[error("chunk {chunk} begins at line {line}, which another chunk holds")]
    Overlap {
        /// The one that begins later.
        chunk: i32,
        /// Its first line.
        line: i64,
    },
}

/// Whether a step found something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Look again at once.
    Done,
    /// Nothing is due.
    Idle,
}

/// What loads data builds. Clones share everything.
#[derive(Clone)]
pub struct Loader {
    pub(super) pool: PgPool,
    pub(super) config: BuildsConfig,
    pub(super) objects: Objects,
    pub(super) client: Client,
    pub(super) command_service_urls: Vec<String>,
    pub(super) metrics: Metrics,
}

impl Loader {
    /// A loader that does nothing yet.
    ///
    /// # Errors
    /// When the object store cannot be used.
    pub fn new(
        pool: PgPool,
        config: BuildsConfig,
        client: Client,
        command_service_urls: Vec<String>,
        metrics: Metrics,
    ) -> Result<Self, ObjectsFault> {
        let objects = Objects::open(&config.object_store)?;
        Ok(Self {
            pool,
            config,
            objects,
            client,
            command_service_urls,
            metrics,
        })
    }

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
                Duty::Keep => keep_step(&loader).await,
                Duty::Index => search_files::next(&loader, &shutdown).await,
            }
        };
        let taken = match duty {
            // It ends by itself and says so, so that another process need not wait for its lease.
            Duty::Index => step.await,
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
    let settled = sqlx::query(include_str!("../../sql/loader/settle_reference_dates.sql"));
    within(loader.config.limits.write, settled.execute(&loader.pool)).await?;
    match load::next_chunk(loader).await? {
        Step::Done => Ok(Step::Done),
        Step::Idle => rank::next_build(loader).await,
    }
}

/// Tells one outcome or what was written anew, else removes what was replaced, else drops one build.
async fn keep_step(loader: &Loader) -> Result<Step, LoadFault> {
    // They are repeated until they are done: given up, they are met again.
    let limit = loader.config.limits.load;
    if within(limit, outcome::next(loader)).await? == Step::Done
        || within(limit, reindex::tell_next(loader)).await? == Step::Done
        || within(limit, reindex::remove_replaced(loader)).await? == Step::Done
    {
        return Ok(Step::Done);
    }
    within(limit, sweep::next(loader)).await
}
