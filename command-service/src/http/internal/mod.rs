//! The internal listener: what the other parts ask (`events_schema::api::internal`).
//!
//! Guarantee: the token of a part opens what that part asks and nothing else, and none of them makes an operator: what
//! operators ask comes here only from another instance, with a proof (`http/forward/mod.rs`).

mod builds;
mod calls;
mod credits;
mod events;
mod heads;
mod heartbeat;
pub(super) mod reports;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use service_kit::token::{Tokens, guard};
use service_kit::{EdgeConfig, Problem, edge};

use super::admin::{AdminState, routes as admin_routes};
use super::{Presence, forward, health};
use crate::application::Application;

/// What the routes of the other parts need. Cheap to clone.
#[derive(Clone)]
struct InternalState {
    /// The acts.
    application: Application,
    /// Who answers from which build.
    presence: Presence,
}

/// The tokens of the parts; where none is set, nothing opens.
#[derive(Debug, Clone, Default)]
pub struct InternalTokens {
    /// Admits, settles, releases; says that it lives.
    pub query_service: Tokens,
    /// Reads events that it missed; says how loading ended.
    pub projector: Tokens,
    /// Asks whether keys are valid.
    pub mcp_server: Tokens,
    /// Other instances: acts of clients and operators on shards of this one.
    pub peers: Tokens,
}

impl InternalTokens {
    /// Every one of them.
    #[must_use]
    pub fn all(&self) -> Tokens {
        let parts = [&self.projector, &self.mcp_server, &self.peers];
        parts
            .into_iter()
            .fold(self.query_service.clone(), Tokens::and)
    }
}

/// The admin routes are here, too, for the other instances (see `http/forward/mod.rs`), with the state that they have for operators.
pub fn router(admin: &AdminState, tokens: &InternalTokens, config: EdgeConfig) -> Router {
    let InternalTokens {
        query_service,
        projector,
        mcp_server,
        peers,
    } = tokens;
    let state = InternalState {
        application: admin.application.clone(),
        presence: admin.presence.clone(),
    };
    let opened_by = |tokens: &Tokens, routes: Router<InternalState>| {
        guard(routes.with_state(state.clone()), tokens.clone())
    };
    let calls = Router::new().route("/internal/calls", post(calls::answer));
    let heartbeats = Router::new().route("/internal/heartbeat", post(heartbeat::note));
    let checks = Router::new().route("/internal/checks", post(calls::check));
    let events = Router::new()
        .route("/internal/events", get(events::list))
        .route("/internal/heads", get(heads::show));
    let acts = Router::new()
        .route("/internal/credits", post(credits::list))
        .route("/internal/reports", post(reports::file));
    let pass_on = from_fn_with_state(admin.forwarder.clone(), forward::pass_on);
    let builds = builds::routes(&state).layer(pass_on);
    let line = Router::new()
        .route(forward::LINE, get(forward::line))
        .with_state(admin.forwarder.clone());
    let received = from_fn_with_state(admin.forwarder.clone(), forward::received);
    let forwarded = admin_routes(admin).merge(builds::routes(&state));
    let forwarded = Router::new()
        .nest(forward::PREFIX, forwarded)
        .layer(received);
    let routes = opened_by(&query_service.clone().and(peers), calls)
        .merge(opened_by(query_service, heartbeats))
        .merge(opened_by(mcp_server, checks))
        .merge(opened_by(projector, events))
        .merge(guard(builds, projector.clone()))
        .merge(opened_by(peers, acts))
        .merge(guard(line.merge(forwarded), peers.clone()));
    let health = health::routes(admin.application.store().clone(), admin.publisher.clone());
    edge(routes.merge(health), config)
}

/// Reads a body of another part, whose form is fixed by a type.
fn typed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|fault| {
        // Serde's own text may quote the body.
        let place = format!("line {}, column {}", fault.line(), fault.column());
        Problem::bad_request(
            "malformed_json",
            format!("The body has another form ({place})."),
        )
    })
}
