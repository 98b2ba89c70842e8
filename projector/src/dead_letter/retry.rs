//! Letters applied again: those of a key in order, a portion at a time, until one fails.
//!
//! Each portion is a transaction of its own: batches wait for one portion and no longer, and what was applied stays applied.
//! While letters of a key are left it stays parked, so what comes between two portions waits behind them.

use std::collections::BTreeMap;

use events_schema::Envelope;
use events_schema::topics::Topic;
use serde::Serialize;
use serde_json::Value;
use service_kit::client::CallFault;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};

use super::{cause, refusal};
use crate::consumer::decode::{Place, Raw};
use crate::consumer::gap::EventStore;
use crate::projections::fold_unless_refused;

/// Most letters of one portion: a second or two even where they have to be applied one by one.
const PORTION: i64 = 1_000;

/// What a portion did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Retried {
    /// Letters of the key that were applied.
    pub applied: usize,
    /// Letters of the key that still wait.
    pub left: i64,
    /// The first of them: unless it failed, the next portion begins there.
    pub next: Option<i64>,
    /// Why it failed.
    pub error: Option<String>,
}

/// Why letters could not be tried again.
#[derive(Debug, thiserror::Error)]
pub enum RetryFault {
    /// The database.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The event store.
    #[error("the event store did not answer")]
    Store(#[from] CallFault),
}

/// A letter as it is kept.
#[derive(sqlx::FromRow)]
struct Kept {
    id: i64,
    envelope: Json<Value>,
    topic: String,
    shard: Option<i16>,
    message_key: String,
}

/// The first letters of the key of one, in order.
async fn portion(db: impl PgExecutor<'_>, id: i64) -> Result<Vec<Kept>, sqlx::Error> {
    sqlx::query_as(include_str!("../../sql/dead_letter/portion.sql"))
        .bind(id)
        .bind(PORTION)
        .fetch_all(db)
        .await
}

/// Events of the store by the letters in whose place they stand.
type Instead = BTreeMap<i64, Envelope>;

/// As [`retry`], with what the event store has in the places of letters that cannot be read.
///
/// # Errors
/// When the database fails or the store does not answer; nothing is changed then.
pub async fn retry_from_store(
    pool: &PgPool,
    store: &EventStore,
    id: i64,
) -> Result<Option<Retried>, RetryFault> {
    let mut instead = Instead::new();
    for letter in portion(pool, id).await? {
        let topic = Topic::ALL
            .into_iter()
            .find(|one| one.name() == letter.topic);
        let (Err(_), Some(topic), Some(place)) =
            (read(&letter.envelope), topic, place(&letter.envelope))
        else {
            continue;
        };
        let stream = (topic, place.shard);
        let event = store.event_at(stream, place.topic_seq).await?;
        // Behind another key other events wait, or none; in another history something else happened.
        let is_it = |event: &Envelope| {
            (event.pos, event.history) == (place.pos, place.history)
                && event.event.message_key() == letter.message_key
        };
        if let Some(event) = event.filter(is_it) {
            instead.insert(letter.id, event);
        }
    }
    Ok(retry_with(pool, id, &instead).await?)
}

/// Applies the first letters of this letter's key in order until one fails. `None`: there is no such letter.
///
/// # Errors
/// When the database fails; nothing is changed then.
pub async fn retry(pool: &PgPool, id: i64) -> Result<Option<Retried>, sqlx::Error> {
    retry_with(pool, id, &Instead::new()).await
}

async fn retry_with(
    pool: &PgPool,
    id: i64,
    instead: &Instead,
) -> Result<Option<Retried>, sqlx::Error> {
    let mut tx = pool.begin().await?;
    sqlx::query(include_str!("../../sql/dead_letter/lock.sql"))
        .execute(&mut *tx)
        .await?;
    let letters = portion(&mut *tx, id).await?;
    let Some(Kept {
        topic, message_key, ..
    }) = letters.first()
    else {
        return Ok(None);
    };
    let (events, unreadable) = events(&letters, instead);
    let (applied, refused) = apply(&mut tx, &events).await?;
    let error = refused.or(unreadable);
    if let (Some(failed), Some(error)) = (letters.get(applied), &error) {
        sqlx::query(include_str!("../../sql/dead_letter/failed_again.sql"))
            .bind(failed.id)
            .bind(error)
            .execute(&mut *tx)
            .await?;
    }
    let done: Vec<i64> = letters.iter().take(applied).map(|one| one.id).collect();
    sqlx::query(include_str!("../../sql/dead_letter/delete.sql"))
        .bind(&done)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    // After the lock is given back: it takes longer the more letters there are.
    let (next, left) = sqlx::query_as(include_str!("../../sql/dead_letter/left.sql"))
        .bind(topic)
        .bind(message_key)
        .fetch_one(pool)
        .await?;
    Ok(Some(Retried {
        applied,
        left,
        next,
        error,
    }))
}

/// The events of letters up to the first that cannot be read, and why that one cannot.
fn events(letters: &[Kept], instead: &Instead) -> (Vec<Envelope>, Option<String>) {
    let mut events = Vec::with_capacity(letters.len());
    for letter in letters {
        match event(letter, instead.get(&letter.id)) {
            Ok(event) => events.push(event),
            Err(reason) => return (events, Some(reason)),
        }
    }
    (events, None)
}

fn event(letter: &Kept, instead: Option<&Envelope>) -> Result<Envelope, String> {
    if letter.shard.is_none() {
        // Its place is not known, so the event store has filled the gap that it left.
        return Err("the headers cannot be read: discard it".to_owned());
    }
    instead.map_or_else(|| read(&letter.envelope), |event| Ok(event.clone()))
}

/// Applies events in order up to the first that is refused; how many, and why that one was. At once if none is.
async fn apply(
    db: &mut PgConnection,
    events: &[Envelope],
) -> Result<(usize, Option<String>), sqlx::Error> {
    let all: Vec<&Envelope> = events.iter().collect();
    if fold_unless_refused(db, &all).await?.is_some() {
        for (applied, event) in all.iter().enumerate() {
            if let Some(fault) = fold_unless_refused(db, &[event]).await? {
                return Ok((applied, Some(refusal(&fault))));
            }
        }
    }
    Ok((events.len(), None))
}

fn read(stored: &Value) -> Result<Envelope, String> {
    let unreadable = || "the letter cannot be read".to_owned();
    let document = document(stored).ok_or_else(unreadable)?;
    let Some(raw) = raw(&document) else {
        return serde_json::from_value(document).map_err(|_| unreadable());
    };
    let stored_type = events_schema::Event::stored_type_of_wire(raw.event_type()).to_owned();
    let topic = Topic::ALL
        .into_iter()
        .find(|topic| raw.decode(*topic).is_ok())
        .ok_or_else(|| format!("{stored_type} cannot be read"))?;
    raw.decode(topic).map_err(|fault| cause(&fault))
}

/// Where a message that is no event stands, by its headers.
fn place(stored: &Value) -> Option<Place> {
    raw(&document(stored)?)?.place()
}

/// A letter's document, which may be kept as its own text.
fn document(stored: &Value) -> Option<Value> {
    match stored {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => Some(other.clone()),
    }
}

/// The message as it came, where it was no event.
fn raw(document: &Value) -> Option<Raw> {
    serde_json::from_value(document.get("raw")?.clone()).ok()
}
