//! The public listener: reports on records (`docs/REPORTS.md`) and the account's credits (`docs/API.md`, "GET /credits").
//!
//! Order of checks as in `docs/API.md`: what the route and the headers alone refuse (the edge), 401, 429, 400 and 422,
//! 409, then 404 and 503. Reports cost nothing, need no contract, and any valid key may file them.

mod credits;
mod headers;
mod refusal;
mod report;
mod report_body;
mod report_shown;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use events_schema::record::RecordKind;
use http::HeaderValue;
use service_kit::clock::Clock;
use service_kit::config::Secret;
use service_kit::{EdgeConfig, edge};

use super::{Peers, Records, health};
use crate::publisher::Publisher;
use crate::store::Store;

/// What is read of an account by GET is nobody else's: caches do not know what an API key is.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What the public routes need. Cheap to clone.
#[derive(Clone)]
pub struct PublicState {
    /// The acts, here or at the owner of the shard.
    pub peers: Peers,
    /// What a report is about.
    pub records: Records,
    /// Hashes of `Idempotency-Key` and request are keyed with it.
    pub request_hash_secret: Secret<String>,
    /// When a report is received, and how long its claim lasts.
    pub clock: Arc<dyn Clock>,
    /// How long the ledger holds what it admitted.
    pub hold_timeout: Duration,
}

/// The whole listener.
pub fn router(
    state: PublicState,
    store: Store,
    publisher: Publisher<Store>,
    config: EdgeConfig,
) -> Router {
    let person = |state, id, request| report::file(RecordKind::Person, state, id, request);
    let company = |state, id, request| report::file(RecordKind::Company, state, id, request);
    let routes = Router::new()
        .route("/utility/report/person", post(person))
        .route("/utility/report/company", post(company))
        .route(
            "/utility/report/{report_id}",
            get(report_shown::show).fallback(report_shown::refuse),
        )
        .route("/credits", get(credits::show))
        .with_state(state)
        .merge(health::routes(store, publisher));
    // 401 comes before the 400 of a malformed Correlation-ID.
    let config = EdgeConfig {
        checks_correlation_id: false,
        ..config
    };
    edge(routes, config)
}
