//! `POST /internal/calls`: admit, settle, release and check, many in one request. `POST /internal/checks`: checks alone,
//! for a part that has no other business with the ledger.

use axum::Json;
use axum::extract::State;
use events_schema::api::internal::{Answers, Call, Calls, MAX_CALLS};
use futures::future::join_all;
use serde_json::Value;
use service_kit::Problem;
use service_kit::body::RawBody;

use super::super::admin::AdminState;
use super::super::admin::read::typed;

/// Runs the calls at the same time and answers in their order.
pub(super) async fn answer(
    State(state): State<AdminState>,
    RawBody(body): RawBody,
) -> Result<Json<Answers>, Problem> {
    run(&state, typed(&body)?).await
}

/// Answers as [`answer`], if all calls are checks.
pub(super) async fn check(
    State(state): State<AdminState>,
    RawBody(body): RawBody,
) -> Result<Json<Answers>, Problem> {
    let calls: Calls = typed(&body)?;
    let is_check = |call: &Call| matches!(call, Call::Check { .. });
    if !calls.calls.iter().all(is_check) {
        return Err(Problem::invalid_field(
            "calls",
            &Value::Null,
            "must be checks",
            None,
        ));
    }
    run(&state, calls).await
}

async fn run(state: &AdminState, Calls { calls }: Calls) -> Result<Json<Answers>, Problem> {
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
