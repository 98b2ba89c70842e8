//! Stores how far Kafka has everything: one statement for all shards, at most once an interval.
//!
//! The mark follows the acknowledgements and never runs before them. One that could not be stored only means that
//! events are repeated after a restart.

use std::sync::atomic::Ordering;

use events_schema::ids::Shard;
use tokio::sync::watch;

use super::log::EventLog;
use super::{Shared, is_in};

impl<L: EventLog> Shared<L> {
    /// Goes on until it is dropped.
    pub(super) async fn keep_marks(&self) {
        loop {
            tokio::time::sleep(self.settings.mark_interval).await;
            self.learn_heads().await;
            self.store_marks().await;
            self.metrics.lag.record(self.lag(), &[]);
        }
    }

    /// Knows which shards are owned, also while Kafka is away and nothing of them can be sent.
    pub(super) async fn keep_owned(&self, mut owned: watch::Receiver<u64>) {
        loop {
            let mask = *owned.borrow_and_update();
            let before = self.owned.swap(mask, Ordering::Relaxed);
            for shard in Shard::all().filter(|shard| is_in(mask & !before, *shard)) {
                self.slot(shard).head.store(-1, Ordering::Relaxed);
            }
            if owned.changed().await.is_err() {
                break;
            }
        }
    }

    /// Reads how far the shards that were taken are in the store: what an earlier owner left behind counts as lag, although
    /// nothing of it was committed here.
    async fn learn_heads(&self) {
        let owned = self.owned.load(Ordering::Relaxed);
        let is_unknown = |shard| self.slot(shard).head.load(Ordering::Relaxed) < 0;
        let mut taken = Shard::all().filter(|shard| is_in(owned, *shard));
        if !taken.any(is_unknown) {
            return;
        }
        match self.log.heads().await {
            Ok(heads) => {
                for head in heads.iter().filter(|head| is_in(owned, head.shard)) {
                    let slot = self.slot(head.shard);
                    slot.acked.fetch_max(head.published, Ordering::Relaxed);
                    slot.head.fetch_max(head.pos, Ordering::Relaxed);
                }
            }
            Err(fault) => {
                tracing::warn!(%fault, "how far the shards are could not be read");
            }
        }
    }

    /// Committed positions that Kafka has not acknowledged, over the shards that are published here.
    pub(super) fn lag(&self) -> i64 {
        let owned = self.owned.load(Ordering::Relaxed);
        let published_here = Shard::all().filter(|shard| is_in(owned, *shard));
        published_here.map(|shard| self.behind(shard)).sum()
    }

    fn behind(&self, shard: Shard) -> i64 {
        let slot = self.slot(shard);
        let committed = *self.log.committed(shard).borrow();
        let committed = committed.max(slot.head.load(Ordering::Relaxed));
        (committed - slot.acked.load(Ordering::Relaxed)).max(0)
    }

    /// Stores every mark that has moved. Not in a store that went back: what was sent is not what stands there.
    pub(super) async fn store_marks(&self) {
        if self.log.has_gone_back() {
            return;
        }
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
        let is_ahead = acked > slot.marked.load(Ordering::Relaxed);
        // What a new owner sends is marked by it.
        (is_ahead && self.log.owns(shard)).then_some((shard, acked))
    }
}
