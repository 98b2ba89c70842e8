//! The ledger of an account: its grants and charges, as the projector has them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use events_schema::ids::{AccountId, ContractId};
use events_schema::topics::Topic;
use sqlx::postgres::PgPool;
use tokio::time::timeout;
use uuid::Uuid;

use super::answer::rows;
use super::{ReadFault, Source};

/// Between looks at how far the projector is: mostly it is there at once, and where it stands still many wait for it.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

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
        // Everything before an entry that was shown came before it into the read model.
        let wanted = before.map_or(Reach::Event(credits_seq), Reach::Place);
        let waited = timeout(
            self.source.limits().ledger_wait,
            self.until(account, wanted),
        )
        .await;
        let is_current = waited.unwrap_or(Ok(false))?;
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

    /// Whether the read model has all that is asked for, as soon as it has, or when there is no more time.
    async fn until(&self, account: AccountId, wanted: Reach) -> Result<bool, ReadFault> {
        let mut pause = FIRST_PAUSE;
        loop {
            let progress = self.progress(account).await?;
            if progress.has(wanted) {
                return Ok(!progress.is_parked);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn progress(&self, account: AccountId) -> Result<Progress, ReadFault> {
        let shard = account.shard();
        let statement = sqlx::query_as(include_str!("../../sql/ledger_progress.sql"))
            .bind(Topic::Credits.name())
            .bind(i16::from(shard.number()));
        let longest = self.source.limits().statement_timeout;
        let found: Vec<(i64, i64, Vec<String>)> = rows(&self.pool, longest, statement).await?;
        let Some((topic_seq, pos, parked)) = found.into_iter().next() else {
            return Err(ReadFault::Form("progress"));
        };
        // What waits behind an event that cannot be applied is passed by: an operator has to look at it first.
        let is_of_shard = |key: &String| {
            key.parse::<ContractId>()
                .map_or(true, |contract| contract.shard() == shard)
        };
        Ok(Progress {
            topic_seq,
            pos,
            is_parked: parked.iter().any(is_of_shard),
        })
    }
}

/// How far the read model has to be.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// To this event of `credits.v1` in the account's shard.
    Event(i64),
    /// To this place among all events of the shard.
    Place(i64),
}

/// How far the read model is in a shard.
#[derive(Debug)]
struct Progress {
    topic_seq: i64,
    pos: i64,
    is_parked: bool,
}

impl Progress {
    const fn has(&self, wanted: Reach) -> bool {
        match wanted {
            Reach::Event(topic_seq) => self.topic_seq >= topic_seq,
            Reach::Place(pos) => self.pos >= pos,
        }
    }
}
