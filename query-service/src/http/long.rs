//! Where long bodies are read: on threads for work that takes long, few at a time, so that the others are answered meanwhile.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use service_kit::Problem;
use tokio::sync::Semaphore;

/// The places for it. Clones share them.
#[derive(Debug, Clone)]
pub struct LongReads(Arc<Semaphore>);

impl Default for LongReads {
    /// Half of the processors.
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        Self(Arc::new(Semaphore::new((processors / 2).max(1))))
    }
}

impl LongReads {
    /// Does a piece of work once a place is free, and keeps the place as long as that takes, also when nobody waits any more.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = Arc::clone(&self.0).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|fault| {
            tracing::error!(%fault, "a body was not read to its end");
            Problem::internal()
        })
    }
}
