//! Where long bodies are read: on threads for work that takes long, few at a time, so that the others are answered meanwhile. Of one key
//! one at a time: what it sends without pause makes nobody else wait for more than one of its bodies.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use service_kit::Problem;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places for it. Clones share them.
#[derive(Debug, Clone)]
pub struct LongReads(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    places: Arc<Semaphore>,
    /// By the keys whose bodies are read or wait. Bounded by the connections.
    turns: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Default for LongReads {
    /// Half of the processors.
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        Self::with_places((processors / 2).max(1))
    }
}

impl LongReads {
    fn with_places(places: usize) -> Self {
        Self(Arc::new(Inner {
            places: Arc::new(Semaphore::new(places)),
            turns: Mutex::default(),
        }))
    }

    /// Does a piece of work for a key once a place is free, and keeps the place as long as that takes, also when nobody waits any more.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        api_key: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = Turn::of(&self.0, api_key);
        let taken = turn.take().await;
        let place = Arc::clone(&self.0.places).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _place = (place, taken, turn);
            work()
        });
        done.await.map_err(|fault| {
            tracing::error!(%fault, "a body was not read to its end");
            Problem::internal()
        })
    }
}

impl Inner {
    fn turns(&self) -> MutexGuard<'_, HashMap<String, Arc<Semaphore>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a key, forgotten with the last that has it.
struct Turn {
    reads: Arc<Inner>,
    api_key: String,
    one: Option<Arc<Semaphore>>,
}

impl Turn {
    fn of(reads: &Arc<Inner>, api_key: &str) -> Self {
        let mut turns = reads.turns();
        let one = turns.entry(api_key.to_owned());
        let one = one.or_insert_with(|| Arc::new(Semaphore::new(1)));
        Self {
            reads: Arc::clone(reads),
            api_key: api_key.to_owned(),
            one: Some(Arc::clone(one)),
        }
    }

    async fn take(&self) -> Option<OwnedSemaphorePermit> {
        let one = self.one.clone()?;
        one.acquire_owned().await.ok()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut turns = self.reads.turns();
        self.one = None;
        // The table's alone: a permit has one, too, and is given back before.
        if turns.get(&self.api_key).map(Arc::strong_count) == Some(1) {
            turns.remove(&self.api_key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn of_one_key_one_body_is_read_at_a_time_and_others_are_read_meanwhile() {
        let reads = LongReads::with_places(2);
        let (go_on, wait) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let reads = reads.clone();
            async move { reads.run("busy", move || wait.recv()).await }
        });
        while reads.0.places.available_permits() == 2 {
            tokio::task::yield_now().await;
        }
        let mut second = std::pin::pin!(reads.run("busy", || 2));
        assert!(second.as_mut().now_or_never().is_none());
        assert_eq!(reads.run("another", || 3).await.unwrap(), 3);
        assert!(second.as_mut().now_or_never().is_none());
        assert_eq!(reads.0.turns().len(), 1);
        go_on.send(()).unwrap();
        assert_eq!(second.await.unwrap(), 2);
        first.await.unwrap().unwrap().unwrap();
        assert!(reads.0.turns().is_empty());
    }
}
