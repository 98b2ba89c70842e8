//! Committed events on their short way from the store's memory to the publisher.
//!
//! Bounded and lossy on purpose: what does not fit is left to a read of the store, so that a Kafka that is away can
//! neither fill the memory nor slow down a commit. Nothing here is a guarantee; the mark `published` is.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use events_schema::envelope::Envelope;
use tokio::sync::Notify;

/// What memory holds after a position.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// These, beginning right after the position.
    Events(Vec<Envelope>),
    /// Later ones, but not the next one: it is in the store.
    InStore,
    /// Nothing after the position.
    Nothing,
}

/// The feed of one shard.
#[derive(Debug)]
pub(super) struct Feed {
    waiting: Mutex<VecDeque<Envelope>>,
    changed: Notify,
    capacity: usize,
}

impl Feed {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            waiting: Mutex::default(),
            changed: Notify::new(),
            capacity,
        }
    }

    /// Takes what was committed, in order of position. Never blocks; keeps only what fits.
    pub(super) fn push(&self, events: &[Envelope]) {
        {
            let mut waiting = self.lock();
            let room = self.capacity.saturating_sub(waiting.len());
            waiting.extend(events.iter().take(room).cloned());
        }
        self.changed.notify_one();
    }

    /// The events right after `pos`, at most `limit`. What is at or before `pos` is forgotten.
    pub(super) fn take_after(&self, pos: i64, limit: usize) -> Next {
        let mut waiting = self.lock();
        while waiting.front().is_some_and(|e| e.pos <= pos) {
            waiting.pop_front();
        }
        let run = waiting.iter().zip(pos + 1..).take(limit);
        let run = run.take_while(|(e, next)| e.pos == *next).count();
        match (run, waiting.is_empty()) {
            (0, true) => Next::Nothing,
            (0, false) => Next::InStore,
            _ => Next::Events(waiting.drain(..run).collect()),
        }
    }

    /// Forgets everything: another owner may have written meanwhile.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    /// Returns once something was pushed since the last return.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Envelope>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use events_schema::account::v1::AccountOpened;
    use events_schema::ids::{AccountId, Shard};
    use uuid::Uuid;

    use super::*;

    fn events(from: i64, to: i64) -> Vec<Envelope> {
        let account_id = AccountId::new([1; 16]);
        let event = AccountOpened {
            account_id,
            name: "acme".to_owned(),
        };
        let envelope = |pos| Envelope {
            shard: Shard::new(7).unwrap(),
            pos,
            history: events_schema::history::FIRST,
            topic_seq: pos,
            aggregate_id: account_id.uuid(),
            seq: pos,
            occurred_at: Utc::now(),
            request_id: Uuid::nil(),
            actor: "operator:test".to_owned(),
            traceparent: None,
            event: event.clone().into(),
        };
        (from..=to).map(envelope).collect()
    }

    fn positions(next: Next) -> Vec<i64> {
        match next {
            Next::Events(events) => events.iter().map(|e| e.pos).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn events_come_out_in_order_and_in_batches_of_the_limit() {
        let feed = Feed::new(10);
        feed.push(&events(1, 3));
        feed.push(&events(4, 5));
        assert_eq!(positions(feed.take_after(0, 4)), [1, 2, 3, 4]);
        assert_eq!(positions(feed.take_after(4, 4)), [5]);
        assert_eq!(feed.take_after(5, 4), Next::Nothing);
    }

    #[test]
    fn what_did_not_fit_is_left_to_the_store() {
        let feed = Feed::new(3);
        feed.push(&events(1, 5));
        assert_eq!(positions(feed.take_after(0, 9)), [1, 2, 3]);
        feed.push(&events(6, 7));
        assert_eq!(feed.take_after(3, 9), Next::InStore);
        assert_eq!(positions(feed.take_after(5, 9)), [6, 7]);
    }

    #[test]
    fn a_batch_with_a_hole_inside_is_handed_out_up_to_the_hole() {
        let feed = Feed::new(10);
        feed.push(&events(1, 2));
        feed.push(&events(4, 4));
        assert_eq!(positions(feed.take_after(0, 9)), [1, 2]);
        assert_eq!(feed.take_after(2, 9), Next::InStore);
    }

    #[test]
    fn what_was_sent_already_is_forgotten() {
        let feed = Feed::new(3);
        feed.push(&events(1, 3));
        assert_eq!(feed.take_after(3, 9), Next::Nothing);
        feed.push(&events(4, 6));
        assert_eq!(positions(feed.take_after(3, 9)), [4, 5, 6]);
    }
}
