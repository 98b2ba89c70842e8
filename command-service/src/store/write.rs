//! Writing a batch, finding out whether it was written, and keeping snapshots.

use std::collections::HashMap;

use events_schema::{Envelope, Event};
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Store, StoreFault, answer};
use crate::domain::aggregate::{Aggregate, Kind};
use crate::shard::{Batch, Written};

impl Store {
    /// Writes a batch by a compare-and-set on the shard's head.
    pub async fn write(&self, batch: &Batch) -> Written {
        let shard = batch.shard;
        let statement = match append(batch) {
            Ok(statement) => statement,
            Err(fault) => {
                tracing::error!(%shard, %fault, "a batch cannot be written as JSON");
                return Written::Refused;
            }
        };
        match answer!(self.writes(), statement => fetch_optional) {
            Ok(Some(_)) => Written::Committed,
            Ok(None) => Written::Behind,
            Err(fault) => match fault.refusal() {
                Some((code, constraint)) => {
                    // Neither the message nor its detail: they quote what is in the rows.
                    tracing::warn!(%shard, code, constraint, events = batch.events.len(), "the event store refused a batch");
                    Written::Refused
                }
                None if fault.is_not_done() => {
                    tracing::warn!(%shard, %fault, cause = fault.cause(), "a batch was not written, and is tried again");
                    Written::NotNow
                }
                None => {
                    tracing::warn!(%shard, %fault, cause = fault.cause(), "the outcome of a batch is not known");
                    Written::Lost
                }
            },
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

fn each<T>(events: &[Envelope], part: impl Fn(&Envelope) -> T) -> Vec<T> {
    events.iter().map(part).collect()
}

type Append = QueryScalar<'static, Postgres, i64, PgArguments>;

/// The statement with everything that the batch writes.
fn append(batch: &Batch) -> serde_json::Result<Append> {
    let events = &batch.events;
    let payload = |event: &Envelope| Ok(event.event.payload()?.to_string());
    let payloads: Vec<String> = events
        .iter()
        .map(payload)
        .collect::<serde_json::Result<_>>()?;
    let statement = sqlx::query_scalar(include_str!("../../sql/append_batch.sql"))
        .bind(i16::from(batch.shard.number()))
        .bind(batch.before.pos)
        .bind(batch.after.pos - batch.before.pos)
        .bind(batch.after.topic_seqs.clone())
        .bind(each(events, |event| event.pos))
        .bind(each(events, topic_index))
        .bind(each(events, |event| event.topic_seq))
        .bind(each(events, |event| event.aggregate_id))
        .bind(each(events, |event| event.seq))
        .bind(each(events, |event| event.event.stored_type()))
        .bind(payloads)
        .bind(each(events, |event| event.request_id))
        .bind(each(events, |event| event.actor.clone()))
        .bind(each(events, |event| event.traceparent.clone()))
        .bind(each(events, |event| event.occurred_at));
    let moves = moves(batch);
    let statement = statement
        .bind(moves.iter().map(|of| of.contract).collect::<Vec<_>>())
        .bind(moves.iter().map(|of| of.account).collect::<Vec<_>>())
        .bind(moves.iter().map(|of| of.after).collect::<Vec<_>>());
    let statement = named(batch, statement)?;
    Ok(statement.bind(moves.iter().map(|of| of.before).collect::<Vec<_>>()))
}

/// What a batch does to the balance of one contract: a row may stand once in a statement.
struct Move {
    contract: Uuid,
    account: Uuid,
    /// Before its first event in the batch; none for a contract that begins in it.
    before: Option<i64>,
    after: i64,
}

fn moves(batch: &Batch) -> Vec<Move> {
    let mut before: HashMap<Uuid, Option<i64>> = HashMap::new();
    for event in batch.events.iter() {
        if let Some(balance) = balance_before(&event.event) {
            before.entry(event.aggregate_id).or_insert(balance);
        }
    }
    let balances = batch.rows.iter().filter_map(|rows| rows.balance);
    let last: HashMap<Uuid, (Uuid, i64)> = balances
        .map(|(contract, account, balance)| (contract.uuid(), (account.uuid(), balance.0)))
        .collect();
    let moved = |(contract, (account, after)): (Uuid, (Uuid, i64))| Move {
        contract,
        account,
        before: before.get(&contract).copied().flatten(),
        after,
    };
    last.into_iter().map(moved).collect()
}

/// The balance that an event changed: none of a contract that it begins, nothing of other events.
fn balance_before(event: &Event) -> Option<Option<i64>> {
    match event {
        Event::ContractCreated(_) => Some(None),
        Event::CreditsGranted(e) => Some(Some(e.balance_after.0 - e.credits.0)),
        Event::CreditsCharged(e) => Some(Some(e.balance_after.0 + e.credits.0)),
        _ => None,
    }
}

/// Named charges, and the last small row of each kind and key.
fn named(batch: &Batch, statement: Append) -> serde_json::Result<Append> {
    let named: Vec<_> = batch
        .rows
        .iter()
        .filter_map(|rows| rows.idempotency.as_ref())
        .collect();
    let receipt = |row: &&crate::shard::IdempotencyRow| serde_json::to_string(&row.receipt);
    let receipts: Vec<String> = named
        .iter()
        .map(receipt)
        .collect::<serde_json::Result<_>>()?;
    let kept_for = named.iter().map(|row| row.kept_for).max();
    let rows = batch.rows.iter().filter_map(|rows| rows.row.as_ref());
    let last: HashMap<_, _> = rows
        .map(|row| {
            let (kind, key, body) = row.parts();
            ((kind, key), body.to_string())
        })
        .collect();
    let (kinds, bodies): (Vec<_>, Vec<_>) = last
        .into_iter()
        .map(|((kind, _), body)| (kind, body))
        .unzip();
    let text = |part: fn(&crate::shard::IdempotencyRow) -> String| -> Vec<String> {
        named.iter().map(|row| part(row)).collect()
    };
    Ok(statement
        .bind(
            named
                .iter()
                .map(|row| row.account_id.uuid())
                .collect::<Vec<_>>(),
        )
        .bind(text(|row| row.endpoint.name().to_owned()))
        .bind(text(|row| row.claim.key_hash.clone()))
        .bind(text(|row| row.claim.request_hash.clone()))
        .bind(receipts)
        .bind(kinds)
        .bind(bodies)
        .bind(kept_for.unwrap_or_default().num_milliseconds())
        .bind(batch.before.fence))
}

fn topic_index(envelope: &Envelope) -> i16 {
    i16::try_from(envelope.event.topic().index()).unwrap_or(i16::MAX)
}
