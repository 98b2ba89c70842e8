//! The event topics, read from their beginning on a thread of its own.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use events_schema::topics::Topic;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::{Message as _, Offset, TopicPartitionList};
use service_kit::kafka::KafkaAddress;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::failure::Failure;
use crate::reconcile::message::Received;
use crate::reconcile::{Places, Stop};

/// Messages handed on at a time: a round trip to the store for each, and four of them in memory at most.
const BATCH: usize = 10_000;
/// Batches read ahead.
const AHEAD: usize = 2;
const POLL: Duration = Duration::from_millis(100);
const METADATA_TIMEOUT: Duration = Duration::from_secs(10);

/// What was read since the last batch, in the order of each partition.
pub(crate) struct Batch {
    pub(crate) messages: Vec<Received>,
    /// A partition that is not read up to where it ended at the start, while there is one.
    pub(crate) unread: Option<(Topic, i32)>,
}

/// The topics being read.
pub(crate) struct Log {
    pub(crate) batches: mpsc::Receiver<Result<Batch, Stop>>,
    /// How many partitions each topic has; none where it does not exist.
    pub(crate) partitions: HashMap<Topic, i32>,
}

struct Reader {
    consumer: BaseConsumer,
    topics: HashMap<String, Topic>,
    /// Offset up to which a partition must be read, while it is not.
    open: HashMap<(Topic, i32), i64>,
}

/// Begins to read every event topic. The reading ends when the log is dropped.
pub(crate) async fn open(places: &Places) -> Result<Log, Stop> {
    let (kafka, prefix) = (places.kafka.clone(), places.topic_prefix.clone());
    let opened = tokio::task::spawn_blocking(move || Reader::open(&kafka, &prefix));
    let (reader, partitions) = opened
        .await
        .map_err(|fault| Failure::internal(fault.to_string()))??;
    let (sender, batches) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || reader.run(&sender));
    Ok(Log {
        batches,
        partitions,
    })
}

fn fault(cause: KafkaError) -> Stop {
    Stop::Fault(Failure::unavailable("Kafka", &cause))
}

impl Reader {
    fn open(kafka: &KafkaAddress, prefix: &str) -> Result<(Self, HashMap<Topic, i32>), Stop> {
        let mut config: ClientConfig = kafka.settings().collect();
        let consumer: BaseConsumer = config
            // Needed by the library; nothing is ever committed and no group is joined.
            .set("group.id", format!("roster-reconcile-{}", Uuid::new_v4()))
            .set("enable.auto.commit", "false")
            .set("auto.offset.reset", "error")
            .set("queued.max.messages.kbytes", "16384")
            .create()
            .map_err(fault)?;
        let mut reader = Self {
            consumer,
            topics: HashMap::new(),
            open: HashMap::new(),
        };
        let mut partitions = HashMap::new();
        let mut assignment = TopicPartitionList::new();
        for topic in Topic::ALL {
            let name = format!("{prefix}{}", topic.name());
            let count = reader.partitions(&name)?;
            for partition in 0..count {
                let (low, high) = reader.watermarks(&name, partition)?;
                if low < high {
                    reader.open.insert((topic, partition), high);
                }
                assignment
                    .add_partition_offset(&name, partition, Offset::Beginning)
                    .map_err(fault)?;
            }
            partitions.insert(topic, count);
            reader.topics.insert(name, topic);
        }
        reader.consumer.assign(&assignment).map_err(fault)?;
        Ok((reader, partitions))
    }

    /// The first and the next offset. A broker that has just started, or makes many topics, knows for a moment no leader of a partition,
    /// or not the partition that it has just listed: that is waited for.
    fn watermarks(&self, name: &str, partition: i32) -> Result<(i64, i64), Stop> {
        let until = Instant::now() + METADATA_TIMEOUT;
        loop {
            match self
                .consumer
                .fetch_watermarks(name, partition, METADATA_TIMEOUT)
            {
                Err(KafkaError::MetadataFetch(
                    RDKafkaErrorCode::UnknownPartition
                    | RDKafkaErrorCode::NotLeaderForPartition
                    | RDKafkaErrorCode::LeaderNotAvailable,
                )) if Instant::now() < until => std::thread::sleep(POLL),
                answer => return answer.map_err(fault),
            }
        }
    }

    fn partitions(&self, name: &str) -> Result<i32, Stop> {
        let metadata = self
            .consumer
            .fetch_metadata(Some(name), METADATA_TIMEOUT)
            .map_err(fault)?;
        let topic = metadata.topics().iter().find(|topic| topic.name() == name);
        let count = topic.map_or(0, |topic| topic.partitions().len());
        Ok(i32::try_from(count).unwrap_or(i32::MAX))
    }

    fn run(mut self, sender: &mpsc::Sender<Result<Batch, Stop>>) {
        loop {
            let batch = self.read();
            let failed = batch.is_err();
            // A receiver that is gone has seen enough.
            if sender.blocking_send(batch).is_err() || failed {
                return;
            }
        }
    }

    /// Up to a full batch, or what came before a pause.
    fn read(&mut self) -> Result<Batch, Stop> {
        let mut messages = Vec::new();
        while messages.len() < BATCH {
            let message = match self.consumer.poll(POLL) {
                None => break,
                Some(Ok(message)) => message,
                // The library connects again by itself; a broker that stays away shows as a topic that stands still.
                Some(Err(KafkaError::MessageConsumption(
                    RDKafkaErrorCode::BrokerTransportFailure,
                ))) => continue,
                Some(Err(cause)) => return Err(fault(cause)),
            };
            let Some(topic) = self.topics.get(message.topic()).copied() else {
                continue;
            };
            let partition = (topic, message.partition());
            if self
                .open
                .get(&partition)
                .is_some_and(|end| message.offset() + 1 >= *end)
            {
                self.open.remove(&partition);
            }
            messages.push(Received::read(topic, &message)?);
        }
        Ok(Batch {
            messages,
            unread: self.open.keys().next().copied(),
        })
    }
}
