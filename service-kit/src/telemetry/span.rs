//! One span and one measurement a request: method, route, status and time; no argument of the request.

use std::sync::LazyLock;
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use opentelemetry::metrics::Histogram;
use opentelemetry::{KeyValue, global};
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

/// Named as the OpenTelemetry conventions for HTTP servers say. Bound at the first request, after the export began.
static DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    let meter = global::meter("service-kit");
    meter
        .f64_histogram("http.server.request.duration")
        .with_unit("s")
        .build()
});

/// What is known of a request at its end.
pub(crate) struct Finished<'a> {
    pub(crate) method: &'a Method,
    /// The pattern of the route, never the path, which may hold an id; none if no route matched.
    pub(crate) route: Option<&'a str>,
    pub(crate) status: StatusCode,
    pub(crate) elapsed: Duration,
}

pub(crate) fn finish_request(span: &Span, request: &Finished<'_>) {
    let route = request.route.unwrap_or("unknown");
    let status = request.status.as_u16();
    span.record("http.route", route);
    span.record("otel.name", format!("{} {route}", request.method));
    span.record("http.response.status_code", status);
    let attributes = [
        KeyValue::new("http.request.method", method_name(request.method)),
        KeyValue::new("http.route", route.to_owned()),
        KeyValue::new("http.response.status_code", i64::from(status)),
    ];
    DURATION.record(request.elapsed.as_secs_f64(), &attributes);
}

/// A method that a client invented must not make a new time series.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "PATCH" => "PATCH",
        "OPTIONS" => "OPTIONS",
        _ => "_OTHER",
    }
}
