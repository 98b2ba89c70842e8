//! `GET /internal/events`: a part of a topic straight from the store, for a consumer that found a gap.

use axum::Json;
use axum::extract::State;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use serde_json::{Value, json};
use service_kit::{Parameters, Problem};

use super::InternalState;

/// Most events in one answer.
const MAX_EVENTS: i64 = 1_000;
const RETRY_SECONDS: u64 = 2;

pub(super) async fn list(
    State(state): State<InternalState>,
    parameters: Parameters,
) -> Result<Json<Value>, Problem> {
    parameters.only(&["topic", "shard", "after_topic_seq", "limit"])?;
    let topic = parameters
        .text("topic")
        .and_then(Topic::by_name)
        .ok_or_else(|| parameters.invalid("topic", "must be the name of a topic of events"))?;
    let shard = parameters
        .integer("shard", 0..=255)?
        .and_then(|number| u8::try_from(number).ok())
        .and_then(Shard::new)
        .ok_or_else(|| parameters.invalid("shard", "must be the number of a shard"))?;
    let after = parameters
        .integer("after_topic_seq", 0..=i64::MAX)?
        .unwrap_or(0);
    let limit = parameters
        .integer("limit", 1..=MAX_EVENTS)?
        .unwrap_or(MAX_EVENTS);
    let store = state.application.store();
    match store.topic_events_after(topic, shard, after, limit).await {
        Ok(events) => Ok(Json(json!({ "events": events }))),
        Err(fault) => {
            tracing::warn!(%fault, "events could not be read");
            Err(Problem::unavailable("database", RETRY_SECONDS))
        }
    }
}
