//! `POST /internal/heartbeat`: a query-service lives, and these are the builds that it answers from.

use axum::extract::State;
use events_schema::api::internal::Heartbeat;
use http::StatusCode;
use service_kit::Problem;
use service_kit::body::RawBody;

use super::{InternalState, typed};

pub(super) async fn note(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<StatusCode, Problem> {
    let heartbeat: Heartbeat = typed(&body)?;
    state.presence.note(heartbeat);
    Ok(StatusCode::NO_CONTENT)
}
