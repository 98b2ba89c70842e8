//! Passing an operator's request on to the instance that owns its shard.
//!
//! The owner's internal listener has the admin routes below [`PREFIX`]. The operator's name and the request's id travel in
//! headers, which count only with a proof that an instance of command-service made ([`proof`]), for which the owner is asked
//! for its line of time ([`LINE`]). A request is passed on once: an owner that is none any more answers 503.

mod line;
mod proof;
mod secrets;

pub use line::Place;
pub use proof::{Passed, Proofs};
pub use secrets::ForwardSecrets;

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use reqwest::Url;
use serde_json::{Value, json};
use service_kit::body::read_rest;
use service_kit::client::{Answer, Client};
use service_kit::token::Actor;
use service_kit::{Problem, RequestId};
use uuid::Uuid;

use proof::{REPLAYED, STALE};

use super::failure::{OWNER_RETRY_SECONDS, OwnedElsewhere, nobody, unanswered};

/// Where the internal listener has the admin routes.
pub(super) const PREFIX: &str = "/internal/forwarded";
/// Where it tells other instances its line of time.
pub(super) const LINE: &str = "/internal/line";
/// An owner that does not say it within this time is one that cannot be reached.
const TOLD_WITHIN: Duration = Duration::from_secs(5);

const ACTOR: HeaderName = HeaderName::from_static("forwarded-actor");
const REQUEST_ID: HeaderName = HeaderName::from_static("forwarded-request-id");
/// What a handler may need of the original headers.
const PASSED: [HeaderName; 4] = [
    header::CONTENT_TYPE,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("chunk-sha256"),
    HeaderName::from_static("chunk-first-line"),
];

/// Passes requests on, and takes those that were passed on. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Forwarder {
    client: Client,
    proofs: Proofs,
}

impl Forwarder {
    /// `client` sends the token of the other instances' internal listeners.
    #[must_use]
    pub const fn new(client: Client, proofs: Proofs) -> Self {
        Self { client, proofs }
    }
}

/// Runs the handler; where it says that another instance owns the shard, sends the same request there.
pub(super) async fn pass_on(
    State(forwarder): State<Forwarder>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = match read_rest(&parts, body).await {
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
        let Ok(url) = Url::parse(&url) else {
            tracing::error!("the address of a shard's owner is none");
            return nobody().into_response();
        };
        let Some(at) = self.line_of(owner, id).await else {
            return nobody().into_response();
        };
        let headers = self.headers((owner, at), &url, parts, id, &body);
        let call = self
            .client
            .send(parts.method.clone(), url.as_str(), headers, body);
        match call.await {
            // Of this instance's token or proof; the operator's own was taken.
            Ok(answer) if answer.status == StatusCode::UNAUTHORIZED => {
                tracing::error!("the owner of a shard does not take what is passed on to it");
                if parts.method.is_safe() || !may_have_been_copied(&answer.body) {
                    return nobody().into_response();
                }
                Problem::unknown_outcome("ledger", OWNER_RETRY_SECONDS).into_response()
            }
            Ok(answer) => response(answer, id),
            Err(fault) => {
                tracing::warn!(%fault, "the owner of a shard did not answer");
                if parts.method.is_safe() {
                    return nobody().into_response();
                }
                unanswered(&fault).into_response()
            }
        }
    }

    /// Where `owner` is on its line, asked for the request `id`. Nothing has been done where there is no answer.
    async fn line_of(&self, owner: &str, id: Uuid) -> Option<Place> {
        let url = format!("{}{LINE}", owner.trim_end_matches('/'));
        let mut headers = self.proofs.ask(owner, id);
        headers.extend(text(&id.to_string()).map(|id| (REQUEST_ID, id)));
        let call = self.client.send(Method::GET, &url, headers, Bytes::new());
        match tokio::time::timeout(TOLD_WITHIN, call).await {
            Ok(Ok(answer)) => {
                let told = self.proofs.told_place(owner, id, &answer.headers);
                if told.is_none() {
                    let status = answer.status.as_u16();
                    tracing::error!(status, "the owner of a shard does not tell its line");
                }
                told
            }
            Ok(Err(fault)) => {
                tracing::warn!(%fault, "the owner of a shard did not tell its line");
                None
            }
            Err(_elapsed) => {
                tracing::warn!("the owner of a shard did not tell its line in time");
                None
            }
        }
    }

    /// For the owner, by the place at which it is on its line.
    fn headers(
        &self,
        (owner, at): (&str, Place),
        url: &Url,
        parts: &Parts,
        id: Uuid,
        body: &[u8],
    ) -> HeaderMap {
        let actor = parts
            .extensions
            .get::<Actor>()
            .map_or("", |actor| actor.0.as_str());
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let passed = PASSED.each_ref().map(|name| parts.headers.get(name));
        let mut headers = self.proofs.sign(
            owner,
            at,
            &Passed {
                actor,
                request_id: id,
                method: &parts.method,
                path: &path,
                headers: &passed,
                body,
            },
        );
        for (name, value) in PASSED.into_iter().zip(passed) {
            headers.extend(value.map(|value| (name, value.clone())));
        }
        for (name, value) in [(ACTOR, actor), (REQUEST_ID, &id.to_string())] {
            headers.extend(text(value).map(|value| (name, value)));
        }
        headers
    }
}

fn text(value: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(value).ok()
}

/// Whether a request was refused for its time alone: then a copy of it may have been there before, and have been carried out.
fn may_have_been_copied(refusal: &[u8]) -> bool {
    let refusal = serde_json::from_slice::<Value>(refusal).unwrap_or_default();
    let reason = refusal.pointer("/details/reason").and_then(Value::as_str);
    matches!(reason, Some(STALE | REPLAYED))
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

/// On the owner's side: where this process is on its line, for an instance that will pass a request on.
pub(super) async fn line(
    State(forwarder): State<Forwarder>,
    headers: HeaderMap,
) -> Result<(StatusCode, HeaderMap), Problem> {
    let id = request_id(&headers).ok_or_else(|| {
        Problem::malformed_header("Forwarded-Request-Id", "the id of the request to come")
    })?;
    let told = forwarder.proofs.tell(id, &headers)?;
    Ok((StatusCode::NO_CONTENT, told))
}

/// On the owner's side: the operator and the request are those of the first instance, if it proves that it is one.
pub(super) async fn received(
    State(forwarder): State<Forwarder>,
    request: Request,
    next: Next,
) -> Response {
    match forwarder.take(request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

impl Forwarder {
    async fn take(&self, request: Request) -> Result<Request, Problem> {
        let (mut parts, body) = request.into_parts();
        let at = self.proofs.fresh(&parts.headers)?;
        let (actor, id) = origin(&parts.headers).ok_or_else(|| {
            Problem::malformed_header("Forwarded-Actor", "sent with Forwarded-Request-Id")
        })?;
        let body = read_rest(&parts, body).await?;
        let passed = PASSED.each_ref().map(|name| parts.headers.get(name));
        let proved = Passed {
            actor: &actor.0,
            request_id: id.0,
            method: &parts.method,
            path: parts.uri.path_and_query().map_or("/", |path| path.as_str()),
            headers: &passed,
            body: &body,
        };
        self.proofs.take(&parts.headers, at, &proved)?;
        parts.extensions.insert(actor);
        parts.extensions.insert(id);
        Ok(Request::from_parts(parts, Body::from(body)))
    }
}

fn origin(headers: &HeaderMap) -> Option<(Actor, RequestId)> {
    let actor = headers.get(ACTOR)?.to_str().ok();
    let actor = actor.filter(|name| !name.is_empty())?;
    Some((Actor(actor.to_owned()), RequestId(request_id(headers)?)))
}

fn request_id(headers: &HeaderMap) -> Option<Uuid> {
    Uuid::parse_str(headers.get(REQUEST_ID)?.to_str().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::routing::{get, post};
    use axum::{Json, Router};
    use service_kit::SystemClock;
    use service_kit::client::ClientConfig;
    use tokio::net::TcpListener;

    use super::*;

    fn instance(address: &str) -> Forwarder {
        let client = Client::new(ClientConfig::default()).unwrap();
        let secrets = "a secret of sixteen".parse().unwrap();
        Forwarder::new(client, Proofs::new(secrets, address, Arc::new(SystemClock)))
    }

    /// Whether the client is told that something may have been done, where the owner refuses what is passed on for `reason`.
    async fn is_told_unknown(method: Method, reason: &'static str) -> bool {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let refusal = json!({"error": "unauthorized", "details": {"reason": reason}});
        let refuse = move || async move { (StatusCode::UNAUTHORIZED, Json(refusal)) };
        let routes = Router::new()
            .route(LINE, get(line))
            .route(
                &format!("{PREFIX}/admin/accounts"),
                post(refuse.clone()).get(refuse),
            )
            .with_state(instance(&address));
        let server = tokio::spawn(async { axum::serve(listener, routes).await });
        let request = Request::builder().method(method).uri("/admin/accounts");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let sender = instance("http://127.0.0.1:1");
        let response = sender.send(&address, &parts, Bytes::new()).await;
        server.abort();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let problem = response.extensions().get::<Problem>().unwrap();
        problem.is_unknown_outcome()
    }

    #[tokio::test]
    async fn who_is_refused_since_a_copy_may_have_come_first_is_told_that_nobody_knows() {
        assert!(is_told_unknown(Method::POST, REPLAYED).await);
        assert!(is_told_unknown(Method::POST, STALE).await);
        assert!(!is_told_unknown(Method::POST, "invalid_proof").await);
        assert!(!is_told_unknown(Method::GET, REPLAYED).await);
    }
}
