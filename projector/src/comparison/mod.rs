//! Compares the read models with the event store, all the time and a little at a time: what `roster reconcile` proves at once, as a
//! metric that goes on.
//!
//! Guarantee: a difference that stays is found within a round, by one projector at a time, wherever a round was broken off. A step costs
//! one page of events and a few statements, and is followed by a pause; nothing waits for it. It changes nothing but its own row.
//!
//! Not here: topics and the order of the store, which `roster reconcile` reads as a whole.

mod rows;

use std::time::Duration;

use events_schema::Envelope;
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use service_kit::client::CallFault;
use sqlx::{FromRow, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;

use crate::checkpoint::Stream;
use crate::consumer::gap::EventStore;
use crate::database::{Limits, within};
use crate::metrics::{Metrics, Round};

/// How much is compared.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonConfig {
    /// Events of a step.
    pub events: usize,
    /// Between two steps.
    pub pause: Duration,
    /// How long the read model's database is waited for.
    pub limits: Limits,
}

/// Why a step was not taken; it is taken again.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonFault {
    /// The read model's database.
    #[error("the read model cannot be read")]
    Database(#[from] sqlx::Error),
    /// The event store.
    #[error("the event store gave no events")]
    EventStore(#[from] CallFault),
}

/// What compares.
#[derive(Clone)]
pub struct Comparison {
    pool: PgPool,
    store: EventStore,
    config: ComparisonConfig,
    metrics: Metrics,
}

/// The row `comparison`.
#[derive(Debug, Clone, FromRow)]
struct Cursor {
    topic: String,
    shard: i16,
    seq: i64,
    pos: i64,
    differences: i64,
    last_differences: i64,
    ended_at: i64,
}

/// A part of a stream that is compared in one step.
#[derive(Debug)]
struct Page {
    stream: Stream,
    /// Positions of the shard: behind the first and up to the second.
    between: (i64, i64),
    /// Where the next step goes on in the stream; [`LEFT`] when it goes on with the next one.
    reached: i64,
    events: Vec<Envelope>,
}

/// A stream is left at its end, even if more events come meanwhile: they have their turn in the next round.
const LEFT: i64 = i64::MAX;

/// A stream that has something to compare.
#[derive(Debug, FromRow)]
struct Next {
    topic: String,
    shard: i16,
    topic_seq: i64,
    pos: i64,
}

impl Next {
    fn stream(&self) -> Option<Stream> {
        let shard = Shard::new(u8::try_from(self.shard).ok()?)?;
        Some((Topic::by_name(&self.topic)?, shard))
    }
}

impl Comparison {
    /// Compares nothing yet.
    #[must_use]
    pub const fn new(
        pool: PgPool,
        store: EventStore,
        config: ComparisonConfig,
        metrics: Metrics,
    ) -> Self {
        Self {
            pool,
            store,
            config,
            metrics,
        }
    }

    /// Goes round until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = tokio::time::sleep(self.config.pause) => {}
            }
            let step = tokio::select! {
                () = shutdown.cancelled() => break,
                step = self.step() => step,
            };
            if let Err(fault) = step {
                tracing::warn!(
                    error = &fault as &dyn std::error::Error,
                    "the read models could not be compared with the event store yet"
                );
            }
        }
    }

    async fn step(&self) -> Result<(), ComparisonFault> {
        let limits = self.config.limits;
        let cursor = sqlx::query_as(include_str!("../../sql/comparison/cursor.sql"));
        let cursor: Cursor = within(limits.answer, cursor.fetch_one(&self.pool)).await?;
        self.metrics.compared_rounds(Round {
            differences: cursor.differences.max(cursor.last_differences),
            ended_at: cursor.ended_at,
        });
        let next = sqlx::query_as(include_str!("../../sql/comparison/stream.sql"))
            .bind(&cursor.topic)
            .bind(cursor.shard)
            .bind(cursor.seq);
        let next: Option<Next> = within(limits.answer, next.fetch_optional(&self.pool)).await?;
        let Some((stream, next)) = next.and_then(|next| Some((next.stream()?, next))) else {
            return within(limits.write, self.end_round(&cursor)).await;
        };
        let is_same = (next.topic.as_str(), next.shard) == (cursor.topic.as_str(), cursor.shard);
        let (after, after_pos) = if is_same {
            (cursor.seq, cursor.pos)
        } else {
            (0, 0)
        };
        let mut events = self.store.events(stream, after, self.config.events).await?;
        // The read models are at least as far as they were before the events were read.
        events.retain(|event| event.topic_seq <= next.topic_seq);
        let page = Page::new(stream, (after_pos, next.pos), events, self.config.events);
        within(limits.write, self.compare(&cursor, &next, &page)).await
    }

    async fn end_round(&self, cursor: &Cursor) -> Result<(), ComparisonFault> {
        let mut tx = self.pool.begin().await?;
        if is_mine(&mut tx, cursor).await? {
            sqlx::query(include_str!("../../sql/comparison/end_round.sql"))
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    async fn compare(
        &self,
        cursor: &Cursor,
        next: &Next,
        page: &Page,
    ) -> Result<(), ComparisonFault> {
        let mut tx = self.pool.begin().await?;
        // Rows and dead letters as of one moment.
        sqlx::query("set transaction isolation level repeatable read")
            .execute(&mut *tx)
            .await?;
        if !is_mine(&mut tx, cursor).await? {
            return Ok(());
        }
        let mut places = rows::differing(&mut tx, page).await?;
        if page.events.is_empty() {
            places.push(format!("events of {} behind {}", next.topic, cursor.seq));
        }
        let (_, until) = page.between;
        sqlx::query(include_str!("../../sql/comparison/advance.sql"))
            .bind(&next.topic)
            .bind(next.shard)
            .bind(page.reached)
            .bind(until)
            .bind(i64::try_from(places.len()).unwrap_or(i64::MAX))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        for place in &places {
            tracing::error!(topic = next.topic, shard = next.shard, %place, "the read models differ from the event store");
        }
        self.metrics
            .compared(page.stream.0, page.events.len(), places.len());
        Ok(())
    }
}

impl Page {
    /// `between` ends where the read models do; a page that is full ends at its last event.
    fn new(stream: Stream, between: (i64, i64), events: Vec<Envelope>, limit: usize) -> Self {
        let (end, reached) = match events.last() {
            Some(last) if events.len() >= limit => (last.pos, last.topic_seq),
            _ => (between.1, LEFT),
        };
        Self {
            stream,
            between: (between.0, end),
            reached,
            events,
        }
    }
}

/// Whether this projector may write the cursor: it stands where it was read, and no other one compares.
async fn is_mine(db: &mut PgConnection, cursor: &Cursor) -> Result<bool, sqlx::Error> {
    let locked: Option<bool> = sqlx::query_scalar(include_str!("../../sql/comparison/lock.sql"))
        .bind(&cursor.topic)
        .bind(cursor.shard)
        .bind(cursor.seq)
        .fetch_optional(db)
        .await?;
    Ok(locked.is_some())
}
