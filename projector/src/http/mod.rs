//! The admin listener: health, dead letters, records and search files of data builds, lag, outcomes told in vain, builds of an earlier edition.
//!
//! Health answers without a token; everything else asks for one. Nothing here changes a read model except by applying a
//! dead letter again; search files are asked for durably and written by the loader.

mod records;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use axum::{Json, Router};
use events_schema::api::admin::Reindex;
use events_schema::ids::BuildName;
use events_schema::topics::Topic;
use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use service_kit::problem::{BAD_REQUEST, Kind, Problem};
use service_kit::token::{self, Tokens};
use service_kit::{EdgeConfig, Parameters, edge};
use sqlx::PgPool;

use crate::builds::search_files::reindex::{self, ReindexRefusal};
use crate::builds::{edition, outcome};
use crate::checkpoint::Progress;
use crate::consumer::gap::EventStore;
use crate::consumer::session::Consumer;
use crate::dead_letter::{self, Page, Retried, RetryFault};
use crate::status::Status;

/// 404 of a letter, a build or a record that is not there.
const NOT_FOUND: Kind = (404, "not_found", false);
/// 409 of a build that is not in the state for it.
const CONFLICT: Kind = (409, "bad_request", false);
const RETRY_AFTER_SECONDS: u64 = 5;

/// What the handlers need.
#[derive(Clone)]
pub struct Admin {
    /// The read models.
    pub pool: PgPool,
    /// The consumer, for watermarks.
    pub consumer: Consumer,
    /// What dead letters that cannot be read should have been.
    pub store: EventStore,
    /// What it does.
    pub status: Arc<Status>,
}

/// The listener's routes behind the edge.
pub fn router(admin: Admin, tokens: Tokens) -> Router {
    let guarded: Router = Router::new()
        .route("/admin/dead-letters/{id}/retry", post(retry))
        .route(
            "/admin/dead-letters/{id}/retry-from-store",
            post(retry_from_store),
        )
        .route("/admin/dead-letters/{id}/discard", post(discard))
        .route("/admin/builds/{build}/records/{id}", get(records::show))
        .route("/admin/lag", get(lag))
        .route("/admin/builds/{build}/reindex", get(shown).post(asked))
        .route_layer(from_fn(Parameters::none))
        .route("/admin/dead-letters", get(list))
        .with_state(admin.clone());
    let open: Router = Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
        .with_state(admin);
    edge(
        token::guard(guarded, tokens).merge(open),
        EdgeConfig::default(),
    )
}

async fn live() -> Json<Value> {
    Json(json!({"status": "live"}))
}

async fn ready(State(admin): State<Admin>) -> Result<Json<Value>, Problem> {
    if !admin.status.is_consuming() {
        let problem = Problem::unavailable("event_log", RETRY_AFTER_SECONDS);
        return Err(if admin.status.is_behind_history() {
            problem.detail("reason", "the event store went back behind the read models")
        } else {
            problem
        });
    }
    sqlx::query("select 1")
        .execute(&admin.pool)
        .await
        .map_err(database)?;
    Ok(Json(json!({"status": "ready"})))
}

async fn list(State(admin): State<Admin>, parameters: Parameters) -> Result<Json<Page>, Problem> {
    parameters.only(&["cursor"])?;
    let cursor = parameters.cursor()?.unwrap_or(0);
    let page = dead_letter::list(&admin.pool, cursor).await;
    page.map(Json).map_err(database)
}

async fn retry(
    State(admin): State<Admin>,
    Path(id): Path<String>,
) -> Result<Json<Retried>, Problem> {
    let outcome = dead_letter::retry(&admin.pool, number(&id)?)
        .await
        .map_err(database)?;
    outcome.map(Json).ok_or_else(not_found)
}

async fn retry_from_store(
    State(admin): State<Admin>,
    Path(id): Path<String>,
) -> Result<Json<Retried>, Problem> {
    let outcome = dead_letter::retry_from_store(&admin.pool, &admin.store, number(&id)?).await;
    let outcome = outcome.map_err(|fault| match fault {
        RetryFault::Database(fault) => database(fault),
        RetryFault::Store(fault) => {
            tracing::error!(%fault, cause = ?std::error::Error::source(&fault), "the event store gave no event in place of a dead letter");
            Problem::unavailable("ledger", RETRY_AFTER_SECONDS)
        }
    })?;
    outcome.map(Json).ok_or_else(not_found)
}

async fn discard(
    State(admin): State<Admin>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    if dead_letter::discard(&admin.pool, number(&id)?)
        .await
        .map_err(database)?
    {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(not_found())
    }
}

/// Asks for the search files of a build anew; the answer comes before they are written.
async fn asked(
    State(admin): State<Admin>,
    Path(build): Path<String>,
) -> Result<(StatusCode, Json<Reindex>), Problem> {
    let build = named(&build)?;
    let asked = reindex::ask(&admin.pool, &build).await.map_err(database)?;
    let asked = asked.map_err(|refusal| refused(refusal, &build))?;
    Ok((StatusCode::ACCEPTED, Json(asked)))
}

async fn shown(
    State(admin): State<Admin>,
    Path(build): Path<String>,
) -> Result<Json<Reindex>, Problem> {
    let build = named(&build)?;
    let progress = reindex::progress(&admin.pool, &build).await;
    let none = || Problem::new(NOT_FOUND, "No search files of this build were asked for.");
    progress.map_err(database)?.map(Json).ok_or_else(none)
}

fn named(build: &str) -> Result<BuildName, Problem> {
    let none = |_| refused(ReindexRefusal::Unknown, &build);
    build.parse().map_err(none)
}

fn refused(refusal: ReindexRefusal, build: &dyn std::fmt::Display) -> Problem {
    match refusal {
        ReindexRefusal::Unknown => {
            Problem::new(NOT_FOUND, format!("There is no data build {build}."))
        }
        ReindexRefusal::NotLoaded => {
            Problem::new(CONFLICT, "The build is not loaded.").detail("reason", "not_loaded")
        }
        ReindexRefusal::Dropped => {
            Problem::new(CONFLICT, "The build is dropped: its rows go or are gone.")
                .detail("reason", "dropped")
        }
    }
}

/// One partition in the answer of `/admin/lag`.
#[derive(Serialize)]
struct PartitionLag {
    partition: i32,
    next_offset: i64,
    high_watermark: Option<i64>,
    lag: Option<i64>,
}

#[derive(Serialize, Default)]
struct TopicLag {
    /// Events that the event store has and the read models do not, whether Kafka has them or lost them. Null when no
    /// command-service says how far the store is.
    events_behind: Option<i64>,
    partitions: Vec<PartitionLag>,
}

async fn lag(State(admin): State<Admin>) -> Result<Json<Value>, Problem> {
    let rows: Vec<(String, i32, i64)> =
        sqlx::query_as(include_str!("../../sql/consumer/all_checkpoints.sql"))
            .fetch_all(&admin.pool)
            .await
            .map_err(database)?;
    let next: BTreeMap<(String, i32), i64> = rows
        .into_iter()
        .map(|(topic, p, next)| ((topic, p), next))
        .collect();
    let consumer = admin.consumer.clone();
    let mut topics = tokio::task::spawn_blocking(move || measure(&consumer, &next))
        .await
        .map_err(|_| Problem::internal())?;
    count_missing(&admin, &mut topics).await?;
    let untold = outcome::untold(&admin.pool).await.map_err(database)?;
    let behind = edition::behind(&admin.pool).await.map_err(database)?;
    Ok(Json(json!({
        "topics": topics,
        "gaps_filled": admin.status.gaps_filled(),
        "untold_outcomes": untold,
        "edition": normalize::EDITION,
        "builds_behind": behind,
    })))
}

/// What the event store has beyond the read models. Asked of the store first: what is written meanwhile never counts as missing.
async fn count_missing(
    admin: &Admin,
    topics: &mut BTreeMap<&'static str, TopicLag>,
) -> Result<(), Problem> {
    let heads = match admin.consumer.heads().await {
        Ok(heads) => heads,
        Err(fault) => {
            tracing::warn!(
                error = &fault as &dyn std::error::Error,
                "the event store cannot be asked how far it is"
            );
            return Ok(());
        }
    };
    let progress = Progress::load(&admin.pool, &[]).await.map_err(database)?;
    for (stream, head) in heads {
        let missing = (head - progress.last_seq(stream)).max(0);
        if let Some(topic) = topics.get_mut(stream.0.name()) {
            topic.events_behind = Some(topic.events_behind.unwrap_or(0) + missing);
        }
    }
    Ok(())
}

fn measure(
    consumer: &Consumer,
    next: &BTreeMap<(String, i32), i64>,
) -> BTreeMap<&'static str, TopicLag> {
    let mut topics: BTreeMap<&'static str, TopicLag> = Topic::ALL
        .into_iter()
        .map(|topic| (topic.name(), TopicLag::default()))
        .collect();
    let mut is_reachable = true;
    for slot @ (topic, partition) in consumer.slots() {
        // One time limit for an unreachable broker, not one a partition.
        let high = is_reachable
            .then(|| consumer.high_watermark(slot).ok())
            .flatten();
        is_reachable = high.is_some();
        let next_offset = next
            .get(&(topic.name().to_owned(), partition))
            .copied()
            .unwrap_or(0);
        topics
            .entry(topic.name())
            .or_default()
            .partitions
            .push(PartitionLag {
                partition,
                next_offset,
                high_watermark: high,
                lag: high.map(|high| (high - next_offset).max(0)),
            });
    }
    topics
}

fn number(id: &str) -> Result<i64, Problem> {
    id.parse()
        .map_err(|_| Problem::new(BAD_REQUEST, "The id of a dead letter is a whole number."))
}

fn not_found() -> Problem {
    Problem::new(NOT_FOUND, "There is no such dead letter.")
}

fn database(fault: sqlx::Error) -> Problem {
    tracing::error!(
        error = &fault as &dyn std::error::Error,
        "the read model failed"
    );
    Problem::unavailable("database", RETRY_AFTER_SECONDS)
}
