//! `credits.v1`: the ledger row by row, and for each contract grants less charges = balance, and whether it was ended, in store, topic and
//! read model.

use std::collections::{BTreeSet, HashMap};

use events_schema::Event;
use events_schema::contract::movement::{GRANT, Movement};
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::TryStreamExt;
use uuid::Uuid;

use crate::reconcile::difference::same;
use crate::reconcile::read_model::{self, LedgerRow, ReadModel};
use crate::reconcile::rows::StoredEvent;
use crate::reconcile::store::Store;
use crate::reconcile::{Difference, Stop, Summary};

/// Rows asked for at a time.
const BATCH: usize = 1_000;

/// Credits of a contract so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Whose contract it is.
    account_id: Uuid,
    pub(crate) granted: i64,
    pub(crate) charged: i64,
    ended: bool,
}

impl Sums {
    pub(crate) const fn balance(self) -> i64 {
        self.granted - self.charged
    }

    fn add(&mut self, movement: &Movement) {
        self.account_id = movement.account_id.uuid();
        if movement.kind == GRANT {
            self.granted += movement.credits.0;
        } else {
            self.charged += movement.credits.0;
        }
    }
}

/// Credits by contract.
pub(crate) type SumsByContract = HashMap<Uuid, Sums>;

/// Adds an event of the topic to the sums.
pub(crate) fn add(sums: &mut SumsByContract, event: &Event) {
    if let Some(movement) = Movement::of(event) {
        sums.entry(movement.contract_id.uuid())
            .or_default()
            .add(&movement);
    }
    if let Event::ContractEnded(ended) = event {
        sums.entry(ended.contract_id.uuid()).or_default().ended = true;
    }
}

pub(crate) async fn prove(
    shard: Shard,
    store: &mut Store,
    read_model: &mut ReadModel,
    in_topic: &SumsByContract,
    summary: &mut Summary,
) -> Result<(), Stop> {
    let cut = read_model.cut(Topic::Credits, shard);
    let mut sums = SumsByContract::new();
    summary.ledger_rows += prove_ledger(shard, store, read_model, cut, &mut sums).await?;
    summary.contracts += i64::try_from(sums.len()).unwrap_or(i64::MAX);
    prove_contracts(read_model, &sums).await?;

    let head = store.head(shard).topic_seq(Topic::Credits);
    let mut younger = store.events_between(shard, Topic::Credits, cut, head);
    while let Some(stored) = younger.try_next().await? {
        step(&mut sums, &stored)?;
    }
    drop(younger);
    prove_topic(&sums, in_topic)?;
    prove_listed(store, &sums).await?;
    for one in sums.values() {
        summary.credits_granted += one.granted;
        summary.credits_charged += one.charged;
        summary.credits_remaining += one.balance();
    }
    Ok(())
}

/// Event by event beside row by row, up to the cut; gives the number of rows.
async fn prove_ledger(
    shard: Shard,
    store: &mut Store,
    read_model: &mut ReadModel,
    cut: i64,
    sums: &mut SumsByContract,
) -> Result<i64, Stop> {
    let mut rows = read_model.ledger(shard);
    let mut events = store.events_between(shard, Topic::Credits, 0, cut);
    let mut count = 0;
    while let Some(stored) = events.try_next().await? {
        // The end of a contract moves no credits.
        let Some(movement) = step(sums, &stored)? else {
            continue;
        };
        let row = rows.try_next().await?;
        match row {
            Some(row) if row.pos == stored.pos => prove_row(&stored, &movement, &row)?,
            Some(row) if row.pos < stored.pos => return Err(unknown_row(shard, &row).into()),
            _ => {
                return Err(Difference::new(
                    "missing_in_ledger",
                    stored.place(),
                    "a ledger row",
                    "none",
                )
                .into());
            }
        }
        count += 1;
    }
    match rows.try_next().await? {
        Some(row) => Err(unknown_row(shard, &row).into()),
        None => Ok(count),
    }
}

fn unknown_row(shard: Shard, row: &LedgerRow) -> Difference {
    let place = format!("ledger shard {shard} pos {}", row.pos);
    Difference::new(
        "unknown_row",
        place,
        "no row",
        "a row whose event is not in the store",
    )
}

fn prove_row(stored: &StoredEvent, movement: &Movement, row: &LedgerRow) -> Result<(), Difference> {
    let place = |column: &'static str| move || format!("ledger {} {column}", stored.place());
    same(
        "wrong_row",
        place("contract_id"),
        &movement.contract_id.uuid(),
        &row.contract_id,
    )?;
    same(
        "wrong_row",
        place("account_id"),
        &movement.account_id.uuid(),
        &row.account_id,
    )?;
    same(
        "wrong_row",
        place("kind"),
        &movement.kind,
        &row.kind.as_str(),
    )?;
    same(
        "wrong_row",
        place("credits"),
        &movement.credits.0,
        &row.credits,
    )?;
    same(
        "wrong_row",
        place("balance_after"),
        &movement.balance_after.0,
        &row.balance_after,
    )?;
    same(
        "wrong_row",
        place("request_id"),
        &stored.request_id,
        &row.request_id,
    )
}

/// Takes one event: its `balance_after` must follow from the events before it. Gives what it moves.
fn step(sums: &mut SumsByContract, stored: &StoredEvent) -> Result<Option<Movement>, Difference> {
    let event = stored.event()?;
    add(sums, &event);
    let movement = Movement::of(&event);
    let (contract_id, balance_after) = match (&movement, &event) {
        (Some(movement), _) => (movement.contract_id, movement.balance_after),
        (None, Event::ContractEnded(ended)) => (ended.contract_id, ended.balance_after),
        _ => {
            let (place, expected) = (stored.place(), "an event of a contract");
            return Err(Difference::new(
                "unreadable_event",
                place,
                expected,
                &stored.event_type,
            ));
        }
    };
    let sum = sums.get(&contract_id.uuid()).copied().unwrap_or_default();
    let place = || format!("event store {} balance_after", stored.place());
    same("wrong_balance", place, &sum.balance(), &balance_after.0)?;
    Ok(movement)
}

/// The contracts' rows at the cut.
async fn prove_contracts(read_model: &mut ReadModel, sums: &SumsByContract) -> Result<(), Stop> {
    let ids: Vec<_> = sums.keys().copied().collect();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, i64, i64, i64, bool)> =
            sqlx::query_as(include_str!("../../sql/read_model/contracts.sql"))
                .bind(batch)
                .fetch_all(&mut read_model.db)
                .await
                .map_err(read_model::fault)?;
        let rows: HashMap<_, _> = rows
            .into_iter()
            .map(|(id, granted, charged, balance, ended)| (id, (granted, charged, balance, ended)))
            .collect();
        for id in batch {
            let expected = sums
                .get(id)
                .map(|sum| (sum.granted, sum.charged, sum.balance(), sum.ended));
            let place = || format!("read model contract {id} (granted, charged, balance, ended)");
            same("wrong_balance", place, &expected, &rows.get(id).copied())?;
        }
    }
    Ok(())
}

/// The sums of the topic, at the head.
fn prove_topic(sums: &SumsByContract, in_topic: &SumsByContract) -> Result<(), Difference> {
    for (id, sum) in sums {
        let place = || format!("{} sums of contract {id}", Topic::Credits.name());
        same(
            "wrong_balance",
            place,
            &Some(*sum),
            &in_topic.get(id).copied(),
        )?;
    }
    Ok(())
}

/// The store's own list of the contracts of each account: those of the events, and no others.
async fn prove_listed(store: &mut Store, sums: &SumsByContract) -> Result<(), Stop> {
    let contracts: BTreeSet<(Uuid, Uuid)> =
        sums.iter().map(|(id, sum)| (*id, sum.account_id)).collect();
    let accounts: BTreeSet<Uuid> = contracts.iter().map(|(_, account)| *account).collect();
    let accounts: Vec<Uuid> = accounts.into_iter().collect();
    let mut listed = BTreeSet::new();
    for batch in accounts.chunks(BATCH) {
        listed.extend(store.contracts_listed(batch).await?);
    }
    let place = |(id, _): &(Uuid, Uuid)| format!("event store account_contract {id}");
    if let Some(missing) = contracts.difference(&listed).next() {
        return Err(Difference::new("missing_row", place(missing), "a row", "none").into());
    }
    match listed.difference(&contracts).next() {
        None => Ok(()),
        Some(unknown) => {
            let found = "a contract without events of that account";
            Err(Difference::new("unknown_row", place(unknown), "no row", found).into())
        }
    }
}
