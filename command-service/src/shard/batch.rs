//! One batch: events of decided commands with their positions, and the rows beside them.

use std::sync::Arc;

use events_schema::ids::Shard;
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};

use super::ask::Cause;
use super::rows::SideRows;

/// How far a shard has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its last position.
    pub pos: i64,
    /// The last `topic_seq` of each topic, in the order of `Topic::ALL`.
    pub topic_seqs: Vec<i64>,
    /// Raised by every read of the head: a statement that was sent before the read can never be carried out after it.
    pub fence: i64,
    /// Of the next event. Raised together with the fence.
    pub history: i64,
}

impl Head {
    /// The last `topic_seq` of a topic.
    pub(super) fn topic_seq(&self, topic: Topic) -> i64 {
        self.topic_seqs.get(topic.index()).copied().unwrap_or(0)
    }
}

/// Written by one statement or not at all.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The shard.
    pub shard: Shard,
    /// The head that the shard must have for the batch to be written.
    pub before: Head,
    /// The head afterwards.
    pub after: Head,
    /// In order. Shared with the publisher once they are durable.
    pub events: Arc<Vec<Envelope>>,
    /// Of each command with events.
    pub rows: Vec<SideRows>,
}

/// Events of one command that have no position yet.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) aggregate_id: uuid::Uuid,
    /// Of the first event.
    pub(super) seq: i64,
    pub(super) events: Vec<Event>,
    pub(super) occurred_at: chrono::DateTime<chrono::Utc>,
    pub(super) cause: Cause,
    pub(super) rows: SideRows,
}

impl Batch {
    /// An empty batch behind `before`.
    pub(crate) fn new(shard: Shard, before: Head) -> Self {
        Self {
            shard,
            after: before.clone(),
            before,
            events: Arc::default(),
            rows: Vec::new(),
        }
    }

    /// Of all these, in their order.
    pub(super) fn of(shard: Shard, before: Head, all: Vec<Facts>) -> Self {
        let mut batch = Self::new(shard, before);
        let count = all.iter().map(|facts| facts.events.len()).sum();
        let mut events = Vec::with_capacity(count);
        batch.rows.reserve_exact(all.len());
        for facts in all {
            batch.add(facts, &mut events);
        }
        batch.events = Arc::new(events);
        batch
    }

    /// Gives the events the next positions.
    fn add(&mut self, facts: Facts, events: &mut Vec<Envelope>) {
        let cause = facts.cause;
        for (event, seq) in facts.events.into_iter().zip(facts.seq..) {
            self.after.pos += 1;
            let topic = event.topic().index();
            let topic_seq = self.after.topic_seqs.get_mut(topic).map_or(0, |seq| {
                *seq += 1;
                *seq
            });
            events.push(Envelope {
                shard: self.shard,
                pos: self.after.pos,
                history: self.before.history,
                topic_seq,
                aggregate_id: facts.aggregate_id,
                seq,
                occurred_at: facts.occurred_at,
                request_id: cause.request_id,
                actor: cause.actor.clone(),
                traceparent: cause.traceparent.clone(),
                event,
            });
        }
        self.rows.push(facts.rows);
    }
}
