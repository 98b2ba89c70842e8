//! What a topic has lost, from the event store: `GET /internal/events` and `/internal/heads` of any command-service.

use std::time::Duration;

use events_schema::Envelope;
use events_schema::api::internal::Heads as Answer;
use events_schema::history::Histories;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use serde::Deserialize;
use service_kit::client::{CallFault, Client};

use crate::checkpoint::Stream;
use crate::consumer::tail::Heads;

/// Most events in one answer.
pub const PAGE: usize = 1_000;
/// How long heads are waited for: whoever asks has other work.
const HEADS_WITHIN: Duration = Duration::from_secs(2);

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
        self.events(stream, seq, PAGE).await
    }

    /// The event at a place of a shard in a topic; none where the store has no such place.
    ///
    /// # Errors
    /// The fault of the last command-service that was asked.
    pub async fn event_at(&self, stream: Stream, seq: i64) -> Result<Option<Envelope>, CallFault> {
        let events = self.events(stream, seq - 1, 1).await?;
        Ok(events.into_iter().find(|event| event.topic_seq == seq))
    }

    /// At most `limit` events of a shard after a place, in order; [`PAGE`] is the highest limit.
    ///
    /// # Errors
    /// The fault of the last command-service that was asked.
    pub async fn events(
        &self,
        stream: Stream,
        seq: i64,
        limit: usize,
    ) -> Result<Vec<Envelope>, CallFault> {
        let (topic, shard) = stream;
        let mut last = CallFault::Malformed("no command-service is configured".to_owned());
        for url in &self.urls {
            let url = format!(
                "{url}/internal/events?topic={}&shard={shard}&after_topic_seq={seq}&limit={limit}",
                topic.name()
            );
            match self.client.get_json::<Events>(&url).await {
                Ok(answer) => return Ok(answer.events),
                Err(fault) => last = fault,
            }
        }
        Err(last)
    }

    /// How far the event store is, and its histories.
    ///
    /// # Errors
    /// The fault of the last command-service that was asked, or that none answered within 2 s.
    pub async fn heads(&self) -> Result<(Heads, Histories), CallFault> {
        let asked = async {
            let mut last = CallFault::Malformed("no command-service is configured".to_owned());
            for url in &self.urls {
                let url = format!("{url}/internal/heads");
                match self.client.get_json::<Answer>(&url).await {
                    Ok(answer) => return Ok((heads(&answer), answer.histories)),
                    Err(fault) => last = fault,
                }
            }
            Err(last)
        };
        let answered = tokio::time::timeout(HEADS_WITHIN, asked).await;
        answered.unwrap_or_else(|_| Err(CallFault::TimedOut))
    }
}

fn heads(answer: &Answer) -> Heads {
    let mut heads = Heads::new();
    for topic in Topic::ALL {
        let seqs = answer.topic_seqs.get(topic.name());
        for (shard, head) in Shard::all().zip(seqs.into_iter().flatten()) {
            heads.insert((topic, shard), *head);
        }
    }
    heads
}
