//! Which instance owns which shard, as far as it was told. A wrong guess costs one more call, never correctness.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use events_schema::ids::Shard;

#[derive(Debug)]
pub(super) struct Routes {
    urls: Vec<String>,
    next: AtomicUsize,
    owners: RwLock<HashMap<Shard, String>>,
}

impl Routes {
    pub(super) fn new(urls: Vec<String>) -> Self {
        Self {
            urls,
            next: AtomicUsize::new(0),
            owners: RwLock::default(),
        }
    }

    /// The owner if it is known, else one of the configured instances, another one at each attempt.
    pub(super) fn pick(&self, shard: Option<Shard>, attempt: u32) -> String {
        let owners = self.owners.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = shard.and_then(|shard| owners.get(&shard)) {
            return owner.clone();
        }
        let step = usize::try_from(attempt).unwrap_or(0);
        let at = self.next.load(Ordering::Relaxed).wrapping_add(step);
        self.urls
            .get(at % self.urls.len().max(1))
            .cloned()
            .unwrap_or_default()
    }

    /// Remembers the owner, or that nobody is it at this moment; there are at most as many entries as shards.
    pub(super) fn learn(&self, shard: Shard, owner: Option<&str>) {
        let mut owners = self.owners.write().unwrap_or_else(PoisonError::into_inner);
        match owner {
            Some(owner) => owners.insert(shard, owner.trim_end_matches('/').to_owned()),
            None => owners.remove(&shard),
        };
    }

    /// An instance that cannot be reached owns nothing any more, and the first guess goes to another one.
    pub(super) fn lost(&self, url: &str) {
        self.owners
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|_, owner| owner != url);
        self.next.fetch_add(1, Ordering::Relaxed);
    }
}
