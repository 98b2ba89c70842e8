//! Passing an operator's request on to the instance that owns its shard.
//!
//! The owner's internal listener has the admin routes below [`PREFIX`]; the operator's name and the request's id travel
//! in headers that only a holder of the internal token can send. A request is passed on once: an owner that is none
//! any more answers 503.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::{Value, json};
use service_kit::body::{self, BodyLimits};
use service_kit::client::{Answer, Client};
use service_kit::token::Actor;
use service_kit::{Problem, RequestId};
use uuid::Uuid;

use super::failure::{OwnedElsewhere, nobody};

/// Where the internal listener has the admin routes.
pub(super) const PREFIX: &str = "/internal/forwarded";

const ACTOR: HeaderName = HeaderName::from_static("forwarded-actor");
const REQUEST_ID: HeaderName = HeaderName::from_static("forwarded-request-id");
/// What a handler may need of the original headers.
const PASSED: [HeaderName; 4] = [
    header::CONTENT_TYPE,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("chunk-sha256"),
    HeaderName::from_static("chunk-first-line"),
];

/// Passes requests on. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Forwarder(Client);

impl Forwarder {
    /// `client` sends the token of the internal listeners.
    #[must_use]
    pub const fn new(client: Client) -> Self {
        Self(client)
    }
}

/// Runs the handler; where it says that another instance owns the shard, sends the same request there.
pub(super) async fn pass_on(
    State(forwarder): State<Forwarder>,
    request: Request,
    next: Next,
) -> Response {
    let limits = request.extensions().get::<BodyLimits>().copied();
    let (parts, body) = request.into_parts();
    let bytes = match limits {
        Some(limits) => body::read(body, limits).await,
        None => Err(Problem::internal()),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(problem) => return problem.into_response(),
    };
    let again = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
    let response = next.run(again).await;
    match response.extensions().get::<OwnedElsewhere>() {
        None => response,
        Some(OwnedElsewhere(owner)) => forwarder.send(owner, &parts, bytes).await,
    }
}

impl Forwarder {
    async fn send(&self, owner: &str, parts: &Parts, body: Bytes) -> Response {
        let id = parts
            .extensions
            .get::<RequestId>()
            .map_or_else(Uuid::nil, |id| id.0);
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let url = format!("{}{PREFIX}{path}", owner.trim_end_matches('/'));
        let call = self
            .0
            .send(parts.method.clone(), &url, headers(parts, id), body);
        match call.await {
            Ok(answer) => response(answer, id),
            Err(fault) => {
                tracing::warn!(%fault, "the owner of a shard did not answer");
                nobody().into_response()
            }
        }
    }
}

fn headers(parts: &Parts, id: Uuid) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in PASSED {
        if let Some(value) = parts.headers.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    let actor = parts
        .extensions
        .get::<Actor>()
        .map_or("", |actor| actor.0.as_str());
    for (name, text) in [(ACTOR, actor), (REQUEST_ID, &id.to_string())] {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(name, value);
        }
    }
    headers
}

/// The owner's answer as this instance's own: an error body names the request by the id that the client sees.
fn response(answer: Answer, id: Uuid) -> Response {
    let mut body = answer.body;
    if !answer.status.is_success()
        && let Ok(Value::Object(mut error)) = serde_json::from_slice(&body)
    {
        error.insert("request_id".to_owned(), json!(id));
        body = Value::Object(error).to_string().into();
    }
    let mut response = (answer.status, body).into_response();
    for name in [header::CONTENT_TYPE, header::RETRY_AFTER] {
        if let Some(value) = answer.headers.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

/// On the owner's side: the operator and the request are those of the first instance.
pub(super) async fn received(mut request: Request, next: Next) -> Response {
    let Some((actor, id)) = origin(request.headers()) else {
        return Problem::malformed_header("Forwarded-Actor", "sent with Forwarded-Request-Id")
            .into_response();
    };
    request.extensions_mut().insert(actor);
    request.extensions_mut().insert(id);
    next.run(request).await
}

fn origin(headers: &HeaderMap) -> Option<(Actor, RequestId)> {
    let text = |name| headers.get(name)?.to_str().ok();
    let actor = text(ACTOR).filter(|name| !name.is_empty())?;
    let id = Uuid::parse_str(text(REQUEST_ID)?).ok()?;
    Some((Actor(actor.to_owned()), RequestId(id)))
}
