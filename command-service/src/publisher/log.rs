//! What the publisher needs of the event store, as a trait: so that its order and its restarts can be tried against a
//! store that fails at will.

use std::future::Future;

use events_schema::envelope::Envelope;
use events_schema::ids::{ReportId, Shard};
use events_schema::report::v1::ReportDetails;
use tokio::sync::watch;

use crate::store::Store;

/// Why the event store gave no answer.
pub type LogFault = Box<dyn std::error::Error + Send + Sync>;

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

    /// The values of a report, `None` once they are erased.
    fn report_details(
        &self,
        report_id: ReportId,
    ) -> impl Future<Output = Result<Option<ReportDetails>, LogFault>> + Send;
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

    async fn report_details(&self, report_id: ReportId) -> Result<Option<ReportDetails>, LogFault> {
        Ok(Self::report_details(self, report_id).await?)
    }
}
