//! How far the read models are: the next offset of each partition and the last event of each shard.
//!
//! Guarantee: [`Advance::write`] moves every row by compare-and-set inside the transaction of the rows, or says
//! [`Moved::ByARival`] and the transaction is given up. So an event is in the read models exactly once, whoever
//! reads its partition.

use std::collections::{BTreeMap, HashMap};

use events_schema::history::{FIRST, Histories};
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Of a partition that has no row yet.
pub const NOTHING_READ: i64 = -1;

/// A partition of a topic.
pub type Slot = (Topic, i32);
/// A shard's part of a topic.
pub type Stream = (Topic, Shard);

/// A row of `shard_checkpoint`.
type ShardRow = (String, i16, i64, i64, i64, Option<Uuid>);

/// The last event of a shard's part of a topic that is in the read models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Last {
    /// Its `topic_seq`; 0 before the first one.
    pub seq: i64,
    /// Its place in the shard.
    pub pos: i64,
    /// The history that it is of.
    pub history: i64,
    /// With place and history: which event it was. None where that is not known.
    pub request_id: Option<Uuid>,
}

impl Default for Last {
    fn default() -> Self {
        Self {
            seq: 0,
            pos: 0,
            history: FIRST,
            request_id: None,
        }
    }
}

/// What the read models hold, as this projector last saw or wrote it.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// First offset that is not taken, by partition.
    pub next_offsets: HashMap<Slot, i64>,
    /// Last event taken, by shard and topic.
    pub last: HashMap<Stream, Last>,
    /// The histories of the event store, as it told them last.
    pub histories: Histories,
}

impl Progress {
    /// Reads the rows of `slots` and of all shards.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(db: &PgPool, slots: &[Slot]) -> Result<Self, sqlx::Error> {
        let offsets: Vec<(String, i32, i64)> =
            sqlx::query_as(include_str!("../sql/consumer/checkpoints.sql"))
                .bind(
                    slots
                        .iter()
                        .map(|(topic, _)| topic.name())
                        .collect::<Vec<_>>(),
                )
                .bind(
                    slots
                        .iter()
                        .map(|(_, partition)| *partition)
                        .collect::<Vec<_>>(),
                )
                .fetch_all(db)
                .await?;
        let seqs: Vec<ShardRow> =
            sqlx::query_as(include_str!("../sql/consumer/shard_checkpoints.sql"))
                .fetch_all(db)
                .await?;
        Ok(Self {
            next_offsets: offsets
                .into_iter()
                .filter_map(|(topic, partition, next)| {
                    Some(((Topic::by_name(&topic)?, partition), next))
                })
                .collect(),
            last: seqs
                .into_iter()
                .filter_map(|(topic, shard, seq, pos, history, request_id)| {
                    let shard = Shard::new(u8::try_from(shard).ok()?)?;
                    let last = Last {
                        seq,
                        pos,
                        history,
                        request_id,
                    };
                    Some(((Topic::by_name(&topic)?, shard), last))
                })
                .collect(),
            histories: Histories::default(),
        })
    }

    /// The first offset of a partition that is not taken.
    #[must_use]
    pub fn next_offset(&self, slot: Slot) -> i64 {
        self.next_offsets
            .get(&slot)
            .copied()
            .unwrap_or(NOTHING_READ)
    }

    /// The last `topic_seq` of a shard, 0 before its first event.
    #[must_use]
    pub fn last_seq(&self, stream: Stream) -> i64 {
        self.last.get(&stream).map_or(0, |last| last.seq)
    }

    /// Takes over what a committed transaction advanced.
    pub fn take(&mut self, advance: &Advance) {
        self.next_offsets.extend(&advance.offsets);
        self.last.extend(&advance.last);
    }
}

/// Whether the rows could be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// All of them.
    Here,
    /// Another projector moved one first: give the transaction up and load anew.
    ByARival,
}

/// Where a batch leads to.
#[derive(Debug, Clone, Default)]
pub struct Advance {
    /// New next offset by partition.
    pub offsets: BTreeMap<Slot, i64>,
    /// New last event by shard and topic.
    pub last: BTreeMap<Stream, Last>,
}

impl Advance {
    /// Moves the rows from what `from` says, all or none.
    ///
    /// # Errors
    /// When the database fails; the transaction is lost then.
    pub async fn write(
        &self,
        db: &mut PgConnection,
        from: &Progress,
    ) -> Result<Moved, sqlx::Error> {
        if self.offsets_written(db, from).await? && self.seqs_written(db, from).await? {
            Ok(Moved::Here)
        } else {
            Ok(Moved::ByARival)
        }
    }

    async fn offsets_written(
        &self,
        db: &mut PgConnection,
        from: &Progress,
    ) -> Result<bool, sqlx::Error> {
        if self.offsets.is_empty() {
            return Ok(true);
        }
        let done = sqlx::query(include_str!("../sql/consumer/advance_checkpoint.sql"))
            .bind(
                self.offsets
                    .keys()
                    .map(|(topic, _)| topic.name())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.offsets
                    .keys()
                    .map(|(_, partition)| *partition)
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.offsets
                    .keys()
                    .map(|slot| from.next_offset(*slot))
                    .collect::<Vec<_>>(),
            )
            .bind(self.offsets.values().copied().collect::<Vec<_>>())
            .execute(db)
            .await?;
        Ok(is_all(done.rows_affected(), self.offsets.len()))
    }

    async fn seqs_written(
        &self,
        db: &mut PgConnection,
        from: &Progress,
    ) -> Result<bool, sqlx::Error> {
        if self.last.is_empty() {
            return Ok(true);
        }
        let of_each = |part: fn(&Last) -> i64| self.last.values().map(part).collect::<Vec<_>>();
        let shards = self.last.keys().map(|(_, shard)| i16::from(shard.number()));
        let done = sqlx::query(include_str!("../sql/consumer/advance_shards.sql"))
            .bind(
                self.last
                    .keys()
                    .map(|(topic, _)| topic.name())
                    .collect::<Vec<_>>(),
            )
            .bind(shards.collect::<Vec<_>>())
            .bind(
                self.last
                    .keys()
                    .map(|stream| from.last_seq(*stream))
                    .collect::<Vec<_>>(),
            )
            .bind(of_each(|last| last.seq))
            .bind(of_each(|last| last.pos))
            .bind(of_each(|last| last.history))
            .bind(
                self.last
                    .values()
                    .map(|last| last.request_id)
                    .collect::<Vec<_>>(),
            )
            .execute(db)
            .await?;
        Ok(is_all(done.rows_affected(), self.last.len()))
    }
}

fn is_all(affected: u64, wanted: usize) -> bool {
    usize::try_from(affected) == Ok(wanted)
}
