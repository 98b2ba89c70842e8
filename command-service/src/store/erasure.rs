//! Erasing the values of a report, and what is owed to Kafka for it.

use chrono::{DateTime, Utc};
use events_schema::ids::{ReportId, Shard};
use uuid::Uuid;

use super::{Store, StoreFault, answer};

/// A report of which Kafka may still have the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwedTombstone {
    /// The report.
    pub report_id: ReportId,
    /// When its values were erased from the store.
    pub erased_at: DateTime<Utc>,
}

impl Store {
    /// Erases the values of a report and owes their tombstone, in one statement; whether there is such a report.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn erase_report_details(
        &self,
        report: ReportId,
        at: DateTime<Utc>,
        actor: &str,
    ) -> Result<bool, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/erase_report_details.sql"))
            .bind(report.uuid())
            .bind(i16::from(report.shard().number()))
            .bind(at)
            .bind(actor);
        let erased: i64 = answer!(self.reads(), statement => fetch_one)?;
        Ok(erased > 0)
    }

    /// Tombstones that shards owe, at most `limit`, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn owed_tombstones(
        &self,
        shards: &[Shard],
        limit: i64,
    ) -> Result<Vec<OwedTombstone>, StoreFault> {
        let shards: Vec<i16> = shards.iter().map(|shard| shard.number().into()).collect();
        let statement = sqlx::query_as(include_str!("../../sql/owed_tombstones.sql"))
            .bind(shards)
            .bind(limit);
        let rows: Vec<(Uuid, DateTime<Utc>)> = answer!(self.reads(), statement => fetch_all)?;
        let owed = rows
            .into_iter()
            .map(|(report_id, erased_at)| OwedTombstone {
                report_id: report_id.into(),
                erased_at,
            });
        Ok(owed.collect())
    }

    /// Whether the tombstone of a report is owed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn owes_tombstone(&self, report: ReportId) -> Result<bool, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/owes_tombstone.sql")).bind(report.uuid());
        answer!(self.reads(), statement => fetch_one)
    }

    /// Kafka has the tombstones of these reports.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_tombstones(&self, reports: &[ReportId]) -> Result<(), StoreFault> {
        let reports: Vec<Uuid> = reports.iter().map(|report| report.uuid()).collect();
        let statement = sqlx::query(include_str!("../../sql/forget_tombstones.sql")).bind(reports);
        answer!(self.reads(), statement => execute)?;
        Ok(())
    }
}
