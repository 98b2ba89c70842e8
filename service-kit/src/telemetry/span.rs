//! One span a request: method, route, status and request id; no argument of the request.

use http::{HeaderMap, Method, StatusCode};
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use uuid::Uuid;

use super::propagate::extract;

pub(crate) fn request_span(method: &Method, headers: &HeaderMap, request_id: Uuid) -> Span {
    let span = tracing::info_span!(
        "request",
        otel.kind = "server",
        otel.name = Empty,
        http.request.method = %method,
        http.route = Empty,
        http.response.status_code = Empty,
        %request_id,
    );
    // Without an OpenTelemetry layer (tests) there is no parent to set; that is no fault.
    let _ = span.set_parent(extract(headers));
    span
}

pub(crate) fn finish_request_span(span: &Span, route: Option<&str>, status: StatusCode) {
    if let Some(route) = route {
        span.record("http.route", route);
        span.record("otel.name", route);
    }
    span.record("http.response.status_code", status.as_u16());
}
