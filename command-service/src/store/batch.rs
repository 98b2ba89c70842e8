//! One batch: commands of one shard, written by one statement or not at all.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use events_schema::ids::Shard;
use events_schema::{Envelope, Event};
use sqlx::PgPool;
use uuid::Uuid;

use super::StoreFault;
use super::rows::SideRows;

/// An event that has no position yet.
#[derive(Debug)]
pub(super) struct PendingEvent {
    pub(super) aggregate_id: Uuid,
    pub(super) seq: i64,
    pub(super) event: Event,
    /// The payload as JSON text, made by the command's own task.
    pub(super) payload: String,
    pub(super) occurred_at: DateTime<Utc>,
    pub(super) request_id: Uuid,
    pub(super) actor: Arc<str>,
    pub(super) traceparent: Option<Arc<str>>,
}

/// Where a shard stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) pos: i64,
    pub(super) topic_seqs: Vec<i64>,
}

impl Head {
    pub(super) async fn read(pool: &PgPool, shard: Shard) -> Result<Self, StoreFault> {
        let (pos, topic_seqs): (i64, Vec<i64>) = sqlx::query_as(include_str!("../../sql/head.sql"))
            .bind(i16::from(shard.number()))
            .fetch_one(pool)
            .await?;
        Ok(Self { pos, topic_seqs })
    }
}

/// Events with their positions and the rows beside them.
pub(super) struct Batch {
    shard: Shard,
    before: Head,
    pub(super) after: Head,
    pub(super) events: Vec<Envelope>,
    payloads: Vec<String>,
    rows: Vec<SideRows>,
}

impl Batch {
    pub(super) fn new(shard: Shard, before: Head) -> Self {
        Self {
            shard,
            after: before.clone(),
            before,
            events: Vec::new(),
            payloads: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Gives the events the next positions. Returns the index range that they have in `events`.
    pub(super) fn add(
        &mut self,
        events: Vec<PendingEvent>,
        rows: SideRows,
    ) -> std::ops::Range<usize> {
        let start = self.events.len();
        for pending in events {
            self.after.pos += 1;
            let topic = pending.event.topic().index();
            let topic_seq = self.after.topic_seqs.get_mut(topic).map_or(0, |seq| {
                *seq += 1;
                *seq
            });
            self.events.push(Envelope {
                shard: self.shard,
                pos: self.after.pos,
                topic_seq,
                aggregate_id: pending.aggregate_id,
                seq: pending.seq,
                occurred_at: pending.occurred_at,
                request_id: pending.request_id,
                actor: pending.actor.to_string(),
                traceparent: pending.traceparent.as_deref().map(str::to_owned),
                event: pending.event,
            });
            self.payloads.push(pending.payload);
        }
        self.rows.push(rows);
        start..self.events.len()
    }

    /// Writes the batch. `false` = the compare-and-set failed, nothing was written by this call.
    pub(super) async fn write(&self, pool: &PgPool) -> Result<bool, StoreFault> {
        let each = |f: fn(&Envelope) -> Uuid| self.events.iter().map(f).collect::<Vec<_>>();
        let balances = self.balances();
        let idempotency: Vec<_> = self
            .rows
            .iter()
            .filter_map(|rows| rows.idempotency.as_ref())
            .collect();
        let receipts = idempotency
            .iter()
            .map(|row| serde_json::to_string(&row.receipt))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| StoreFault::Damaged(fault.to_string()))?;
        let kept_for = idempotency
            .iter()
            .map(|row| row.kept_for)
            .max()
            .unwrap_or_default();
        let (kinds, bodies) = self.small_rows();
        let count = i64::try_from(self.events.len()).unwrap_or(i64::MAX);
        let written: Option<i64> = sqlx::query_scalar(include_str!("../../sql/append_batch.sql"))
            .bind(i16::from(self.shard.number()))
            .bind(self.before.pos)
            .bind(count)
            .bind(&self.after.topic_seqs)
            .bind(self.events.iter().map(|e| e.pos).collect::<Vec<_>>())
            .bind(self.events.iter().map(topic_index).collect::<Vec<_>>())
            .bind(self.events.iter().map(|e| e.topic_seq).collect::<Vec<_>>())
            .bind(each(|e| e.aggregate_id))
            .bind(self.events.iter().map(|e| e.seq).collect::<Vec<_>>())
            .bind(
                self.events
                    .iter()
                    .map(|e| e.event.stored_type())
                    .collect::<Vec<_>>(),
            )
            .bind(&self.payloads)
            .bind(each(|e| e.request_id))
            .bind(
                self.events
                    .iter()
                    .map(|e| e.actor.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.events
                    .iter()
                    .map(|e| e.traceparent.as_deref())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.events
                    .iter()
                    .map(|e| e.occurred_at)
                    .collect::<Vec<_>>(),
            )
            .bind(balances.iter().map(|b| b.0).collect::<Vec<_>>())
            .bind(balances.iter().map(|b| b.1).collect::<Vec<_>>())
            .bind(balances.iter().map(|b| b.2).collect::<Vec<_>>())
            .bind(
                idempotency
                    .iter()
                    .map(|row| row.account_id.uuid())
                    .collect::<Vec<_>>(),
            )
            .bind(
                idempotency
                    .iter()
                    .map(|row| row.endpoint.name())
                    .collect::<Vec<_>>(),
            )
            .bind(
                idempotency
                    .iter()
                    .map(|row| row.claim.key_hash.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(
                idempotency
                    .iter()
                    .map(|row| row.claim.request_hash.as_str())
                    .collect::<Vec<_>>(),
            )
            .bind(receipts)
            .bind(
                idempotency
                    .iter()
                    .map(|row| row.created_at)
                    .collect::<Vec<_>>(),
            )
            .bind(kinds)
            .bind(bodies)
            .bind(kept_for.num_milliseconds())
            .fetch_optional(pool)
            .await?;
        Ok(written.is_some())
    }

    /// Whether this very batch was committed by an earlier call whose answer was lost.
    pub(super) async fn was_written(&self, pool: &PgPool) -> Result<bool, StoreFault> {
        let Some(first) = self.events.first() else {
            return Ok(true);
        };
        Ok(sqlx::query_scalar(include_str!("../../sql/is_event.sql"))
            .bind(i16::from(self.shard.number()))
            .bind(first.pos)
            .bind(first.aggregate_id)
            .bind(first.seq)
            .bind(first.request_id)
            .fetch_one(pool)
            .await?)
    }

    /// The last balance of each contract: a row may stand once in a statement.
    fn balances(&self) -> Vec<(Uuid, Uuid, i64)> {
        let last: HashMap<_, _> = self
            .rows
            .iter()
            .filter_map(|rows| rows.balance)
            .map(|(contract, account, balance)| (contract.uuid(), (account.uuid(), balance.0)))
            .collect();
        last.into_iter()
            .map(|(contract, (account, balance))| (contract, account, balance))
            .collect()
    }

    /// The last row of each kind and key.
    fn small_rows(&self) -> (Vec<&'static str>, Vec<String>) {
        let last: HashMap<_, _> = self
            .rows
            .iter()
            .filter_map(|rows| rows.row.as_ref())
            .map(|row| {
                let (kind, key, body) = row.parts();
                ((kind, key), body.to_string())
            })
            .collect();
        last.into_iter()
            .map(|((kind, _), body)| (kind, body))
            .unzip()
    }
}

fn topic_index(envelope: &Envelope) -> i16 {
    i16::try_from(envelope.event.topic().index()).unwrap_or(i16::MAX)
}
