//! Totals that are known, by build and condition, so that a broad condition is counted once and not on every page.
//!
//! Guarantee: requests at a time for the same total wait for one count, which goes on when whoever began it goes away, and ends when
//! nobody waits for it any more.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use column_files::Found;
use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tracing::Instrument as _;

use super::asked::Asked;
use super::files::BuildFiles;
use super::threads::SearchFault;

/// About 100 bytes each.
const MAX_TOTALS: NonZeroUsize = NonZeroUsize::new(16_384).unwrap();

/// The known totals. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Totals(Arc<Mutex<LruCache<Key, Known>>>);

/// Files and condition, as a digest of fixed size: conditions are long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; 32]);

/// What the count of whoever came first found: the total, and the page of that request.
type Counted = Result<Found, SearchFault>;

/// Where a count will tell what it found.
type Tell = watch::Sender<Option<Counted>>;

#[derive(Debug)]
enum Known {
    Total(u64),
    /// While somebody waits for it.
    Counting(Weak<Tell>),
}

/// A total, or where it will come from.
pub(super) enum Total {
    Known(u64),
    /// From the caller's own search, which others may wait for, too.
    Own(Counting),
    /// From the search of another request.
    Anothers(Counting),
}

/// A count under way. It ends when the last one is dropped.
pub(super) struct Counting(watch::Receiver<Option<Counted>>);

impl Counting {
    /// What was found; none if the count broke off, or ended since nobody waited for it just before.
    pub(super) async fn found(mut self) -> Option<Counted> {
        self.0.wait_for(Option::is_some).await.ok()?.clone()
    }
}

impl Default for Totals {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(MAX_TOTALS))))
    }
}

impl Totals {
    /// A total. If nobody knows it, `search` counts it, together with the page of the caller, in a task of its own.
    #[must_use]
    pub(super) fn of(
        &self,
        key: Key,
        search: impl Future<Output = Counted> + Send + 'static,
    ) -> Total {
        let mut totals = self.lock();
        match totals.get(&key) {
            Some(Known::Total(total)) => return Total::Known(*total),
            Some(Known::Counting(tell)) => {
                if let Some(tell) = tell.upgrade() {
                    return Total::Anothers(Counting(tell.subscribe()));
                }
            }
            None => {}
        }
        let (tell, told) = watch::channel(None);
        let tell = Arc::new(tell);
        totals.put(key, Known::Counting(Arc::downgrade(&tell)));
        drop(totals);
        tokio::spawn(self.clone().count(key, search, tell).in_current_span());
        Total::Own(Counting(told))
    }

    /// Keeps the total of a search, or makes room for another try, and tells whoever waits.
    async fn count(self, key: Key, search: impl Future<Output = Counted>, tell: Arc<Tell>) {
        let counted = tokio::select! {
            counted = search => counted,
            // Who comes now finds that it has ended, and asks again.
            () = tell.closed() => return,
        };
        match &counted {
            Ok(found) => self.lock().put(key, Known::Total(found.total)),
            Err(_) => self.lock().pop(&key),
        };
        tell.send_replace(Some(counted));
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Key, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Key {
    /// Of the files and the condition; in which order the rows come does not matter.
    pub(super) fn of(files: &BuildFiles, asked: &Asked) -> Self {
        let mut digest = Sha256::new();
        digest.update(files.build.as_str());
        digest.update([0]);
        digest.update(&files.sha256);
        digest.update([0]);
        digest.update(asked.condition());
        Self(digest.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::sync::oneshot;

    use super::*;

    const KEY: Key = Key([7; 32]);

    fn found(total: u64) -> Found {
        Found {
            ranks: vec![1],
            total,
        }
    }

    fn counting(total: Total) -> Counting {
        match total {
            Total::Known(total) => panic!("{total} is known"),
            Total::Own(counting) | Total::Anothers(counting) => counting,
        }
    }

    async fn total_of(total: Total) -> u64 {
        counting(total).found().await.unwrap().unwrap().total
    }

    #[tokio::test]
    async fn a_count_goes_on_when_whoever_began_it_goes_away() {
        let totals = Totals::default();
        let (tell, told) = oneshot::channel();
        let first = counting(totals.of(KEY, async { Ok(told.await.unwrap()) }));
        let second = totals.of(KEY, pending());
        assert!(matches!(&second, Total::Anothers(_)));
        drop(first);
        tell.send(found(3)).unwrap();
        assert_eq!(total_of(second).await, 3);
        assert!(matches!(totals.of(KEY, pending()), Total::Known(3)));
    }

    #[tokio::test]
    async fn a_count_ends_when_nobody_waits_for_it() {
        let totals = Totals::default();
        let (mut tell, told) = oneshot::channel();
        let search = async { Ok(told.await.unwrap()) };
        let (first, second) = (totals.of(KEY, search), totals.of(KEY, pending()));
        drop((first, second));
        tell.closed().await;
        assert_eq!(total_of(totals.of(KEY, ready(Ok(found(4))))).await, 4);
    }

    #[tokio::test]
    async fn a_count_goes_on_for_who_joins_before_it_noticed_that_nobody_waits() {
        let totals = Totals::default();
        let (tell, told) = oneshot::channel();
        drop(totals.of(KEY, async { Ok(told.await.unwrap()) }));
        let joined = totals.of(KEY, pending());
        assert!(matches!(&joined, Total::Anothers(_)));
        tell.send(found(6)).unwrap();
        assert_eq!(total_of(joined).await, 6);
    }

    #[tokio::test]
    async fn a_count_that_breaks_off_or_fails_is_tried_again() {
        let totals = Totals::default();
        let broken = counting(totals.of(KEY, async { panic!("a fault of the program") }));
        assert!(broken.found().await.is_none());
        let failed = counting(totals.of(KEY, ready(Err(SearchFault::Full))));
        assert_eq!(
            failed.found().await.unwrap().unwrap_err(),
            SearchFault::Full
        );
        let again = totals.of(KEY, ready(Ok(found(5))));
        assert!(matches!(&again, Total::Own(_)));
        assert_eq!(total_of(again).await, 5);
    }
}
