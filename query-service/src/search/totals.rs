//! Totals that are known, by build and condition, so that a broad condition is counted once and not on every page.
//!
//! Guarantee: requests at a time for the same total wait for one count, which goes on when whoever began it goes away.
//!
//! Not promised: who waited then searches for its own page, behind all that came meanwhile; and a fault of the search that counts is
//! told to all who wait for it.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use column_files::Found;
use dialect::Query;
use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared, WeakShared};
use lru::LruCache;
use sha2::{Digest, Sha256};

use super::files::BuildFiles;
use super::threads::SearchFault;

/// About 100 bytes each.
const MOST_TOTALS: NonZeroUsize = NonZeroUsize::new(16_384).unwrap();

/// The known totals. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Totals(Arc<Mutex<LruCache<Key, Known>>>);

/// A digest of fixed size: conditions are long.
type Key = [u8; 32];

/// What the count of whoever came first found: the total, and the page of that request.
type Counted = BoxFuture<'static, Result<Arc<Found>, SearchFault>>;

#[derive(Debug)]
enum Known {
    Total(u64),
    /// While somebody waits for it.
    Counting(WeakShared<Counted>),
}

/// A total, or where it will come from.
pub(super) enum Total {
    Known(u64),
    /// From the caller's own search, which others may wait for, too.
    Own(Shared<Counted>),
    /// From the search of another request.
    Anothers(Shared<Counted>),
}

impl Default for Totals {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(MOST_TOTALS))))
    }
}

impl Totals {
    /// The total of a query in these files. If nobody knows it, `search` counts it, together with the page of the caller.
    #[must_use]
    pub(super) fn of(
        &self,
        files: &BuildFiles,
        query: &Query,
        search: impl Future<Output = Result<Found, SearchFault>> + Send + 'static,
    ) -> Total {
        // Before the lock: a condition may be long.
        let key = key(files, query);
        self.of_key(key, search)
    }

    fn of_key(
        &self,
        key: Key,
        search: impl Future<Output = Result<Found, SearchFault>> + Send + 'static,
    ) -> Total {
        let mut totals = self.lock();
        match totals.get(&key) {
            Some(Known::Total(total)) => return Total::Known(*total),
            Some(Known::Counting(counting)) => {
                // Gone if nobody waited for it to its end.
                if let Some(counting) = counting.upgrade() {
                    return Total::Anothers(counting);
                }
            }
            None => {}
        }
        let own = self.clone().count(key, search).boxed().shared();
        if let Some(counting) = own.downgrade() {
            totals.put(key, Known::Counting(counting));
        }
        Total::Own(own)
    }

    /// Keeps the total of a search, or makes room for another try.
    async fn count(
        self,
        key: Key,
        search: impl Future<Output = Result<Found, SearchFault>>,
    ) -> Result<Arc<Found>, SearchFault> {
        let found = search.await;
        let mut totals = self.lock();
        match found {
            Ok(found) => {
                totals.put(key, Known::Total(found.total));
                Ok(Arc::new(found))
            }
            Err(fault) => {
                totals.pop(&key);
                Err(fault)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Key, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of the files and the condition; in which order the rows come does not matter.
fn key(files: &BuildFiles, query: &Query) -> Key {
    let counted = Query {
        order: Vec::new(),
        ..query.clone()
    };
    let mut digest = Sha256::new();
    digest.update(files.build.as_str());
    digest.update([0]);
    digest.update(&files.sha256);
    digest.update([0]);
    digest.update(counted.text());
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use futures::future::{pending, ready};
    use tokio::sync::oneshot;

    use super::*;

    const KEY: Key = [7; 32];

    fn found(total: u64) -> Found {
        Found {
            ranks: vec![1],
            total,
        }
    }

    fn counting(total: Total) -> Shared<Counted> {
        match total {
            Total::Known(total) => panic!("{total} is known"),
            Total::Own(counting) | Total::Anothers(counting) => counting,
        }
    }

    #[tokio::test]
    async fn a_count_goes_on_when_whoever_began_it_goes_away() {
        let totals = Totals::default();
        let (tell, told) = oneshot::channel();
        let search = async { Ok(told.await.unwrap()) };
        let mut first = counting(totals.of_key(KEY, search));
        assert!((&mut first).now_or_never().is_none());
        let second = totals.of_key(KEY, pending());
        assert!(matches!(&second, Total::Anothers(_)));
        drop(first);
        tell.send(found(3)).unwrap();
        assert_eq!(counting(second).await.unwrap().total, 3);
        assert!(matches!(totals.of_key(KEY, pending()), Total::Known(3)));
    }

    #[tokio::test]
    async fn a_count_ends_when_nobody_waits_for_it() {
        let totals = Totals::default();
        let (tell, told) = oneshot::channel();
        let search = async { Ok(told.await.unwrap()) };
        let (first, second) = (totals.of_key(KEY, search), totals.of_key(KEY, pending()));
        drop(first);
        assert!(!tell.is_closed());
        drop(second);
        assert!(tell.is_closed());
        assert_eq!(
            counting(totals.of_key(KEY, ready(Ok(found(4)))))
                .await
                .unwrap()
                .total,
            4
        );
    }

    #[tokio::test]
    async fn a_count_that_failed_is_tried_again() {
        let totals = Totals::default();
        let failed = counting(totals.of_key(KEY, ready(Err(SearchFault::Full))));
        assert_eq!(failed.clone().await.unwrap_err(), SearchFault::Full);
        let again = totals.of_key(KEY, ready(Ok(found(5))));
        assert!(matches!(&again, Total::Own(_)));
        assert_eq!(counting(again).await.unwrap().total, 5);
    }
}
