//! One batch, one transaction: rows, dead letters and checkpoints together.

use std::collections::HashSet;

use events_schema::Envelope;
use sqlx::{PgConnection, PgPool};

use crate::checkpoint::{Moved, Progress};
use crate::consumer::batch::{Batch, Item};
use crate::dead_letter::{self, Letter};
use crate::projection::is_poison;
use crate::projections::{fold, fold_unless_refused};

/// Keys that are parked, by topic.
type Parked = HashSet<(String, String)>;

/// What a batch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    /// Events applied.
    pub(super) applied: usize,
    /// Events parked.
    pub(super) parked: usize,
}

/// Writes a batch, or nothing if a rival moved a checkpoint (`None`).
///
/// The fast way applies everything at once; only where a value is refused does a second attempt go event by event, so
/// that the one that is poison is found and parked.
pub(super) async fn write(
    pool: &PgPool,
    batch: &Batch,
    progress: &Progress,
) -> Result<Option<Written>, sqlx::Error> {
    match attempt(pool, batch, progress, Way::SetWise).await {
        Err(fault) if is_poison(&fault) => attempt(pool, batch, progress, Way::OneByOne).await,
        other => other,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    SetWise,
    OneByOne,
}

async fn attempt(
    pool: &PgPool,
    batch: &Batch,
    progress: &Progress,
    way: Way,
) -> Result<Option<Written>, sqlx::Error> {
    let mut tx = pool.begin().await?;
    if !batch.items.is_empty() {
        sqlx::query(include_str!("../../sql/consumer/lock_dead_letters.sql"))
            .execute(&mut *tx)
            .await?;
    }
    let mut parked: Parked = if batch.items.is_empty() {
        Parked::new()
    } else {
        sqlx::query_as(include_str!("../../sql/consumer/parked_keys.sql"))
            .fetch_all(&mut *tx)
            .await?
            .into_iter()
            .collect()
    };
    let (letters, applied) = apply(&mut tx, &batch.items, &mut parked, way).await?;
    dead_letter::park(&mut tx, &letters).await?;
    if batch.advance.write(&mut tx, progress).await? == Moved::ByARival {
        tx.rollback().await?;
        return Ok(None);
    }
    tx.commit().await?;
    Ok(Some(Written {
        applied,
        parked: letters.len(),
    }))
}

async fn apply(
    db: &mut PgConnection,
    items: &[Item],
    parked: &mut Parked,
    way: Way,
) -> Result<(Vec<Letter>, usize), sqlx::Error> {
    let mut letters = Vec::new();
    let mut sound: Vec<&Envelope> = Vec::with_capacity(items.len());
    let mut applied = 0;
    for item in items {
        let envelope = match item {
            Item::Poison(letter) => {
                parked.insert((letter.topic.name().to_owned(), letter.message_key.clone()));
                letters.push((**letter).clone());
                continue;
            }
            Item::Event(envelope) => envelope,
        };
        let key = (
            envelope.event.topic().name().to_owned(),
            envelope.event.message_key(),
        );
        if parked.contains(&key) {
            letters.push(Letter::behind(envelope));
        } else if way == Way::SetWise {
            sound.push(envelope);
        } else if let Some(fault) = fold_unless_refused(db, &[envelope]).await? {
            letters.push(Letter::refused(envelope, &fault));
            parked.insert(key);
        } else {
            applied += 1;
        }
    }
    if way == Way::SetWise {
        fold(db, &sound).await?;
        applied = sound.len();
    }
    Ok((letters, applied))
}
