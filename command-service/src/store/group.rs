//! Batches of several shards in one statement. There is no timer: while a statement is on its way, those that come meanwhile wait, and
//! the next one takes them all. Whoever waits writes for the others, so that no task of its own is needed. A batch that is not taken
//! in time goes alone: a statement that hangs holds up the shards in it, and no others for longer than that.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use super::write::outcome;
use super::{Store, answer, append};
use crate::shard::{Batch, Written};

/// What waits for a statement.
pub(super) struct Groups {
    waiting: Mutex<VecDeque<Waiting>>,
    /// One a statement on its way.
    turns: Semaphore,
    max_events: usize,
}

struct Waiting {
    batch: Arc<Batch>,
    written: oneshot::Sender<Written>,
}

impl Groups {
    /// So many statements at a time, of about so many events.
    pub(super) const fn new(at_once: usize, max_events: usize) -> Self {
        Self {
            waiting: Mutex::new(VecDeque::new()),
            turns: Semaphore::const_new(at_once),
            max_events,
        }
    }

    fn join(&self, batch: &Arc<Batch>) -> oneshot::Receiver<Written> {
        let (written, outcome) = oneshot::channel();
        let batch = Arc::clone(batch);
        self.waiting().push_back(Waiting { batch, written });
        outcome
    }

    /// Whether the batch waited still; now it does not.
    fn leave(&self, batch: &Arc<Batch>) -> bool {
        let mut waiting = self.waiting();
        let before = waiting.len();
        waiting.retain(|one| !Arc::ptr_eq(&one.batch, batch));
        waiting.len() < before
    }

    /// This batch, if it waits still, and the longest waiting beside it, as many as make one statement. One that nobody waits for any
    /// more is not begun.
    fn take(&self, own: &Arc<Batch>) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        let at = waiting.iter().position(|one| Arc::ptr_eq(&one.batch, own));
        let Some(own) = at.and_then(|at| waiting.remove(at)) else {
            return Vec::new();
        };
        let mut events = own.batch.events.len();
        let mut taken = vec![own];
        while let Some(next) = waiting.pop_front() {
            if next.written.is_closed() {
                continue;
            }
            events += next.batch.events.len();
            if events > self.max_events {
                waiting.push_front(next);
                break;
            }
            taken.push(next);
        }
        taken
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting().len()
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Writes a batch together with those that wait beside it. None = nothing of it was written, and it had better go alone.
    pub(super) async fn write_in_a_group(&self, batch: &Arc<Batch>) -> Option<Written> {
        let groups = &self.0.groups;
        let mut written = groups.join(batch);
        let turn = tokio::select! {
            biased;
            outcome = &mut written => return told(outcome),
            turn = groups.turns.acquire() => turn,
            () = tokio::time::sleep(self.0.settings.group_patience) => {
                if groups.leave(batch) {
                    return None;
                }
                return told(written.await);
            }
        };
        let group = groups.take(batch);
        if group.is_empty() {
            // Another's turn has taken it.
            drop(turn);
            return told(written.await);
        }
        let batches: Vec<&Batch> = group.iter().map(|one| &*one.batch).collect();
        let outcome = self.write_group(&batches).await;
        for one in group {
            let _ = one.written.send(outcome);
        }
        drop(turn);
        told(Ok(outcome))
    }

    async fn write_group(&self, batches: &[&Batch]) -> Written {
        let statement = match append::group(batches) {
            Ok(statement) => statement,
            Err(fault) => {
                tracing::error!(%fault, "a batch cannot be written as JSON");
                return Written::Refused;
            }
        };
        match answer!(self.group_writes(), statement => fetch_one) {
            Ok(_) => Written::Committed,
            Err(fault) => outcome(&fault, batches),
        }
    }
}

/// What whoever wrote it says; where that one panicked, nobody knows.
fn told(outcome: Result<Written, oneshot::error::RecvError>) -> Option<Written> {
    match outcome {
        Ok(Written::Refused) => None,
        Ok(outcome) => Some(outcome),
        Err(_) => Some(Written::Broken),
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use events_schema::account::v1::AccountOpened;
    use events_schema::ids::{AccountId, Shard};
    use events_schema::{Envelope, history};
    use uuid::Uuid;

    use super::*;
    use crate::shard::Head;

    fn batch(shard: u8) -> Option<Arc<Batch>> {
        let head = Head {
            pos: 0,
            topic_seqs: Vec::new(),
            fence: 0,
            history: 1,
        };
        Some(Arc::new(Batch::new(Shard::new(shard)?, head)))
    }

    fn of_one_event(shard: u8) -> Option<Arc<Batch>> {
        let mut batch = Arc::unwrap_or_clone(batch(shard)?);
        let account_id = AccountId::new([1; 16]);
        let opened = AccountOpened {
            account_id,
            name: "acme".to_owned(),
        };
        batch.events = Arc::new(vec![Envelope {
            shard: batch.shard,
            pos: 1,
            history: history::FIRST,
            topic_seq: 1,
            aggregate_id: account_id.uuid(),
            seq: 1,
            occurred_at: Utc::now(),
            request_id: Uuid::nil(),
            actor: String::new(),
            traceparent: None,
            event: opened.into(),
        }]);
        Some(Arc::new(batch))
    }

    fn shards(taken: &[Waiting]) -> Vec<u8> {
        append::each(taken, |one| one.batch.shard.number())
    }

    #[test]
    fn those_that_wait_are_taken_together_and_once() {
        let groups = Groups::new(1, 10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| groups.join(batch)).collect();
        let taken: Vec<_> = batches.iter().rev().map(|own| groups.take(own)).collect();
        let taken: Vec<_> = taken.iter().map(|taken| shards(taken)).collect();
        assert_eq!(taken, [vec![2, 0, 1], vec![], vec![]]);
    }

    #[test]
    fn who_has_the_turn_goes_first_and_alone_if_the_others_are_too_many() {
        let groups = Groups::new(1, 0);
        let batches: Vec<_> = (0..2).filter_map(of_one_event).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| groups.join(batch)).collect();
        let taken: Vec<_> = batches.iter().rev().map(|own| groups.take(own)).collect();
        let taken: Vec<_> = taken.iter().map(|taken| shards(taken)).collect();
        assert_eq!(taken, [vec![1], vec![0]]);
    }

    #[test]
    fn one_that_nobody_waits_for_is_not_begun() {
        let groups = Groups::new(1, 10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let mut waits: Vec<_> = batches.iter().map(|batch| groups.join(batch)).collect();
        waits.truncate(1);
        let taken = batches.first().map(|own| groups.take(own));
        assert_eq!(taken.map(|taken| shards(&taken)), Some(vec![0]));
    }

    #[test]
    fn one_that_leaves_is_not_taken_and_one_that_was_taken_cannot_leave() {
        let groups = Groups::new(1, 10);
        let batches: Vec<_> = (1..3).filter_map(batch).collect();
        let [first, second] = batches.as_slice() else {
            unreachable!("two shards");
        };
        let _waits = [groups.join(first), groups.join(second)];
        assert!(groups.leave(first));
        assert!(!groups.leave(first));
        assert_eq!(shards(&groups.take(second)), [2]);
        assert!(!groups.leave(second));
    }
}
