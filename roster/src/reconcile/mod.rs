//! `roster reconcile`: proves that event store, topics and read models hold the same.
//!
//! What is proved: positions of every shard, places in every topic and numbers of every aggregate have no gap; every event
//! is in its topic at least once, in order, with the payload of the store; every event of the store is in the read models
//! exactly once (ledger row by row, accounts, keys, contracts, reports, builds by their folded state); for each contract
//! grants less charges are the balance in the store, in the topic and in the read models.
//!
//! Each database is read in one snapshot. The read models are compared at the cut that their own checkpoints name, so that
//! requests may go on meanwhile. Memory grows with the number of contracts and with the aggregates of one shard, never
//! with the number of events. The first difference ends it. Nothing is written anywhere.

mod accounts;
mod builds;
mod credits;
mod difference;
mod log;
mod message;
mod read_model;
mod reports;
mod rows;
mod store;
mod summary;
mod topics;

use std::time::Duration;

use events_schema::ids::Shard;
use service_kit::kafka::KafkaAddress;

pub(crate) use difference::{Difference, Stop};
pub(crate) use summary::Summary;

use crate::failure::Failure;
use crate::settings::Settings;
use read_model::ReadModel;
use store::Store;
use topics::Topics;

/// Where the three copies are.
pub(crate) struct Places {
    event_store_url: String,
    read_model_url: String,
    kafka: KafkaAddress,
    topic_prefix: String,
}

impl Places {
    pub(crate) fn read(settings: &Settings) -> Result<Self, Failure> {
        let properties = settings
            .optional("KAFKA_PROPERTIES")
            .map(|path| path.parse());
        let properties = properties.transpose().map_err(|fault: String| {
            Failure::usage(format!("KAFKA_PROPERTIES: the file {fault}"))
        })?;
        let brokers = settings.required("KAFKA_BROKERS")?;
        Ok(Self {
            event_store_url: settings.required("EVENT_STORE_URL")?,
            read_model_url: settings.required("READ_MODEL_URL")?,
            kafka: KafkaAddress::new(brokers, properties.unwrap_or_default()),
            topic_prefix: settings.optional("TOPIC_PREFIX").unwrap_or_default(),
        })
    }
}

/// Proves it, or stops at the first difference. `wait` bounds how long a topic or the projector may stand still before
/// what is missing counts as a difference. The summary tells what was seen, also after a difference.
pub(crate) async fn run(
    places: &Places,
    wait: Duration,
    summary: &mut Summary,
) -> Result<(), Stop> {
    let now = store::heads(&places.event_store_url).await?;
    read_model::until_caught_up(&places.read_model_url, &now, wait).await?;
    // The read models' snapshot comes first: whatever is in it, the store's snapshot has too.
    let mut read_model = ReadModel::open(&places.read_model_url).await?;
    let mut store = Store::open(&places.event_store_url).await?;
    summary.events = store.events();

    for shard in Shard::all() {
        store.prove_order(shard).await?;
    }
    let sums = Topics { places, wait }.prove(&mut store, summary).await?;
    for shard in Shard::all() {
        accounts::prove(shard, &mut store, &mut read_model, summary).await?;
        credits::prove(shard, &mut store, &mut read_model, &sums, summary).await?;
        reports::prove(shard, &mut store, &mut read_model, summary).await?;
    }
    let loading = builds::prove(&mut store, &mut read_model, summary).await?;
    read_model.prove_row_counts(summary).await?;
    loading.map_or(Ok(()), |again| Err(again.into()))
}
