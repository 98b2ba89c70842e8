//! An event as the store holds it.

use chrono::{DateTime, Utc};
use events_schema::Event;
use events_schema::topics::Topic;
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use crate::reconcile::Difference;

/// One row of `event`.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct StoredEvent {
    pub(crate) shard: i16,
    pub(crate) pos: i64,
    pub(crate) history: i64,
    pub(crate) topic: i16,
    pub(crate) topic_seq: i64,
    pub(crate) aggregate_id: Uuid,
    pub(crate) seq: i64,
    pub(crate) event_type: String,
    pub(crate) payload: Value,
    pub(crate) request_id: Uuid,
    pub(crate) actor: String,
    pub(crate) traceparent: Option<String>,
    pub(crate) occurred_at: DateTime<Utc>,
}

impl StoredEvent {
    /// `shard 5 pos 17`.
    pub(crate) fn place(&self) -> String {
        format!("shard {} pos {}", self.shard, self.pos)
    }

    /// The event itself.
    pub(crate) fn event(&self) -> Result<Event, Difference> {
        let unreadable = |what: &dyn ToString| {
            Difference::new(
                "unreadable_event",
                self.place(),
                "an event of a known type",
                what.to_string(),
            )
        };
        let event = Event::from_parts(&self.event_type, self.payload.clone())
            .map_err(|fault| unreadable(&fault))?;
        let topic = usize::try_from(self.topic)
            .ok()
            .and_then(|index| Topic::ALL.get(index));
        if topic == Some(&event.topic()) {
            Ok(event)
        } else {
            Err(unreadable(&"an event in a foreign topic"))
        }
    }
}
