//! What a topic has lost, from the event store: `GET /internal/events` of any command-service.

use events_schema::Envelope;
use serde::Deserialize;
use service_kit::client::{CallFault, Client};

use crate::checkpoint::Stream;

/// Most events in one answer.
pub const PAGE: usize = 1_000;

/// Where missing events come from.
#[derive(Debug, Clone)]
pub struct EventStore {
    client: Client,
    urls: Vec<String>,
}

/// Body of the answer.
#[derive(Deserialize)]
struct Events {
    events: Vec<Envelope>,
}

impl EventStore {
    /// Asks the command-services at `urls`, one after the other.
    #[must_use]
    pub fn new(client: Client, urls: Vec<String>) -> Self {
        Self { client, urls }
    }

    /// Events of a shard after a place, in order, at most [`PAGE`].
    ///
    /// # Errors
    /// The fault of the last command-service that was asked.
    pub async fn events_after(&self, stream: Stream, seq: i64) -> Result<Vec<Envelope>, CallFault> {
        let (topic, shard) = stream;
        let mut last = CallFault::Malformed("no command-service is configured".to_owned());
        for url in &self.urls {
            let url = format!(
                "{url}/internal/events?topic={}&shard={shard}&after_topic_seq={seq}&limit={PAGE}",
                topic.name()
            );
            match self.client.get_json::<Events>(&url).await {
                Ok(answer) => return Ok(answer.events),
                Err(fault) => last = fault,
            }
        }
        Err(last)
    }
}
