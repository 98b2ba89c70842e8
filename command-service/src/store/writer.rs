//! The writer of one shard: takes what has queued up, writes it as one batch, tells the commands.
//!
//! One batch is in flight at a time; what arrives meanwhile is the next batch. No timers. If a batch fails,
//! everything decided on top of it fails too, and the shard's state is loaded anew.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use events_schema::Envelope;
use events_schema::ids::Shard;
use tokio::sync::{mpsc, oneshot};

use super::batch::{Batch, Head, PendingEvent};
use super::rows::{IdempotencyRow, SideRows};
use super::{Store, StoreFault};

/// A decided command on its way into a batch. Without events it is a barrier: answered once everything
/// before it is durable.
pub(super) struct Entry {
    /// Generation of the state on which it was decided.
    pub(super) generation: u64,
    pub(super) events: Vec<PendingEvent>,
    pub(super) rows: SideRows,
    pub(super) done: oneshot::Sender<Result<(), StoreFault>>,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.events.iter().map(|event| event.payload.len()).sum()
    }
}

/// Shortest and longest pause before a batch of unknown outcome is tried again.
const RETRY_PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

pub(super) struct Writer {
    store: Store,
    shard: Shard,
    queue: mpsc::Receiver<Entry>,
    hand_over: mpsc::Sender<Arc<Vec<Envelope>>>,
    /// The head as this writer left it, and the generation in which it was read.
    head: Option<(u64, Head)>,
}

impl Writer {
    pub(super) fn new(
        store: Store,
        shard: Shard,
        queue: mpsc::Receiver<Entry>,
        hand_over: mpsc::Sender<Arc<Vec<Envelope>>>,
    ) -> Self {
        Self {
            store,
            shard,
            queue,
            hand_over,
            head: None,
        }
    }

    /// Runs until the process ends.
    pub(super) async fn run(mut self) {
        let limit = self.store.0.settings.batch_events;
        let mut waiting = Vec::with_capacity(limit);
        while !waiting.is_empty() || self.queue.recv_many(&mut waiting, limit).await > 0 {
            let rest = waiting.split_off(self.fitting(&waiting));
            let entries = std::mem::replace(&mut waiting, rest);
            self.write(entries).await;
        }
    }

    /// How many entries from the front make one batch; at least one. Two that were named alike never stand in one statement,
    /// which could not tell that the second is too many.
    fn fitting(&self, entries: &[Entry]) -> usize {
        let settings = &self.store.0.settings;
        let (mut events, mut bytes) = (0, 0);
        let mut names = HashSet::new();
        let within = entries.iter().take_while(|entry| {
            events += entry.events.len();
            bytes += entry.bytes();
            let name = entry.rows.idempotency.as_ref().map(IdempotencyRow::name);
            events <= settings.batch_events
                && bytes <= settings.batch_bytes
                && name.is_none_or(|name| names.insert(name))
        });
        within.count().max(1)
    }

    async fn write(&mut self, entries: Vec<Entry>) {
        let (generation, head) = match self.current_head().await {
            Ok(current) => current,
            Err(fault) => return self.fail(entries, &fault),
        };
        let mut batch = Batch::new(self.shard, head);
        let mut accepted = Vec::with_capacity(entries.len());
        for entry in entries {
            if entry.generation == generation {
                batch.add(entry.events, entry.rows);
                accepted.push(entry.done);
            } else {
                let _ = entry.done.send(Err(StoreFault::Stale(self.shard)));
            }
        }
        let outcome = if batch.events.is_empty() {
            Ok(())
        } else {
            self.commit(&batch).await
        };
        match outcome {
            Ok(()) => self.succeed(batch, accepted, generation),
            Err(fault) => {
                self.store.slot(self.shard).invalidate();
                self.head = None;
                for done in accepted {
                    let _ = done.send(Err(fault.clone()));
                }
            }
        }
    }

    /// The head of the valid generation; read anew after a failure or a change of owner.
    async fn current_head(&mut self) -> Result<(u64, Head), StoreFault> {
        let generation = self.store.slot(self.shard).generation();
        match &self.head {
            Some((read_in, head)) if *read_in == generation => Ok((generation, head.clone())),
            _ => {
                let head = Head::read(&self.store.0.pool, self.shard).await?;
                self.head = Some((generation, head.clone()));
                Ok((generation, head))
            }
        }
    }

    /// Writes the batch; when an answer is lost, sends the same compare-and-set again until it is known
    /// whether the batch stands.
    async fn commit(&self, batch: &Batch) -> Result<(), StoreFault> {
        let pool = &self.store.0.pool;
        let give_up = Instant::now() + self.store.0.settings.commit_deadline;
        let mut pause = RETRY_PAUSE.0;
        let mut answer_lost = false;
        loop {
            let fault = match batch.write(pool).await {
                Ok(true) => return Ok(()),
                Ok(false) if !answer_lost => return Err(StoreFault::Stale(self.shard)),
                Ok(false) => match batch.was_written(pool).await {
                    Ok(true) => return Ok(()),
                    Ok(false) => return Err(StoreFault::Stale(self.shard)),
                    Err(fault) => fault,
                },
                Err(fault) if is_refused(&fault) => {
                    tracing::error!(shard = %self.shard, fault = ?fault, "a tripwire of the event store refused a batch");
                    return Err(StoreFault::Stale(self.shard));
                }
                Err(fault) => fault,
            };
            answer_lost = true;
            if Instant::now() + pause > give_up {
                return Err(fault);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(RETRY_PAUSE.1);
        }
    }

    fn succeed(
        &mut self,
        batch: Batch,
        accepted: Vec<oneshot::Sender<Result<(), StoreFault>>>,
        generation: u64,
    ) {
        let pos = batch.after.pos;
        self.head = Some((generation, batch.after));
        for done in accepted {
            let _ = done.send(Ok(()));
        }
        if batch.events.is_empty() {
            return;
        }
        // A full channel is no fault: the publisher sees the gap and reads the store.
        let _ = self.hand_over.try_send(Arc::new(batch.events));
        self.store.slot(self.shard).committed.send_replace(pos);
    }

    fn fail(&self, entries: Vec<Entry>, fault: &StoreFault) {
        self.store.slot(self.shard).invalidate();
        for entry in entries {
            let _ = entry.done.send(Err(fault.clone()));
        }
    }
}

/// Postgres answered that the statement violates something: it is not committed, and never will be.
fn is_refused(fault: &StoreFault) -> bool {
    match fault {
        StoreFault::Database(fault) => fault
            .as_database_error()
            .and_then(|answer| answer.code())
            .is_some_and(|code| {
                code.starts_with("22") || code.starts_with("23") || code.starts_with("42")
            }),
        _ => false,
    }
}
