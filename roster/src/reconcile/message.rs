//! One Kafka message, and whether it says what the store says.

use chrono::{DateTime, Utc};
use events_schema::envelope::{ce_id, header};
use events_schema::history;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use rdkafka::Message as _;
use rdkafka::message::{BorrowedMessage, Headers};
use serde_json::Value;
use uuid::Uuid;

use crate::reconcile::Difference;
use crate::reconcile::difference::same;
use crate::reconcile::rows::StoredEvent;

/// What a message carries, read from its headers and value.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) topic: Topic,
    pub(crate) partition: i32,
    pub(crate) offset: i64,
    pub(crate) shard: Shard,
    pub(crate) pos: i64,
    pub(crate) history: i64,
    pub(crate) topic_seq: i64,
    key: String,
    ce_id: String,
    wire_type: String,
    aggregate_id: Uuid,
    seq: i64,
    request_id: Uuid,
    actor: String,
    traceparent: Option<String>,
    occurred_at: DateTime<Utc>,
    payload: Value,
}

impl Received {
    /// Reads a message; one that cannot be read is a difference.
    pub(crate) fn read(topic: Topic, message: &BorrowedMessage<'_>) -> Result<Self, Difference> {
        Self::parse(topic, message).ok_or_else(|| {
            let place = format!(
                "{} partition {} offset {}",
                topic.name(),
                message.partition(),
                message.offset()
            );
            Difference::new(
                "unreadable_message",
                place,
                "an event with its ce_ headers",
                "something else",
            )
        })
    }

    fn parse(topic: Topic, message: &BorrowedMessage<'_>) -> Option<Self> {
        let headers = message.headers()?;
        let text = |name: &str| {
            let found = headers.iter().find(|header| header.key == name)?;
            std::str::from_utf8(found.value?).ok()
        };
        Some(Self {
            topic,
            partition: message.partition(),
            offset: message.offset(),
            shard: Shard::new(text(header::SHARD)?.parse().ok()?)?,
            pos: text(header::POS)?.parse().ok()?,
            history: text(header::HISTORY)
                .map_or(Some(history::FIRST), |text| text.parse().ok())?,
            topic_seq: text(header::SEQUENCE)?.parse().ok()?,
            key: std::str::from_utf8(message.key()?).ok()?.to_owned(),
            ce_id: text(header::ID)?.to_owned(),
            wire_type: text(header::TYPE)?.to_owned(),
            aggregate_id: text(header::AGGREGATE_ID)?.parse().ok()?,
            seq: text(header::SEQ)?.parse().ok()?,
            request_id: text(header::REQUEST_ID)?.parse().ok()?,
            actor: text(header::ACTOR)?.to_owned(),
            traceparent: text(header::TRACEPARENT).map(str::to_owned),
            occurred_at: text(header::TIME)?.parse().ok()?,
            payload: serde_json::from_slice(message.payload()?).ok()?,
        })
    }

    /// `credits.v1 partition 5 offset 17`.
    pub(crate) fn place(&self) -> String {
        format!(
            "{} partition {} offset {}",
            self.topic.name(),
            self.partition,
            self.offset
        )
    }

    /// Place in the store.
    pub(crate) fn stored_at(&self) -> (i16, i64) {
        (i16::from(self.shard.number()), self.pos)
    }

    /// Proves that the message is this event and lies in its partition.
    pub(crate) fn prove(&self, stored: &StoredEvent, partitions: i32) -> Result<(), Difference> {
        let event = stored.event()?;
        let place = |what: &'static str| move || format!("{} {what}", self.place());
        let differs = "wrong_message";
        same(
            differs,
            place("topic"),
            &event.topic().name(),
            &self.topic.name(),
        )?;
        same(
            differs,
            place("partition"),
            &self.shard.partition(partitions),
            &self.partition,
        )?;
        same(
            differs,
            place(header::SEQUENCE),
            &stored.topic_seq,
            &self.topic_seq,
        )?;
        same(differs, place("key"), &event.message_key(), &self.key)?;
        same(
            differs,
            place(header::ID),
            &ce_id(stored.history, self.shard, stored.pos),
            &self.ce_id,
        )?;
        same(
            differs,
            place(header::TYPE),
            &event.wire_type(),
            &self.wire_type.as_str(),
        )?;
        same(
            differs,
            place(header::AGGREGATE_ID),
            &stored.aggregate_id,
            &self.aggregate_id,
        )?;
        same(differs, place(header::SEQ), &stored.seq, &self.seq)?;
        same(
            differs,
            place(header::REQUEST_ID),
            &stored.request_id,
            &self.request_id,
        )?;
        same(differs, place(header::ACTOR), &stored.actor, &self.actor)?;
        same(
            differs,
            place(header::TRACEPARENT),
            &stored.traceparent,
            &self.traceparent,
        )?;
        same(
            differs,
            place(header::TIME),
            &stored.occurred_at,
            &self.occurred_at,
        )?;
        if stored.payload == self.payload {
            return Ok(());
        }
        // Names the key that differs, never its value.
        let key = differing_key(&stored.payload, &self.payload);
        Err(Difference::new(
            differs,
            self.place(),
            "the payload of the store",
            format!("another {key}"),
        ))
    }
}

fn differing_key(expected: &Value, found: &Value) -> String {
    let (Some(expected), Some(found)) = (expected.as_object(), found.as_object()) else {
        return "value".to_owned();
    };
    let keys = expected.keys().chain(found.keys());
    let differing = keys
        .into_iter()
        .find(|key| expected.get(*key) != found.get(*key));
    differing.map_or_else(|| "value".to_owned(), Clone::clone)
}
