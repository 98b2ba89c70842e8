//! `credits.v1` into `contract`: what was granted, what was charged, the balance that follows, and when it was ended.

use std::collections::BTreeMap;

use events_schema::contract::v1::ContractEnded;
use events_schema::event::CreditsEvent;
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::projection::Projection;
use crate::projections::json;

/// Contracts by id.
pub(super) struct Contracts;

impl Projection for Contracts {
    const NAME: &'static str = "contracts";
    const TOPIC: Topic = Topic::Credits;

    async fn apply(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
        create(db, events).await?;
        move_balances(db, events).await?;
        end(db, events).await
    }
}

async fn create(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    let (mut ids, mut accounts, mut endpoints) = (Vec::new(), Vec::new(), Vec::new());
    let (mut credits, mut starts, mut expires) = (Vec::new(), Vec::new(), Vec::new());
    let (mut prices, mut times) = (Vec::new(), Vec::new());
    for envelope in events {
        if let Event::ContractCreated(created) = &envelope.event {
            ids.push(created.contract_id.uuid());
            accounts.push(created.account_id.uuid());
            endpoints.push(Json(json(&created.endpoints)?));
            credits.push(created.credits.0);
            starts.push(created.starts_on);
            expires.push(created.expires_on);
            prices.push(Json(json(&created.prices)?));
            times.push(envelope.occurred_at);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/credits/insert_contracts.sql"))
        .bind(ids)
        .bind(accounts)
        .bind(endpoints)
        .bind(credits)
        .bind(starts)
        .bind(expires)
        .bind(prices)
        .bind(times)
        .execute(db)
        .await?;
    Ok(())
}

/// What a batch did to one contract.
#[derive(Default)]
struct Moved {
    granted: i64,
    charged: i64,
    balance_after: i64,
}

async fn move_balances(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    // Ordered by id, so that two transactions never lock the same rows in different orders.
    let mut movements: BTreeMap<Uuid, Moved> = BTreeMap::new();
    for envelope in events {
        let Some(event) = CreditsEvent::of(&envelope.event) else {
            continue;
        };
        match event {
            // Its credits are in the row that is inserted.
            CreditsEvent::ContractCreated(_) => {}
            CreditsEvent::CreditsGranted(e) => {
                let moved = movements.entry(e.contract_id.uuid()).or_default();
                moved.granted = moved.granted.saturating_add(e.credits.0);
                moved.balance_after = e.balance_after.0;
            }
            CreditsEvent::CreditsCharged(e) => {
                let moved = movements.entry(e.contract_id.uuid()).or_default();
                moved.charged = moved.charged.saturating_add(e.credits.0);
                moved.balance_after = e.balance_after.0;
            }
            CreditsEvent::ContractEnded(_) => {}
        }
    }
    if movements.is_empty() {
        return Ok(());
    }
    let column = |read: fn(&Moved) -> i64| movements.values().map(read).collect::<Vec<_>>();
    sqlx::query(include_str!("../../sql/credits/move_balances.sql"))
        .bind(movements.keys().copied().collect::<Vec<_>>())
        .bind(column(|m| m.granted))
        .bind(column(|m| m.charged))
        .bind(column(|m| m.balance_after))
        .execute(db)
        .await?;
    Ok(())
}

async fn end(db: &mut PgConnection, events: &[&Envelope]) -> Result<(), sqlx::Error> {
    // Ordered by id, as above.
    let mut ends: BTreeMap<Uuid, &ContractEnded> = BTreeMap::new();
    for envelope in events {
        if let Event::ContractEnded(ended) = &envelope.event {
            ends.insert(ended.contract_id.uuid(), ended);
        }
    }
    if ends.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("../../sql/credits/end_contracts.sql"))
        .bind(Vec::from_iter(ends.keys().copied()))
        .bind(Vec::from_iter(ends.values().map(|ended| ended.ended_at)))
        .bind(Vec::from_iter(ends.values().map(|ended| &*ended.reason)))
        .execute(db)
        .await?;
    Ok(())
}
