//! The search files that this process holds: fetched from the object store, checked, mapped.
//!
//! Guarantees:
//! - What is held has the digests that the build's event names. A file that is missing or damaged on the local disk is
//!   named in the log and fetched again; one that is damaged in the store is named, counted and tried again, ever more
//!   seldom.
//! - A file gets its name only when all its bytes are there; what a killed process left under other names is removed.
//! - What is held is bounded: the builds that [`Shelf::want`] named last, and nothing else, stay on the disk.
//! - Who took [`BuildFiles`] keeps them, whatever happens to the build meanwhile.
//!
//! Which builds are wanted is [`crate::builds`]' to say.

mod fetch;
mod folder;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use column_files::Columns;
use events_schema::data_build::v1::SearchFiles;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use service_kit::objects::Objects;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub use folder::FolderFault;

use crate::metrics::Metrics;
use folder::Folder;

/// Pause after the first fault of a build; doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Search files that are to be held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Person or company.
    pub kind: RecordKind,
    /// The build.
    pub build: BuildName,
    /// Where they lie in the object store, and their digest.
    pub files: SearchFiles,
    /// What relative dates count from in the build.
    pub reference_date: Option<NaiveDate>,
}

/// The mapped search files of one build.
#[derive(Debug)]
pub struct BuildFiles {
    /// The build.
    pub build: BuildName,
    /// Digest of the manifest: tells files that were written anew from those before.
    pub sha256: String,
    /// Its columns.
    pub columns: Arc<Columns>,
    /// What relative dates count from in the build.
    pub reference_date: Option<NaiveDate>,
}

/// What is held, by build.
pub type Held = HashMap<BuildName, Arc<BuildFiles>>;

/// The search files of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct Shelf(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: Folder,
    objects: Objects,
    metrics: Metrics,
    /// In the order in which they are fetched; none until the builds are known.
    wanted: watch::Sender<Option<Vec<Wanted>>>,
    held: watch::Sender<Held>,
}

/// When a build whose files could not be had is tried again.
#[derive(Debug, Clone, Copy)]
struct Pause {
    due: Instant,
    length: Duration,
}

/// Pauses by digest of the manifest: files that were written anew are tried at once.
type Pauses = HashMap<String, Pause>;

impl Shelf {
    /// A shelf in the local folder `folder`, which is this process's alone. Nothing is fetched yet.
    ///
    /// # Errors
    /// When the folder cannot be made or another process uses it.
    pub fn open(folder: &Path, objects: Objects, metrics: Metrics) -> Result<Self, FolderFault> {
        Ok(Self(Arc::new(Inner {
            folder: Folder::open(folder)?,
            objects,
            metrics,
            wanted: watch::Sender::default(),
            held: watch::Sender::default(),
        })))
    }

    /// Says what is to be held from now on, in the order in which it is to be fetched. Anything else is let go at once.
    pub fn want(&self, wanted: Vec<Wanted>) {
        self.0.held.send_if_modified(|held| {
            let before = held.len();
            held.retain(|build, _| wanted.iter().any(|one| one.build == *build));
            held.len() != before
        });
        self.0.wanted.send_if_modified(|current| {
            let is_new = current.as_ref() != Some(&wanted);
            *current = Some(wanted);
            is_new
        });
    }

    /// The files of a build, if they are held.
    #[must_use]
    pub fn get(&self, build: &BuildName) -> Option<Arc<BuildFiles>> {
        self.0.held.borrow().get(build).cloned()
    }

    /// Tells of every change of what is held.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<Held> {
        self.0.held.subscribe()
    }

    /// Fetches what is wanted until shutdown.
    pub async fn run(self, shutdown: CancellationToken) {
        let mut wanted = self.0.wanted.subscribe();
        let mut pauses = Pauses::new();
        loop {
            let list = wanted.borrow_and_update().clone();
            let pass = async {
                match self.pass(list.as_deref(), &mut pauses).await {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => return,
                // What is wanted first may be another build now; whole files of the one under way stay.
                Ok(()) = wanted.changed() => {}
                () = pass => {}
            }
        }
    }

    /// Tries once to fetch everything that is wanted; for tests and for a start that waits.
    pub async fn fill(&self) {
        let list = self.0.wanted.borrow().clone();
        self.pass(list.as_deref(), &mut Pauses::new()).await;
    }

    /// One try for each build that is not held and not in a pause; gives the time of the next try, if there is one.
    /// Before the builds are known nothing is done, and above all nothing removed.
    async fn pass(&self, list: Option<&[Wanted]>, pauses: &mut Pauses) -> Option<Instant> {
        let list = list?;
        pauses.retain(|sha256, _| list.iter().any(|one| one.files.sha256 == *sha256));
        for one in list {
            let due = pauses.get(&one.files.sha256).map(|pause| pause.due);
            let waits = due.is_some_and(|due| due > Instant::now());
            if !waits && !self.has(one) {
                self.attempt(one, pauses).await;
            }
        }
        self.0.folder.sweep(list).await;
        let missing = list.iter().filter(|one| !self.has(one));
        missing
            .filter_map(|one| pauses.get(&one.files.sha256).map(|pause| pause.due))
            .min()
    }

    async fn attempt(&self, wanted: &Wanted, pauses: &mut Pauses) {
        let sha256 = &wanted.files.sha256;
        match self.0.folder.hold(&self.0.objects, wanted).await {
            Ok(files) => {
                pauses.remove(sha256);
                self.put(wanted, files);
            }
            Err(fault) => {
                self.0.metrics.search_files_fault(wanted.kind);
                let last = pauses.get(sha256).map(|pause| pause.length);
                let length = (last.unwrap_or_default() * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                let due = Instant::now() + length;
                pauses.insert(sha256.clone(), Pause { due, length });
                let cause = std::error::Error::source(&fault).map(ToString::to_string);
                tracing::error!(build = %wanted.build, %fault, cause, retry_in = ?length, "the search files of a build cannot be had");
            }
        }
    }

    fn has(&self, wanted: &Wanted) -> bool {
        let held = self.0.held.borrow();
        held.get(&wanted.build)
            .is_some_and(|files| files.sha256 == wanted.files.sha256)
    }

    fn put(&self, wanted: &Wanted, columns: Columns) {
        tracing::info!(kind = %wanted.kind, build = %wanted.build, rows = columns.rows(), "search files are held");
        let files = BuildFiles {
            build: wanted.build.clone(),
            sha256: wanted.files.sha256.clone(),
            columns: Arc::new(columns),
            reference_date: wanted.reference_date,
        };
        self.0.held.send_modify(|held| {
            held.insert(wanted.build.clone(), Arc::new(files));
        });
    }
}
