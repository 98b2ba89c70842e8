//! What of a batch is taken, ignored or waits: pure, from messages and progress.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use events_schema::Envelope;

use crate::checkpoint::{Advance, Last, Progress, Slot, Stream};
use crate::consumer::decode::{Place, Received};
use crate::dead_letter::Letter;

/// An event or what could not be read as one, in the order in which it is applied.
#[derive(Debug, Clone)]
pub enum Item {
    /// To be applied.
    Event(Box<Envelope>),
    /// To be parked.
    Poison(Box<Letter>),
}

/// A shard that waits: events between the last one taken and this one did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// The partition whose checkpoint is held back.
    pub partition: i32,
    /// The first offset that was not taken.
    pub offset: i64,
    /// The highest place seen: the gap is filled when it is reached.
    pub highest_seq: i64,
}

impl Stall {
    /// Whether the shard goes on: it has what it saw last, and the event store gave less than a whole page: there is no more, or what comes
    /// next cannot be read.
    #[must_use]
    pub const fn is_filled(&self, reached: i64, is_last_page: bool) -> bool {
        is_last_page && reached >= self.highest_seq
    }
}

/// The shards that wait.
pub type Stalls = BTreeMap<Stream, Stall>;

/// A batch on its way into one transaction.
#[derive(Debug, Default)]
pub struct Batch {
    /// In order of each shard.
    pub items: Vec<Item>,
    /// Where the checkpoints will stand.
    pub advance: Advance,
    /// How many were known already, or have never been.
    pub ignored: usize,
    /// Whether there was an event of a history that is not known yet: it says what of the read models still holds, so nothing may
    /// be written before it is.
    pub is_of_unknown_history: bool,
}

impl Batch {
    /// Takes what comes next in each shard. A message of a shard that waits, or that leaves a gap, is dropped: the event
    /// store will give it with what is missing, and the held checkpoint would have it read again.
    pub fn receive(&mut self, received: Vec<Received>, progress: &Progress, stalls: &mut Stalls) {
        for message in received {
            let slot = (message.topic, message.partition);
            let after = message.offset + 1;
            let decoded = message.raw.decode(message.topic);
            let place = decoded
                .as_ref()
                .ok()
                .map(Place::of)
                .or_else(|| message.raw.place());
            if let Some(place) = place {
                let stream = (message.topic, place.shard);
                if !self.is_next(stream, place, progress, stalls, &message) {
                    self.advance.offsets.insert(slot, after);
                    continue;
                }
                self.advance.last.insert(stream, place.into());
            }
            self.items.push(match decoded {
                Ok(envelope) => Item::Event(Box::new(envelope)),
                Err(fault) => Item::Poison(Box::new(Letter::unreadable(message, place, &fault))),
            });
            self.advance.offsets.insert(slot, after);
        }
    }

    fn is_next(
        &mut self,
        stream: Stream,
        place: Place,
        progress: &Progress,
        stalls: &mut Stalls,
        message: &Received,
    ) -> bool {
        if !progress.histories.knows(place.shard, place.history) {
            self.is_of_unknown_history = true;
            return false;
        }
        if progress
            .histories
            .is_abandoned(place.shard, place.pos, place.history)
        {
            // It is neither taken nor missed: in its place another event stands, or will.
            self.ignored += 1;
            return false;
        }
        if let Some(stall) = stalls.get_mut(&stream) {
            stall.highest_seq = stall.highest_seq.max(place.topic_seq);
            return false;
        }
        let last = self.last_seq(stream, progress);
        if place.topic_seq <= last {
            self.ignored += 1;
            return false;
        }
        if place.topic_seq == last + 1 {
            return true;
        }
        tracing::warn!(
            topic = stream.0.name(),
            shard = stream.1.number(),
            last,
            came = place.topic_seq,
            "a gap stops the shard"
        );
        stalls.insert(
            stream,
            Stall {
                partition: message.partition,
                offset: message.offset,
                highest_seq: place.topic_seq,
            },
        );
        false
    }

    /// Takes events that the event store gave for a shard that waits. Says how many were next.
    pub fn fill(&mut self, stream: Stream, events: Vec<Envelope>, progress: &Progress) -> usize {
        let before = self.items.len();
        for envelope in events {
            let is_of_stream = (envelope.event.topic(), envelope.shard) == stream;
            if !progress.histories.knows(envelope.shard, envelope.history) {
                self.is_of_unknown_history = true;
                break;
            }
            if is_of_stream && envelope.topic_seq == self.last_seq(stream, progress) + 1 {
                self.advance
                    .last
                    .insert(stream, Place::of(&envelope).into());
                self.items.push(Item::Event(Box::new(envelope)));
            }
        }
        self.items.len() - before
    }

    /// The last place of a shard, this batch included.
    #[must_use]
    pub fn last_seq(&self, stream: Stream, progress: &Progress) -> i64 {
        self.advance
            .last
            .get(&stream)
            .map_or_else(|| progress.last_seq(stream), |last| last.seq)
    }

    /// Holds the checkpoints of partitions with a waiting shard at the first message that was not taken. A partition
    /// whose gap is closed goes to where reading stands.
    pub fn hold(&mut self, stalls: &Stalls, read_to: &BTreeMap<Slot, i64>, progress: &Progress) {
        for (slot, position) in read_to {
            self.advance.offsets.insert(*slot, *position);
        }
        for ((topic, _), stall) in stalls {
            let next = self
                .advance
                .offsets
                .entry((*topic, stall.partition))
                .or_insert(stall.offset);
            *next = (*next).min(stall.offset);
        }
        self.advance
            .offsets
            .retain(|slot, next| progress.next_offset(*slot) != *next);
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.advance.offsets.is_empty()
    }
}

impl From<Place> for Last {
    fn from(place: Place) -> Self {
        Self {
            seq: place.topic_seq,
            pos: place.pos,
            history: place.history,
            request_id: place.request_id,
        }
    }
}
