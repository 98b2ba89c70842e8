//! Data builds as the projector sees them: how one stands, and how its loading ended.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use events_schema::api::admin::BuildView;
use events_schema::api::internal::LoadOutcome;
use http::StatusCode;
use service_kit::RequestId;
use service_kit::body::RawBody;
use service_kit::token::Actor;

use super::super::cause;
use super::super::failure::{Failure, path_id};
use super::{InternalState, typed};

pub(super) fn routes(state: &InternalState) -> Router {
    Router::new()
        .route("/internal/builds/{build}", get(show))
        .route("/internal/builds/{build}/outcome", post(outcome))
        .with_state(state.clone())
}

async fn show(
    State(state): State<InternalState>,
    Path(build): Path<String>,
) -> Result<Json<BuildView>, Failure> {
    let build = path_id(&build, "data_build")?;
    Ok(Json(state.application.build(&build).await?))
}

/// The same outcome again changes nothing.
async fn outcome(
    State(state): State<InternalState>,
    Path(build): Path<String>,
    id: RequestId,
    Extension(Actor(name)): Extension<Actor>,
    RawBody(body): RawBody,
) -> Result<StatusCode, Failure> {
    let build = path_id(&build, "data_build")?;
    let outcome: LoadOutcome = typed(&body)?;
    let cause = cause(id.0, format!("service:{name}"));
    let application = &state.application;
    application
        .record_load_outcome(&build, outcome.result, &cause)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
