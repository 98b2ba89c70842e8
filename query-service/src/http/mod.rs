//! The public face: routes, headers, refusals. It decides nothing about matches, shapes or credits.

mod autocomplete;
mod builds;
mod discover;
mod enrich;
mod headers;
mod health;
mod ledger;
mod long;
mod openapi;
mod paid;
mod problem;
mod records;
mod search;
mod utility;

use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodRouter, get};
use events_schema::record::RecordKind;
use http::Method;
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
use crate::read_model::Ledgers;
use crate::search::Searches;
use crate::utility::Utility;

/// What the handlers share.
#[derive(Debug, Clone)]
pub struct App {
    /// Holds and settles credits.
    pub gate: CreditGate,
    /// The builds that can be read.
    pub builds: Builds,
    /// The ledgers of accounts.
    pub ledgers: Ledgers,
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
    let public = public().router.with_state(app.clone());
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

/// The public routes.
fn public() -> Public {
    Public::default()
        .operation(Enrich(RecordKind::Person))
        .operation(Enrich(RecordKind::Company))
        .operation(BulkEnrich(Enrich(RecordKind::Person)))
        .operation(BulkEnrich(Enrich(RecordKind::Company)))
        .operation(Search(RecordKind::Person))
        .operation(Search(RecordKind::Company))
        .operation(Discover(RecordKind::Person))
        .operation(Discover(RecordKind::Company))
        .operation(Autocomplete)
        .operation(Utility::Clean)
        .operation(Utility::HashEmail)
        .operation(Utility::Validate)
        .get("/credits/ledger", get(ledger::show))
        .get("/health/live", get(health::live))
        .get("/health/ready", get(health::ready))
        .get(openapi::DOCUMENT_PATH, get(openapi::document))
        .get(openapi::PAGE_PATH, get(openapi::page))
}

/// Routes, and which they are: a router does not tell, and the list of public requests is compared with them.
#[derive(Default)]
struct Public {
    router: Router<App>,
    routes: Vec<(Method, String)>,
}

impl Public {
    /// An operation at its path.
    fn operation(self, operation: impl Operation) -> Self {
        self.route(Method::POST, operation.path(), paid(operation))
    }

    fn get(self, path: &str, handler: MethodRouter<App>) -> Self {
        self.route(Method::GET, path.to_owned(), handler)
    }

    fn route(mut self, method: Method, path: String, handler: MethodRouter<App>) -> Self {
        self.router = self.router.route(&path, handler);
        self.routes.push((method, path));
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use events_schema::api::operation;

    use super::*;

    #[test]
    fn the_routes_are_the_public_requests_that_are_not_command_services() {
        let expected: BTreeSet<String> = operation::Operation::all()
            .filter(|operation| !operation.is_of_command_service())
            .map(|operation| format!("{} {}", operation.method(), operation.path()))
            .collect();
        let describing = [openapi::DOCUMENT_PATH, openapi::PAGE_PATH];
        let own = public().routes.into_iter();
        let routes: BTreeSet<String> = own
            .filter(|(_, path)| !describing.contains(&path.as_str()))
            .map(|(method, path)| format!("{method} {path}"))
            .collect();
        assert_eq!(routes, expected);
    }
}
