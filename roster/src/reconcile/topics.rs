//! Every event of the store is in its topic: at least once, in order, with the payload of the store.
//!
//! In order means: of each shard a topic holds 1, 2, 3 … up to the head, one behind the other. Others may lie between them: repeats, and
//! events that came before their turn, as the first new one does in a topic that was lost and is filled again. An early event counts only
//! when it comes again in its turn, so nothing but its place has to be remembered.

use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

use events_schema::ids::Shard;
use events_schema::topics::Topic;

use crate::failure::Failure;
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
    /// The first early event that has not come again in its turn since, by topic and shard.
    early: HashMap<(Topic, Shard), Early>,
    /// Largest position beyond the store's snapshot, by shard.
    younger: HashMap<Shard, i64>,
    sums: SumsByContract,
}

/// An event that came before its turn.
struct Early {
    topic_seq: i64,
    /// The difference that it is for as long as it does not come again.
    gap: Difference,
}

/// What a message means for the order of its shard.
enum Turn {
    Its,
    Repeat,
    Early,
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
        let mut last_moved = Instant::now();
        loop {
            let batch = log.batches.recv().await;
            let batch =
                batch.ok_or_else(|| Failure::internal("Reading the topics broke off."))??;
            let of_store = self
                .take(&batch.messages, &log, store, &mut seen, summary)
                .await?;
            // New events go on arriving behind the end as it was at the start: they are not what is missing.
            if of_store > 0 || (batch.unread.is_some() && !batch.messages.is_empty()) {
                last_moved = Instant::now();
            }
            let missing = first_missing(store, &seen);
            if missing.is_none() && batch.unread.is_none() {
                break;
            }
            if last_moved.elapsed() < self.wait {
                continue;
            }
            if let Some((topic, partition)) = batch.unread {
                return Err(self.stands_still(topic, partition));
            }
            if let Some(missing) = missing {
                return Err(missing.into());
            }
        }
        self.prove_younger(&seen).await?;
        Ok(seen.sums)
    }

    /// Compares messages with the store; how many are of its snapshot.
    async fn take(
        &self,
        messages: &[Received],
        log: &Log,
        store: &mut Store,
        seen: &mut Seen,
        summary: &mut Summary,
    ) -> Result<usize, Stop> {
        if messages.is_empty() {
            return Ok(0);
        }
        let mut of_store = 0;
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
            of_store += 1;
            match seen.turn(message) {
                Turn::Its => seen.add(event)?,
                Turn::Repeat => counts.repeats += 1,
                Turn::Early => counts.early += 1,
            }
        }
        Ok(of_store)
    }

    /// What follows in such a partition is not known, so nothing counts as missing.
    fn stands_still(&self, topic: Topic, partition: i32) -> Stop {
        let seconds = self.wait.as_secs();
        let still = format!(
            "{} partition {partition} was not read to its end, and nothing came for {seconds} s",
            topic.name()
        );
        let still = io::Error::new(io::ErrorKind::TimedOut, still);
        Failure::unavailable("Kafka", &still).into()
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
    fn turn(&mut self, message: &Received) -> Turn {
        let stream = (message.topic, message.shard);
        let last = self.last.entry(stream).or_default();
        let expected = *last + 1;
        if message.topic_seq < expected {
            return Turn::Repeat;
        }
        if message.topic_seq > expected {
            self.early.entry(stream).or_insert_with(|| Early {
                topic_seq: message.topic_seq,
                gap: Difference::new(
                    "gap_in_topic",
                    format!("{}, shard {}", message.place(), message.shard),
                    format!("topic_seq {expected}"),
                    format!("topic_seq {}", message.topic_seq),
                ),
            });
            return Turn::Early;
        }
        *last = expected;
        let early = self.early.get(&stream);
        if early.is_some_and(|early| early.topic_seq == expected) {
            self.early.remove(&stream);
        }
        Turn::Its
    }

    fn add(&mut self, event: &StoredEvent) -> Result<(), Difference> {
        // The message was found equal to the stored event just now.
        credits::add(&mut self.sums, &event.event()?);
        Ok(())
    }
}

/// The first event of the store that was not seen in its turn.
fn first_missing(store: &Store, seen: &Seen) -> Option<Difference> {
    let streams = Shard::all().flat_map(|shard| Topic::ALL.map(|topic| (topic, shard)));
    streams.into_iter().find_map(|(topic, shard)| {
        let head = store.head(shard).topic_seq(topic);
        let last = seen.last.get(&(topic, shard)).copied().unwrap_or(0);
        (last < head).then(|| {
            if let Some(early) = seen.early.get(&(topic, shard)) {
                return early.gap.clone();
            }
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
