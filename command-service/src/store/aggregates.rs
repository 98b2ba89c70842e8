//! Aggregates of one type under cqrs-es: cached state, decided on under a lock, committed in batches.
//!
//! `load_aggregate` hands out the cached aggregate with its lock guard in the context; `commit` leaves the new
//! state in place speculatively, queues the events, drops the guard and awaits the batch. The next command on
//! the same aggregate therefore joins the same batch or the next one. If the batch fails, the shard's
//! generation moves on, and every cached state of it is loaded again.

mod cqrs;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use events_schema::Event;
use events_schema::ids::Shard;
use tokio::sync::{OwnedMutexGuard, mpsc, oneshot};
use uuid::Uuid;

use super::batch::PendingEvent;
use super::rows::SideRows;
use super::writer::Entry;
use super::{Store, StoreFault};
use crate::application::Cause;
use crate::domain::Decider;

pub use cqrs::{Fact, Folded};

/// All aggregates of type `D`, each with a `B` beside it that lives in the owner's memory only.
pub struct Aggregates<D: Decider, B> {
    store: Store,
    cells: Arc<Mutex<Cells<D, B>>>,
}

type Cells<D, B> = HashMap<Uuid, Arc<tokio::sync::Mutex<Cell<D, B>>>>;

impl<D: Decider, B> Clone for Aggregates<D, B> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            cells: Arc::clone(&self.cells),
        }
    }
}

/// One aggregate in memory.
struct Cell<D: Decider, B> {
    /// Generation of the shard in which the state was loaded; 0 = never.
    generation: u64,
    folded: Folded<D>,
    seq: i64,
    beside: B,
}

/// A cached aggregate, locked, with a place in its shard's queue.
pub struct Locked<D: Decider, B> {
    store: Store,
    shard: Shard,
    aggregate_id: Uuid,
    cell: OwnedMutexGuard<Cell<D, B>>,
    /// Taken when the events are queued.
    permit: Option<mpsc::OwnedPermit<Entry>>,
    /// The state was lent out to be changed, and the events of the change are not queued yet.
    changed: bool,
    cause: Option<Cause>,
    occurred_at: chrono::DateTime<chrono::Utc>,
    rows: SideRows,
}

impl<D: Decider, B> Locked<D, B> {
    /// The state, with everything decided so far.
    #[must_use]
    pub fn state(&self) -> &D {
        self.cell.folded.state()
    }

    /// The state, and what lives beside it to be changed.
    pub fn with_state<T>(&mut self, act: impl FnOnce(&D, &mut B) -> T) -> T {
        let cell = &mut *self.cell;
        act(cell.folded.state(), &mut cell.beside)
    }

    /// The command was refused: nothing was changed after all.
    pub fn refused(mut self) {
        self.changed = false;
    }

    /// Who asked, when it was decided, and the rows that go with the events.
    pub fn attach(
        &mut self,
        cause: Cause,
        occurred_at: chrono::DateTime<chrono::Utc>,
        rows: SideRows,
    ) {
        self.cause = Some(cause);
        self.occurred_at = occurred_at;
        self.rows = rows;
    }

    /// Queues the events behind everything decided before, and gives the lock back. The answer comes when
    /// the batch is durable.
    fn queue(mut self, events: Vec<D::Event>) -> Result<Queued<D, B>, StoreFault> {
        let before = self.cell.seq;
        let pending = events
            .into_iter()
            .zip(before + 1..)
            .map(|(fact, seq)| self.pending(fact.into(), seq))
            .collect::<Result<Vec<_>, _>>()?;
        let permit = self
            .permit
            .take()
            .ok_or(StoreFault::Overloaded(self.shard))?;
        self.cell.seq += i64::try_from(pending.len()).unwrap_or(0);
        self.changed = false;
        let (done, answer) = oneshot::channel();
        let rows = std::mem::take(&mut self.rows);
        permit.send(Entry {
            generation: self.cell.generation,
            events: pending,
            rows,
            done,
        });
        let _cell = Arc::clone(OwnedMutexGuard::mutex(&self.cell));
        Ok(Queued {
            shard: self.shard,
            first_seq: before + 1,
            answer,
            _cell,
        })
    }

    fn pending(&self, event: Event, seq: i64) -> Result<PendingEvent, StoreFault> {
        let payload = event
            .payload()
            .map_err(|fault| StoreFault::Damaged(fault.to_string()))?
            .to_string();
        let cause = self.cause.as_ref();
        Ok(PendingEvent {
            aggregate_id: self.aggregate_id,
            seq,
            event,
            payload,
            occurred_at: self.occurred_at,
            request_id: cause.map_or(Uuid::nil(), |cause| cause.request_id),
            actor: cause.map_or_else(|| Arc::from(""), |cause| Arc::from(cause.actor.as_str())),
            traceparent: cause.and_then(|cause| cause.traceparent.as_deref().map(Arc::from)),
        })
    }
}

impl<D: Decider, B> Drop for Locked<D, B> {
    /// A change that was decided and never queued (its task was dropped in between) must not be built upon.
    fn drop(&mut self) {
        if self.changed {
            self.store.slot(self.shard).invalidate();
        }
    }
}

/// Events that wait for their batch.
struct Queued<D: Decider, B> {
    shard: Shard,
    first_seq: i64,
    answer: oneshot::Receiver<Result<(), StoreFault>>,
    /// Keeps the speculative state in memory until its events can be loaded.
    _cell: Arc<tokio::sync::Mutex<Cell<D, B>>>,
}

impl<D: Decider, B> Queued<D, B> {
    async fn durable(self) -> Result<i64, StoreFault> {
        match self.answer.await {
            Ok(outcome) => outcome.map(|()| self.first_seq),
            Err(_) => Err(StoreFault::Stale(self.shard)),
        }
    }
}

impl<D: Decider, B: Default + Send + 'static> Aggregates<D, B> {
    /// Over the store; nothing is loaded yet.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            cells: Arc::default(),
        }
    }

    /// The aggregate, locked, as of everything decided so far.
    ///
    /// # Errors
    /// When its shard is not owned here, its queue is full, or the store fails.
    pub async fn lock(&self, shard: Shard, aggregate_id: Uuid) -> Result<Locked<D, B>, StoreFault> {
        let slot = self.store.slot(shard);
        let permit = slot.reserve()?;
        let mut cell = self.cell(aggregate_id).lock_owned().await;
        let generation = slot.generation();
        if cell.generation != generation {
            let (folded, seq) = self.load(aggregate_id).await?;
            cell.folded = folded;
            cell.seq = seq;
            // Read before the load: if the shard changed hands meanwhile, the writer refuses this generation.
            cell.generation = generation;
        }
        Ok(Locked {
            store: self.store.clone(),
            shard,
            aggregate_id,
            cell,
            permit: Some(permit),
            changed: false,
            cause: None,
            occurred_at: chrono::DateTime::UNIX_EPOCH,
            rows: SideRows::default(),
        })
    }

    /// A copy of the state once everything that it rests on is durable.
    ///
    /// # Errors
    /// As [`Aggregates::lock`], or when something that it rests on could not be written.
    pub async fn read(&self, shard: Shard, aggregate_id: Uuid) -> Result<D, StoreFault> {
        let locked = self.lock(shard, aggregate_id).await?;
        let state = locked.state().clone();
        locked.queue(Vec::new())?.durable().await?;
        Ok(state)
    }

    /// Forgets an aggregate that is not expected to be asked for again soon.
    pub fn forget(&self, aggregate_id: Uuid) {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        if cells
            .get(&aggregate_id)
            .is_some_and(|cell| Arc::strong_count(cell) == 1)
        {
            cells.remove(&aggregate_id);
        }
    }

    fn cell(&self, aggregate_id: Uuid) -> Arc<tokio::sync::Mutex<Cell<D, B>>> {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        if cells.len() >= self.store.0.settings.max_cells && !cells.contains_key(&aggregate_id) {
            cells.retain(|_, cell| Arc::strong_count(cell) > 1);
        }
        let empty = || Cell {
            generation: 0,
            folded: Folded::default(),
            seq: 0,
            beside: B::default(),
        };
        Arc::clone(
            cells
                .entry(aggregate_id)
                .or_insert_with(|| Arc::new(tokio::sync::Mutex::new(empty()))),
        )
    }

    /// Snapshot and the events after it.
    async fn load(&self, aggregate_id: Uuid) -> Result<(Folded<D>, i64), StoreFault> {
        let snapshot: Option<(i64, sqlx::types::Json<D>)> =
            sqlx::query_as(include_str!("../../sql/aggregate_snapshot.sql"))
                .bind(aggregate_id)
                .fetch_optional(&self.store.0.pool)
                .await?;
        let (mut seq, mut state) =
            snapshot.map_or_else(|| (0, D::default()), |(seq, state)| (seq, state.0));
        for fact in self.events_after(aggregate_id, seq).await? {
            state.evolve(&fact);
            seq += 1;
        }
        Ok((Folded::new(state), seq))
    }

    /// The events of an aggregate after a seq, in order and without a gap.
    async fn events_after(
        &self,
        aggregate_id: Uuid,
        seq: i64,
    ) -> Result<Vec<D::Event>, StoreFault> {
        let rows: Vec<(i64, String, serde_json::Value)> =
            sqlx::query_as(include_str!("../../sql/aggregate_events.sql"))
                .bind(aggregate_id)
                .bind(seq)
                .fetch_all(&self.store.0.pool)
                .await?;
        let read = |((found, stored_type, payload), expected): ((i64, String, _), i64)| {
            if found != expected {
                let missing = format!("event {expected} of {aggregate_id} is missing");
                return Err(StoreFault::Damaged(missing));
            }
            let event = Event::from_parts(&stored_type, payload)?;
            D::Event::try_from(event).map_err(|fault| StoreFault::Damaged(fault.to_string()))
        };
        rows.into_iter().zip(seq + 1..).map(read).collect()
    }

    /// Keeps a snapshot if the events crossed a multiple of the configured number. Best effort: a lost
    /// snapshot only makes the next load longer.
    fn snapshot(&self, aggregate_id: Uuid, state: D, seq: i64) {
        let pool = self.store.0.pool.clone();
        tokio::spawn(async move {
            let kept = sqlx::query(include_str!("../../sql/put_snapshot.sql"))
                .bind(aggregate_id)
                .bind(seq)
                .bind(sqlx::types::Json(state))
                .execute(&pool)
                .await;
            if let Err(fault) = kept {
                tracing::warn!(%aggregate_id, seq, fault = %fault, "snapshot not kept");
            }
        });
    }
}
