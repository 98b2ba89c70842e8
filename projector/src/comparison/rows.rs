//! What the rows of a page of events must be, and where they are not: one statement for each kind of row.

use std::collections::{BTreeMap, BTreeSet};

use events_schema::contract::movement::Movement;
use events_schema::event::AccountsEvent;
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Page;
use crate::projections::reports;

/// Names of rows that differ, ids and no values: 100 of a step and a kind at most.
type Places = Result<Vec<String>, sqlx::Error>;

/// Where rows differ from the events of the page. What waits behind a dead letter is not missed.
pub(super) async fn differing(db: &mut PgConnection, page: &Page) -> Places {
    let topic = page.stream.0;
    let parked = parked_keys(db, topic).await?;
    let sound: Vec<&Envelope> = page
        .events
        .iter()
        .filter(|event| !parked.contains(&event.event.message_key()))
        .collect();
    match topic {
        Topic::Credits => {
            let mut places = ledger(db, page, &parked).await?;
            places.extend(contracts(db, &sound).await?);
            Ok(places)
        }
        Topic::Accounts => {
            let mut places = accounts(db, &sound).await?;
            places.extend(api_keys(db, &sound).await?);
            Ok(places)
        }
        Topic::Reports => steps(db, &sound).await,
        Topic::Builds => builds(db, &sound).await,
    }
}

async fn parked_keys(db: &mut PgConnection, topic: Topic) -> Result<BTreeSet<String>, sqlx::Error> {
    let keys: Vec<(String, String)> =
        sqlx::query_as(include_str!("../../sql/consumer/parked_keys.sql"))
            .fetch_all(db)
            .await?;
    let of_topic = keys.into_iter().filter(|(of, _)| of == topic.name());
    Ok(of_topic.map(|(_, key)| key).collect())
}

async fn ledger(db: &mut PgConnection, page: &Page, parked: &BTreeSet<String>) -> Places {
    let rows: Vec<(&Envelope, Movement)> = page
        .events
        .iter()
        .filter_map(|event| Some((event, Movement::of(&event.event)?)))
        .collect();
    let (behind, until) = page.between;
    sqlx::query_scalar(include_str!("../../sql/comparison/ledger.sql"))
        .bind(i16::from(page.stream.1.number()))
        .bind(behind)
        .bind(until)
        .bind(each(&rows, |event, _| event.pos))
        .bind(each(&rows, |_, row| row.contract_id.uuid()))
        .bind(each(&rows, |_, row| row.account_id.uuid()))
        .bind(each(&rows, |_, row| row.kind))
        .bind(each(&rows, |_, row| row.credits.0))
        .bind(each(&rows, |_, row| row.balance_after.0))
        .bind(each(&rows, |event, _| event.request_id))
        .bind(each(&rows, |event, _| {
            parked.contains(&event.event.message_key())
        }))
        .fetch_all(db)
        .await
}

fn each<T>(rows: &[(&Envelope, Movement)], part: impl Fn(&Envelope, &Movement) -> T) -> Vec<T> {
    rows.iter().map(|(event, row)| part(event, row)).collect()
}

async fn contracts(db: &mut PgConnection, events: &[&Envelope]) -> Places {
    // By contract, whether the page ends it.
    let mut contracts: BTreeMap<Uuid, bool> = BTreeMap::new();
    for event in events {
        if let Some(movement) = Movement::of(&event.event) {
            contracts.entry(movement.contract_id.uuid()).or_default();
        }
        if let Event::ContractEnded(ended) = &event.event {
            contracts.insert(ended.contract_id.uuid(), true);
        }
    }
    let (ids, ended): (Vec<Uuid>, Vec<bool>) = contracts.into_iter().unzip();
    sqlx::query_scalar(include_str!("../../sql/comparison/contracts.sql"))
        .bind(ids)
        .bind(ended)
        .fetch_all(db)
        .await
}

async fn accounts(db: &mut PgConnection, events: &[&Envelope]) -> Places {
    let (mut ids, mut names) = (Vec::new(), Vec::new());
    for event in events {
        if let Event::AccountOpened(e) = &event.event {
            ids.push(e.account_id.uuid());
            names.push(e.name.as_str());
        }
    }
    sqlx::query_scalar(include_str!("../../sql/comparison/accounts.sql"))
        .bind(ids)
        .bind(names)
        .fetch_all(db)
        .await
}

/// The event that issues a key says that there is a row, the one that revokes it that it is revoked.
async fn api_keys(db: &mut PgConnection, events: &[&Envelope]) -> Places {
    let mut keys: BTreeMap<String, bool> = BTreeMap::new();
    for event in events {
        let Some(event) = AccountsEvent::of(&event.event) else {
            continue;
        };
        match event {
            AccountsEvent::AccountOpened(_) => {}
            AccountsEvent::ApiKeyIssued(e) => {
                keys.entry(e.api_key_id.to_string()).or_default();
            }
            AccountsEvent::ApiKeyRevoked(e) => {
                keys.insert(e.api_key_id.to_string(), true);
            }
        }
    }
    let (ids, revoked): (Vec<String>, Vec<bool>) = keys.into_iter().unzip();
    sqlx::query_scalar(include_str!("../../sql/comparison/api_keys.sql"))
        .bind(ids)
        .bind(revoked)
        .fetch_all(db)
        .await
}

async fn steps(db: &mut PgConnection, events: &[&Envelope]) -> Places {
    let (mut ids, mut seqs, mut statuses) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        if let Some((id, seq, status)) = reports::status_since(event)? {
            ids.push(id);
            seqs.push(seq);
            statuses.push(status);
        }
    }
    sqlx::query_scalar(include_str!("../../sql/comparison/reports.sql"))
        .bind(ids)
        .bind(seqs)
        .bind(statuses)
        .fetch_all(db)
        .await
}

async fn builds(db: &mut PgConnection, events: &[&Envelope]) -> Places {
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for event in events {
        if let Event::DataBuildStarted(e) = &event.event {
            names.push(e.build.as_str());
            kinds.push(e.kind.name());
        }
    }
    sqlx::query_scalar(include_str!("../../sql/comparison/builds.sql"))
        .bind(names)
        .bind(kinds)
        .fetch_all(db)
        .await
}
