//! `POST /internal/credits`: what a key may read of its account's credits, for an instance that does not own its shard.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use service_kit::Problem;
use service_kit::body::RawBody;

use super::super::failure::Failure;
use super::{InternalState, typed};
use crate::application::CreditsOf;

#[derive(Deserialize)]
struct Ask {
    api_key: String,
}

pub(super) async fn list(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<Json<CreditsOf>, Problem> {
    let ask: Ask = typed(&body)?;
    let credits = state.application.credits(&ask.api_key).await;
    credits
        .map(Json)
        .map_err(|error| Failure::from(error).into_problem())
}
