//! Totals that are known, by build and condition, so that a broad condition is counted once and not on every page.
//!
//! Guarantee: of requests at a time for the same total one counts and the others wait for it. When the one fails or
//! goes away, another one counts: nobody fails or waits because of somebody else's request.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use dialect::Query;
use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::files::BuildFiles;

/// About 100 bytes each.
const MOST_TOTALS: NonZeroUsize = NonZeroUsize::new(16_384).unwrap();

/// The known totals. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Totals(Arc<Mutex<LruCache<Key, Arc<OnceCell<u64>>>>>);

/// A digest of fixed size: conditions are long.
type Key = [u8; 32];

impl Default for Totals {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(MOST_TOTALS))))
    }
}

impl Totals {
    /// The place of a query's total in these files: filled by whoever comes first, waited for by the others.
    #[must_use]
    pub(super) fn of(&self, files: &BuildFiles, query: &Query) -> Arc<OnceCell<u64>> {
        // Before the lock: a condition may be long.
        let key = key(files, query);
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total = totals.get_or_insert(key, Arc::default);
        Arc::clone(total)
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
