//! The statements that write batches, with everything that they bind.

use std::collections::HashMap;

use events_schema::{Envelope, Event};
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;
use uuid::Uuid;

use super::balance::Balance;
use crate::shard::{Batch, IdempotencyRow};

pub(super) type Append = QueryScalar<'static, Postgres, i64, PgArguments>;

/// Why a batch is not sent to Postgres at all.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwritable {
    /// An event or a receipt.
    #[error("it cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// Memory does not believe itself.
    #[error("event {seq} of contract {contract} does not go on from the one before it")]
    GoesOnFromNothing {
        /// The contract.
        contract: Uuid,
        /// Of the event.
        seq: i64,
    },
}

/// One batch of any kind. A row comes back when it is written.
pub(super) fn batch(batch: &Batch) -> Result<Append, Unwritable> {
    let statement = sqlx::query_scalar(include_str!("../../sql/append_batch.sql"))
        .bind(i16::from(batch.shard.number()))
        .bind(batch.before.fence)
        .bind(batch.before.pos)
        .bind(batch.after.pos)
        .bind(batch.after.topic_seqs.clone());
    let statement = bind_events(statement, &batch.events.iter().collect::<Vec<_>>())?;
    let contracts = Contracts::of(batch)?;
    let opened = &contracts.opened;
    let statement = bind_going_on(statement, &contracts.going_on)
        .bind(each(opened, |(contract, _)| *contract))
        .bind(each(opened, |(_, account)| *account));
    let statement = bind_named(statement, std::slice::from_ref(&batch))?;
    let rows = batch.rows.iter().filter_map(|rows| rows.row.as_deref());
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
    let opens = |event: &Envelope| matches!(event.event, Event::ContractCreated(_));
    batch.rows.iter().all(|rows| rows.row.is_none()) && !batch.events.iter().any(opens)
}

/// Batches of several shards, each of which [`opens_nothing`]: a row comes back when all are written, else none is.
pub(super) fn group(batches: &[&Batch]) -> Result<Append, Unwritable> {
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
    let mut going_on = Vec::new();
    for batch in &batches {
        going_on.extend(Contracts::of(batch)?.going_on);
    }
    let statement = bind_going_on(statement, &going_on);
    Ok(bind_named(statement, &batches)?)
}

pub(super) fn each<E, T>(of: &[E], part: impl Fn(&E) -> T) -> Vec<T> {
    of.iter().map(part).collect()
}

/// From position to time.
fn bind_events(statement: Append, events: &[&Envelope]) -> serde_json::Result<Append> {
    let payloads: Vec<String> = events
        .iter()
        .map(|event| event.event.payload())
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

/// Where a batch goes on with a contract: from what its event `seq`, the last one before the batch, left.
#[derive(Debug, PartialEq, Eq)]
struct GoingOn {
    contract: Uuid,
    seq: i64,
    balance: i64,
}

/// Contract, number of the event, balance.
fn bind_going_on(statement: Append, going_on: &[GoingOn]) -> Append {
    statement
        .bind(each(going_on, |of| of.contract))
        .bind(each(going_on, |of| of.seq))
        .bind(each(going_on, |of| of.balance))
}

/// What a batch does with contracts.
#[derive(Debug, Default)]
struct Contracts {
    going_on: Vec<GoingOn>,
    /// Contract and account.
    opened: Vec<(Uuid, Uuid)>,
}

impl Contracts {
    /// Each event must go on from the one before it in the batch; the first of each contract goes on from the last in the store.
    fn of(batch: &Batch) -> Result<Self, Unwritable> {
        let mut contracts = Self::default();
        // Number and balance of the last event of each.
        let mut last: HashMap<Uuid, (i64, i64)> = HashMap::new();
        for event in batch.events.iter() {
            let Some(balance) = Balance::around(&event.event) else {
                continue;
            };
            let (contract, seq) = (event.aggregate_id, event.seq);
            let previous = last.insert(contract, (seq, balance.after));
            match (previous, balance.before, &event.event) {
                (None, None, Event::ContractCreated(created)) if seq == 1 => {
                    let account = created.account_id.uuid();
                    contracts.opened.push((contract, account));
                }
                (None, Some(balance), _) => contracts.going_on.push(GoingOn {
                    contract,
                    seq: seq - 1,
                    balance,
                }),
                (Some(previous), Some(balance), _) if previous == (seq - 1, balance) => {}
                _ => return Err(Unwritable::GoesOnFromNothing { contract, seq }),
            }
        }
        Ok(contracts)
    }
}

/// Named charges, from account to how long a row is kept.
fn bind_named(statement: Append, batches: &[&Batch]) -> serde_json::Result<Append> {
    let named: Vec<&IdempotencyRow> = batches
        .iter()
        .flat_map(|batch| &batch.rows)
        .filter_map(|rows| rows.idempotency.as_deref())
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::{NaiveDate, Utc};
    use events_schema::api::endpoint::{Endpoint, EndpointSet};
    use events_schema::contract::v1::{ContractCreated, CreditsCharged};
    use events_schema::ids::{AccountId, ContractId, Shard};
    use events_schema::{Credits, history};

    use super::*;
    use crate::shard::Head;

    fn account() -> AccountId {
        AccountId::new([1; 16])
    }

    fn contract() -> ContractId {
        ContractId::new(account(), [2; 16])
    }

    fn created(credits: i64) -> Event {
        let created = ContractCreated {
            contract_id: contract(),
            account_id: account(),
            endpoints: EndpointSet::All,
            credits: Credits(credits),
            starts_on: NaiveDate::default(),
            expires_on: None,
            prices: BTreeMap::new(),
        };
        created.into()
    }

    fn charged(credits: i64, balance_after: i64) -> Event {
        let charged = CreditsCharged {
            contract_id: contract(),
            account_id: account(),
            endpoint: Endpoint::PersonEnrich,
            units: 1,
            credits: Credits(credits),
            balance_after: Credits(balance_after),
        };
        charged.into()
    }

    /// Events with their numbers.
    fn contracts(events: impl IntoIterator<Item = (i64, Event)>) -> Result<Contracts, Unwritable> {
        let head = Head {
            pos: 0,
            topic_seqs: Vec::new(),
            fence: 0,
            history: 1,
        };
        let mut batch = Batch::new(Shard::all().next().unwrap(), head);
        let envelope = |(seq, event)| Envelope {
            shard: batch.shard,
            pos: seq,
            history: history::FIRST,
            topic_seq: seq,
            aggregate_id: contract().uuid(),
            seq,
            occurred_at: Utc::now(),
            request_id: Uuid::nil(),
            actor: String::new(),
            traceparent: None,
            event,
        };
        let events = events.into_iter().map(envelope).collect();
        batch.events = std::sync::Arc::new(events);
        Contracts::of(&batch)
    }

    #[test]
    fn a_contract_goes_on_from_the_event_before_its_first_one() {
        let found = contracts([(7, charged(3, 90)), (8, charged(0, 90))]).unwrap();
        let from = GoingOn {
            contract: contract().uuid(),
            seq: 6,
            balance: 93,
        };
        assert_eq!((found.going_on, found.opened), (vec![from], vec![]));
    }

    #[test]
    fn a_contract_that_begins_goes_on_from_nothing() {
        let found = contracts([(1, created(100)), (2, charged(1, 99))]).unwrap();
        let opened = (contract().uuid(), account().uuid());
        assert_eq!((found.going_on, found.opened), (vec![], vec![opened]));
    }

    #[test]
    fn nothing_begins_in_the_middle() {
        assert!(contracts([(2, created(100))]).is_err());
    }

    #[test]
    fn an_event_that_does_not_go_on_from_the_one_before_it_is_not_written() {
        let wrong = [
            [(7, charged(3, 90)), (8, charged(3, 88))],
            [(7, charged(3, 90)), (9, charged(3, 87))],
            [(7, charged(3, 90)), (7, charged(3, 87))],
            [(7, charged(3, 90)), (8, created(90))],
            [(1, created(90)), (2, created(90))],
        ];
        for events in wrong {
            let seq = events[1].0;
            let found = contracts(events);
            assert!(
                matches!(found, Err(Unwritable::GoesOnFromNothing { seq: at, .. }) if at == seq),
                "{found:?}"
            );
        }
    }
}
