//! What the publisher needs of the event store, as a trait: so that its order and its restarts can be tried against a
//! store that fails at will.

use std::future::Future;
use std::time::Duration;

use events_schema::envelope::Envelope;
use events_schema::history::Histories;
use events_schema::ids::{ReportId, Shard};
use events_schema::report::v1::ReportDetails;
use tokio::sync::watch;

use crate::store::{OwedTombstone, ShardStatus, Store};

/// Why the event store gave no answer.
pub type LogFault = Box<dyn std::error::Error + Send + Sync>;

/// How far a shard is, in the store.
#[derive(Debug, Clone, Copy)]
pub struct ShardHead {
    /// The shard.
    pub shard: Shard,
    /// Last committed position.
    pub pos: i64,
    /// Up to here everything is in Kafka.
    pub published: i64,
}

/// The event store, as the publisher reads it.
pub trait EventLog: Send + Sync + 'static {
    /// The highest committed position of a shard, as far as this instance knows; it changes with every commit.
    fn committed(&self, shard: Shard) -> watch::Receiver<i64>;

    /// Committed events after `pos`, at most `limit`, in order and without gaps.
    fn committed_after(
        &self,
        shard: Shard,
        pos: i64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Envelope>, LogFault>> + Send;

    /// The stored mark: everything up to this position is in Kafka. 0 at the start.
    fn published(&self, shard: Shard) -> impl Future<Output = Result<i64, LogFault>> + Send;

    /// Moves marks forward; they never go back.
    fn mark_published(
        &self,
        marks: &[(Shard, i64)],
    ) -> impl Future<Output = Result<(), LogFault>> + Send;

    /// Whether this instance may still write and publish the shard.
    fn owns(&self, shard: Shard) -> bool;

    /// Of every shard: the last committed position, whoever committed it, and the stored mark.
    fn heads(&self) -> impl Future<Output = Result<Vec<ShardHead>, LogFault>> + Send;

    /// Every history of the store.
    fn histories(&self) -> impl Future<Output = Result<Histories, LogFault>> + Send;

    /// Whether the store was seen to lack what it had committed.
    fn has_gone_back(&self) -> bool;

    /// The newest event of a report.
    fn newest_of_report(
        &self,
        report_id: ReportId,
    ) -> impl Future<Output = Result<Option<Envelope>, LogFault>> + Send;

    /// The values of a report, `None` once they are erased.
    fn report_details(
        &self,
        report_id: ReportId,
    ) -> impl Future<Output = Result<Option<ReportDetails>, LogFault>> + Send;

    /// Tombstones of erased reports that the shards owe, at most `limit`.
    fn owed_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
    ) -> impl Future<Output = Result<Vec<OwedTombstone>, LogFault>> + Send;

    /// Tombstones that Kafka has had for so long that they are to be repeated, at most `limit`.
    fn repeated_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
        after: Duration,
    ) -> impl Future<Output = Result<Vec<OwedTombstone>, LogFault>> + Send;

    /// Whether the tombstone of a report is owed.
    fn owes_tombstone(
        &self,
        report_id: ReportId,
    ) -> impl Future<Output = Result<bool, LogFault>> + Send;

    /// Kafka has these tombstones, which are to be repeated from now on.
    fn tombstones_sent(
        &self,
        reports: &[ReportId],
    ) -> impl Future<Output = Result<(), LogFault>> + Send;

    /// Kafka has these tombstones for the second time.
    fn forget_tombstones(
        &self,
        reports: &[ReportId],
    ) -> impl Future<Output = Result<(), LogFault>> + Send;
}

impl EventLog for Store {
    fn committed(&self, shard: Shard) -> watch::Receiver<i64> {
        Self::committed(self, shard)
    }

    async fn committed_after(
        &self,
        shard: Shard,
        pos: i64,
        limit: usize,
    ) -> Result<Vec<Envelope>, LogFault> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(Self::committed_after(self, shard, pos, limit).await?)
    }

    async fn published(&self, shard: Shard) -> Result<i64, LogFault> {
        Ok(Self::published(self, shard).await?)
    }

    async fn mark_published(&self, marks: &[(Shard, i64)]) -> Result<(), LogFault> {
        Ok(Self::mark_published(self, marks).await?)
    }

    fn owns(&self, shard: Shard) -> bool {
        Self::owns(self, shard)
    }

    async fn heads(&self) -> Result<Vec<ShardHead>, LogFault> {
        let head = |status: ShardStatus| {
            Some(ShardHead {
                shard: u8::try_from(status.shard).ok().and_then(Shard::new)?,
                pos: status.pos,
                published: status.published,
            })
        };
        let status = self.shards_status().await?;
        Ok(status.into_iter().filter_map(head).collect())
    }

    async fn histories(&self) -> Result<Histories, LogFault> {
        Ok(Self::histories(self).await?)
    }

    fn has_gone_back(&self) -> bool {
        Self::has_gone_back(self)
    }

    async fn newest_of_report(&self, report_id: ReportId) -> Result<Option<Envelope>, LogFault> {
        Ok(Self::newest_of_report(self, report_id).await?)
    }

    async fn report_details(&self, report_id: ReportId) -> Result<Option<ReportDetails>, LogFault> {
        Ok(Self::report_details(self, report_id).await?)
    }

    async fn owed_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
    ) -> Result<Vec<OwedTombstone>, LogFault> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(Self::owed_tombstones(self, shards, limit).await?)
    }

    async fn repeated_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
        after: Duration,
    ) -> Result<Vec<OwedTombstone>, LogFault> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(Self::repeated_tombstones(self, shards, limit, after).await?)
    }

    async fn owes_tombstone(&self, report_id: ReportId) -> Result<bool, LogFault> {
        Ok(Self::owes_tombstone(self, report_id).await?)
    }

    async fn tombstones_sent(&self, reports: &[ReportId]) -> Result<(), LogFault> {
        Ok(Self::tombstones_sent(self, reports).await?)
    }

    async fn forget_tombstones(&self, reports: &[ReportId]) -> Result<(), LogFault> {
        Ok(Self::forget_tombstones(self, reports).await?)
    }
}
