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
    /// The time that the message says.
    pub at: DateTime<Utc>,
    /// Whether Kafka has had it once: it is sent again so that the segment with the values is closed.
    pub is_repeat: bool,
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

    /// Tombstones that shards owe, at most `limit`; one that Kafka has is owed again when it has had it for `repeat_after`, or
    /// with `None` not now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn owed_tombstones(
        &self,
        shards: &[Shard],
        limit: i64,
        repeat_after: Option<Duration>,
    ) -> Result<Vec<OwedTombstone>, StoreFault> {
        let millis = |after: Duration| i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
        let shards: Vec<i16> = shards.iter().map(|shard| shard.number().into()).collect();
        let statement = sqlx::query_as(include_str!("../../sql/owed_tombstones.sql"))
            .bind(shards)
            .bind(limit)
            .bind(repeat_after.map(millis));
        let rows: Vec<(Uuid, DateTime<Utc>, bool)> = answer!(self.reads(), statement => fetch_all)?;
        let owed = rows
            .into_iter()
            .map(|(report_id, at, is_repeat)| OwedTombstone {
                report_id: report_id.into(),
                at,
                is_repeat,
            });
        Ok(owed.collect())
    }

    /// Whether Kafka has never had the tombstone of a report that was erased.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn owes_tombstone(&self, report: ReportId) -> Result<bool, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/owes_tombstone.sql")).bind(report.uuid());
        answer!(self.reads(), statement => fetch_one)
    }

    /// Kafka has these tombstones: those of the first time are owed once more, those of the second time no more.
    ///
    /// # Errors
    /// When the store fails; what it was told then counts in part.
    pub async fn tombstones_sent(&self, sent: &[OwedTombstone]) -> Result<(), StoreFault> {
        for (is_repeat, sql) in [
            (false, include_str!("../../sql/sent_tombstones.sql")),
            (true, include_str!("../../sql/forget_tombstones.sql")),
        ] {
            let of_them = sent.iter().filter(|sent| sent.is_repeat == is_repeat);
            let reports: Vec<Uuid> = of_them.map(|sent| sent.report_id.uuid()).collect();
            if !reports.is_empty() {
                let statement = sqlx::query(sql).bind(reports);
                answer!(self.reads(), statement => execute)?;
            }
        }
        Ok(())
    }
}
