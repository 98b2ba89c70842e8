//! The outermost layer of every HTTP listener: request ids, limits, time, and the one error body.
//!
//! Guarantee: every response has `Request-ID` and `Process-Time`, every refusal the one error body (`docs/API.md`), whether a handler, the
//! router, a limit, the total time, the end of the process or a panic refused. What is given up is told so without a word about its outcome
//! only where nothing can have changed. The order of checks is the page's ("Rules of every request"): 503 above the listener's bounds, 414
//! and 431 (the request cannot be trusted further), 404, 405, 413 by `Content-Length`, 415, then the handler.
//!
//! What a handler decides (authentication, rate limits, validation) must not be put here.

mod admit;
mod correlation;
mod effects;
mod leftover;
mod load;
mod methods;
mod render;

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{FromRequestParts, MatchedPath, Request};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use http::StatusCode;
use http::request::Parts;
use tower::ServiceExt;
use tracing::Instrument;
use uuid::Uuid;

pub use correlation::{CORRELATION_ID, correlation_id};
pub use effects::Effects;
pub(crate) use load::HeldBytes;

use crate::body::BodyLimits;
use crate::config::Reader;
use crate::problem::Problem;
use crate::serve::Ending;
use crate::telemetry::{self, Finished};
use load::Load;

/// Told where a request was given up; what it waited for is seldom back sooner.
const RETRY_AFTER_SECONDS: u64 = 5;

/// The limits of one listener.
#[derive(Debug, Clone)]
pub struct EdgeConfig {
    /// Largest body, by `Content-Length` and while streaming.
    pub max_body_bytes: u64,
    /// Longest time for a body to arrive.
    pub body_read_timeout: Duration,
    /// Requests at work at a time; above it the client gets 503.
    pub max_requests: usize,
    /// Bytes of bodies that all requests at work hold together; above it the client gets 503.
    pub max_held_bytes: u64,
    /// Longest time for a whole request; above it the client gets 503.
    pub request_timeout: Duration,
    /// Longest request target.
    pub max_uri_bytes: usize,
    /// Largest sum of header names and values; [`crate::serve`] must let more pass, so that the answer has a body.
    pub max_header_bytes: usize,
    /// Media types that a request with a body method may have.
    pub content_types: &'static [&'static str],
    /// Whether a malformed `Correlation-ID` is refused here. A listener that authenticates sets this to false and
    /// calls [`correlation_id`] where it checks the form of a request, since 401 comes before 400.
    pub checks_correlation_id: bool,
}

impl Default for EdgeConfig {
    fn default() -> Self {
        Self {
            max_body_bytes: 1024 * 1024,
            body_read_timeout: Duration::from_secs(10),
            max_requests: 4096,
            max_held_bytes: 256 * 1024 * 1024,
            request_timeout: Duration::from_secs(30),
            max_uri_bytes: 8 * 1024,
            max_header_bytes: 16 * 1024,
            content_types: &["application/json"],
            checks_correlation_id: true,
        }
    }
}

impl EdgeConfig {
    /// Reads `MAX_REQUESTS` and `MAX_HELD_BYTES`.
    pub fn read(reader: &mut Reader) -> Self {
        let default = Self::default();
        Self {
            max_requests: reader.at_least_one("MAX_REQUESTS", default.max_requests),
            max_held_bytes: reader.bytes("MAX_HELD_BYTES", default.max_held_bytes),
            ..default
        }
    }
}

/// The id of a request, made by the edge, never taken from the client. An extension and an extractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for RequestId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Self>()
            .copied()
            .ok_or_else(Problem::internal)
    }
}

/// Puts the edge around a router whose routes are complete. The router's own fallbacks are replaced.
pub fn edge(router: Router, config: EdgeConfig) -> Router {
    let load = Load::new(&config);
    let config = Arc::new(config);
    let mut inner = router;
    if inner.has_routes() {
        inner = inner.route_layer(from_fn_with_state(config.clone(), admit::by_headers));
    }
    let inner = inner.fallback(unknown_route).layer(from_fn(note_route));
    let edge = Edge {
        inner,
        config,
        load,
    };
    Router::new().fallback(move |request: Request| edge.clone().handle(request))
}

#[derive(Clone)]
struct Edge {
    inner: Router,
    config: Arc<EdgeConfig>,
    load: Load,
}

/// The route that matched, told by the inner router to the edge around it.
#[derive(Clone, Default)]
struct Route(Arc<OnceLock<MatchedPath>>);

async fn note_route(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    if let (Some(slot), Some(path)) = (extensions.get::<Route>(), extensions.get::<MatchedPath>()) {
        slot.0.get_or_init(|| path.clone());
    }
    next.run(request).await
}

async fn unknown_route(request: Request) -> Problem {
    Problem::route_not_found(request.uri().path())
}

impl Edge {
    async fn handle(self, mut request: Request) -> Response {
        let started = Instant::now();
        let (id, route) = (RequestId(Uuid::now_v7()), Route::default());
        let limits = BodyLimits {
            max_bytes: self.config.max_body_bytes,
            read_timeout: self.config.body_read_timeout,
            held: self.load.held_bytes(),
        };
        request.extensions_mut().insert(id);
        request.extensions_mut().insert(route.clone());
        request.extensions_mut().insert(limits);
        let correlation = correlation_id(request.headers());
        let method = request.method().clone();
        request.extensions_mut().insert(Effects::of(&method));
        let span = telemetry::request_span(&method, request.headers(), id.0);
        let mut response = self.answer(request).instrument(span.clone()).await;
        let _entered = span.enter();
        render::one_body(&mut response, id.0);
        let elapsed = started.elapsed();
        render::facts(&mut response, id.0, correlation.ok().flatten(), elapsed);
        let route = route.0.get().map(MatchedPath::as_str);
        let finished = Finished {
            method: &method,
            route,
            status: response.status(),
            elapsed,
        };
        telemetry::finish_request(&span, &finished);
        response
    }

    /// What a bound, the routes or a limit say, once the client is ready to hear it.
    async fn answer(self, mut request: Request) -> Response {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let (router, leftover) = (self.inner.clone(), leftover::share(&mut request));
        let slot = self.load.take_on(&request);
        let mut response = match slot.as_ref().map_err(Clone::clone) {
            Ok(_taken) => match admit::by_size(&request, &self.config) {
                Ok(()) => run(self.inner, self.config.request_timeout, request).await,
                Err(problem) => problem.into_response(),
            },
            Err(problem) => problem.into_response(),
        };
        let refused = methods::refused_by_a_layer(router, &method, uri, response.status()).await;
        if let Some(problem) = refused {
            response = problem.into_response();
        }
        let is_refused = slot.is_err() || is_refused(response.status());
        if let Some(leftover) = leftover.filter(|_| is_refused) {
            leftover.discard(self.config.body_read_timeout).await;
        }
        match slot {
            Ok(slot) => slot.until_sent(response),
            Err(_) => response,
        }
    }
}

/// With 408 the client is slow: there is nothing to wait for.
fn is_refused(status: StatusCode) -> bool {
    status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT
}

/// Runs the request to its end, its panic, its time limit, or the end of the process. One that is given up is told that
/// nothing was done only where that is certain ([`Effects`]).
async fn run(inner: Router, limit: Duration, request: Request) -> Response {
    let ending = request.extensions().get::<Ending>().cloned();
    let effects = request.extensions().get::<Effects>().cloned();
    let work = AssertUnwindSafe(inner.oneshot(request)).catch_unwind();
    let given_up = tokio::select! {
        biased;
        done = work => {
            return match done {
                Ok(answer) => answer.unwrap_or_else(|never: Infallible| match never {}),
                Err(_panic) => {
                    tracing::error!("a handler panicked");
                    Problem::internal().into_response()
                }
            };
        }
        () = tokio::time::sleep(limit) => "a request took longer than the limit",
        () = ended(ending) => "a request was not finished when the process ended",
    };
    tracing::warn!(limit_ms = limit.as_millis(), "{given_up}");
    let problem = if effects.is_some_and(|effects| effects.may_be()) {
        Problem::unknown_outcome("upstream", RETRY_AFTER_SECONDS)
    } else {
        Problem::unavailable("upstream", RETRY_AFTER_SECONDS)
    };
    problem.into_response()
}

/// Never, on a listener that [`crate::serve`] does not serve.
async fn ended(ending: Option<Ending>) {
    match ending {
        Some(Ending(token)) => token.cancelled().await,
        None => std::future::pending().await,
    }
}
