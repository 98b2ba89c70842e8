//! A consumer that reads a topic while it is written: how long after an event it is there.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use events_schema::topics::Topic;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::message::{BorrowedMessage, Message};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};
use tokio::task::JoinHandle;

use crate::stack::Stack;

const LIMIT: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(100);

impl Stack {
    /// Reads what comes to a topic from now on, for `length`: of each event the time from when it was decided, by its own clock,
    /// until a consumer has it. The consumer stands at the end of every partition when this returns.
    ///
    /// # Errors
    /// When the topic cannot be read.
    pub async fn follow(
        &self,
        topic: Topic,
        length: Duration,
    ) -> anyhow::Result<JoinHandle<anyhow::Result<Vec<Duration>>>> {
        let brokers = self.kafka_brokers.clone();
        let name = format!("{}{}", self.topic_prefix, topic.name());
        let consumer = tokio::task::spawn_blocking(move || at_the_end(&brokers, &name)).await??;
        Ok(tokio::task::spawn_blocking(move || lags(&consumer, length)))
    }
}

fn at_the_end(brokers: &str, name: &str) -> anyhow::Result<BaseConsumer> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", brokers)
        .set("group.id", "follow")
        .set("enable.auto.commit", "false")
        .set("fetch.wait.max.ms", "10")
        .create()?;
    let metadata = consumer.fetch_metadata(Some(name), LIMIT)?;
    let topic = metadata.topics().first().context("no such topic")?;
    let mut assignment = TopicPartitionList::new();
    for partition in topic.partitions() {
        let (_, end) = marks_of(&consumer, name, partition.id(), LIMIT)?;
        assignment.add_partition_offset(name, partition.id(), Offset::Offset(end))?;
    }
    consumer.assign(&assignment)?;
    Ok(consumer)
}

/// The first offset of a partition and the one behind its last message. While a broker with many topics makes and drops some, the library at times knows no
/// such partition, or no leader of it, that it has just listed: it is asked again.
///
/// # Errors
/// Any other fault, and these when the limit is over.
pub fn marks_of(
    consumer: &BaseConsumer,
    topic: &str,
    partition: i32,
    limit: Duration,
) -> anyhow::Result<(i64, i64)> {
    let until = Instant::now() + limit;
    loop {
        match consumer.fetch_watermarks(topic, partition, limit) {
            Err(KafkaError::MetadataFetch(
                RDKafkaErrorCode::UnknownPartition
                | RDKafkaErrorCode::NotLeaderForPartition
                | RDKafkaErrorCode::LeaderNotAvailable,
            )) if Instant::now() < until => std::thread::sleep(LOOK_AGAIN),
            marks => return Ok(marks?),
        }
    }
}

/// The next message, if one comes within `wait`. A connection that is lost is none of the reader's business: the library connects again, and goes
/// on where it was.
///
/// # Errors
/// Any other fault.
pub fn next(consumer: &BaseConsumer, wait: Duration) -> KafkaResult<Option<BorrowedMessage<'_>>> {
    match consumer.poll(wait).transpose() {
        Err(KafkaError::MessageConsumption(
            RDKafkaErrorCode::AllBrokersDown | RDKafkaErrorCode::BrokerTransportFailure,
        )) => Ok(None),
        message => message,
    }
}

fn lags(consumer: &BaseConsumer, length: Duration) -> anyhow::Result<Vec<Duration>> {
    let end = Instant::now() + length;
    let mut lags = Vec::new();
    while Instant::now() < end {
        let Some(message) = next(consumer, Duration::from_millis(10))? else {
            continue;
        };
        let decided = message.timestamp().to_millis().context("no timestamp")?;
        let decided = UNIX_EPOCH + Duration::from_millis(u64::try_from(decided)?);
        // The timestamp is cut to a millisecond: an event is never there before it was decided.
        lags.push(SystemTime::now().duration_since(decided)?);
    }
    Ok(lags)
}
