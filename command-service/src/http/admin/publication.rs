//! `POST /admin/republish`: sends a portion of a shard's events to Kafka again from the store, with the same `ce_id`, and says where
//! to go on. The shard's owner does it.

use axum::Json;
use axum::extract::State;
use events_schema::api::admin::Republished;
use events_schema::api::limits::{REPUBLISH_PORTION, REPUBLISH_PORTION_EVENTS, REPUBLISH_TIMEOUT};
use events_schema::ids::{SHARDS, Shard};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Problem};

use super::AdminState;
use crate::http::Failure;
use crate::publisher::Portion;

const RETRY_SECONDS: u64 = 5;
const PORTION: Portion = Portion {
    events: REPUBLISH_PORTION_EVENTS,
    time: REPUBLISH_PORTION,
    limit: REPUBLISH_TIMEOUT,
};

pub(super) async fn republish(
    State(state): State<AdminState>,
    RawBody(body): RawBody,
) -> Result<Json<Republished>, Failure> {
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["shard", "from"]);
    fields.require("shard");
    fields.require("from");
    let shard = fields.integer("shard", 0..=i64::from(SHARDS) - 1, 0);
    let from = fields.integer("from", 1..=i64::MAX, 1);
    fields.finish()?;
    let shard = u8::try_from(shard).ok().and_then(Shard::new);
    let shard = shard.ok_or_else(Problem::internal)?;
    state.application.owned_here(shard)?;
    match state.publisher.republish(shard, from, PORTION).await {
        Ok(sent) => Ok(Json(sent)),
        Err(fault) => {
            tracing::warn!(%fault, %shard, "events could not be sent again");
            Err(Problem::unavailable("event_log", RETRY_SECONDS).into())
        }
    }
}
