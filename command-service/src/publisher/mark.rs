//! Stores how far Kafka has everything: one statement for all shards, at most once an interval.
//!
//! The mark follows the acknowledgements and never runs before them. One that could not be stored only means that
//! events are repeated after a restart.

use std::sync::atomic::Ordering;

use events_schema::ids::Shard;

use super::log::EventLog;
use super::{Shared, is_in};

impl<L: EventLog> Shared<L> {
    /// Goes on until it is dropped.
    pub(super) async fn keep_marks(&self) {
        loop {
            tokio::time::sleep(self.settings.mark_interval).await;
            self.store_marks().await;
            self.metrics.lag.record(self.lag(), &[]);
        }
    }

    /// Committed positions that Kafka has not acknowledged, over the shards that are published here.
    pub(super) fn lag(&self) -> i64 {
        let owned = self.owned.load(Ordering::Relaxed);
        let published_here = Shard::all().filter(|shard| is_in(owned, *shard));
        published_here.map(|shard| self.behind(shard)).sum()
    }

    fn behind(&self, shard: Shard) -> i64 {
        let committed = *self.log.committed(shard).borrow();
        let acked = self.slot(shard).acked.load(Ordering::Relaxed);
        (committed - acked).max(0)
    }

    /// Stores every mark that has moved.
    pub(super) async fn store_marks(&self) {
        let marks: Vec<(Shard, i64)> = Shard::all().filter_map(|shard| self.moved(shard)).collect();
        if marks.is_empty() {
            return;
        }
        match self.log.mark_published(&marks).await {
            Ok(()) => {
                for (shard, pos) in marks {
                    self.slot(shard).marked.fetch_max(pos, Ordering::Relaxed);
                }
            }
            Err(fault) => {
                tracing::warn!(%fault, "the marks of published events could not be stored");
            }
        }
    }

    fn moved(&self, shard: Shard) -> Option<(Shard, i64)> {
        let slot = self.slot(shard);
        let acked = slot.acked.load(Ordering::Relaxed);
        (acked > slot.marked.load(Ordering::Relaxed)).then_some((shard, acked))
    }
}
