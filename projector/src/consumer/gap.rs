//! What a topic has lost, from the event store: `GET /internal/events` and `/internal/heads` of any command-service.
//!
//! One that is frozen does not hide one that answers: whoever has not answered after a while is waited for beside the next
//! one, and who answered last is asked first.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use events_schema::Envelope;
use events_schema::api::internal::Heads as Answer;
use events_schema::history::Histories;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use service_kit::client::{CallFault, Client};

use crate::checkpoint::Stream;
use crate::consumer::tail::Heads;

/// Most events in one answer.
pub const PAGE: usize = 1_000;
/// How long heads are waited for: whoever asks has other work.
const HEADS_WITHIN: Duration = Duration::from_secs(2);
/// How long events are waited for before the next one is asked as well.
const EVENTS_ALONE: Duration = Duration::from_secs(2);

/// Where missing events come from.
#[derive(Debug, Clone)]
pub struct EventStore {
    client: Client,
    urls: Vec<String>,
    /// Place of the one that answered last.
    first: Arc<AtomicUsize>,
}

/// Body of the answer.
#[derive(Deserialize)]
struct Events {
    events: Vec<Envelope>,
}

impl EventStore {
    /// Asks the command-services at `urls`.
    #[must_use]
    pub fn new(client: Client, urls: Vec<String>) -> Self {
        Self {
            client,
            urls,
            first: Arc::default(),
        }
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
        let path = format!(
            "/internal/events?topic={}&shard={shard}&after_topic_seq={seq}&limit={limit}",
            topic.name()
        );
        let answer: Events = self.ask(&path, EVENTS_ALONE).await?;
        Ok(answer.events)
    }

    /// How far the event store is, and its histories.
    ///
    /// # Errors
    /// The fault of the last command-service that was asked, or that none answered within 2 s.
    pub async fn heads(&self) -> Result<(Heads, Histories), CallFault> {
        let urls = u32::try_from(self.urls.len()).unwrap_or(u32::MAX);
        // Time for each of them and once more for the last one.
        let alone = HEADS_WITHIN / urls.saturating_add(1);
        let asked = self.ask::<Answer>("/internal/heads", alone);
        let answered = tokio::time::timeout(HEADS_WITHIN, asked).await;
        let answer = answered.unwrap_or_else(|_| Err(CallFault::TimedOut))?;
        Ok((heads(&answer), answer.histories))
    }

    /// The first answer. The next command-service is asked when one has failed, or has not answered when it was waited for
    /// alone for so long.
    async fn ask<T: DeserializeOwned>(&self, path: &str, alone: Duration) -> Result<T, CallFault> {
        let first = self.first.load(Ordering::Relaxed);
        let urls = self.urls.iter().enumerate();
        let mut next = urls.cycle().skip(first).take(self.urls.len());
        let mut left = self.urls.len();
        let mut asked = FuturesUnordered::new();
        let mut last = CallFault::Malformed("no command-service is configured".to_owned());
        loop {
            if let Some((place, url)) = next.next() {
                left -= 1;
                let url = format!("{url}{path}");
                asked.push(async move { (place, self.client.get_json::<T>(&url).await) });
            } else if asked.is_empty() {
                return Err(last);
            }
            tokio::select! {
                Some((place, answer)) = asked.next() => match answer {
                    Ok(answer) => {
                        self.first.store(place, Ordering::Relaxed);
                        return Ok(answer);
                    }
                    Err(fault) => last = fault,
                },
                () = tokio::time::sleep(alone), if left > 0 => {}
            }
        }
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
