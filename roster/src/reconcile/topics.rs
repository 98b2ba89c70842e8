//! Every event of the store is in its topic: at least once, in order, with the payload of the store.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use events_schema::ids::Shard;
use events_schema::topics::Topic;

use crate::reconcile::credits::{self, SumsByContract};
use crate::reconcile::log::{self, Log};
use crate::reconcile::message::Received;
use crate::reconcile::rows::StoredEvent;
use crate::reconcile::store::{self, Store};
use crate::reconcile::{Difference, Places, Stop, Summary};

/// The topics, to be compared with the store.
pub(crate) struct Topics<'a> {
    pub(crate) places: &'a Places,
    /// How long they may stand still before what is missing is a difference.
    pub(crate) wait: Duration,
}

/// What was seen of the topics so far.
#[derive(Default)]
struct Seen {
    /// Last place, by topic and shard.
    last: HashMap<(Topic, Shard), i64>,
    /// Largest position beyond the store's snapshot, by shard.
    younger: HashMap<Shard, i64>,
    sums: SumsByContract,
}

impl Topics<'_> {
    /// Proves it, and gives the credits of each contract as the topic tells them.
    pub(crate) async fn prove(
        &self,
        store: &mut Store,
        summary: &mut Summary,
    ) -> Result<SumsByContract, Stop> {
        let mut log = log::open(self.places).await?;
        let mut seen = Seen::default();
        let mut last_message = Instant::now();
        while let Some(batch) = log.batches.recv().await {
            let batch = batch?;
            if !batch.messages.is_empty() {
                last_message = Instant::now();
                self.take(&batch.messages, &log, store, &mut seen, summary)
                    .await?;
            }
            match first_missing(store, &seen) {
                None if batch.at_end => break,
                Some(missing) if last_message.elapsed() >= self.wait => return Err(missing.into()),
                _ => {}
            }
        }
        self.prove_younger(&seen).await?;
        Ok(seen.sums)
    }

    async fn take(
        &self,
        messages: &[Received],
        log: &Log,
        store: &mut Store,
        seen: &mut Seen,
        summary: &mut Summary,
    ) -> Result<(), Stop> {
        let places: Vec<_> = messages.iter().map(Received::stored_at).collect();
        let stored = store.at(&places).await?;
        for message in messages {
            let counts = summary.topics.entry(message.topic.name()).or_default();
            counts.messages += 1;
            if store
                .histories()
                .is_abandoned(message.shard, message.pos, message.history)
            {
                counts.abandoned += 1;
                continue;
            }
            if message.pos > store.head(message.shard).pos {
                counts.younger += 1;
                let newest = seen.younger.entry(message.shard).or_default();
                *newest = message.pos.max(*newest);
                continue;
            }
            let Some(event) = stored.get(&message.stored_at()) else {
                return Err(not_in_store(&message.place(), message.shard, message.pos).into());
            };
            let partitions = log.partitions.get(&message.topic).copied().unwrap_or(0);
            message.prove(event, partitions)?;
            if seen.is_repeat(message)? {
                counts.repeats += 1;
            } else {
                seen.add(event)?;
            }
        }
        Ok(())
    }

    /// What is younger than the snapshot must be in the store by now.
    async fn prove_younger(&self, seen: &Seen) -> Result<(), Stop> {
        if seen.younger.is_empty() {
            return Ok(());
        }
        let heads = store::heads(&self.places.event_store_url).await?;
        for (shard, pos) in &seen.younger {
            if heads.get(shard).is_none_or(|head| head.pos < *pos) {
                return Err(not_in_store("the topics", *shard, *pos).into());
            }
        }
        Ok(())
    }
}

impl Seen {
    /// Whether the event was there before; one that comes before its turn is a difference.
    fn is_repeat(&mut self, message: &Received) -> Result<bool, Difference> {
        let last = self.last.entry((message.topic, message.shard)).or_default();
        if message.topic_seq <= *last {
            return Ok(true);
        }
        if message.topic_seq > *last + 1 {
            let place = format!("{}, shard {}", message.place(), message.shard);
            let expected = format!("topic_seq {}", *last + 1);
            let found = format!("topic_seq {}", message.topic_seq);
            return Err(Difference::new("gap_in_topic", place, expected, found));
        }
        *last = message.topic_seq;
        Ok(false)
    }

    fn add(&mut self, event: &StoredEvent) -> Result<(), Difference> {
        // The message was found equal to the stored event just now.
        credits::add(&mut self.sums, &event.event()?);
        Ok(())
    }
}

/// The first event of the store that was not seen.
fn first_missing(store: &Store, seen: &Seen) -> Option<Difference> {
    let streams = Shard::all().flat_map(|shard| Topic::ALL.map(|topic| (topic, shard)));
    streams.into_iter().find_map(|(topic, shard)| {
        let head = store.head(shard).topic_seq(topic);
        let last = seen.last.get(&(topic, shard)).copied().unwrap_or(0);
        (last < head).then(|| {
            let place = format!("{} shard {shard}", topic.name());
            Difference::new(
                "missing_in_topic",
                place,
                format!("topic_seq {head}"),
                format!("topic_seq {last}"),
            )
        })
    })
}

fn not_in_store(place: &str, shard: Shard, pos: i64) -> Difference {
    let found = format!("shard {shard} pos {pos}");
    Difference::new("not_in_event_store", place, "events of the store", found)
}
