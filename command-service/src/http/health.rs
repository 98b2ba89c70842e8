//! `GET /health/live` and `GET /health/ready`, without a key.

use axum::routing::get;
use axum::{Json, Router};
use events_schema::ids::Shard;
use serde_json::{Value, json};
use service_kit::Problem;

use super::failure::nobody;
use crate::publisher::Publisher;
use crate::store::Store;

/// Seconds after which a load balancer may ask again.
const RETRY_SECONDS: u64 = 1;

pub(super) fn routes(store: Store, publisher: Publisher<Store>) -> Router {
    let ready = move || ready(store.clone(), publisher.clone());
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
}

async fn live() -> Json<Value> {
    Json(json!({"status": "live"}))
}

/// Ready: Postgres answers, and every shard is owned here or by an instance whose address is known. What is not published, since the
/// store went back, is told and keeps nobody from being served.
async fn ready(store: Store, publisher: Publisher<Store>) -> Result<Json<Value>, Problem> {
    if let Err(fault) = store.ping().await {
        tracing::warn!(%fault, "not ready: the event store does not answer");
        return Err(Problem::unavailable("database", RETRY_SECONDS));
    }
    let is_routed = |shard| store.owns(shard) || store.owner_of(shard).is_some();
    if Shard::all().all(is_routed) {
        Ok(Json(match publisher.refusal() {
            None => json!({"status": "ready"}),
            Some(lacks) => json!({"status": "ready", "not_published": not_published(&lacks)}),
        }))
    } else {
        Err(nobody())
    }
}

/// Why nothing is published, in the words of an operator.
pub(super) fn not_published(lacks: &str) -> String {
    let what = if lacks.is_empty() {
        "what it had committed".to_owned()
    } else {
        format!("event {lacks}, which Kafka has")
    };
    format!("the event store went back: it lacks {what}; see docs/BACKUP.md")
}
