//! The public listener: reports on records (`docs/REPORTS.md`) and the account's credits (`docs/API.md`, "GET /credits").
//!
//! Order of checks as in `docs/API.md`: what the route and the headers alone refuse (the edge), 401, 429, 400 and 422,
//! 409, then 404 and 503. Reports cost nothing, need no contract, and any valid key may file them.

mod credits;
mod refusal;
mod report;
mod report_body;
mod report_shown;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{MethodRouter, get, post};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::operation::Operation;
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
    let routes = Operation::all()
        .filter_map(|operation| Some((operation.path(), handler(operation)?)))
        .fold(Router::new(), |routes, (path, handler)| {
            routes.route(&path, handler)
        })
        .with_state(state)
        .merge(health::routes(store, publisher));
    // 401 comes before the 400 of a malformed Correlation-ID.
    let config = EdgeConfig {
        checks_correlation_id: false,
        ..config
    };
    edge(routes, config)
}

/// What answers a public request here; none where query-service does, or where it is about this listener's own health.
fn handler(operation: Operation) -> Option<MethodRouter<PublicState>> {
    match operation {
        Operation::Of(Endpoint::ReportPerson) => Some(post(|state, id, request| {
            report::file(RecordKind::Person, state, id, request)
        })),
        Operation::Of(Endpoint::ReportCompany) => Some(post(|state, id, request| {
            report::file(RecordKind::Company, state, id, request)
        })),
        Operation::Report => Some(get(report_shown::show).fallback(report_shown::refuse)),
        Operation::Credits => Some(get(credits::show)),
        Operation::Of(_)
        | Operation::Bulk(_)
        | Operation::Ledger
        | Operation::Live
        | Operation::Ready => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_routes_are_the_public_requests_that_are_command_services() {
        for operation in Operation::all() {
            let is_answered = handler(operation).is_some();
            assert_eq!(
                is_answered,
                operation.is_of_command_service(),
                "{operation:?}"
            );
        }
    }
}
