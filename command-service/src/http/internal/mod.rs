//! The internal listener: what the other parts ask (`events_schema::api::internal`). Guarded by a bearer token.

mod builds;
mod calls;
mod credits;
mod events;
mod heads;
mod heartbeat;
pub(super) mod reports;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use service_kit::token::{Tokens, guard};
use service_kit::{EdgeConfig, edge};

use super::admin::{AdminState, routes as admin_routes};
use super::{forward, health};

/// The admin routes are here, too, for the other instances (see `http/forward.rs`).
pub fn router(state: &AdminState, tokens: Tokens, config: EdgeConfig) -> Router {
    let forwarded = admin_routes(state).merge(builds::routes(state));
    let forwarded = Router::new()
        .nest(forward::PREFIX, forwarded)
        .layer(from_fn(forward::received));
    let pass_on = from_fn_with_state(state.forwarder.clone(), forward::pass_on);
    let routes = Router::new()
        .route("/internal/calls", post(calls::answer))
        .route("/internal/credits", post(credits::list))
        .route("/internal/reports", post(reports::file))
        .route("/internal/heartbeat", post(heartbeat::note))
        .route("/internal/events", get(events::list))
        .route("/internal/heads", get(heads::show))
        .with_state(state.clone())
        .merge(builds::routes(state).layer(pass_on))
        .merge(forwarded);
    let health = health::routes(state.application.store().clone());
    edge(guard(routes, tokens).merge(health), config)
}
