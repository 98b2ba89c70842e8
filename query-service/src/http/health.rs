//! `GET /health/live` and `/health/ready`, without a key.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use service_kit::Problem;

use super::App;

pub(super) async fn live() -> Json<Value> {
    Json(json!({"status": "live"}))
}

/// Ready = the pointers to the active builds are known and were readable at the last poll; no build need be active.
pub(super) async fn ready(State(app): State<App>) -> Result<Json<Value>, Problem> {
    if app.builds.is_readable() {
        Ok(Json(json!({"status": "ready"})))
    } else {
        Err(Problem::unavailable(
            "database",
            u64::from(app.retry_after_seconds),
        ))
    }
}
