//! The routes of the listener, inside the edge.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use service_kit::client::CallFault;
use service_kit::edge::edge;
use service_kit::problem::Problem;

use crate::card::Card;
use crate::config::Config;
use crate::front::{self, Front};
use crate::handler::Handler;
use crate::keys::Keys;
use crate::upstream::Upstream;

/// Everything the listener answers.
///
/// # Errors
/// When a client cannot be built from the config.
pub fn router(config: &Config) -> Result<Router, CallFault> {
    let keys = Arc::new(Keys::new(config)?);
    let handler = Handler::new(Upstream::new(config)?);
    let front = Arc::new(Front::new(config, handler, keys.clone()));
    let card = Arc::new(Card::new(&config.public_base_url));
    let mcp = post(front::serve).with_state(front);
    let routes = Router::new()
        .route("/mcp", mcp.clone())
        .route("/mcp/", mcp)
        .route(
            "/.well-known/mcp/server-card.json",
            card_route(card.clone()),
        )
        .route("/mcp/server-card", card_route(card))
        .route("/health/live", get(live))
        .route("/health/ready", get(ready).with_state(keys));
    Ok(edge(routes, config.edge.clone()))
}

fn card_route(card: Arc<Card>) -> axum::routing::MethodRouter {
    get(crate::card::serve)
        .options(crate::card::preflight)
        .with_state(card)
}

async fn live() -> Json<Value> {
    Json(json!({"status": "live"}))
}

/// Ready means that keys can be checked: without that no tool answers.
async fn ready(State(keys): State<Arc<Keys>>) -> Result<Json<Value>, Problem> {
    keys.is_reachable().await?;
    Ok(Json(json!({"status": "ready"})))
}
