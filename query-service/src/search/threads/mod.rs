//! Running searches and completions on threads of their own, in slices, so that a broad one does not hold up the others.
//!
//! Guarantees: at most [`ThreadLimits::waiting`] requests wait while [`ThreadLimits::under_way`] are under way; beyond that
//! [`SearchFault::Full`] at once. Who asked first begins first. Searches under way get slices in turn. A search that nobody
//! waits for any more (its time is up, its client went away) ends at its next turn.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use column_files::{Completing, Completion, TooBroad};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::metrics::Metrics;

/// The limits of running searches.
#[derive(Debug, Clone)]
pub struct ThreadLimits {
    /// Threads that do nothing else.
    pub threads: usize,
    /// Requests that wait for their first slice.
    pub waiting: usize,
    /// Searches that get slices in turn; each keeps its intermediate results in memory.
    pub under_way: usize,
    /// Longest time from the request for a search to its result.
    pub time_limit: Duration,
}

impl Default for ThreadLimits {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(2, usize::from),
            waiting: 256,
            under_way: 32,
            time_limit: Duration::from_secs(10),
        }
    }
}

impl ThreadLimits {
    /// Requests that may wait or be under way.
    fn places(&self) -> usize {
        let places = self.waiting.saturating_add(self.under_way);
        places.min(Semaphore::MAX_PERMITS)
    }
}

/// Why a search gave nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchFault {
    /// Too many searches wait already.
    #[error("too many searches are waiting")]
    Full,
    /// Not done in time; it has been cancelled.
    #[error("a search took longer than {limit:?}")]
    TimedOut {
        /// The limit.
        limit: Duration,
        /// What had passed.
        elapsed: Duration,
    },
    /// It needs more memory than one search may have.
    #[error("{0}")]
    TooBroad(TooBroad),
    /// It broke off by a fault of the program.
    #[error("a search broke off")]
    Broken,
}

/// The place of one request; free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
    /// Since when the request has it: who asked first searches first.
    pub asked: Instant,
}

/// Until when a search may run; shared by all that one request does.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    started: Instant,
    limit: Duration,
}

impl Deadline {
    /// `limit` from now.
    #[must_use]
    pub fn after(limit: Duration) -> Self {
        Self {
            started: Instant::now(),
            limit,
        }
    }

    /// Waits for `work`, at most until the deadline; what is dropped then is cancelled.
    ///
    /// # Errors
    /// [`SearchFault::TimedOut`], or the fault of `work`.
    pub async fn bound<T>(
        self,
        work: impl Future<Output = Result<T, SearchFault>>,
    ) -> Result<T, SearchFault> {
        let left = self.limit.saturating_sub(self.started.elapsed());
        if left.is_zero() {
            return Err(self.passed());
        }
        tokio::time::timeout(left, work)
            .await
            .unwrap_or_else(|_| Err(self.passed()))
    }

    fn passed(self) -> SearchFault {
        SearchFault::TimedOut {
            limit: self.limit,
            elapsed: self.started.elapsed(),
        }
    }
}

/// Something that is worked at in slices.
pub trait Sliced: Send {
    /// What it gives.
    type Found: Send;

    /// Works for about a millisecond; gives the result once it is there.
    ///
    /// # Errors
    /// It needs more memory than one search may have, and has ended.
    fn advance(&mut self) -> Option<Result<Self::Found, TooBroad>>;
}

impl Sliced for Completing {
    type Found = Vec<Completion>;

    fn advance(&mut self) -> Option<Result<Vec<Completion>, TooBroad>> {
        Self::advance(self).map(Ok)
    }
}

/// The threads. They end when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Threads(Arc<Handle>);

#[derive(Debug)]
struct Handle(Arc<Pool>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.work.notify_all();
    }
}

struct Pool {
    limits: ThreadLimits,
    metrics: Metrics,
    /// One a request, whether it searches or waits for the total of another.
    places: Arc<Semaphore>,
    queues: Mutex<Queues>,
    work: Condvar,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Queues {
    /// By when they were asked: the first begins next.
    waiting: VecDeque<Job>,
    /// Under way and not at a thread right now; the first is the next.
    turns: VecDeque<Job>,
    /// At a thread right now.
    at_threads: usize,
    is_closed: bool,
}

struct Job {
    search: Box<dyn Turn>,
    asked: Instant,
    slices: u64,
}

/// A search of any kind, with whoever waits for it.
trait Turn: Send {
    /// Works for a slice; says whether that was the last.
    fn advance(&mut self) -> bool;
    /// Whether somebody still waits.
    fn is_awaited(&self) -> bool;
    /// Tells what was found.
    fn reply(self: Box<Self>);
}

struct Awaited<S: Sliced> {
    search: S,
    found: Option<Result<S::Found, TooBroad>>,
    reply: oneshot::Sender<Result<S::Found, TooBroad>>,
}

impl<S: Sliced> Turn for Awaited<S> {
    fn advance(&mut self) -> bool {
        self.found = self.search.advance();
        self.found.is_some()
    }

    fn is_awaited(&self) -> bool {
        !self.reply.is_closed()
    }

    fn reply(self: Box<Self>) {
        if let Some(found) = self.found {
            // Nobody waits any more: nothing to tell.
            let _ = self.reply.send(found);
        }
    }
}

impl Threads {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(limits: ThreadLimits, metrics: Metrics) -> std::io::Result<Self> {
        let pool = Arc::new(Pool {
            places: Arc::new(Semaphore::new(limits.places())),
            limits,
            metrics,
            queues: Mutex::default(),
            work: Condvar::new(),
        });
        // Made first, so that threads already started end if a later one cannot be.
        let threads = Self(Arc::new(Handle(Arc::clone(&pool))));
        for number in 0..pool.limits.threads.max(1) {
            let pool = Arc::clone(&pool);
            let thread = std::thread::Builder::new().name(format!("search-{number}"));
            thread.spawn(move || while pool.turn() {})?;
        }
        Ok(threads)
    }

    /// The deadline of a request that begins now.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline::after(self.0.0.limits.time_limit)
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.0.0.limits.places()
    }

    /// A place for one request: there are as many as searches may wait and be under way. Kept to the request's end.
    ///
    /// # Errors
    /// [`SearchFault::Full`] when all are taken.
    pub fn place(&self) -> Result<Place, SearchFault> {
        let pool = &self.0.0;
        let permit = Arc::clone(&pool.places).try_acquire_owned();
        let permit = permit.map_err(|_| {
            pool.metrics.search_refused();
            SearchFault::Full
        })?;
        Ok(Place {
            _permit: permit,
            asked: Instant::now(),
        })
    }

    /// Runs a search of a request that has a [`Place`] to its end; it begins before those that were `asked` later. Dropping the
    /// future cancels it.
    ///
    /// # Errors
    /// When the search breaks off. Bound it by a [`Deadline`].
    pub async fn run<S: Sliced + 'static>(
        &self,
        search: S,
        asked: Instant,
    ) -> Result<S::Found, SearchFault> {
        let (reply, found) = oneshot::channel();
        let job = Job {
            search: Box::new(Awaited {
                search,
                found: None,
                reply,
            }),
            asked,
            slices: 0,
        };
        self.0.0.enter(job);
        let found = found.await.map_err(|_| SearchFault::Broken)?;
        found.map_err(SearchFault::TooBroad)
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, job: Job) {
        let mut queues = self.lock();
        if queues.waiting.len() >= self.limits.places() {
            // No more than have a place are waited for; the others make room.
            queues.waiting.retain(|job| job.search.is_awaited());
        }
        let before = |waiting: &Job| waiting.asked <= job.asked;
        let at = queues.waiting.partition_point(before);
        queues.waiting.insert(at, job);
        self.metrics.searches_waiting(queues.waiting.len());
        drop(queues);
        self.work.notify_one();
    }

    /// One slice of the search whose turn it is; false when there will be no more.
    fn turn(&self) -> bool {
        let Some(mut job) = self.next() else {
            return false;
        };
        // A slice is small, and a fault in one search must not take a thread from the others.
        let is_done = std::panic::catch_unwind(AssertUnwindSafe(|| job.search.advance()));
        job.slices += 1;
        let mut queues = self.lock();
        queues.at_threads -= 1;
        match is_done {
            Ok(false) => {
                queues.turns.push_back(job);
                drop(queues);
            }
            Ok(true) => {
                drop(queues);
                self.metrics.searched(job.slices, job.asked.elapsed());
                job.search.reply();
            }
            Err(_) => {
                drop(queues);
                tracing::error!("a search broke off by a panic");
            }
        }
        true
    }

    /// Waits for the next search that somebody still waits for.
    fn next(&self) -> Option<Job> {
        let mut queues = self.lock();
        loop {
            if queues.is_closed {
                return None;
            }
            while queues.turns.len() + queues.at_threads < self.limits.under_way.max(1) {
                let Some(job) = queues.waiting.pop_front() else {
                    break;
                };
                self.metrics.searches_waiting(queues.waiting.len());
                queues.turns.push_back(job);
            }
            match queues.turns.pop_front() {
                Some(job) if !job.search.is_awaited() => {
                    self.metrics.search_cancelled(job.slices);
                    // It may hold much: the others need not wait until that is given back.
                    drop(queues);
                    drop(job);
                    queues = self.lock();
                }
                Some(job) => {
                    queues.at_threads += 1;
                    if !queues.turns.is_empty() {
                        self.work.notify_one();
                    }
                    return Some(job);
                }
                None => {
                    queues = self
                        .work
                        .wait(queues)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
