//! The admin listener: accounts, contracts, keys, data builds, reports, for the `roster` CLI. Guarded by a bearer token
//! whose name is recorded as `operator:<name>`.

mod accounts;
mod builds;
mod chunks;
mod contracts;
mod keys;
mod movements;
mod publication;
mod read;
mod reports;
mod staging;
mod status;

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post, put};
use events_schema::api::caller::idempotency_key;
use http::request::Parts;
use service_kit::objects::Objects;
use service_kit::token::{Actor, Tokens, guard};
use service_kit::{EdgeConfig, Parameters, Problem, RequestId, edge};
use tokio::sync::Semaphore;

use self::staging::Staging;
use super::{Forwarder, Presence, forward, health};
use crate::application::{Application, Cause, Once};
use crate::publisher::Publisher;
use crate::store::Store;

/// Chunks that may be in memory at a time.
const UPLOADS_AT_A_TIME: usize = 8;

/// What the routes of operators need. Cheap to clone.
#[derive(Clone)]
pub struct AdminState {
    /// The acts.
    pub application: Application,
    /// For sending again and for tombstones.
    pub publisher: Publisher<Store>,
    /// Who answers from which build.
    pub presence: Presence,
    /// Where chunks go.
    pub objects: Objects,
    /// To the owners of other shards.
    pub forwarder: Forwarder,
    /// Bounds what chunks take of memory.
    uploads: Arc<Semaphore>,
    /// Who uploads which chunk.
    staging: Staging,
}

impl AdminState {
    /// All parts together.
    #[must_use]
    pub fn new(
        application: Application,
        publisher: Publisher<Store>,
        presence: Presence,
        objects: Objects,
        forwarder: Forwarder,
    ) -> Self {
        Self {
            application,
            publisher,
            presence,
            objects,
            forwarder,
            uploads: Arc::new(Semaphore::new(UPLOADS_AT_A_TIME)),
            staging: Staging::default(),
        }
    }
}

/// The whole listener.
pub fn router(state: &AdminState, tokens: Tokens, config: EdgeConfig) -> Router {
    let pass_on = from_fn_with_state(state.forwarder.clone(), forward::pass_on);
    let bound = from_fn_with_state(state.uploads.clone(), chunks::one_of_few);
    let routes = routes(state).layer(pass_on).layer(bound);
    let health = health::routes(state.application.store().clone(), state.publisher.clone());
    edge(guard(routes, tokens).merge(health), config)
}

/// The routes alone.
pub(super) fn routes(state: &AdminState) -> Router {
    let acts = Router::new()
        .route("/admin/contracts/{id}", get(contracts::show))
        .route("/admin/contracts/{id}/grants", post(contracts::grant))
        .route("/admin/contracts/{id}/end", post(contracts::end))
        .route("/admin/movements/{request_id}", get(movements::show))
        .route("/admin/keys/{id}/revoke", post(keys::revoke))
        .route("/admin/builds", post(builds::start).get(builds::list))
        .route("/admin/builds/{build}", get(builds::show))
        .route("/admin/builds/{build}/chunks/{chunk}", put(chunks::stage))
        .route("/admin/builds/{build}/seal", post(builds::seal))
        .route("/admin/builds/{build}/activate", post(builds::activate))
        .route("/admin/builds/{build}/abandon", post(builds::abandon))
        .route("/admin/reports/{id}", get(reports::show))
        .route("/admin/reports/{id}/review", post(reports::review))
        .route("/admin/reports/{id}/accept", post(reports::accept))
        .route("/admin/reports/{id}/reject", post(reports::reject))
        .route("/admin/reports/{id}/correct", post(reports::correct))
        .route(
            "/admin/reports/{id}/details",
            delete(reports::erase_details),
        )
        .route("/admin/republish", post(publication::republish))
        .route("/admin/status", get(status::show))
        .route("/admin/accounts", post(accounts::open))
        .route("/admin/contracts", post(contracts::create))
        .route("/admin/keys", post(keys::issue))
        .route_layer(from_fn(Parameters::none));
    let lists = Router::new()
        .route("/admin/accounts", get(accounts::list))
        .route("/admin/contracts", get(contracts::list))
        .route("/admin/keys", get(keys::list))
        .route("/admin/reports", get(reports::list));
    acts.merge(lists).with_state(state.clone())
}

/// Extractor: the request as the cause of a command, by the operator whose token it carries.
pub(super) struct ByOperator(Cause);

impl<S: Send + Sync> FromRequestParts<S> for ByOperator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let id = RequestId::from_request_parts(parts, state).await?;
        let actor = parts.extensions.get::<Actor>();
        let name = &actor.ok_or_else(Problem::internal)?.0;
        Ok(Self(super::cause(id.0, format!("operator:{name}"))))
    }
}

/// Extractor: the same with the `Idempotency-Key`, if there is one.
pub(super) struct OnceByOperator(Cause, Once);

impl<S: Send + Sync> FromRequestParts<S> for OnceByOperator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let ByOperator(cause) = ByOperator::from_request_parts(parts, state).await?;
        let key = idempotency_key(&parts.headers)
            .map_err(|fault| Problem::malformed_header(fault.name, fault.rule))?;
        let once = key.map_or_else(Once::default, |key| Once::named(key, &cause));
        Ok(Self(cause, once))
    }
}
