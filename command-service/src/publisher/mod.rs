//! Takes committed events from the store to Kafka: at least once, in order of position in each shard.
//!
//! One task for each shard that this instance owns; where one breaks off, the publisher ends. Events come from memory right after their
//! commit (`feed`) and from the store at the start, after a failure, and when memory overflowed (`shard`). The mark `published` moves only
//! over positions that Kafka has acknowledged. Two publishers of one shard at once (a zombie) only repeat. Of the topics that keep the
//! newest message of a report only the owner of its shard sends, and what holds at that moment, so that none of them goes back. Kafka that
//! is away delays events and nothing else. From a store that lacks what Kafka has nothing is published (`ahead`).
//!
//! Not here: which shards are owned and what is committed (`store`). Nothing outside of this module uses rdkafka.

mod ahead;
mod backoff;
mod feed;
mod log;
mod mark;
mod message;
mod metrics;
mod producer;
mod resend;
mod shard;
mod tombstones;
mod topic_bounds;
mod topics;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use events_schema::envelope::Envelope;
use events_schema::ids::{SHARDS, Shard};
use rdkafka::error::KafkaError;
use service_kit::kafka::KafkaAddress;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use feed::Feed;
use metrics::Metrics;
use producer::Link;
use shard::ShardPublisher;
use tombstones::Tombstones;

pub use backoff::BackoffSettings;
pub use log::{EventLog, LogFault, ShardHead};
pub use producer::SendFault;
pub use resend::{Portion, ResendFault};
pub use shard::PassFault;
pub use topics::{TopicFault, TopicSettings};

/// How long a stop waits for Kafka; what is left is sent at the next start.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);
const DRAIN_PAUSE: Duration = Duration::from_millis(10);

/// Limits of the publisher.
#[derive(Debug, Clone)]
pub struct PublisherSettings {
    /// Where Kafka is.
    pub kafka: KafkaAddress,
    /// Names, partitions and replicas.
    pub topics: TopicSettings,
    /// Events of one shard that may be on their way at a time.
    pub in_flight_events: usize,
    /// Messages in the producer's queue, of all shards together.
    pub queue_messages: usize,
    /// Committed events of one shard that wait in memory; the rest is read from the store.
    pub feed_events: usize,
    /// Events in one read of the store.
    pub read_events: usize,
    /// Pause between two writes of the marks.
    pub mark_interval: Duration,
    /// How long an announced commit may take to arrive from memory before it is read from the store.
    pub handover_grace: Duration,
    /// A shard about which memory hears nothing is looked up in the store this often.
    pub poll_interval: Duration,
    /// Between two tries.
    pub backoff: BackoffSettings,
}

/// What the tasks of all shards share.
struct Shared<L> {
    log: L,
    link: Link,
    settings: PublisherSettings,
    slots: Arc<[Slot]>,
    /// The shards that are published here, one bit each.
    owned: AtomicU64,
    /// Begin of the last look at which the store had what Kafka has.
    seen_whole: Mutex<Option<Instant>>,
    /// An event that the store lacks, empty where it is not known which: nothing is published.
    refusal: RwLock<Option<String>>,
    tombstones: Tombstones,
    metrics: Metrics,
}

/// What there is of one shard whether or not it is owned.
struct Slot {
    feed: Feed,
    /// Up to here everything was read for sending; -1 before the first read.
    read_to: AtomicI64,
    /// Up to here Kafka has everything.
    acked: AtomicI64,
    /// Up to here the store knows that Kafka has everything.
    marked: AtomicI64,
    /// The store's last position as it was read when the shard was taken; -1 before that.
    head: AtomicI64,
    /// Orders what is read of a report's values and status as it is sent.
    report_order: Mutex<()>,
}

impl<L> Shared<L> {
    /// Tries until the topics are as they must be: without them nothing can be sent anyway.
    async fn make_topics(&self) {
        let mut backoff = backoff::Backoff::new(self.settings.backoff);
        while let Err(fault) = topics::ensure(self.link.config(), &self.settings.topics).await {
            tracing::warn!(%fault, cause = ?std::error::Error::source(&fault), "the topics are not there yet");
            backoff.pause().await;
        }
    }

    /// A new producer in place of the broken one. Topics that Kafka has lost are made again by whoever comes first.
    async fn renew(&self, session: &Arc<producer::Session>) {
        match self.link.replace(session) {
            Ok(true) => self.make_topics().await,
            Ok(false) => {}
            Err(fault) => tracing::error!(%fault, "no Kafka producer can be made"),
        }
    }

    /// Says whether nothing is published, since the store lacks an event.
    fn refuse(&self, lacks: Option<String>) {
        let mut refusal = self.refusal.write().unwrap_or_else(PoisonError::into_inner);
        if lacks.is_some() {
            tracing::error!(
                ce_id = lacks,
                "nothing is published: the event store went back behind what Kafka has (docs/BACKUP.md)"
            );
        }
        self.metrics.refused.record(u64::from(lacks.is_some()), &[]);
        *refusal = lacks;
    }

    fn refusal(&self) -> Option<String> {
        let refusal = self.refusal.read();
        refusal.unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a Shard is below SHARDS by construction, and there are SHARDS slots"
    )]
    fn slot(&self, shard: Shard) -> &Slot {
        &self.slots[usize::from(shard.number())]
    }
}

/// The publisher of this instance.
pub struct Publisher<L> {
    shared: Arc<Shared<L>>,
}

impl<L> Clone for Publisher<L> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
        }
    }
}

/// librdkafka does not take the settings.
#[derive(Debug, thiserror::Error)]
#[error("the Kafka producer cannot be made")]
pub struct SettingsFault(#[from] KafkaError);

impl<L: EventLog> Publisher<L> {
    /// Makes the publisher. Kafka need not be there.
    ///
    /// # Errors
    /// When librdkafka does not take the settings.
    pub fn new(log: L, settings: PublisherSettings) -> Result<Self, SettingsFault> {
        let config = producer::settings(&settings.kafka, settings.queue_messages);
        let slots: Arc<[Slot]> = (0..SHARDS)
            .map(|_| Slot {
                feed: Feed::new(settings.feed_events),
                read_to: AtomicI64::new(-1),
                acked: AtomicI64::new(0),
                marked: AtomicI64::new(0),
                head: AtomicI64::new(-1),
                report_order: Mutex::default(),
            })
            .collect();
        let shared = Shared {
            log,
            link: Link::open(config)?,
            owned: AtomicU64::new(0),
            seen_whole: Mutex::default(),
            refusal: RwLock::default(),
            tombstones: Tombstones::new(),
            metrics: Metrics::new(),
            slots,
            settings,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Up to which position Kafka has the shard's events, as far as this instance knows.
    #[must_use]
    pub fn acknowledged(&self, shard: Shard) -> i64 {
        self.shared.slot(shard).acked.load(Ordering::Relaxed)
    }

    /// Committed positions of the shards that are published here which Kafka has not acknowledged.
    #[must_use]
    pub fn lag(&self) -> i64 {
        self.shared.lag()
    }

    /// Why nothing is published: an event that Kafka has and the store lacks, empty where it is not known which. `None` while all is
    /// well.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.shared.refusal()
    }

    /// Does to the producer what a failed delivery does: everything on its way fails and is sent again. For tests.
    #[doc(hidden)]
    pub fn fail_deliveries(&self) {
        self.purge();
    }

    fn purge(&self) {
        let link = &self.shared.link;
        if let Err(fault) = link.replace(&link.session()) {
            tracing::error!(%fault, "no Kafka producer can be made");
        }
    }

    /// Publishes the shards whose bit is set in `owned`, as it changes, until `stop` or until the task of a shard breaks off;
    /// then sends what is queued, for a short time. `handed_over` brings committed batches from memory; the store has them all
    /// the same.
    pub async fn run(
        self,
        mut owned: watch::Receiver<u64>,
        handed_over: mpsc::Receiver<Arc<Vec<Envelope>>>,
        stop: CancellationToken,
    ) {
        let feeding = self.feed(handed_over);
        let marking = self.shared.keep_marks();
        let owning = self.shared.keep_owned(owned.clone());
        let publishing = async {
            self.shared.make_topics().await;
            // Where the publishing of a shard ends by itself, all of it does.
            tokio::select! {
                () = self.shared.keep_tombstones() => {}
                () = self.keep_shards(&mut owned) => {}
            }
        };
        let stopping = async {
            stop.cancelled().await;
            self.drained().await;
        };
        tokio::select! {
            () = stopping => {}
            () = publishing => {}
            ((), (), ()) = async { tokio::join!(feeding, owning, marking) } => {}
        }
        self.finish().await;
    }

    /// A task for each shard that is owned, as that changes.
    async fn keep_shards(&self, owned: &mut watch::Receiver<u64>) {
        let mut tasks = ShardTasks::default();
        loop {
            let mask = *owned.borrow_and_update();
            if tasks.set(mask, |shard| self.publisher_of(shard).run()) {
                // What of a lost shard still waits here would come after what its new owner sends.
                self.purge();
            }
            tokio::select! {
                Ok(()) = owned.changed() => {}
                () = tasks.broken_off() => break,
            }
        }
    }

    /// Returns when Kafka has everything that was committed here, or after a short time.
    async fn drained(&self) {
        let deadline = tokio::time::Instant::now() + DRAIN_TIMEOUT;
        while self.shared.lag() > 0 && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(DRAIN_PAUSE).await;
        }
    }

    async fn finish(&self) {
        let shared = self.shared.clone();
        let flushed = tokio::task::spawn_blocking(move || shared.link.flush());
        if flushed.await.is_err() {
            tracing::warn!("the producer could not be flushed");
        }
        self.shared.store_marks().await;
    }

    async fn feed(&self, mut handed_over: mpsc::Receiver<Arc<Vec<Envelope>>>) {
        while let Some(batch) = handed_over.recv().await {
            // A batch belongs to one shard.
            if let Some(first) = batch.first() {
                self.shared.slot(first.shard).feed.push(&batch);
            }
        }
    }

    fn publisher_of(&self, shard: Shard) -> ShardPublisher<L> {
        let slot = self.shared.slot(shard);
        slot.read_to.store(-1, Ordering::Relaxed);
        slot.feed.clear();
        ShardPublisher {
            shard,
            shared: self.shared.clone(),
        }
    }
}

/// Whether a shard's bit is set.
const fn is_in(mask: u64, shard: Shard) -> bool {
    mask & (1 << shard.number()) != 0
}

/// The running tasks, one a shard. Dropping it ends them.
#[derive(Default)]
struct ShardTasks {
    running: JoinSet<()>,
    by_shard: HashMap<Shard, AbortHandle>,
}

impl ShardTasks {
    /// Ends the tasks of shards that are not owned any more and starts those that are; whether one was lost.
    fn set<T>(&mut self, owned: u64, start: impl Fn(Shard) -> T) -> bool
    where
        T: Future<Output = ()> + Send + 'static,
    {
        let before = self.by_shard.len();
        self.by_shard.retain(|shard, task| {
            let keep = is_in(owned, *shard);
            if !keep {
                task.abort();
            }
            keep
        });
        let is_lost = self.by_shard.len() < before;
        for shard in Shard::all().filter(|shard| is_in(owned, *shard)) {
            let running = &mut self.running;
            let begin = || running.spawn(start(shard));
            self.by_shard.entry(shard).or_insert_with(begin);
        }
        is_lost
    }

    /// Waits until a task ends that nobody ended. Without it its shard would be published no more.
    async fn broken_off(&mut self) {
        while let Some(ended) = self.running.join_next_with_id().await {
            let id = match ended {
                Ok((id, ())) => id,
                // Its shard is not owned any more.
                Err(fault) if fault.is_cancelled() => continue,
                Err(fault) => fault.id(),
            };
            let shard = self.by_shard.iter().find(|(_, task)| task.id() == id);
            let shard = shard.map(|(shard, _)| shard.number());
            tracing::error!(shard, "publishing of a shard has ended");
            return;
        }
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_shard_that_is_lost_is_told_and_one_that_is_taken_is_not() {
        let mut tasks = ShardTasks::default();
        let start = |_| std::future::pending();
        assert!(!tasks.set(0b011, start));
        assert!(!tasks.set(0b111, start));
        assert!(tasks.set(0b101, start));
        assert!(!tasks.set(0b101, start));
        assert_eq!(tasks.by_shard.len(), 2);
    }

    #[tokio::test]
    async fn a_task_that_breaks_off_is_noticed_and_one_that_is_ended_is_not() {
        let mut tasks = ShardTasks::default();
        let may_end = CancellationToken::new();
        let start = |_| may_end.clone().cancelled_owned();
        tasks.set(0b11, start);
        tasks.set(0b01, start);
        let noticed = futures::poll!(std::pin::pin!(tasks.broken_off()));
        assert!(noticed.is_pending());
        tokio::task::yield_now().await;
        let noticed = futures::poll!(std::pin::pin!(tasks.broken_off()));
        assert!(noticed.is_pending(), "the task of a lost shard");
        may_end.cancel();
        tasks.broken_off().await;
    }
}
