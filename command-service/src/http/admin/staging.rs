//! One upload of a chunk is checked, written and staged before the next one of the same number: two cannot overwrite each other.
//! Other chunks do not wait for it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use events_schema::ids::BuildName;
use tokio::sync::{Mutex, MutexGuard};

/// More than chunks can be in memory at a time; chunks that lie beside each other in a build never share one.
const TURNS: usize = 64;

/// The turns of uploads. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Staging(Arc<[Mutex<()>]>);

impl Default for Staging {
    fn default() -> Self {
        Self((0..TURNS).map(|_| Mutex::default()).collect())
    }
}

impl Staging {
    /// Waits until nobody else stages this chunk, and keeps others out while the guard lives.
    pub(super) async fn alone(&self, build: &BuildName, chunk: u32) -> MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        build.hash(&mut hasher);
        let place = hasher.finish().wrapping_add(u64::from(chunk)) % TURNS as u64;
        #[expect(
            clippy::indexing_slicing,
            reason = "a remainder by TURNS, and there are TURNS mutexes"
        )]
        self.0[usize::try_from(place).unwrap_or(0)].lock().await
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn only_an_upload_of_the_same_chunk_waits() {
        let staging = Staging::default();
        let build: BuildName = "b1".parse().unwrap();
        let guards: Vec<_> = (0..8)
            .map(|chunk| staging.alone(&build, chunk).now_or_never())
            .collect();
        assert!(guards.iter().all(Option::is_some));
        assert!(staging.alone(&build, 3).now_or_never().is_none());
        drop(guards);
        assert!(staging.alone(&build, 3).now_or_never().is_some());
    }
}
