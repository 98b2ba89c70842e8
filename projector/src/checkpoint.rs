//! How far the read models are: the next offset of each partition and the last event of each shard.
//!
//! Guarantee: [`Advance::write`] moves every row by compare-and-set inside the transaction of the rows, or says
//! [`Moved::ByARival`] and the transaction is given up. So an event is in the read models exactly once, whoever
//! reads its partition.

use std::collections::{BTreeMap, HashMap};

use events_schema::ids::Shard;
use events_schema::topics::Topic;
use sqlx::{PgConnection, PgPool};

/// Of a partition that has no row yet.
pub const NOTHING_READ: i64 = -1;

/// A partition of a topic.
pub type Slot = (Topic, i32);
/// A shard's part of a topic.
pub type Stream = (Topic, Shard);

/// What the read models hold, as this projector last saw or wrote it.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// First offset that is not taken, by partition.
    pub next_offsets: HashMap<Slot, i64>,
    /// Last `topic_seq` taken, by shard and topic.
    pub last_seqs: HashMap<Stream, i64>,
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
        let seqs: Vec<(String, i16, i64)> =
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
            last_seqs: seqs
                .into_iter()
                .filter_map(|(topic, shard, seq)| {
                    let shard = Shard::new(u8::try_from(shard).ok()?)?;
                    Some(((Topic::by_name(&topic)?, shard), seq))
                })
                .collect(),
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
        self.last_seqs.get(&stream).copied().unwrap_or(0)
    }

    /// Takes over what a committed transaction advanced.
    pub fn take(&mut self, advance: &Advance) {
        self.next_offsets.extend(&advance.offsets);
        self.last_seqs.extend(
            advance
                .seqs
                .iter()
                .map(|(stream, (seq, _))| (*stream, *seq)),
        );
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
    /// New last `topic_seq` and `pos` by shard.
    pub seqs: BTreeMap<Stream, (i64, i64)>,
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
        if self.seqs.is_empty() {
            return Ok(true);
        }
        let shards = self.seqs.keys().map(|(_, shard)| i16::from(shard.number()));
        let done = sqlx::query(include_str!("../sql/consumer/advance_shards.sql"))
            .bind(
                self.seqs
                    .keys()
                    .map(|(topic, _)| topic.name())
                    .collect::<Vec<_>>(),
            )
            .bind(shards.collect::<Vec<_>>())
            .bind(
                self.seqs
                    .keys()
                    .map(|stream| from.last_seq(*stream))
                    .collect::<Vec<_>>(),
            )
            .bind(self.seqs.values().map(|(seq, _)| *seq).collect::<Vec<_>>())
            .bind(self.seqs.values().map(|(_, pos)| *pos).collect::<Vec<_>>())
            .execute(db)
            .await?;
        Ok(is_all(done.rows_affected(), self.seqs.len()))
    }
}

fn is_all(affected: u64, wanted: usize) -> bool {
    usize::try_from(affected) == Ok(wanted)
}
