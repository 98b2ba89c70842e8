//! Events that could not be applied. The key of such an event is parked: its later events wait behind it, in order,
//! while all other keys go on.
//!
//! An operator retries (the letters of the key are applied in order until one fails) or discards one letter. Both hold
//! a lock that running batches share, so no event of a key can overtake its letters.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use events_schema::Envelope;
use events_schema::topics::Topic;
use serde::Serialize;
use serde_json::{Value, json};
use service_kit::client::CallFault;
use sqlx::types::Json;
use sqlx::{Acquire, PgConnection, PgExecutor, PgPool};

use crate::consumer::decode::{Place, Raw, Received, Undecodable};
use crate::consumer::gap::EventStore;
use crate::projection::is_poison;
use crate::projections::fold;

/// Most letters in one listing.
const LIST_LIMIT: i64 = 1_000;

/// An event that waits.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The event's topic.
    pub topic: Topic,
    /// Its partition; -1 for an event that the event store gave.
    pub partition: i32,
    /// Where it stands, if that could be read.
    pub place: Option<Place>,
    /// The parked key.
    pub message_key: String,
    /// Type on the wire, empty if it could not be read.
    pub event_type: String,
    /// The envelope, or the raw message.
    pub envelope: Value,
    /// Why; never a value of the event.
    pub error: String,
}

impl Letter {
    /// A message that is no event.
    #[must_use]
    pub fn unreadable(message: Received, place: Option<Place>, fault: &Undecodable) -> Self {
        let key = if message.key.is_empty() {
            format!("{}@{}", message.partition, message.offset)
        } else {
            message.key
        };
        Self {
            topic: message.topic,
            partition: message.partition,
            place,
            message_key: key,
            event_type: message.raw.event_type().to_owned(),
            envelope: storable(json!({ "raw": message.raw })),
            error: cause(fault),
        }
    }

    /// An event behind one of the same key.
    #[must_use]
    pub fn behind(envelope: &Envelope) -> Self {
        Self::of(
            envelope,
            "an earlier event of the same key is parked".to_owned(),
        )
    }

    /// An event whose values the database refused.
    #[must_use]
    pub fn refused(envelope: &Envelope, fault: &sqlx::Error) -> Self {
        Self::of(envelope, refusal(fault))
    }

    fn of(envelope: &Envelope, error: String) -> Self {
        Self {
            topic: envelope.event.topic(),
            partition: -1,
            place: Some(Place::of(envelope)),
            message_key: envelope.event.message_key(),
            event_type: envelope.event.wire_type().to_owned(),
            envelope: storable(serde_json::to_value(envelope).unwrap_or_default()),
            error,
        }
    }
}

/// The cause of an unreadable message without what serde may quote of it.
fn cause(fault: &Undecodable) -> String {
    match fault {
        Undecodable::Event(events_schema::event::UnreadableEvent::Payload(inner)) => {
            format!(
                "payload does not fit its event type ({:?})",
                inner.classify()
            )
        }
        other => other.to_string(),
    }
}

/// SQLSTATE and constraint only: a message of the database may quote a value.
fn refusal(fault: &sqlx::Error) -> String {
    let sqlx::Error::Database(db) = fault else {
        return "a value cannot be written".to_owned();
    };
    let code = db.code().unwrap_or_default();
    match db.constraint() {
        Some(constraint) => format!("SQLSTATE {code}, constraint {constraint}"),
        None => format!("SQLSTATE {code}"),
    }
}

/// jsonb refuses the character NUL; a document that holds one is kept as its own text.
fn storable(document: Value) -> Value {
    let text = document.to_string();
    if text.contains("\\u0000") || text.contains('\0') {
        Value::String(text.replace('\0', ""))
    } else {
        document
    }
}

/// Writes letters in order.
///
/// # Errors
/// When the database cannot be written.
pub async fn park(db: &mut PgConnection, letters: &[Letter]) -> Result<(), sqlx::Error> {
    if letters.is_empty() {
        return Ok(());
    }
    let shard = |l: &Letter| l.place.map(|place| i16::from(place.shard.number()));
    let printable = |text: &str| text.replace('\0', "\u{fffd}");
    sqlx::query(include_str!("../sql/dead_letter/park.sql"))
        .bind(letters.iter().map(|l| l.topic.name()).collect::<Vec<_>>())
        .bind(letters.iter().map(|l| l.partition).collect::<Vec<_>>())
        .bind(letters.iter().map(shard).collect::<Vec<_>>())
        .bind(
            letters
                .iter()
                .map(|l| l.place.map(|p| p.pos))
                .collect::<Vec<_>>(),
        )
        .bind(
            letters
                .iter()
                .map(|l| l.place.map(|p| p.topic_seq))
                .collect::<Vec<_>>(),
        )
        .bind(
            letters
                .iter()
                .map(|l| printable(&l.message_key))
                .collect::<Vec<_>>(),
        )
        .bind(
            letters
                .iter()
                .map(|l| printable(&l.event_type))
                .collect::<Vec<_>>(),
        )
        .bind(
            letters
                .iter()
                .map(|l| Json(&l.envelope))
                .collect::<Vec<_>>(),
        )
        .bind(letters.iter().map(|l| l.error.as_str()).collect::<Vec<_>>())
        .execute(db)
        .await?;
    Ok(())
}

/// How many keys are parked.
///
/// # Errors
/// When the database cannot be read.
pub async fn parked_keys(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(include_str!("../sql/dead_letter/count_keys.sql"))
        .fetch_one(pool)
        .await
}

/// A letter as the admin listener shows it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct Listed {
    id: i64,
    topic: String,
    shard: Option<i16>,
    pos: Option<i64>,
    event_type: String,
    error: String,
    attempts: i32,
    created_at: DateTime<Utc>,
}

/// The oldest letters.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(pool: &PgPool) -> Result<Vec<Listed>, sqlx::Error> {
    sqlx::query_as(include_str!("../sql/dead_letter/list.sql"))
        .bind(LIST_LIMIT)
        .fetch_all(pool)
        .await
}

/// What a retry did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Retried {
    /// Letters of the key that were applied.
    pub applied: usize,
    /// Letters of the key that still wait.
    pub left: usize,
    /// Why the first of them does.
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

/// The letters of the key of one, in order.
async fn same_key(db: impl PgExecutor<'_>, id: i64) -> Result<Vec<Kept>, sqlx::Error> {
    sqlx::query_as(include_str!("../sql/dead_letter/same_key.sql"))
        .bind(id)
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
    for letter in same_key(pool, id).await? {
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

/// Applies the letters of this letter's key in order until one fails. `None`: there is no such letter.
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
    sqlx::query(include_str!("../sql/dead_letter/lock.sql"))
        .execute(&mut *tx)
        .await?;
    let letters = same_key(&mut *tx, id).await?;
    if letters.is_empty() {
        return Ok(None);
    }
    let (mut done, mut error) = (Vec::new(), None);
    for letter in &letters {
        let instead = instead.get(&letter.id);
        match apply(&mut tx, letter, instead).await? {
            None => done.push(letter.id),
            Some(refused) => {
                sqlx::query(include_str!("../sql/dead_letter/failed_again.sql"))
                    .bind(letter.id)
                    .bind(&refused)
                    .execute(&mut *tx)
                    .await?;
                error = Some(refused);
                break;
            }
        }
    }
    sqlx::query(include_str!("../sql/dead_letter/delete.sql"))
        .bind(&done)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Some(Retried {
        applied: done.len(),
        left: letters.len() - done.len(),
        error,
    }))
}

/// Applies one letter behind a savepoint; the reason if it is still poison.
async fn apply(
    db: &mut PgConnection,
    letter: &Kept,
    instead: Option<&Envelope>,
) -> Result<Option<String>, sqlx::Error> {
    if letter.shard.is_none() {
        // Its place is not known, so the event store has filled the gap that it left.
        return Ok(Some("the headers cannot be read: discard it".to_owned()));
    }
    let envelope = match instead.cloned().map_or_else(|| read(&letter.envelope), Ok) {
        Ok(envelope) => envelope,
        Err(reason) => return Ok(Some(reason)),
    };
    let mut savepoint = db.begin().await?;
    match fold(&mut savepoint, &[&envelope]).await {
        Ok(()) => {
            savepoint.commit().await?;
            Ok(None)
        }
        Err(fault) if is_poison(&fault) => {
            savepoint.rollback().await?;
            Ok(Some(refusal(&fault)))
        }
        Err(fault) => Err(fault),
    }
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

/// Drops one letter for good. Says whether it was there.
///
/// # Errors
/// When the database fails.
pub async fn discard(pool: &PgPool, id: i64) -> Result<bool, sqlx::Error> {
    let mut tx = pool.begin().await?;
    sqlx::query(include_str!("../sql/dead_letter/lock.sql"))
        .execute(&mut *tx)
        .await?;
    let done = sqlx::query(include_str!("../sql/dead_letter/delete.sql"))
        .bind([id].as_slice())
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(done.rows_affected() == 1)
}
