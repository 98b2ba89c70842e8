//! The Kafka client: settings, messages into plain values, watermarks.

use std::time::Duration;

use events_schema::topics::Topic;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{Consumer, StreamConsumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::{Offset, TopicPartitionList};

use crate::checkpoint::{NOTHING_READ, Progress, Slot};
use crate::config::KafkaConfig;
use crate::consumer::decode::Raw;
use crate::consumer::decode::Received;

/// What every client of this process starts from.
pub(super) fn settings(config: &KafkaConfig) -> ClientConfig {
    let mut settings: ClientConfig = config.address.settings().collect();
    settings.set("client.id", "roster-projector");
    settings
}

/// A consumer that commits nothing to Kafka: offsets stand beside the rows.
pub(super) fn consumer(config: &KafkaConfig) -> Result<StreamConsumer, KafkaError> {
    settings(config)
        // Asked for by librdkafka, never used: partitions are assigned by hand.
        .set("group.id", "roster-projector-unused")
        .set("enable.auto.commit", "false")
        .set("enable.auto.offset.store", "false")
        // Where a checkpoint points behind what Kafka holds, reading begins anew: what is known is ignored by its place.
        .set("auto.offset.reset", "earliest")
        .set("fetch.wait.max.ms", "20")
        .set(
            "queued.max.messages.kbytes",
            config.max_queued_kib.to_string(),
        )
        .set("enable.partition.eof", "false")
        .create()
}

/// Assigns `slots` from where the read models stand.
pub(super) fn assign(
    consumer: &StreamConsumer,
    config: &KafkaConfig,
    slots: &[Slot],
    progress: &Progress,
) -> Result<(), KafkaError> {
    let mut list = TopicPartitionList::new();
    for (topic, partition) in slots {
        let offset = match progress.next_offset((*topic, *partition)) {
            NOTHING_READ => Offset::Beginning,
            next => Offset::Offset(next),
        };
        list.add_partition_offset(&config.topic(topic.name()), *partition, offset)?;
    }
    consumer.assign(&list)
}

/// A message as plain values; `None` for a topic that is not ours.
pub(super) fn received(config: &KafkaConfig, message: &BorrowedMessage<'_>) -> Option<Received> {
    let name = message.topic().strip_prefix(config.topic_prefix.as_str())?;
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let headers = message.headers().map(|headers| {
        headers
            .iter()
            .map(|header| (header.key.to_owned(), text(header.value)))
            .collect()
    });
    Some(Received {
        topic: Topic::by_name(name)?,
        partition: message.partition(),
        offset: message.offset(),
        key: text(message.key()),
        raw: Raw {
            headers: headers.unwrap_or_default(),
            value: text(message.payload()),
        },
    })
}

/// The first offset that a partition holds, and the one that its next message will get.
pub(super) fn watermarks(
    consumer: &StreamConsumer,
    config: &KafkaConfig,
    slot: Slot,
) -> Result<(i64, i64), KafkaError> {
    consumer.fetch_watermarks(&config.topic(slot.0.name()), slot.1, Duration::from_secs(2))
}
