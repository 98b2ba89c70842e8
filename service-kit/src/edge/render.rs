//! Writing a problem as the one error body, and the headers that every response has.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use uuid::Uuid;

use super::correlation::CORRELATION_ID;
use crate::problem::{BAD_REQUEST, Problem};

/// Gives a refusal its body. One with a JSON body of its own (another protocol's error) is left as it is.
pub(super) fn one_body(response: &mut Response, request_id: Uuid) {
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem,
        None if is_foreign_refusal(response) => translated(response),
        None => return,
    };
    if problem.status().is_server_error() {
        tracing::warn!(
            status = problem.status().as_u16(),
            error = problem.error(),
            "answered with a fault"
        );
    }
    let headers = response.headers_mut();
    headers.extend(problem.headers().clone());
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.remove(header::CONTENT_LENGTH);
    *response.status_mut() = problem.status();
    *response.body_mut() = Body::from(problem.body(request_id).to_string());
}

/// The headers that need nothing but the request itself.
pub(super) fn facts(
    response: &mut Response,
    id: Uuid,
    correlation: Option<HeaderValue>,
    elapsed: Duration,
) {
    let headers = response.headers_mut();
    let time = format!("{:.1}", elapsed.as_secs_f64() * 1000.0);
    for (name, text) in [("request-id", id.to_string()), ("process-time", time)] {
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(name, value);
        }
    }
    if let Some(correlation) = correlation {
        headers.insert(CORRELATION_ID, correlation);
    }
}

fn is_foreign_refusal(response: &Response) -> bool {
    let status = response.status();
    let content_type = response
        .headers()
        .get(header::CONTENT_TYPE)
        .map_or(&b""[..], HeaderValue::as_bytes);
    (status.is_client_error() || status.is_server_error())
        && !content_type.starts_with(b"application/json")
}

/// A refusal that the framework wrote: its status is kept where `docs/API.md` has it, its text never.
fn translated(response: &Response) -> Problem {
    match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            let allow = response
                .headers()
                .get(header::ALLOW)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            Problem::method_not_allowed(
                &allow
                    .split(',')
                    .map(str::trim)
                    .filter(|m| !m.is_empty())
                    .collect::<Vec<_>>(),
            )
        }
        status if status.is_server_error() => Problem::internal(),
        _ => Problem::new(BAD_REQUEST, "The request cannot be read."),
    }
}
