//! `/admin/movements`: what a request charged or granted, whichever instance owns its shard.

use axum::Json;
use axum::extract::{Path, State};
use events_schema::api::admin::MovementView;

use super::AdminState;
use crate::http::Failure;
use crate::http::failure::{not_found, path_id};

const SUBJECT: &str = "movement";

pub(super) async fn show(
    State(state): State<AdminState>,
    Path(request_id): Path<String>,
) -> Result<Json<MovementView>, Failure> {
    let request_id = path_id(&request_id, SUBJECT)?;
    let found = state.application.movement(request_id).await?;
    Ok(Json(found.ok_or_else(|| not_found(SUBJECT))?))
}
