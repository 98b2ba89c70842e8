//! Events that could not be applied. The key of such an event is parked: its later events wait behind it, in order,
//! while all other keys go on.
//!
//! An operator retries (the letters of the key are applied in order until one fails) or discards one letter. Both hold
//! a lock that running batches share, so no event of a key can overtake its letters.

mod retry;

use chrono::{DateTime, Utc};
use events_schema::Envelope;
use events_schema::topics::Topic;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use crate::consumer::decode::{Place, Received, Undecodable};

pub use retry::{Retried, RetryFault, retry, retry_from_store};

/// Most keys in one page of the listing.
const PAGE: usize = 1_000;
/// Most characters of a key as it came; those of events are shorter. An entry of the index that it stands in has 2,704 bytes at most.
const MAX_KEY_CHARS: usize = 200;

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
        Self {
            topic: message.topic,
            partition: message.partition,
            place,
            message_key: key(&message),
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

/// The key to park of a message that is no event: its own, or the digest of one that no index takes.
fn key(message: &Received) -> String {
    let key = &message.key;
    if key.is_empty() {
        format!("{}@{}", message.partition, message.offset)
    } else if key.chars().nth(MAX_KEY_CHARS).is_none() {
        key.clone()
    } else {
        format!("sha256:{}", hex::encode(Sha256::digest(key)))
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
    sqlx::query(include_str!("../../sql/dead_letter/park.sql"))
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
    sqlx::query_scalar(include_str!("../../sql/dead_letter/count_keys.sql"))
        .fetch_one(pool)
        .await
}

/// A parked key as the admin listener shows it, by its first letter: the one that a retry begins with.
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
    /// How many letters of the key wait, this one included.
    letters: i64,
}

/// Some parked keys.
#[derive(Debug, Serialize)]
pub struct Page {
    dead_letters: Vec<Listed>,
    /// Where the next page begins, if there is one.
    next_cursor: Option<String>,
}

/// The parked keys whose first letter is behind `cursor`, oldest first.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(pool: &PgPool, cursor: i64) -> Result<Page, sqlx::Error> {
    // One more than is shown says whether there is a next page.
    let mut dead_letters: Vec<Listed> =
        sqlx::query_as(include_str!("../../sql/dead_letter/list.sql"))
            .bind(cursor)
            .bind(i64::try_from(PAGE + 1).unwrap_or(i64::MAX))
            .fetch_all(pool)
            .await?;
    let goes_on = dead_letters.len() > PAGE;
    dead_letters.truncate(PAGE);
    let last = dead_letters.last().filter(|_| goes_on);
    Ok(Page {
        next_cursor: last.map(|last| last.id.to_string()),
        dead_letters,
    })
}

/// Drops one letter for good. Says whether it was there.
///
/// # Errors
/// When the database fails.
pub async fn discard(pool: &PgPool, id: i64) -> Result<bool, sqlx::Error> {
    let mut tx = pool.begin().await?;
    sqlx::query(include_str!("../../sql/dead_letter/lock.sql"))
        .execute(&mut *tx)
        .await?;
    let done = sqlx::query(include_str!("../../sql/dead_letter/delete.sql"))
        .bind([id].as_slice())
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(done.rows_affected() == 1)
}
