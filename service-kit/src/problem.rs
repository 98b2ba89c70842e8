//! The one error body of the service: `{error, message, request_id, retryable, details}` (`docs/API.md`, "Errors").
//!
//! Guarantee: a [`Problem`] returned by a handler or a layer below [`crate::edge::edge`] leaves as that body, with the
//! `Request-ID` of its request. A problem of the 5xx range never carries its cause: log the cause, return the problem.
//!
//! Only the framework's own kinds stand here; those of the domain are constants of `events-schema`.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The content coding of a body that is sent as it is.
pub(crate) const IDENTITY: &str = "identity";

/// What a problem is: HTTP status, slug, and whether the same request may succeed later.
pub type Kind = (u16, &'static str, bool);

macro_rules! kinds {
    ($( $(#[$doc:meta])* $name:ident = ($status:literal, $slug:literal, $retryable:literal), $meaning:literal; )*) => {
        $(
            $(#[$doc])*
            pub const $name: Kind = ($status, $slug, $retryable);
        )*

        /// All of these, each with what it says, by status.
        pub const KINDS: &[(Kind, &str)] = &[$(($name, $meaning)),*];
    };
}

kinds! {
    /// 400, `details.reason` says which rule of form the request breaks.
    BAD_REQUEST = (400, "bad_request", false), "A rule of form is broken.";
    /// 401, `details.reason` is `missing_token` or `invalid_token` on listeners guarded by [`crate::token`].
    UNAUTHORIZED = (401, "unauthorized", false), "The caller is not known.";
    /// 404 of a path that no route has.
    ROUTE_NOT_FOUND = (404, "route_not_found", false), "There is no such route.";
    /// 405, `details.allowed` lists the methods of the route.
    METHOD_NOT_ALLOWED = (405, "method_not_allowed", false), "The route has other methods.";
    /// 408, the body came too slowly.
    REQUEST_TIMEOUT = (408, "request_timeout", true), "The body came too slowly.";
    /// 413, `details.max_bytes` and `details.received_bytes`.
    PAYLOAD_TOO_LARGE = (413, "payload_too_large", false), "The body is too long.";
    /// 414, `details.max_bytes`.
    URI_TOO_LONG = (414, "uri_too_long", false), "The request target is too long.";
    /// 415, `details.allowed` lists the media types of the listener.
    UNSUPPORTED_MEDIA_TYPE = (415, "unsupported_media_type", false), "The body is of another media type.";
    /// 422, `details.fields` lists every field at fault.
    VALIDATION_ERROR = (422, "validation_error", false), "A known parameter with a bad value.";
    /// 431, `details.max_bytes`.
    HEADERS_TOO_LARGE = (431, "headers_too_large", false), "The headers are too long.";
    /// 500, always without details.
    INTERNAL_ERROR = (500, "internal_error", true), "A fault of the service.";
    /// 503, `details.component` and `details.retry_after_seconds`.
    SERVICE_UNAVAILABLE = (503, "service_unavailable", true), "A part is not available.";
}

/// A refusal or fault on its way to the client. Cheap to move: the content is boxed.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem(Box<Content>);

#[derive(Debug, Clone, PartialEq)]
struct Content {
    status: StatusCode,
    error: &'static str,
    message: String,
    retryable: bool,
    details: Map<String, Value>,
    headers: HeaderMap,
}

impl Problem {
    /// A problem of `kind`; `message` is one sentence for people, without values of the request that may be personal.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        let (status, error, retryable) = kind;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self(Box::new(Content {
            status,
            error,
            message: message.into(),
            retryable,
            details: Map::new(),
            headers: HeaderMap::new(),
        }))
    }

    /// 400 `bad_request` with its `reason`.
    pub fn bad_request(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(BAD_REQUEST, message).detail("reason", reason)
    }

    /// 400 `bad_request`, reason `malformed_header`.
    pub fn malformed_header(name: &str, rule: &str) -> Self {
        Self::bad_request(
            "malformed_header",
            format!("The header {name} must be {rule}."),
        )
        .detail("parameters", json!([name]))
    }

    /// 401 `unauthorized` with its `reason`.
    pub fn unauthorized(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(UNAUTHORIZED, message).detail("reason", reason)
    }

    /// 422 `validation_error` about one field; for several see [`crate::fields::Fields`].
    pub fn invalid_field(name: &str, value: &Value, error: &str, suggestion: Option<&str>) -> Self {
        let item = json!({"field": name, "value": value, "error": error, "suggestion": suggestion});
        Self::new(
            VALIDATION_ERROR,
            format!("The field {name} is not valid: {error}."),
        )
        .detail("fields", json!([item]))
    }

    /// 404 of an unknown path.
    pub fn route_not_found(path: &str) -> Self {
        Self::new(ROUTE_NOT_FOUND, "There is no such route.").detail("path", path)
    }

    /// 405 with the methods that the route has.
    pub fn method_not_allowed(allowed: &[&str]) -> Self {
        let message = format!("The route takes {} only.", allowed.join(", "));
        let problem = Self::new(METHOD_NOT_ALLOWED, message).detail("allowed", json!(allowed));
        match HeaderValue::from_str(&allowed.join(", ")) {
            Ok(value) => problem.header(header::ALLOW, value),
            Err(_) => problem,
        }
    }

    /// 415 with the media types that the listener takes.
    pub fn unsupported_media_type(allowed: &[&str]) -> Self {
        let message = format!(
            "The Content-Type must be {}, without a charset or with that of UTF-8.",
            allowed.join(" or ")
        );
        Self::new(UNSUPPORTED_MEDIA_TYPE, message).detail("allowed", json!(allowed))
    }

    /// 415 of a compressed body, with the one coding that is taken, also in the header `Accept-Encoding` (RFC 9110, 15.5.16).
    pub fn unsupported_encoding() -> Self {
        let message = "The body must be sent as it is, without Content-Encoding.";
        Self::new(UNSUPPORTED_MEDIA_TYPE, message)
            .detail("allowed", json!([IDENTITY]))
            .header(header::ACCEPT_ENCODING, HeaderValue::from_static(IDENTITY))
    }

    /// 413; `received` is `None` when the limit was hit while streaming.
    pub fn payload_too_large(max_bytes: u64, received: Option<u64>) -> Self {
        Self::new(
            PAYLOAD_TOO_LARGE,
            format!("The body exceeds {max_bytes} bytes."),
        )
        .detail("max_bytes", max_bytes)
        .detail("received_bytes", received)
    }

    /// 414 of a request target above the limit.
    pub fn uri_too_long(max_bytes: usize) -> Self {
        Self::new(
            URI_TOO_LONG,
            format!("The request target exceeds {max_bytes} bytes."),
        )
        .detail("max_bytes", max_bytes)
    }

    /// 431 of request headers above the limit.
    pub fn headers_too_large(max_bytes: usize) -> Self {
        Self::new(
            HEADERS_TOO_LARGE,
            format!("The request headers exceed {max_bytes} bytes."),
        )
        .detail("max_bytes", max_bytes)
    }

    /// 408 of a body that came too slowly.
    pub fn request_timeout(limit: std::time::Duration, elapsed: std::time::Duration) -> Self {
        Self::new(REQUEST_TIMEOUT, "The request body came too slowly.")
            .detail("time_limit_ms", millis(limit))
            .detail("elapsed_ms", millis(elapsed))
    }

    /// 503 with `Retry-After`; `component` is one of the names in `docs/API.md`, "Errors".
    pub fn unavailable(component: &str, retry_after_seconds: u64) -> Self {
        let message = format!("The {} is not reachable.", component.replace('_', " "));
        Self::new(SERVICE_UNAVAILABLE, message)
            .detail("component", component)
            .detail("retry_after_seconds", retry_after_seconds)
            .header(header::RETRY_AFTER, HeaderValue::from(retry_after_seconds))
    }

    /// 503 where nobody knows yet whether the request was carried out.
    pub fn unknown_outcome(component: &str, retry_after_seconds: u64) -> Self {
        let message = "Whether the request was carried out is not known yet. \
                       Repeated with the same Idempotency-Key it is carried out once.";
        Self::new(SERVICE_UNAVAILABLE, message)
            .detail("component", component)
            .detail("outcome", "unknown")
            .detail("retry_after_seconds", retry_after_seconds)
            .header(header::RETRY_AFTER, HeaderValue::from(retry_after_seconds))
    }

    /// Whether it says that nobody knows what became of the request.
    pub fn is_unknown_outcome(&self) -> bool {
        self.0.details.get("outcome").and_then(Value::as_str) == Some("unknown")
    }

    /// 503 with `Retry-After`: the process has enough to do.
    pub fn overloaded(retry_after_seconds: u64) -> Self {
        Self(Box::new(Content {
            message: "Too many requests are at work.".to_owned(),
            ..*Self::unavailable("upstream", retry_after_seconds).0
        }))
    }

    /// 500. The cause belongs in the log, never here.
    pub fn internal() -> Self {
        Self::new(INTERNAL_ERROR, "An internal error occurred.")
    }

    /// Adds one key of `details`.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.details.insert(key.to_owned(), value.into());
        self
    }

    /// Replaces all `details`.
    #[must_use]
    pub fn details(mut self, details: Map<String, Value>) -> Self {
        self.0.details = details;
        self
    }

    /// Sets a response header, e.g. `Retry-After`.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// Sets response headers.
    #[must_use]
    pub fn add_headers(mut self, headers: HeaderMap) -> Self {
        self.0.headers.extend(headers);
        self
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The slug, `error` in the body.
    pub fn error(&self) -> &'static str {
        self.0.error
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the same request may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// The `details` of the body.
    pub fn details_ref(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// The response headers that the problem brings.
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// The error body as a part of an answer, which has the request's id in a header of its own.
    pub fn part(&self) -> Value {
        json!({
            "error": self.0.error,
            "message": self.0.message,
            "retryable": self.0.retryable,
            "details": self.0.details,
        })
    }

    /// The error body for one request.
    pub fn body(&self, request_id: Uuid) -> Value {
        json!({
            "error": self.0.error,
            "message": self.0.message,
            "request_id": request_id,
            "retryable": self.0.retryable,
            "details": self.0.details,
        })
    }
}

/// Puts the problem into the response's extensions, from which the edge renders the body with the request's id.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.0.status.into_response();
        response.headers_mut().extend(self.0.headers.clone());
        response.extensions_mut().insert(self);
        response
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {}: {}",
            self.0.status.as_u16(),
            self.0.error,
            self.0.message
        )
    }
}

impl std::error::Error for Problem {}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_has_exactly_the_five_keys_in_the_order_of_the_docs() {
        let body = Problem::payload_too_large(1_048_576, Some(1_310_720)).body(Uuid::nil());
        let expected = json!({
            "error": "payload_too_large", "message": "The body exceeds 1048576 bytes.",
            "request_id": "00000000-0000-0000-0000-000000000000", "retryable": false,
            "details": {"max_bytes": 1_048_576, "received_bytes": 1_310_720}
        });
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            serde_json::to_string(&expected).unwrap()
        );
    }

    #[test]
    fn kinds_stand_in_the_order_of_their_status() {
        assert!(KINDS.is_sorted_by_key(|((status, ..), _)| status));
    }

    #[test]
    fn details_are_an_empty_object_when_there_are_none() {
        assert_eq!(Problem::internal().body(Uuid::nil())["details"], json!({}));
    }

    #[test]
    fn unavailable_carries_the_same_seconds_in_header_and_details() {
        let problem = Problem::unavailable("event_log", 5);
        assert_eq!(problem.headers()[header::RETRY_AFTER], "5");
        assert_eq!(problem.details_ref()["retry_after_seconds"], 5);
        assert!(problem.is_retryable());
    }
}
