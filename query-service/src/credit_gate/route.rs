//! Which instance owns which shard, as far as answers have told. A wrong guess costs one more call, never correctness.

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

    /// The owner if it is known, else the configured instance that was reachable last.
    pub(super) fn pick(&self, shard: Option<Shard>) -> String {
        let owners = self.owners.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = shard.and_then(|shard| owners.get(&shard)) {
            return owner.clone();
        }
        let at = self.next.load(Ordering::Relaxed);
        self.urls.get(at).cloned().unwrap_or_default()
    }

    /// Remembers the owner, or that there is none at this moment; there are at most as many entries as shards.
    pub(super) fn learn(&self, shard: Shard, owner: Option<&str>) {
        let mut owners = self.owners.write().unwrap_or_else(PoisonError::into_inner);
        match owner {
            Some(owner) => owners.insert(shard, owner.trim_end_matches('/').to_owned()),
            None => owners.remove(&shard),
        };
    }

    /// An instance that cannot be reached owns nothing any more, and guesses go to the next one. Many callers may report one instance at
    /// once: only the first report moves on.
    pub(super) fn lost(&self, url: &str) {
        self.owners
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|_, owner| owner != url);
        if let Some(at) = self.urls.iter().position(|one| one == url) {
            let after = (at + 1) % self.urls.len();
            // An error says that another caller has moved it.
            let _ = self
                .next
                .compare_exchange(at, after, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Routes, Shard};

    #[test]
    fn callers_that_lose_one_instance_all_go_to_the_next() {
        let routes = Routes::new(vec!["http://a".to_owned(), "http://b".to_owned()]);
        assert_eq!(routes.pick(None), "http://a");
        for _caller in 0..3 {
            routes.lost("http://a");
            assert_eq!(routes.pick(None), "http://b");
        }
        routes.lost("http://b");
        assert_eq!(routes.pick(None), "http://a");
    }

    #[test]
    fn a_lost_instance_owns_nothing() {
        let routes = Routes::new(vec!["http://a".to_owned()]);
        let shard = Shard::DATA_BUILDS;
        routes.learn(shard, Some("http://c/"));
        assert_eq!(routes.pick(Some(shard)), "http://c");
        routes.lost("http://c");
        assert_eq!(routes.pick(Some(shard)), "http://a");
    }
}
