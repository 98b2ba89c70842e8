//! Reading a test's own topics back.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Headers, Message as _};
use rdkafka::types::RDKafkaRespErr;
use rdkafka::{Offset, TopicPartitionList};
use serde_json::Value;
use tests::follow::marks_of;

/// One message as a consumer sees it.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) partition: i32,
    pub(crate) key: String,
    /// None is a tombstone.
    pub(crate) value: Option<Value>,
    pub(crate) headers: BTreeMap<String, String>,
}

impl Read {
    pub(crate) fn number(&self, header: &str) -> i64 {
        self.headers[header].parse().unwrap()
    }
}

pub(crate) fn brokers() -> String {
    std::env::var("TEST_KAFKA_BROKERS")
        .expect("TEST_KAFKA_BROKERS names a Kafka on which tests may make topics")
}

/// Reads a topic from its beginning until `enough` says so.
pub(crate) async fn read_until(
    topic: String,
    enough: impl Fn(&[Read]) -> bool + Send + 'static,
) -> Vec<Read> {
    tokio::task::spawn_blocking(move || {
        let consumer = consumer(&topic);
        let (mut read, deadline) = (Vec::new(), Instant::now() + Duration::from_secs(60));
        while !enough(&read) {
            assert!(
                Instant::now() < deadline,
                "{topic} has only {} messages",
                read.len()
            );
            if let Some(Ok(message)) = consumer.poll(Duration::from_millis(100)) {
                read.push(owned(&message));
            }
        }
        read
    })
    .await
    .unwrap()
}

/// Reads what a topic holds now.
pub(crate) async fn read_to_the_end(topic: &str) -> Vec<Read> {
    let topic = topic.to_owned();
    tokio::task::spawn_blocking(move || {
        let consumer = consumer(&topic);
        let end = |partition| {
            let marks = marks_of(&consumer, &topic, partition, Duration::from_secs(10));
            let (low, high) = marks.unwrap();
            (low < high).then_some(high)
        };
        let (mut ends, mut read) = ([end(0), end(1)], Vec::new());
        let deadline = Instant::now() + Duration::from_secs(30);
        while ends.iter().any(Option::is_some) {
            assert!(Instant::now() < deadline, "{topic} is not read to its end");
            if let Some(Ok(message)) = consumer.poll(Duration::from_millis(100)) {
                let end = &mut ends[usize::try_from(message.partition()).unwrap()];
                *end = end.filter(|end| message.offset() + 1 < *end);
                read.push(owned(&message));
            }
        }
        read
    })
    .await
    .unwrap()
}

/// How many messages a topic holds; none where there is no such topic.
pub(crate) async fn messages_in(topic: &str) -> i64 {
    let topic = topic.to_owned();
    tokio::task::spawn_blocking(move || {
        let consumer = consumer(&topic);
        (0..2)
            .filter_map(|partition| {
                let marks = consumer.fetch_watermarks(&topic, partition, Duration::from_secs(5));
                marks.ok().map(|(low, high)| high - low)
            })
            .sum()
    })
    .await
    .unwrap()
}

/// Whether the broker knows a topic.
pub(crate) async fn is_known(topic: &str) -> bool {
    let topic = topic.to_owned();
    tokio::task::spawn_blocking(move || {
        let consumer = consumer(&topic);
        let known = consumer.fetch_metadata(Some(&topic), Duration::from_secs(30));
        let known = known.unwrap();
        let fault = known.topics().iter().find_map(|known| known.error());
        assert!(
            matches!(
                fault,
                None | Some(RDKafkaRespErr::RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
            ),
            "{fault:?}"
        );
        fault.is_none()
    })
    .await
    .unwrap()
}

fn consumer(topic: &str) -> BaseConsumer {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", brokers())
        .set("group.id", "unused")
        .set("enable.auto.commit", "false")
        .create()
        .unwrap();
    let mut partitions = TopicPartitionList::new();
    for partition in 0..2 {
        partitions
            .add_partition_offset(topic, partition, Offset::Beginning)
            .unwrap();
    }
    consumer.assign(&partitions).unwrap();
    consumer
}

fn owned(message: &rdkafka::message::BorrowedMessage<'_>) -> Read {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let headers = message.headers().unwrap().iter();
    Read {
        partition: message.partition(),
        key: text(message.key().unwrap()),
        value: message
            .payload()
            .map(|bytes| serde_json::from_slice(bytes).unwrap()),
        headers: headers
            .map(|header| (header.key.to_owned(), text(header.value.unwrap())))
            .collect(),
    }
}
