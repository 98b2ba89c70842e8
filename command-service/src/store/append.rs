//! The statements that write batches, with everything that they bind.

use std::collections::HashMap;

use events_schema::{Envelope, Event};
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;
use uuid::Uuid;

use crate::shard::{Batch, IdempotencyRow};

pub(super) type Append = QueryScalar<'static, Postgres, i64, PgArguments>;

/// One batch of any kind. A row comes back when it is written.
pub(super) fn batch(batch: &Batch) -> serde_json::Result<Append> {
    let statement = sqlx::query_scalar(include_str!("../../sql/append_batch.sql"))
        .bind(i16::from(batch.shard.number()))
        .bind(batch.before.fence)
        .bind(batch.before.pos)
        .bind(batch.after.pos)
        .bind(batch.after.topic_seqs.clone());
    let statement = bind_events(statement, &batch.events.iter().collect::<Vec<_>>())?;
    let moves = moves(batch);
    let statement = bind_moves(statement, &moves).bind(each(&moves, |of| of.account));
    let statement = bind_named(statement, std::slice::from_ref(&batch))?;
    let rows = batch.rows.iter().filter_map(|rows| rows.row.as_ref());
    // The last of each kind and key: a row may stand once in a statement.
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
    Ok(statement.bind(kinds).bind(bodies))
}

/// Whether a batch may be one of [`group`]: it opens no contract, and writes no small row.
pub(super) fn opens_nothing(batch: &Batch) -> bool {
    let opens = |event: &Envelope| balance_before(&event.event) == Some(None);
    batch.rows.iter().all(|rows| rows.row.is_none()) && !batch.events.iter().any(opens)
}

/// Batches of several shards, each of which [`opens_nothing`]: a row comes back when all are written, else none is.
pub(super) fn group(batches: &[&Batch]) -> serde_json::Result<Append> {
    let mut batches = batches.to_vec();
    batches.sort_by_key(|batch| batch.shard.number());
    let events: Vec<&Envelope> = batches
        .iter()
        .flat_map(|batch| batch.events.iter())
        .collect();
    let topic_seqs = |batch: &&Batch| {
        let seqs: Vec<String> = each(&batch.after.topic_seqs, ToString::to_string);
        format!("{{{}}}", seqs.join(","))
    };
    let statement = sqlx::query_scalar(include_str!("../../sql/append_movements.sql"))
        .bind(each(&batches, |batch| i16::from(batch.shard.number())))
        .bind(each(&batches, |batch| batch.before.fence))
        .bind(each(&batches, |batch| batch.before.pos))
        .bind(each(&batches, |batch| batch.after.pos))
        .bind(each(&batches, topic_seqs))
        .bind(each(&events, |event| i16::from(event.shard.number())));
    let statement = bind_events(statement, &events)?;
    let moves: Vec<Move> = batches.iter().flat_map(|batch| moves(batch)).collect();
    bind_named(bind_moves(statement, &moves), &batches)
}

pub(super) fn each<E, T>(of: &[E], part: impl Fn(&E) -> T) -> Vec<T> {
    of.iter().map(part).collect()
}

/// From position to time.
fn bind_events(statement: Append, events: &[&Envelope]) -> serde_json::Result<Append> {
    let payload = |event: &&Envelope| Ok(event.event.payload()?.to_string());
    let payloads: Vec<String> = events
        .iter()
        .map(payload)
        .collect::<serde_json::Result<_>>()?;
    Ok(statement
        .bind(each(events, |event| event.pos))
        .bind(each(events, |event| topic_index(event)))
        .bind(each(events, |event| event.topic_seq))
        .bind(each(events, |event| event.aggregate_id))
        .bind(each(events, |event| event.seq))
        .bind(each(events, |event| event.event.stored_type()))
        .bind(payloads)
        .bind(each(events, |event| event.request_id))
        .bind(each(events, |event| event.actor.clone()))
        .bind(each(events, |event| event.traceparent.clone()))
        .bind(each(events, |event| event.occurred_at)))
}

fn topic_index(envelope: &Envelope) -> i16 {
    i16::try_from(envelope.event.topic().index()).unwrap_or(i16::MAX)
}

/// What a batch does to the balance of one contract: a row may stand once in a statement.
struct Move {
    contract: Uuid,
    account: Uuid,
    /// Before its first event in the batch; none for a contract that begins in it.
    before: Option<i64>,
    after: i64,
}

/// Contract, balance before, balance after.
fn bind_moves(statement: Append, moves: &[Move]) -> Append {
    statement
        .bind(each(moves, |of| of.contract))
        .bind(each(moves, |of| of.before))
        .bind(each(moves, |of| of.after))
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

/// Named charges, from account to how long a row is kept.
fn bind_named(statement: Append, batches: &[&Batch]) -> serde_json::Result<Append> {
    let named: Vec<&IdempotencyRow> = batches
        .iter()
        .flat_map(|batch| &batch.rows)
        .filter_map(|rows| rows.idempotency.as_ref())
        .collect();
    let receipt = |row: &&IdempotencyRow| serde_json::to_string(&row.receipt);
    let receipts: Vec<String> = named
        .iter()
        .map(receipt)
        .collect::<serde_json::Result<_>>()?;
    let kept_for = named.iter().map(|row| row.kept_for).max();
    Ok(statement
        .bind(each(&named, |row| row.account_id.uuid()))
        .bind(each(&named, |row| row.endpoint.name().to_owned()))
        .bind(each(&named, |row| row.claim.key_hash.clone()))
        .bind(each(&named, |row| row.claim.request_hash.clone()))
        .bind(receipts)
        .bind(kept_for.unwrap_or_default().num_milliseconds()))
}
