//! The ledger of an account: its grants and charges, as the projector has them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use events_schema::ids::{AccountId, ContractId};
use events_schema::topics::Topic;
use sqlx::postgres::PgPool;
use tokio::time::Instant;
use uuid::Uuid;

use super::answer::rows;
use super::{ReadFault, Source};

/// Between two looks at how far the projector is.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Reads ledgers; cheap to clone.
#[derive(Debug, Clone)]
pub struct Ledgers {
    source: Source,
    pool: PgPool,
}

/// A grant or a charge.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Entry {
    /// Its place among all events of the account's shard.
    pub pos: i64,
    /// The contract.
    pub contract_id: Uuid,
    /// `grant` or `charge`.
    pub kind: String,
    /// Granted or taken, zero or more.
    pub credits: i64,
    /// The contract's balance right after.
    pub balance_after: i64,
    /// Of a charge: what was asked.
    pub endpoint: Option<String>,
    /// Of a charge: what was delivered.
    pub units: Option<i32>,
    /// The request, of a grant that of the operator.
    pub request_id: Uuid,
    /// When it was decided.
    pub occurred_at: DateTime<Utc>,
}

/// Entries, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// At most as many as were asked for.
    pub entries: Vec<Entry>,
    /// Whether there are older ones.
    pub has_more: bool,
    /// Whether everything that had happened when it was asked for is in the read model.
    pub is_current: bool,
}

impl Ledgers {
    /// Over `source`; must be called inside a runtime.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            pool: source.ledgers(),
            source,
        }
    }

    /// The last `limit` entries of an account before the place `before`. Waits until the projector has taken event `credits_seq` of
    /// the account's shard, but not without end: a page that is not current says so.
    ///
    /// # Errors
    /// When the tables cannot be read or hold something else.
    pub async fn page(
        &self,
        account: AccountId,
        before: Option<i64>,
        limit: u32,
        credits_seq: i64,
    ) -> Result<Page, ReadFault> {
        let is_current = self.until(account, credits_seq).await?;
        let statement = sqlx::query_as(include_str!("../../sql/ledger_page.sql"))
            .bind(account.uuid())
            .bind(before.unwrap_or(i64::MAX))
            .bind(i64::from(limit) + 1);
        let longest = self.source.limits().statement_timeout;
        let mut entries: Vec<Entry> = rows(&self.pool, longest, statement).await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = entries.len() > limit;
        entries.truncate(limit);
        Ok(Page {
            entries,
            has_more,
            is_current,
        })
    }

    async fn until(&self, account: AccountId, credits_seq: i64) -> Result<bool, ReadFault> {
        let shard = account.shard();
        let limits = self.source.limits();
        let deadline = Instant::now() + limits.ledger_wait;
        loop {
            let statement = sqlx::query_as(include_str!("../../sql/ledger_progress.sql"))
                .bind(Topic::Credits.name())
                .bind(i16::from(shard.number()));
            let found: Vec<(i64, Vec<String>)> =
                rows(&self.pool, limits.statement_timeout, statement).await?;
            let Some((topic_seq, parked)) = found.into_iter().next() else {
                return Err(ReadFault::Form("progress"));
            };
            // What waits behind an event that cannot be applied is passed by: an operator has to look at it first.
            let is_parked = |key: &String| {
                key.parse::<ContractId>()
                    .map_or(true, |contract| contract.shard() == shard)
            };
            if parked.iter().any(is_parked) {
                return Ok(false);
            }
            if topic_seq >= credits_seq {
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
