//! `GET /admin/status`: who owns which shard, how far Kafka has it, and which query-services live.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};
use service_kit::Problem;

use super::AdminState;
use crate::http::health::not_published;

const RETRY_SECONDS: u64 = 2;

pub(super) async fn show(State(state): State<AdminState>) -> Result<Json<Value>, Problem> {
    let status = state.application.store().shards_status().await;
    let status = status.map_err(|fault| {
        tracing::warn!(%fault, "the shards' status could not be read");
        Problem::unavailable("database", RETRY_SECONDS)
    })?;
    let instances: BTreeSet<&str> = status
        .iter()
        .filter_map(|shard| shard.owner.as_deref())
        .collect();
    let shards: Map<String, Value> = status
        .iter()
        .map(|shard| {
            let value =
                json!({"owner": shard.owner, "pos": shard.pos, "published": shard.published});
            (shard.shard.to_string(), value)
        })
        .collect();
    let refusal = state.publisher.refusal();
    Ok(Json(json!({
        "instances": instances,
        "shards": shards,
        "query_services": state.presence.live(),
        "not_published": refusal.map(|lacks| not_published(&lacks)),
    })))
}
