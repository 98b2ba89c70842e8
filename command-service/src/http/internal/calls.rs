//! `POST /internal/calls`: admit, settle, release and check, many in one request. `POST /internal/checks`: checks alone,
//! for a part that has no other business with the ledger.
//!
//! Guarantee: no call waits for a slower one that came in the same request, longer than [`GATHERED_FOR`].

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use events_schema::api::internal::{Answer, Answered, Answers, Call, Calls, MAX_CALLS};
use futures::future::join_all;
use futures::stream::{self, FuturesUnordered, StreamExt};
use http::{HeaderValue, header};
use service_kit::Problem;
use service_kit::body::RawBody;

use super::{InternalState, typed};

/// A line is sent when every call is answered, or this long after the first answer that it holds: calls of one batch are answered in one
/// moment, and a line for each would cost more than it tells.
const GATHERED_FOR: Duration = Duration::from_millis(2);
const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");

/// Runs the calls at the same time and answers each as soon as it is known.
pub(super) async fn answer(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<Response, Problem> {
    let calls = numbered(typed(&body)?)?;
    let mut pending: FuturesUnordered<_> = calls
        .into_iter()
        .enumerate()
        .map(|(place, call)| {
            let application = state.application.clone();
            async move { (place, application.answer(call).await) }
        })
        .collect();
    let first = line(&mut pending).await.ok_or_else(Problem::internal)?;
    let body = if pending.is_empty() {
        Body::from(first)
    } else {
        let rest = stream::unfold(pending, async |mut pending| {
            let line = line(&mut pending).await?;
            Some((line, pending))
        });
        let lines = stream::once(async { first }).chain(rest);
        Body::from_stream(lines.map(Ok::<Bytes, Infallible>))
    };
    Ok(([(header::CONTENT_TYPE, LINES)], body).into_response())
}

/// The next line: none when every call is answered.
async fn line<F>(pending: &mut FuturesUnordered<F>) -> Option<Bytes>
where
    F: Future<Output = (usize, Answer)>,
{
    let mut answers = vec![pending.next().await?];
    let gathered = async {
        while let Some(answer) = pending.next().await {
            answers.push(answer);
        }
    };
    // Whether all are there or not, what is there goes out.
    let _ = tokio::time::timeout(GATHERED_FOR, gathered).await;
    match serde_json::to_vec(&Answered { answers }) {
        Ok(mut line) => {
            line.push(b'\n');
            Some(line.into())
        }
        Err(fault) => {
            tracing::error!(%fault, "answers cannot be written as JSON");
            None
        }
    }
}

/// Answers checks, as a whole.
pub(super) async fn check(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<Json<Answers>, Problem> {
    let calls = numbered(typed(&body)?)?;
    let is_other = |call: &&Call| !matches!(call, Call::Check { .. });
    if let Some(other) = calls.iter().find(is_other) {
        // Its name alone: a call carries a key.
        let other = serde_json::to_value(other).ok();
        let name = other.and_then(|other| other.get("call").cloned());
        let name = name.unwrap_or_default();
        return Err(Problem::invalid_field(
            "calls",
            &name,
            "must be checks",
            None,
        ));
    }
    let answers = calls.into_iter().map(|call| state.application.answer(call));
    Ok(Json(Answers {
        answers: join_all(answers).await,
    }))
}

/// As many calls as there may be.
fn numbered(Calls { calls }: Calls) -> Result<Vec<Call>, Problem> {
    if calls.is_empty() || calls.len() > MAX_CALLS {
        let rule = format!("must have 1 to {MAX_CALLS} items");
        return Err(Problem::invalid_field(
            "calls",
            &calls.len().into(),
            &rule,
            None,
        ));
    }
    Ok(calls)
}
