//! Batches of several shards in one statement. There is no timer: while a statement is on its way, those that come meanwhile wait, and
//! the next one takes them all. Whoever waits writes for the others, so that no task of its own is needed. A batch that is not taken
//! in time goes alone: a statement that hangs holds up the shards in it, and no others for longer than that.

use std::collections::VecDeque;
use std::pin::pin;
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

    /// The longest waiting, at least one, as many as make one statement. One that nobody waits for any more is not begun.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        let (mut events, mut taken) = (0, Vec::new());
        while let Some(first) = waiting.pop_front() {
            if first.written.is_closed() {
                continue;
            }
            events += first.batch.events.len();
            if events > self.max_events && !taken.is_empty() {
                waiting.push_front(first);
                break;
            }
            taken.push(first);
        }
        taken
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
        let mut patience = pin!(tokio::time::sleep(self.0.settings.group_patience));
        loop {
            // Another's turn may take this batch, and this one's turn others before it.
            let _turn = tokio::select! {
                biased;
                outcome = &mut written => match outcome {
                    Ok(Written::Refused) => return None,
                    Ok(outcome) => return Some(outcome),
                    // Whoever wrote it panicked: nobody knows.
                    Err(_) => return Some(Written::Broken),
                },
                turn = groups.turns.acquire() => turn,
                () = &mut patience, if !patience.is_elapsed() => {
                    if groups.leave(batch) {
                        return None;
                    }
                    continue;
                }
            };
            let group = groups.take();
            if group.is_empty() {
                continue;
            }
            let batches: Vec<&Batch> = group.iter().map(|one| &*one.batch).collect();
            let outcome = self.write_group(&batches).await;
            for one in group {
                let _ = one.written.send(outcome);
            }
        }
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

#[cfg(test)]
mod tests {
    use events_schema::ids::Shard;

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

    fn shards(taken: &[Waiting]) -> Vec<u8> {
        append::each(taken, |one| one.batch.shard.number())
    }

    #[test]
    fn those_that_wait_are_taken_together_and_once() {
        let groups = Groups::new(1, 10);
        let batches = (0..3).filter_map(batch);
        let _waits: Vec<_> = batches.map(|batch| groups.join(&batch)).collect();
        assert_eq!(shards(&groups.take()), [0, 1, 2]);
        assert_eq!(shards(&groups.take()), [0_u8; 0]);
    }

    #[test]
    fn one_that_nobody_waits_for_is_not_begun() {
        let groups = Groups::new(1, 10);
        let waits: Vec<_> = (0..3)
            .filter_map(batch)
            .map(|batch| groups.join(&batch))
            .collect();
        drop(waits);
        assert_eq!(shards(&groups.take()), [0_u8; 0]);
    }

    #[test]
    fn one_that_leaves_is_not_taken_and_one_that_was_taken_cannot_leave() {
        let groups = Groups::new(1, 10);
        let (Some(first), Some(second)) = (batch(1), batch(2)) else {
            return;
        };
        let _waits = [groups.join(&first), groups.join(&second)];
        assert!(groups.leave(&first));
        assert!(!groups.leave(&first));
        assert_eq!(shards(&groups.take()), [2]);
        assert!(!groups.leave(&second));
    }
}
