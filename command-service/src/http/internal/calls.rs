//! `POST /internal/calls`: admit, settle, release and check, many in one request.

use axum::Json;
use axum::extract::State;
use events_schema::api::internal::{Answers, Calls, MAX_CALLS};
use futures::future::join_all;
use service_kit::Problem;
use service_kit::body::RawBody;

use super::super::admin::AdminState;
use super::super::admin::read::typed;

/// Runs the calls at the same time and answers in their order.
pub(super) async fn answer(
    State(state): State<AdminState>,
    RawBody(body): RawBody,
) -> Result<Json<Answers>, Problem> {
    let Calls { calls } = typed(&body)?;
    if calls.is_empty() || calls.len() > MAX_CALLS {
        let rule = format!("must have 1 to {MAX_CALLS} items");
        return Err(Problem::invalid_field(
            "calls",
            &calls.len().into(),
            &rule,
            None,
        ));
    }
    let answers = calls.into_iter().map(|call| state.application.answer(call));
    Ok(Json(Answers {
        answers: join_all(answers).await,
    }))
}
