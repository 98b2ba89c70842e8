//! Whether Kafka has events that the store does not: then the store went back, and what it writes since would be sent under ids that
//! consumers know. Nothing is published before the two are one again (`docs/BACKUP.md`).
//!
//! Bounded: the last messages of each partition are read, and the newest of each shard is looked up. What lies further back is
//! seen by the consumers, whose last event the store does not have.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::time::{Duration, Instant};

use events_schema::envelope::{Envelope, ce_id, header};
use events_schema::history::{self, Histories};
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Headers, Message as _};
use rdkafka::{Offset, TopicPartitionList};
use service_kit::kafka::KafkaAddress;
use uuid::Uuid;

use super::Shared;
use super::backoff::Backoff;
use super::log::{EventLog, LogFault};

/// Messages of each partition that are looked at, from its end.
const TAIL_MESSAGES: i64 = 500;
/// Longest wait for a broker.
const BROKER_TIMEOUT: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(100);
/// Pause between two looks of one who may not publish.
const REFUSED_PAUSE: Duration = Duration::from_secs(5);

/// Why store and Kafka could not be compared.
#[derive(Debug, thiserror::Error)]
enum CompareFault {
    /// The ends of the topics.
    #[error("the ends of the topics cannot be read")]
    Kafka(#[from] KafkaError),
    /// No message came although there are some.
    #[error("Kafka gave nothing in time")]
    TimedOut,
    /// The store could not be read.
    #[error("the event store gave no answer")]
    Log(#[source] LogFault),
    /// The task that read the topics ended early.
    #[error("the ends of the topics were not read")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// The newest event of a shard at the end of a topic, by its headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    history: i64,
    shard: Shard,
    pos: i64,
    aggregate_id: Uuid,
    seq: i64,
    request_id: Uuid,
}

impl Seen {
    /// None of a message that is not ours.
    fn read(message: &BorrowedMessage<'_>) -> Option<Self> {
        let headers = message.headers()?;
        let text = |name: &str| {
            let found = headers.iter().find(|header| header.key == name)?;
            std::str::from_utf8(found.value?).ok()
        };
        fn parse<T: FromStr>(text: Option<&str>) -> Option<T> {
            text?.parse().ok()
        }
        let history = text(header::HISTORY).map_or(Some(history::FIRST), |text| parse(Some(text)));
        Some(Self {
            history: history?,
            shard: Shard::new(parse(text(header::SHARD))?)?,
            pos: parse(text(header::POS))?,
            aggregate_id: parse(text(header::AGGREGATE_ID))?,
            seq: parse(text(header::SEQ))?,
            request_id: parse(text(header::REQUEST_ID))?,
        })
    }

    fn is(&self, stored: &Envelope) -> bool {
        (self.history, self.pos, self.seq) == (stored.history, stored.pos, stored.seq)
            && (self.aggregate_id, self.request_id) == (stored.aggregate_id, stored.request_id)
    }

    /// Whether a restore has been told of since: that the store does not have it is known.
    fn is_given_up(&self, histories: &Histories) -> bool {
        histories.is_abandoned(self.shard, self.pos, self.history)
    }
}

impl<L: EventLog> Shared<L> {
    /// Returns once the store was seen, after this call, to have what Kafka has. Callers that come together share one look.
    pub(super) async fn until_store_is_whole(&self) {
        let asked_at = Instant::now();
        let mut seen_whole = self.seen_whole.lock().await;
        let mut backoff = Backoff::new(self.settings.backoff);
        while seen_whole.is_none_or(|at| at < asked_at) {
            let looked_at = Instant::now();
            match self.first_unknown().await {
                Ok(None) if !self.log.has_gone_back() => {
                    self.refuse(None);
                    *seen_whole = Some(looked_at);
                }
                Ok(unknown) => {
                    let lacks = unknown.map(|seen| ce_id(seen.history, seen.shard, seen.pos));
                    self.refuse(Some(lacks.unwrap_or_default()));
                    tokio::time::sleep(REFUSED_PAUSE).await;
                }
                Err(fault) => {
                    tracing::warn!(%fault, cause = ?std::error::Error::source(&fault), "store and Kafka could not be compared yet");
                    backoff.pause().await;
                }
            }
        }
    }

    /// The first event at the end of a topic that the store does not have.
    async fn first_unknown(&self) -> Result<Option<Seen>, CompareFault> {
        let (kafka, topics) = (self.settings.kafka.clone(), self.settings.topics.clone());
        let read = tokio::task::spawn_blocking(move || {
            Topic::ALL
                .into_iter()
                .map(|topic| {
                    let name = format!("{}{}", topics.prefix, topic.name());
                    newest(&kafka, &name, topics.partitions)
                })
                .collect::<Result<Vec<_>, _>>()
        });
        // The store is read after Kafka: whatever was sent until then is in it.
        let ends = read.await??;
        let histories = self.log.histories().await.map_err(CompareFault::Log)?;
        for seen in ends.into_iter().flatten() {
            if seen.is_given_up(&histories) {
                continue;
            }
            let stored = self.log.committed_after(seen.shard, seen.pos - 1, 1).await;
            let stored = match stored {
                // It is there; what is wrong with it stops its own shard, and is told there.
                Err(fault) if is_unreadable(&fault) => continue,
                stored => stored.map_err(CompareFault::Log)?,
            };
            if !stored.first().is_some_and(|stored| seen.is(stored)) {
                return Ok(Some(seen));
            }
        }
        Ok(None)
    }
}

/// Whether an event stands where it was looked for, in a form that cannot be read.
fn is_unreadable(fault: &LogFault) -> bool {
    let fault = fault.downcast_ref::<crate::store::StoreFault>();
    matches!(fault, Some(crate::store::StoreFault::Unreadable(_)))
}

/// Of each shard the newest event among the last messages of a topic. Blocks.
fn newest(kafka: &KafkaAddress, topic: &str, partitions: i32) -> Result<Vec<Seen>, CompareFault> {
    let mut config: ClientConfig = kafka.settings().collect();
    let consumer: BaseConsumer = config
        .set("client.id", "command-service")
        // Asked for by librdkafka, never used: partitions are assigned by hand.
        .set("group.id", "command-service-unused")
        .set("enable.auto.commit", "false")
        .set("fetch.wait.max.ms", "20")
        .create()?;
    let mut assigned = TopicPartitionList::new();
    let mut ends = BTreeMap::new();
    for partition in 0..partitions {
        let (low, high) = consumer.fetch_watermarks(topic, partition, BROKER_TIMEOUT)?;
        if low < high {
            let from = Offset::Offset(low.max(high - TAIL_MESSAGES));
            assigned.add_partition_offset(topic, partition, from)?;
            ends.insert(partition, high - 1);
        }
    }
    consumer.assign(&assigned)?;
    let mut newest: HashMap<Shard, Seen> = HashMap::new();
    let mut deadline = Instant::now() + BROKER_TIMEOUT;
    while !ends.is_empty() {
        match consumer.poll(POLL) {
            Some(message) => {
                let message = message?;
                deadline = Instant::now() + BROKER_TIMEOUT;
                let partition = message.partition();
                if ends
                    .get(&partition)
                    .is_some_and(|end| *end <= message.offset())
                {
                    ends.remove(&partition);
                }
                if let Some(seen) = Seen::read(&message) {
                    let known = newest.entry(seen.shard).or_insert(seen);
                    // Not the last one: events may have been sent again.
                    if (known.history, known.pos) < (seen.history, seen.pos) {
                        *known = seen;
                    }
                }
            }
            None if Instant::now() >= deadline => return Err(CompareFault::TimedOut),
            None => {}
        }
    }
    Ok(newest.into_values().collect())
}
