//! What surrounds every event, in the store and on the wire.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::event::Event;
use crate::history::FIRST;
use crate::ids::Shard;

/// One recorded event.
///
/// In Kafka the value is `event`'s payload alone; everything else travels in `ce_*` headers (CloudEvents 1.0,
/// binary mode), see [`header`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The slice of the event store.
    pub shard: Shard,
    /// Place in the shard, from 1, without gaps.
    pub pos: i64,
    /// The history that the event is of: [`FIRST`] until the store goes back for the first time.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub history: i64,
    /// Place in the shard's part of the event's topic, from 1, without gaps: how a consumer sees a lost message.
    pub topic_seq: i64,
    /// The aggregate: account, contract or report id; for a data build the UUIDv5 of its name.
    pub aggregate_id: Uuid,
    /// Place in the aggregate, from 1, without gaps.
    pub seq: i64,
    /// When the decision was taken, in whole microseconds.
    pub occurred_at: DateTime<Utc>,
    /// The request or command that caused it. Unique to one command: all events of one command share it.
    pub request_id: Uuid,
    /// Who did it: `api_key:<id>`, `operator:<token name>`, `service:<part>`.
    pub actor: String,
    /// W3C trace context of the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// The fact itself, tagged by `type`.
    #[serde(flatten)]
    pub event: Event,
}

impl Envelope {
    /// `<shard>-<pos>`, of later histories `<history>-<shard>-<pos>`: unique and stable, the same at every repeat (`ce_id`).
    #[must_use]
    pub fn ce_id(&self) -> String {
        ce_id(self.history, self.shard, self.pos)
    }
}

/// The `ce_id` of the event at a place.
#[must_use]
pub fn ce_id(history: i64, shard: Shard, pos: i64) -> String {
    if history == FIRST {
        format!("{shard}-{pos}")
    } else {
        format!("{history}-{shard}-{pos}")
    }
}

const fn first() -> i64 {
    FIRST
}

/// By reference, as serde asks for it.
const fn is_first(history: &i64) -> bool {
    *history == FIRST
}

/// Kafka header names of the CloudEvents attributes.
pub mod header {
    /// Always `1.0`.
    pub const SPECVERSION: &str = "ce_specversion";
    /// [`ce_id`](super::ce_id).
    pub const ID: &str = "ce_id";
    /// [`SOURCE_VALUE`].
    pub const SOURCE: &str = "ce_source";
    /// Event type, e.g. `contract.credits_charged.v1`.
    pub const TYPE: &str = "ce_type";
    /// RFC 3339 time.
    pub const TIME: &str = "ce_time";
    /// The aggregate's id; for data builds the name.
    pub const SUBJECT: &str = "ce_subject";
    /// `topic_seq`: place in this shard's part of the topic.
    pub const SEQUENCE: &str = "ce_sequence";
    /// Name of the JSON Schema of the value.
    pub const DATASCHEMA: &str = "ce_dataschema";
    /// W3C trace context.
    pub const TRACEPARENT: &str = "traceparent";
    /// Shard number, decimal.
    pub const SHARD: &str = "ce_shard";
    /// Place in the shard, decimal.
    pub const POS: &str = "ce_pos";
    /// The history, decimal; messages without it are of the first one.
    pub const HISTORY: &str = "ce_history";
    /// Place in the aggregate, decimal.
    pub const SEQ: &str = "ce_seq";
    /// The aggregate's id, a UUID.
    pub const AGGREGATE_ID: &str = "ce_aggregateid";
    /// Request id.
    pub const REQUEST_ID: &str = "ce_requestid";
    /// Who did it.
    pub const ACTOR: &str = "ce_actor";
    /// Value of `ce_source`.
    pub const SOURCE_VALUE: &str = "/roster/command-service";
}
