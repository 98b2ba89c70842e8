//! Search: which records a query finds, in which order, and how many there are. How a query is written, and how it
//! travels: docs/SEARCH.md.
//!
//! Reading order: [`request`] (the body; pure) → [`asked`] (what it asks) → [`files`] (what is searched) → [`threads`] (where and how long) →
//! `totals` (what is known already) → [`warning`] (what the answer adds) and [`cursor`] (where the next page begins).
//! No SQL is made here, and nothing of a query's text leaves [`dialect`]: what runs is a typed condition over columns.

pub mod asked;
pub mod cursor;
pub mod files;
pub mod request;
pub mod threads;
mod totals;
pub mod warning;

use std::sync::Arc;
use std::time::Instant;

use column_files::{Columns, Completing, Completion, Found, Page, Search, TooBroad};
use dialect::ColumnId;
use tokio::sync::Semaphore;

use asked::Asked;
use files::BuildFiles;
use threads::{SearchFault, Sliced, Threads};
use totals::{Key, Total, Totals};

/// Runs searches. Clones share threads and totals.
#[derive(Debug, Clone)]
pub struct Searches {
    threads: Threads,
    totals: Totals,
    /// Completions are free, and must not keep searches out.
    completions: Arc<Semaphore>,
}

/// One place in so many is for completions.
const COMPLETIONS_SHARE: usize = 4;

impl Searches {
    /// Over these threads; no total is known yet.
    #[must_use]
    pub fn new(threads: Threads) -> Self {
        let completions = (threads.places() / COMPLETIONS_SHARE).max(1);
        Self {
            threads,
            totals: Totals::default(),
            completions: Arc::new(Semaphore::new(completions)),
        }
    }

    /// A page and the total of a query. A total that is known is not counted again; one that is being counted is
    /// waited for.
    ///
    /// # Errors
    /// When too many requests search or wait already, or this one is not done within the time limit.
    pub async fn find(
        &self,
        files: &BuildFiles,
        asked: &Asked,
        page: Page,
    ) -> Result<Found, SearchFault> {
        // Also whoever only waits for the total of another takes one.
        let place = self.threads.place()?;
        self.threads
            .deadline()
            .bound(self.find_unbounded(files, asked, page, place.asked))
            .await
    }

    /// The stored values that a text may become.
    ///
    /// # Errors
    /// As [`Searches::find`].
    pub async fn complete(
        &self,
        files: &BuildFiles,
        column: ColumnId,
        text: &str,
        limit: usize,
    ) -> Result<Vec<Completion>, SearchFault> {
        let _share = self
            .completions
            .try_acquire()
            .map_err(|_| SearchFault::Full)?;
        let place = self.threads.place()?;
        let completing = Completing::new(Arc::clone(&files.columns), column, text, limit);
        let completed = self.threads.run(completing, place.asked);
        self.threads.deadline().bound(completed).await
    }

    async fn find_unbounded(
        &self,
        files: &BuildFiles,
        asked: &Asked,
        page: Page,
        since: Instant,
    ) -> Result<Found, SearchFault> {
        let key = Key::of(files, asked);
        let run = |total| {
            let planned = Planned {
                columns: Arc::clone(&files.columns),
                asked: asked.clone(),
                page,
                total,
                search: None,
            };
            let threads = self.threads.clone();
            async move { threads.run(planned, since).await }
        };
        let total = loop {
            match self.totals.of(key, run(None)) {
                Total::Known(total) => break total,
                // Whoever counts has its page with the total.
                Total::Own(counting) => {
                    return counting.found().await.unwrap_or(Err(SearchFault::Broken));
                }
                Total::Anothers(counting) => {
                    if let Some(found) = counting.found().await {
                        break found?.total;
                    }
                }
            }
        };
        // Its place in the queue is that of its request, however long the count took.
        run(Some(total)).await
    }
}

/// A search that is prepared at its first slice: a long condition is work, and belongs on the threads of searches.
struct Planned {
    columns: Arc<Columns>,
    asked: Asked,
    page: Page,
    total: Option<u64>,
    search: Option<Search>,
}

impl Sliced for Planned {
    type Found = Found;

    fn advance(&mut self) -> Option<Result<Found, TooBroad>> {
        let search = self.search.get_or_insert_with(|| {
            let columns = Arc::clone(&self.columns);
            Search::new(columns, self.asked.query(), self.page, self.total)
        });
        search.advance()
    }
}
