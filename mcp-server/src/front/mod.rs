//! `POST /mcp` before rmcp sees it: authentication, the shape of the message, and what rmcp is stricter about.
//!
//! rmcp 3.9 speaks all revisions, stateless, with JSON answers, checks `Host`, `Origin` and the protocol headers. It
//! wants both media types in `Accept`, answers malformed JSON with 415 and text, and knows nothing of keys: that is
//! done here (`docs/AGENTS.md`). The body is read once, within the limits of the edge.

mod message;

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use events_schema::api::caller::IDEMPOTENCY_KEY;
use events_schema::api::error_code::ErrorCode;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use service_kit::body::{UNASKED_BYTES, read_rest, read_rest_if};
use service_kit::edge::{RequestId, correlation_id};
use service_kit::problem::Problem;
use tracing::Span;

use crate::RETRY_AFTER_SECONDS;
use crate::config::Config;
use crate::handler::Handler;
use crate::incoming::Incoming;
use crate::keys::Keys;
use crate::running::Running;
use message::{Message, Shape};

/// The state of the route.
pub struct Front {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    keys: Arc<Keys>,
    running: Running,
    anonymous_listing: bool,
}

impl Front {
    /// A front for `handler`. rmcp is not told that the process ends: it would answer the calls in progress with a text and let them go on;
    /// the listener waits for them instead.
    pub fn new(config: &Config, handler: Handler, keys: Arc<Keys>) -> Self {
        let transport = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_allowed_hosts(allowed_hosts(&config.public_base_url))
            .with_allowed_origins(allowed_origins(&config.public_base_url))
            .with_max_request_body_bytes(
                usize::try_from(config.edge.max_body_bytes).unwrap_or(usize::MAX),
            );
        let service =
            StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), transport);
        Self {
            service,
            keys,
            running: Running::default(),
            anonymous_listing: config.anonymous_listing,
        }
    }

    /// The valid key of a request, and its message. The key is checked first, so no body is read for a caller without one, unless the
    /// settings allow the message without a key.
    async fn read(
        &self,
        head: &Parts,
        body: Body,
    ) -> Result<(Option<HeaderValue>, Shape), Problem> {
        if self.anonymous_listing {
            let has_key = async || self.keys.authenticate(&head.headers).await.map(drop);
            let shape = Shape::of(&read_rest_if(head, body, UNASKED_BYTES, has_key).await?);
            if shape.only_describes_the_server() {
                return Ok((None, shape));
            }
            let key = self.keys.authenticate(&head.headers).await?;
            return Ok((Some(key), shape));
        }
        let key = self.keys.authenticate(&head.headers).await?;
        Ok((Some(key), Shape::of(&read_rest(head, body).await?)))
    }
}

/// The handler of the route.
///
/// # Errors
/// 413 and 408 of the body, 401, 503, 400 of a header.
pub async fn serve(
    State(front): State<Arc<Front>>,
    RequestId(id): RequestId,
    request: Request,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let (key, shape) = front.read(&parts, body).await?;
    correlation_id(&parts.headers)?;
    let message = match shape {
        Shape::Message(message) => message,
        Shape::Refused(refusal) => return Ok(refusal.into_response()),
    };
    if let Some(refusal) = message.unspoken_version(&parts.headers) {
        return Ok(refusal.into_response());
    }
    let named = key.clone();
    let named = named.as_ref().map_or(&b""[..], HeaderValue::as_bytes);
    // Lives as long as this request: whatever ends it first stops the call.
    let call = front.running.enter(named, message.id());
    let idempotency_keys = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
    parts.extensions.insert(Incoming {
        stop: call.stop(),
        key,
        idempotency_keys: idempotency_keys.cloned().collect(),
        request_id: id.to_string(),
        arguments_are_no_object: message.arguments_are_no_object,
        span: Span::current(),
    });
    // Answers are JSON whatever the client would take; rmcp asks for both types to be named.
    parts.headers.insert(
        header::ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    let answer = front
        .service
        .handle(Request::from_parts(parts, Full::new(message.bytes())))
        .await;
    if let Some(id) = message.cancels().filter(|_| answer.status().is_success()) {
        front.running.cancel(named, id);
    }
    one_form(answer, &message)
}

/// rmcp refuses with plain text: 403 for a host or origin, 5xx where there is no answer, the rest for a message that is
/// no JSON-RPC it knows.
fn one_form(
    answer: http::Response<BoxBody<Bytes, Infallible>>,
    message: &Message,
) -> Result<Response, Problem> {
    let content_type = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .map_or(&b""[..], HeaderValue::as_bytes);
    let is_json = content_type.starts_with(b"application/json");
    match answer.status() {
        status if status.is_server_error() => {
            tracing::warn!(%status, "there is no answer to a message");
            // It may have been a call, and its endpoint may have charged.
            Err(Problem::unknown_outcome("upstream", RETRY_AFTER_SECONDS))
        }
        status if is_json || status.is_success() => Ok(answer.map(Body::new)),
        StatusCode::FORBIDDEN => {
            let problem = Problem::new(
                ErrorCode::Forbidden.parts(),
                "The Host or Origin header is not allowed here.",
            );
            Err(problem.detail("reason", "host_or_origin_not_allowed"))
        }
        _ => Ok(message.not_understood().into_response()),
    }
}

fn allowed_hosts(base: &str) -> Vec<String> {
    let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let public = reqwest::Url::parse(base)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned));
    loopback.into_iter().chain(public).collect()
}

fn allowed_origins(base: &str) -> Vec<String> {
    let hosts = ["localhost", "127.0.0.1", "[::1]"];
    let loopback = hosts
        .iter()
        .flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]);
    let public = reqwest::Url::parse(base).ok().and_then(|url| {
        Some(format!(
            "{}://{}:{}",
            url.scheme(),
            url.host_str()?,
            url.port_or_known_default()?
        ))
    });
    loopback.chain(public).collect()
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    fn answer(status: StatusCode) -> http::Response<BoxBody<Bytes, Infallible>> {
        let body = Full::new(Bytes::from_static(b"it broke")).boxed();
        http::Response::builder().status(status).body(body).unwrap()
    }

    /// An agent gets the one error body, and reads in it that its call may have been charged.
    #[test]
    fn a_5xx_of_the_library_is_a_503_whose_outcome_is_unknown() {
        let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let Shape::Message(message) = Shape::of(body) else {
            panic!("no message");
        };
        for status in [500, 502, 504] {
            let status = StatusCode::from_u16(status).unwrap();
            let problem = one_form(answer(status), &message).unwrap_err();
            assert_eq!(problem.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert!(problem.is_unknown_outcome(), "{problem:?}");
        }
    }
}
