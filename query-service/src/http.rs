//! The public face: routes, headers, refusals. It decides nothing about matches, shapes or credits.

mod autocomplete;
mod discover;
mod enrich;
mod facts;
mod health;
mod long;
mod paid;
mod problem;
mod records;
mod search;
mod utility;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use events_schema::record::RecordKind;
use service_kit::clock::Clock;
use service_kit::config::Secret;
use service_kit::token::{Tokens, guard};
use service_kit::{EdgeConfig, edge};

use autocomplete::Autocomplete;
use discover::Discover;
use enrich::{BulkEnrich, Enrich};
pub use long::LongReads;
use paid::{Operation, paid};
use search::Search;

use crate::builds::Builds;
use crate::credit_gate::CreditGate;
use crate::discover::model::Model;
use crate::metrics::Metrics;
use crate::search::Searches;
use crate::utility::Utility;

/// What the handlers share.
#[derive(Debug, Clone)]
pub struct App {
    /// Holds and settles credits.
    pub gate: CreditGate,
    /// The builds that can be read.
    pub builds: Builds,
    /// Runs searches.
    pub searches: Searches,
    /// Says what words mean that discover does not know; none unless one is configured.
    pub model: Option<Model>,
    /// Key of the hashes of idempotency keys and requests.
    pub hash_secret: Secret<String>,
    /// Tells a birth date in the future from one in the past.
    pub clock: Arc<dyn Clock>,
    /// Told to clients when the database does not answer.
    pub retry_after_seconds: u32,
    /// Where long bodies are read.
    pub long_reads: LongReads,
    /// Counts what is answered.
    pub metrics: Metrics,
}

/// All routes behind the edge.
pub fn router(app: App, tokens: Tokens, config: EdgeConfig) -> Router {
    let public = Router::new()
        .merge(route(Enrich(RecordKind::Person)))
        .merge(route(Enrich(RecordKind::Company)))
        .merge(route(BulkEnrich(Enrich(RecordKind::Person))))
        .merge(route(BulkEnrich(Enrich(RecordKind::Company))))
        .merge(route(Search(RecordKind::Person)))
        .merge(route(Search(RecordKind::Company)))
        .merge(route(Discover(RecordKind::Person)))
        .merge(route(Discover(RecordKind::Company)))
        .merge(route(Autocomplete))
        .merge(route(Utility::Clean))
        .merge(route(Utility::HashEmail))
        .merge(route(Utility::Validate))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .with_state(app.clone());
    let internal = Router::new()
        .route(
            "/internal/records/{kind}/{service_id}",
            get(records::lookup),
        )
        .with_state(app);
    // The edge must not refuse a malformed Correlation-ID before the key was looked at (`docs/API.md`, "Order of checks").
    let config = EdgeConfig {
        checks_correlation_id: false,
        ..config
    };
    edge(public.merge(guard(internal, tokens)), config)
}

/// An operation at its path.
fn route(operation: impl Operation) -> Router<App> {
    Router::new().route(&operation.path(), paid(operation))
}
