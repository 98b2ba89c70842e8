//! Look-ups in the event store that are not aggregates.

use chrono::{DateTime, TimeDelta, Utc};
use events_schema::ids::{AccountId, ApiKeyId, BuildName, ContractId, ReportId, Shard};
use events_schema::record::RecordKind;
use events_schema::report::v1::{ReportDetails, ReportStatus};
use events_schema::topics::Topic;
use events_schema::{Envelope, Event};
use serde_json::Value;
use sqlx::FromRow;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Store, StoreFault, Use, answer};

/// A charge or grant, who asked for it, and when.
pub(super) type Moved = (Event, String, DateTime<Utc>);

/// The charge or grant that a request made.
pub(super) async fn movement(of: Use<'_>, request_id: Uuid) -> Result<Option<Moved>, StoreFault> {
    let statement = sqlx::query_as(include_str!("../../sql/movement.sql")).bind(request_id);
    let row: Option<(String, Value, String, DateTime<Utc>)> =
        answer!(of, statement => fetch_optional)?;
    row.map(|(stored_type, payload, actor, occurred_at)| {
        let event = Event::from_parts(&stored_type, payload)?;
        Ok((event, actor, occurred_at))
    })
    .transpose()
}

/// Where a shard stands.
#[derive(Debug, Clone, FromRow)]
pub struct ShardStatus {
    /// The shard.
    pub shard: i16,
    /// Address of its owner.
    pub owner: Option<String>,
    /// Last position.
    pub pos: i64,
    /// Last position acknowledged by Kafka.
    pub published: i64,
}

#[derive(FromRow)]
struct EventRow {
    shard: i16,
    pos: i64,
    history: i64,
    topic_seq: i64,
    aggregate_id: Uuid,
    seq: i64,
    event_type: String,
    payload: Value,
    request_id: Uuid,
    actor: String,
    traceparent: Option<String>,
    occurred_at: DateTime<Utc>,
}

impl TryFrom<EventRow> for Envelope {
    type Error = StoreFault;

    fn try_from(row: EventRow) -> Result<Self, StoreFault> {
        let shard = u8::try_from(row.shard).ok().and_then(Shard::new);
        Ok(Self {
            shard: shard.ok_or_else(|| StoreFault::Damaged(format!("shard {}", row.shard)))?,
            pos: row.pos,
            history: row.history,
            topic_seq: row.topic_seq,
            aggregate_id: row.aggregate_id,
            seq: row.seq,
            occurred_at: row.occurred_at,
            request_id: row.request_id,
            actor: row.actor,
            traceparent: row.traceparent,
            event: Event::from_parts(&row.event_type, row.payload)?,
        })
    }
}

/// The events before the first unreadable one; its fault if that is the very first.
fn envelopes(rows: Vec<EventRow>) -> Result<Vec<Envelope>, StoreFault> {
    let mut read = Vec::with_capacity(rows.len());
    for row in rows {
        match Envelope::try_from(row) {
            Ok(envelope) => read.push(envelope),
            Err(fault) if read.is_empty() => return Err(fault),
            Err(fault) => {
                tracing::error!(%fault, "an event is not given, nor those after it");
                break;
            }
        }
    }
    Ok(read)
}

impl Store {
    /// A shard's events after a position, in order.
    ///
    /// # Errors
    /// When the store fails or an event cannot be read.
    pub async fn committed_after(
        &self,
        shard: Shard,
        pos: i64,
        limit: i64,
    ) -> Result<Vec<Envelope>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/events_after.sql"))
            .bind(i16::from(shard.number()))
            .bind(pos)
            .bind(limit);
        let rows = answer!(self.reads(), statement => fetch_all)?;
        envelopes(rows)
    }

    /// A shard's events of one topic after a `topic_seq`, in order.
    ///
    /// # Errors
    /// When the store fails or an event cannot be read.
    pub async fn topic_events_after(
        &self,
        topic: Topic,
        shard: Shard,
        after_topic_seq: i64,
        limit: i64,
    ) -> Result<Vec<Envelope>, StoreFault> {
        // Nearly all events are of one topic, which has no index of its own for it.
        let statement = match topic {
            Topic::Credits => include_str!("../../sql/topic_events_after.sql"),
            Topic::Accounts | Topic::Reports | Topic::Builds => {
                include_str!("../../sql/rare_topic_events_after.sql")
            }
        };
        let statement = sqlx::query_as(statement)
            .bind(i16::from(shard.number()))
            .bind(i16::try_from(topic.index()).unwrap_or(i16::MAX))
            .bind(after_topic_seq)
            .bind(limit);
        let rows = answer!(self.reads(), statement => fetch_all)?;
        envelopes(rows)
    }

    /// The last position of the shard that Kafka acknowledged.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn published(&self, shard: Shard) -> Result<i64, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/published.sql"))
            .bind(i16::from(shard.number()));
        answer!(self.reads(), statement => fetch_one)
    }

    /// Moves publication marks forward; a mark never moves back.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_published(&self, marks: &[(Shard, i64)]) -> Result<(), StoreFault> {
        let (shards, positions): (Vec<i16>, Vec<i64>) = marks
            .iter()
            .map(|(shard, pos)| (i16::from(shard.number()), *pos))
            .unzip();
        let statement = sqlx::query(include_str!("../../sql/mark_published.sql"))
            .bind(shards)
            .bind(positions);
        answer!(self.reads(), statement => execute)?;
        Ok(())
    }

    /// Owner, head and publication mark of every shard.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn shards_status(&self) -> Result<Vec<ShardStatus>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/shards_status.sql"));
        answer!(self.reads(), statement => fetch_all)
    }

    /// Whose a key is that an operator names; none where there is no such key.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn account_of_key(&self, id: &ApiKeyId) -> Result<Option<AccountId>, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/account_of_key.sql")).bind(id.as_str());
        let account: Option<Uuid> = answer!(self.reads(), statement => fetch_optional)?;
        Ok(account.map(AccountId::from))
    }

    /// The charge or grant that a request made, with who asked for it and when. The credits that a contract begins with are none.
    ///
    /// # Errors
    /// When the store fails, or the event cannot be read.
    pub async fn movement_with_cause(&self, request_id: Uuid) -> Result<Option<Moved>, StoreFault> {
        movement(self.reads(), request_id).await
    }

    /// Proofs of all keys of an account.
    ///
    /// # Errors
    /// When the store fails or holds an id that is none.
    pub async fn account_api_keys(
        &self,
        account: AccountId,
    ) -> Result<Vec<(ApiKeyId, Vec<u8>)>, StoreFault> {
        let statement =
            sqlx::query_as(include_str!("../../sql/account_api_keys.sql")).bind(account.uuid());
        let rows: Vec<(String, Vec<u8>)> = answer!(self.reads(), statement => fetch_all)?;
        rows.into_iter()
            .map(|(id, hmac)| Ok((id.parse().map_err(damaged)?, hmac)))
            .collect()
    }

    /// A page of accounts, oldest first, after one of them: id, name, when it was opened.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn accounts(
        &self,
        after: Option<AccountId>,
        limit: i64,
    ) -> Result<Vec<(AccountId, String, DateTime<Utc>)>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/accounts.sql"))
            .bind(limit)
            .bind(after.map(AccountId::uuid));
        let rows: Vec<(Uuid, String, DateTime<Utc>)> =
            answer!(self.reads(), statement => fetch_all)?;
        Ok(rows
            .into_iter()
            .map(|(id, name, at)| (id.into(), name, at))
            .collect())
    }

    /// Name of an account and when it was opened.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn account(
        &self,
        account: AccountId,
    ) -> Result<Option<(String, DateTime<Utc>)>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/account.sql")).bind(account.uuid());
        answer!(self.reads(), statement => fetch_optional)
    }

    /// An account's contracts.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn account_contracts(
        &self,
        account: AccountId,
    ) -> Result<Vec<ContractId>, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/account_contracts.sql"))
            .bind(account.uuid());
        let ids: Vec<Uuid> = answer!(self.reads(), statement => fetch_all)?;
        Ok(ids.into_iter().map(ContractId::from).collect())
    }

    /// Deletes a slice of named charges that are older than `older`; how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_charges(&self, older: TimeDelta, limit: i64) -> Result<u64, StoreFault> {
        let statement = sqlx::query(include_str!("../../sql/forget_idempotency.sql"))
            .bind(older.num_milliseconds())
            .bind(limit);
        let deleted = answer!(self.reads(), statement => execute)?;
        Ok(deleted.rows_affected())
    }

    /// Values of a report; none once erased.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report_details(
        &self,
        report: ReportId,
    ) -> Result<Option<ReportDetails>, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/report_details.sql")).bind(report.uuid());
        let row: Option<Option<Json<ReportDetails>>> =
            answer!(self.reads(), statement => fetch_optional)?;
        Ok(row.flatten().map(|details| details.0))
    }

    /// Whether a report is on the list, readable or not.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_report(&self, report: ReportId) -> Result<bool, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/is_report.sql")).bind(report.uuid());
        answer!(self.reads(), statement => fetch_one)
    }

    /// The newest event of a report; none where there is no such report.
    ///
    /// # Errors
    /// When the store fails or the event cannot be read.
    pub async fn newest_of_report(&self, report: ReportId) -> Result<Option<Envelope>, StoreFault> {
        let statement =
            sqlx::query_as(include_str!("../../sql/newest_of_report.sql")).bind(report.uuid());
        let row: Option<EventRow> = answer!(self.reads(), statement => fetch_optional)?;
        row.map(Envelope::try_from).transpose()
    }

    /// A page of reports, all or those of one status, oldest first, after one of them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report_ids(
        &self,
        status: Option<ReportStatus>,
        after: Option<ReportId>,
        limit: i64,
    ) -> Result<Vec<ReportId>, StoreFault> {
        let status = status
            .map(|status| serde_json::json!(status))
            .and_then(|name| name.as_str().map(str::to_owned));
        let page = |sql| {
            sqlx::query_scalar(sql)
                .bind(after.map(ReportId::uuid))
                .bind(limit)
        };
        let statement = match status {
            None => page(include_str!("../../sql/report_ids.sql")),
            Some(status) => page(include_str!("../../sql/report_ids_of_status.sql")).bind(status),
        };
        let ids: Vec<Uuid> = answer!(self.reads(), statement => fetch_all)?;
        Ok(ids.into_iter().map(ReportId::from).collect())
    }

    /// Names of all data builds, oldest first, as they stand: where the store is damaged, one may be no [`BuildName`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn build_names(&self) -> Result<Vec<String>, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/builds.sql"));
        answer!(self.reads(), statement => fetch_all)
    }

    /// Names of the active builds, as they stand, to be shown. What is decided takes [`Self::active_builds`]: a build whose name is damaged
    /// there must not count as one that is not active.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn active_build_names(&self) -> Result<Vec<String>, StoreFault> {
        Ok(self
            .active_rows()
            .await?
            .into_iter()
            .map(|(_, build)| build)
            .collect())
    }

    /// The active build of each kind.
    ///
    /// # Errors
    /// When the store fails or holds a name that is none.
    pub async fn active_builds(&self) -> Result<Vec<(RecordKind, BuildName)>, StoreFault> {
        let rows = self.active_rows().await?.into_iter();
        rows.map(|(kind, build)| {
            Ok((
                kind.parse().map_err(damaged)?,
                build.parse().map_err(damaged)?,
            ))
        })
        .collect()
    }

    async fn active_rows(&self) -> Result<Vec<(String, String)>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/active_builds.sql"));
        answer!(self.look_ups(), statement => fetch_all)
    }

    /// The last `topic_seq` of each shard: of each, a list in the order of [`Topic::ALL`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn heads(&self) -> Result<Vec<Vec<i64>>, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/heads.sql"));
        answer!(self.reads(), statement => fetch_all)
    }
}

fn damaged(fault: events_schema::ids::InvalidId) -> StoreFault {
    StoreFault::Damaged(fault.to_string())
}
