//! Erasing the values of a report, and what is owed to Kafka for it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use events_schema::ids::{ReportId, Shard};
use uuid::Uuid;

use super::{Store, StoreFault, answer};

/// A report of which Kafka may still have the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwedTombstone {
    /// The report.
    pub report_id: ReportId,
    /// The time that its message says.
    pub at: DateTime<Utc>,
}

type Row = (Uuid, DateTime<Utc>);

fn owed(rows: Vec<Row>) -> Vec<OwedTombstone> {
    let owed = rows.into_iter().map(|(report_id, at)| OwedTombstone {
        report_id: report_id.into(),
        at,
    });
    owed.collect()
}

fn numbers(shards: &[Shard]) -> Vec<i16> {
    shards.iter().map(|shard| shard.number().into()).collect()
}

fn uuids(reports: &[ReportId]) -> Vec<Uuid> {
    reports.iter().map(|report| report.uuid()).collect()
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
        let statement = sqlx::query_as(include_str!("../../sql/owed_tombstones.sql"))
            .bind(numbers(shards))
            .bind(limit);
        let rows: Vec<Row> = answer!(self.reads(), statement => fetch_all)?;
        Ok(owed(rows))
    }

    /// Tombstones that Kafka has had for so long that they are to be repeated, at most `limit`, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn repeated_tombstones(
        &self,
        shards: &[Shard],
        limit: i64,
        after: Duration,
    ) -> Result<Vec<OwedTombstone>, StoreFault> {
        let after = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
        let statement = sqlx::query_as(include_str!("../../sql/repeated_tombstones.sql"))
            .bind(numbers(shards))
            .bind(limit)
            .bind(after);
        let rows: Vec<Row> = answer!(self.reads(), statement => fetch_all)?;
        Ok(owed(rows))
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

    /// Kafka has the tombstones of these reports, which are to be repeated from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn tombstones_sent(&self, reports: &[ReportId]) -> Result<(), StoreFault> {
        let sql = include_str!("../../sql/sent_tombstones.sql");
        let statement = sqlx::query(sql).bind(uuids(reports));
        answer!(self.reads(), statement => execute)?;
        Ok(())
    }

    /// Kafka has the tombstones of these reports for the second time.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_tombstones(&self, reports: &[ReportId]) -> Result<(), StoreFault> {
        let sql = include_str!("../../sql/forget_tombstones.sql");
        let statement = sqlx::query(sql).bind(uuids(reports));
        answer!(self.reads(), statement => execute)?;
        Ok(())
    }
}
