//! `GET /health/live` and `GET /health/ready`, without a key.

use axum::routing::get;
use axum::{Json, Router};
use events_schema::ids::Shard;
use serde_json::{Value, json};
use service_kit::Problem;

use super::failure::nobody;
use crate::store::Store;

/// Seconds after which a load balancer may ask again.
const RETRY_SECONDS: u64 = 1;

pub(super) fn routes(store: Store) -> Router {
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(move || ready(store.clone())))
}

async fn live() -> Json<Value> {
    Json(json!({"status": "live"}))
}

/// Ready: Postgres answers, and every shard is owned here or by an instance whose address is known.
async fn ready(store: Store) -> Result<Json<Value>, Problem> {
    if let Err(fault) = store.ping().await {
        tracing::warn!(%fault, "not ready: the event store does not answer");
        return Err(Problem::unavailable("database", RETRY_SECONDS));
    }
    let is_routed = |shard| store.owns(shard) || store.owner_of(shard).is_some();
    if Shard::all().all(is_routed) {
        Ok(Json(json!({"status": "ready"})))
    } else {
        Err(nobody())
    }
}
