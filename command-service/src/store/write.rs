//! Writing a batch, finding out whether it was written, and keeping snapshots.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sqlx::types::Json;
use uuid::Uuid;

use super::append::{self, each};
use super::{Store, StoreFault, answer};
use crate::domain::aggregate::{Aggregate, Kind};
use crate::shard::{Batch, Written};

impl Store {
    /// Writes a batch by a compare-and-set on the shard's head: together with those of other shards that wait for their turn, while
    /// that goes well, and alone otherwise, so that no shard suffers twice for what another one has. It waits for its turn from this
    /// call on.
    pub fn write(&self, batch: Arc<Batch>) -> impl Future<Output = Written> + Send + use<> {
        let store = self.clone();
        let goes_alone = self.slot(batch.shard).goes_alone.load(Ordering::Acquire);
        let goes_with_others = !goes_alone && append::opens_nothing(&batch);
        let turn = goes_with_others.then(|| self.turn_in_a_group(&batch));
        async move {
            let together = match turn.flatten() {
                Some(turn) => store.written_in_a_group(&batch, turn).await,
                None => None,
            };
            let written = match together {
                Some(written) => written,
                None => store.write_alone(&batch).await,
            };
            let goes_alone = &store.slot(batch.shard).goes_alone;
            goes_alone.store(written != Written::Committed, Ordering::Release);
            written
        }
    }

    async fn write_alone(&self, batch: &Batch) -> Written {
        let statement = match append::batch(batch) {
            Ok(statement) => statement,
            Err(fault) => {
                tracing::error!(shard = %batch.shard, %fault, "a batch cannot be written");
                return Written::Refused;
            }
        };
        match answer!(self.writes(), statement => fetch_optional) {
            Ok(Some(_)) => Written::Committed,
            Ok(None) => Written::Behind,
            Err(fault) => outcome(&fault, &[batch]),
        }
    }

    /// Whether every event of the batch stands where the batch put it. That is final: no statement of it that is still on its way
    /// is carried out any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn stands(&self, batch: &Batch) -> Result<bool, StoreFault> {
        let fence = sqlx::query(include_str!("../../sql/raise_fence.sql"))
            .bind(i16::from(batch.shard.number()));
        answer!(self.writes(), fence => execute)?;
        let events = &batch.events;
        let statement = sqlx::query_scalar(include_str!("../../sql/are_events.sql"))
            .bind(i16::from(batch.shard.number()))
            .bind(each(events, |event| event.pos))
            .bind(each(events, |event| event.aggregate_id))
            .bind(each(events, |event| event.seq))
            .bind(each(events, |event| event.request_id))
            .bind(each(events, |event| event.occurred_at));
        let standing: i64 = answer!(self.writes(), statement => fetch_one)?;
        Ok(usize::try_from(standing) == Ok(events.len()))
    }

    /// Keeps a snapshot. Best effort: a lost one only makes the next load longer.
    pub async fn keep_snapshot(&self, id: Uuid, seq: i64, state: &Aggregate) {
        let kept = match state.to_snapshot() {
            Ok(state) => {
                let statement = sqlx::query(include_str!("../../sql/put_snapshot.sql"))
                    .bind(id)
                    .bind(seq)
                    .bind(Json(state))
                    .bind(Kind::STATE_VERSION);
                answer!(self.reads(), statement => execute).map(|_| ())
            }
            Err(fault) => Err(StoreFault::Damaged(fault.to_string())),
        };
        if let Err(fault) = kept {
            tracing::warn!(aggregate_id = %id, seq, %fault, "snapshot not kept");
        }
    }
}

/// How a statement ended that had no answer but a fault.
pub(super) fn outcome(fault: &StoreFault, batches: &[&Batch]) -> Written {
    let events: usize = batches.iter().map(|batch| batch.events.len()).sum();
    let shards: Vec<u8> = append::each(batches, |batch| batch.shard.number());
    if let Some((code, constraint)) = fault.refusal() {
        // Neither the message nor its detail: they quote what is in the rows.
        if shards.len() > 1 {
            tracing::info!(
                ?shards,
                code,
                constraint,
                events,
                "the event store refused batches together; each goes alone"
            );
        } else {
            tracing::warn!(
                ?shards,
                code,
                constraint,
                events,
                "the event store refused a batch"
            );
        }
        Written::Refused
    } else if fault.is_not_done() {
        tracing::warn!(?shards, %fault, cause = fault.cause(), "batches were not written, and are tried again");
        Written::NotNow
    } else {
        tracing::warn!(?shards, %fault, cause = fault.cause(), "the outcome of batches is not known");
        Written::Lost
    }
}
