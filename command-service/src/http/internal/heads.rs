//! `GET /internal/heads`: the last `topic_seq` of each shard and topic, and the store's histories, for a consumer that asks
//! whether a topic lacks its end, and whether what it holds is of this store.

use axum::Json;
use axum::extract::State;
use events_schema::api::internal::Heads;
use events_schema::topics::Topic;
use service_kit::Problem;

use super::InternalState;

const RETRY_SECONDS: u64 = 2;

pub(super) async fn show(State(state): State<InternalState>) -> Result<Json<Heads>, Problem> {
    let shards = state.application.store().heads().await;
    let shards = shards.map_err(|fault| {
        tracing::warn!(%fault, cause = fault.cause(), "the shards' heads could not be read");
        Problem::unavailable("database", RETRY_SECONDS)
    })?;
    let histories = state.application.store().histories().await;
    let histories = histories.map_err(|fault| {
        tracing::warn!(%fault, cause = fault.cause(), "the histories could not be read");
        Problem::unavailable("database", RETRY_SECONDS)
    })?;
    let of_topic = |topic: Topic| -> Vec<i64> {
        let last = |shard: &Vec<i64>| shard.get(topic.index()).copied().unwrap_or(0);
        shards.iter().map(last).collect()
    };
    let topic_seqs = Topic::ALL
        .into_iter()
        .map(|topic| (topic.name().to_owned(), of_topic(topic)))
        .collect();
    Ok(Json(Heads {
        topic_seqs,
        histories,
    }))
}
