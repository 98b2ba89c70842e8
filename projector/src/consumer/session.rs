//! The consumer's loop: leases, reading, filling, writing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use events_schema::topics::Topic;
use futures::future::join_all;
use rdkafka::consumer::StreamConsumer;
use rdkafka::error::KafkaError;
use service_kit::client::CallFault;
use sqlx::PgPool;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::checkpoint::{Progress, Slot, Stream};
use crate::config::ConsumerConfig;
use crate::consumer::batch::{Batch, Stall, Stalls};
use crate::consumer::decode::Received;
use crate::consumer::gap::EventStore;
use crate::consumer::history::{self, NeverWas};
use crate::consumer::lease::Leases;
use crate::consumer::tail::{Heads, Tail};
use crate::consumer::write::write;
use crate::consumer::{gap, kafka, topics};
use crate::database::within;
use crate::dead_letter;
use crate::metrics::Metrics;
use crate::status::Status;

/// How long a stopped or faulty consumer waits before it looks again.
const RETRY: Duration = Duration::from_millis(500);
/// How long one waits whose read models must be made anew.
const LONG_RETRY: Duration = Duration::from_secs(5);
/// How many shards the event store is asked about at a time.
const AT_A_TIME: usize = 8;

/// Why a session ended. The next one begins with what the database says.
#[derive(Debug, thiserror::Error)]
pub enum SessionFault {
    /// The read model's database.
    #[error("the read model cannot be read or written")]
    Database(#[from] sqlx::Error),
    /// Kafka.
    #[error("Kafka cannot be read")]
    Kafka(#[from] KafkaError),
    /// Another projector wrote first.
    #[error("another projector has moved a checkpoint")]
    Rival,
    /// The event store does not say which events have been.
    #[error("the event store cannot be asked for its histories")]
    EventStore(#[source] CallFault),
    /// The event store has begun a new history: what is held must be compared with it first.
    #[error("the event store has a history that is not known here yet")]
    NewHistory,
    /// The event store went back behind the read models.
    #[error(transparent)]
    NeverWas(#[from] NeverWas),
}

/// Everything that the loop needs.
#[derive(Clone)]
pub struct Consumer {
    pool: PgPool,
    config: ConsumerConfig,
    store: EventStore,
    status: Arc<Status>,
    metrics: Metrics,
    owner: Uuid,
    kafka: Arc<StreamConsumer>,
}

impl Consumer {
    /// A consumer that reads nothing yet.
    ///
    /// # Errors
    /// When the settings of the Kafka client are refused.
    pub fn new(
        pool: PgPool,
        config: ConsumerConfig,
        store: EventStore,
        status: Arc<Status>,
        metrics: Metrics,
    ) -> Result<Self, KafkaError> {
        let kafka = Arc::new(kafka::consumer(&config.kafka)?);
        Ok(Self {
            pool,
            config,
            store,
            status,
            metrics,
            owner: Uuid::new_v4(),
            kafka,
        })
    }

    /// All partitions of all topics of events.
    #[must_use]
    pub fn slots(&self) -> Vec<Slot> {
        Topic::ALL
            .into_iter()
            .flat_map(|topic| (0..self.config.kafka.partitions).map(move |p| (topic, p)))
            .collect()
    }

    /// How far the event store is.
    ///
    /// # Errors
    /// When no command-service answers within 2 s.
    pub async fn heads(&self) -> Result<Heads, CallFault> {
        Ok(self.store.heads().await?.0)
    }

    /// The offset that the next message of a partition will get. Asks the broker: call it on a blocking thread.
    ///
    /// # Errors
    /// When Kafka cannot be reached.
    pub fn high_watermark(&self, slot: Slot) -> Result<i64, KafkaError> {
        kafka::watermarks(&self.kafka, &self.config.kafka, slot).map(|(_, high)| high)
    }

    /// Reads until `shutdown`; faults are logged and the work begins anew from the database.
    pub async fn run(self, shutdown: CancellationToken) {
        let leases = Leases::new(
            self.pool.clone(),
            self.owner,
            self.slots(),
            self.config.lease,
        );
        let limit = self.config.limits.answer;
        while !shutdown.is_cancelled() {
            let ended = tokio::select! {
                () = shutdown.cancelled() => break,
                ended = Session::run(&self, &leases) => ended,
            };
            if let Err(fault) = ended {
                self.status.set_consuming(false);
                tracing::warn!(
                    error = &fault as &dyn std::error::Error,
                    "consuming begins anew"
                );
                let pause = match fault {
                    SessionFault::Rival => Duration::ZERO,
                    SessionFault::NeverWas(_) => {
                        self.status.set_behind_history(true);
                        self.metrics.behind_history(true);
                        LONG_RETRY
                    }
                    SessionFault::Database(_)
                    | SessionFault::Kafka(_)
                    | SessionFault::EventStore(_)
                    | SessionFault::NewHistory => RETRY,
                };
                tokio::select! {
                    () = shutdown.cancelled() => break,
                    () = tokio::time::sleep(pause) => {}
                }
            }
        }
        if let Err(fault) = within(limit, leases.release()).await {
            tracing::warn!(
                error = &fault as &dyn std::error::Error,
                "the leases were not given back"
            );
        }
    }
}

/// One run from what the database says to the first fault.
struct Session<'a> {
    consumer: &'a Consumer,
    /// None before the first round: until then the client still reads what an earlier session assigned.
    held: Option<Vec<Slot>>,
    progress: Progress,
    stalls: Stalls,
    /// How far each partition was read, taken or not.
    read_to: BTreeMap<Slot, i64>,
    next_fill: Instant,
    tail: Tail,
    next_look: Instant,
}

impl<'a> Session<'a> {
    async fn run(consumer: &'a Consumer, leases: &Leases) -> Result<(), SessionFault> {
        topics::create_missing(&consumer.config.kafka).await?;
        let mut session = Self {
            consumer,
            held: None,
            progress: Progress::default(),
            stalls: Stalls::new(),
            read_to: BTreeMap::new(),
            next_fill: Instant::now(),
            tail: Tail::default(),
            next_look: Instant::now(),
        };
        let mut next_round = Instant::now();
        loop {
            if Instant::now() >= next_round {
                next_round = Instant::now() + consumer.config.lease / 3;
                let held = within(consumer.config.limits.answer, leases.round()).await?;
                session.follow(held).await?;
                session.check_cap().await?;
            }
            session.look_at_the_store().await?;
            if consumer.status.is_stopped() {
                tokio::time::sleep(RETRY).await;
                continue;
            }
            consumer.status.set_consuming(true);
            let received = session.collect(next_round.min(session.next_look)).await?;
            session.take(received).await?;
        }
    }

    /// Assigns anew when the leases changed, and in the first round.
    async fn follow(&mut self, held: Vec<Slot>) -> Result<(), SessionFault> {
        if self.held.as_ref() == Some(&held) {
            return Ok(());
        }
        tracing::info!(
            partitions = held.len(),
            "the partitions of this projector changed"
        );
        let progress = Progress::load(&self.consumer.pool, &held);
        self.progress = within(self.consumer.config.limits.answer, progress).await?;
        self.prove(&held).await?;
        self.stalls.clear();
        self.read_to.clear();
        kafka::assign(
            &self.consumer.kafka,
            &self.consumer.config.kafka,
            &held,
            &self.progress,
        )?;
        self.held = Some(held);
        Ok(())
    }

    /// Compares what is held of these partitions with the event store before anything is taken on top of it.
    async fn prove(&mut self, held: &[Slot]) -> Result<(), SessionFault> {
        let store = &self.consumer.store;
        let answer = store.heads().await.map_err(SessionFault::EventStore)?;
        let (mut heads, histories) = answer;
        self.progress.histories = histories;
        heads.retain(|stream, _| held.contains(&self.slot_of(*stream)));
        history::prove_places(&self.progress, &heads)?;
        for few in history::held(&self.progress, &heads).chunks(AT_A_TIME) {
            let asked = few
                .iter()
                .map(|(stream, last)| store.event_at(*stream, last.seq));
            for ((stream, last), answer) in few.iter().zip(join_all(asked).await) {
                history::prove_event(*stream, *last, answer)?;
            }
        }
        self.consumer.status.set_behind_history(false);
        self.consumer.metrics.behind_history(false);
        Ok(())
    }

    /// Stops loudly above the cap of parked keys; goes on when an operator has brought them below it.
    async fn check_cap(&self) -> Result<(), sqlx::Error> {
        let keys = dead_letter::parked_keys(&self.consumer.pool);
        let keys = within(self.consumer.config.limits.answer, keys).await?;
        let is_over = keys > self.consumer.config.max_parked_keys;
        if is_over {
            tracing::error!(
                keys,
                cap = self.consumer.config.max_parked_keys,
                "too many parked keys: consuming is stopped"
            );
        }
        self.consumer.status.set_stopped(is_over);
        self.consumer.metrics.parked_keys(keys);
        Ok(())
    }

    /// Messages up to the batch's size or time.
    async fn collect(&self, until: Instant) -> Result<Vec<Received>, SessionFault> {
        let config = &self.consumer.config;
        let mut batch = Vec::new();
        let idle = if self.stalls.is_empty() {
            until
        } else {
            until.min(self.next_fill)
        };
        let mut deadline = idle.max(Instant::now() + Duration::from_millis(1));
        while batch.len() < config.max_batch {
            match timeout_at(deadline, self.consumer.kafka.recv()).await {
                Err(_elapsed) => break,
                Ok(message) => {
                    if batch.is_empty() {
                        deadline = deadline.min(Instant::now() + config.max_wait);
                    }
                    batch.extend(kafka::received(&config.kafka, &message?));
                }
            }
        }
        Ok(batch)
    }

    async fn take(&mut self, received: Vec<Received>) -> Result<(), SessionFault> {
        for message in &received {
            self.read_to
                .insert((message.topic, message.partition), message.offset + 1);
        }
        let mut batch = Batch::default();
        batch.receive(received, &self.progress, &mut self.stalls);
        let filled = self.fill(&mut batch).await;
        if batch.is_of_unknown_history {
            return Err(SessionFault::NewHistory);
        }
        batch.hold(&self.stalls, &self.read_to, &self.progress);
        if batch.is_empty() {
            return Ok(());
        }
        let consumer = self.consumer;
        let written = write(&consumer.pool, &batch, &self.progress);
        let Some(written) = within(consumer.config.limits.write, written).await? else {
            return Err(SessionFault::Rival);
        };
        self.progress.take(&batch.advance);
        consumer.status.count_filled(filled);
        consumer
            .metrics
            .batch(written.applied, batch.ignored, filled);
        if written.parked > 0 {
            tracing::error!(events = written.parked, "events were parked");
            self.check_cap().await?;
        }
        Ok(())
    }

    /// Compares the read models with the event store; a shard whose end its topic has lost waits from then on, and is filled
    /// like one with a gap. Whatever cannot be asked now is asked at the next look.
    async fn look_at_the_store(&mut self) -> Result<(), SessionFault> {
        if Instant::now() < self.next_look {
            return Ok(());
        }
        self.next_look = Instant::now() + self.consumer.config.tail_look;
        let (mut heads, histories) = match self.consumer.store.heads().await {
            Ok(answer) => answer,
            Err(fault) => {
                tracing::warn!(
                    error = &fault as &dyn std::error::Error,
                    "the event store cannot be asked how far it is"
                );
                return Ok(());
            }
        };
        let held = self.held.as_deref().unwrap_or_default();
        heads.retain(|stream, _| held.contains(&self.slot_of(*stream)));
        if histories != self.progress.histories {
            return Err(SessionFault::NewHistory);
        }
        history::prove_places(&self.progress, &heads)?;
        let behind =
            |(stream, head): (&Stream, &i64)| (head - self.progress.last_seq(*stream)).max(0);
        let missing = heads.iter().map(behind).sum();
        self.consumer.metrics.events_behind(missing);
        let overdue = self
            .tail
            .look(&heads, |stream| self.progress.last_seq(stream));
        for stream in overdue {
            if !self.stalls.contains_key(&stream) {
                self.stall_if_lost(stream).await;
            }
        }
        Ok(())
    }

    fn slot_of(&self, (topic, shard): Stream) -> Slot {
        (
            topic,
            shard.partition(self.consumer.config.kafka.partitions),
        )
    }

    async fn stall_if_lost(&mut self, stream: Stream) {
        let slot = self.slot_of(stream);
        let (kafka, config) = (
            self.consumer.kafka.clone(),
            self.consumer.config.kafka.clone(),
        );
        let asked = tokio::task::spawn_blocking(move || kafka::watermarks(&kafka, &config, slot));
        let Ok(Ok(watermarks)) = asked.await else {
            return;
        };
        let read_to = self.read_to.get(&slot).copied();
        let position = read_to.unwrap_or_else(|| self.progress.next_offset(slot));
        let Some(highest_seq) = self.tail.lost(stream, position, watermarks) else {
            return;
        };
        tracing::warn!(
            topic = stream.0.name(),
            shard = stream.1.number(),
            last = self.progress.last_seq(stream),
            highest_seq,
            "the topic lacks the end of a shard"
        );
        self.stalls.insert(
            stream,
            Stall {
                partition: slot.1,
                offset: position,
                highest_seq,
            },
        );
    }

    /// Asks the event store for what the waiting shards lack. A shard goes on when it has what it saw last.
    async fn fill(&mut self, batch: &mut Batch) -> u64 {
        if self.stalls.is_empty() || Instant::now() < self.next_fill {
            return 0;
        }
        let mut filled = 0_u64;
        let streams: Vec<Stream> = self.stalls.keys().copied().collect();
        for stream in streams {
            let last = batch.last_seq(stream, &self.progress);
            let events = match self.consumer.store.events_after(stream, last).await {
                Ok(events) => events,
                Err(fault) => {
                    tracing::warn!(
                        topic = stream.0.name(),
                        shard = stream.1.number(),
                        error = &fault as &dyn std::error::Error,
                        "a gap cannot be filled yet"
                    );
                    self.next_fill = Instant::now() + RETRY;
                    continue;
                }
            };
            let is_last_page = events.len() < gap::PAGE;
            let taken = batch.fill(stream, events, &self.progress);
            filled += u64::try_from(taken).unwrap_or(u64::MAX);
            let reached = batch.last_seq(stream, &self.progress);
            let is_filled = self
                .stalls
                .get(&stream)
                .is_none_or(|stall| stall.is_filled(reached, is_last_page));
            if is_filled {
                self.stalls.remove(&stream);
            } else if taken == 0 {
                tracing::error!(
                    topic = stream.0.name(),
                    shard = stream.1.number(),
                    last,
                    "the event store does not have what the topic lacks"
                );
                self.next_fill = Instant::now() + RETRY;
            }
        }
        filled
    }
}
