//! The read models, read in one snapshot, and how far they are in it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, FromRow, PgConnection};
use uuid::Uuid;

use crate::failure::Failure;
use crate::reconcile::store::Heads;
use crate::reconcile::{Difference, Stop, Summary};

const POLL: Duration = Duration::from_millis(100);

/// Last place that the read models hold, by topic and shard.
type Cut = HashMap<(Topic, Shard), i64>;

/// The read models as they were when they were opened.
pub(crate) struct ReadModel {
    pub(crate) db: PgConnection,
    cut: Cut,
}

/// One row of `ledger`.
#[derive(Debug, FromRow)]
pub(crate) struct LedgerRow {
    pub(crate) pos: i64,
    pub(crate) contract_id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) kind: String,
    pub(crate) credits: i64,
    pub(crate) balance_after: i64,
    pub(crate) request_id: Uuid,
}

pub(crate) fn fault(cause: sqlx::Error) -> Stop {
    Stop::Fault(Failure::unavailable("the read models", &cause))
}

async fn connect(url: &str) -> Result<PgConnection, Stop> {
    let options: PgConnectOptions = url
        .parse()
        .map_err(|_| Failure::usage("READ_MODEL_URL is no Postgres URL"))?;
    options.connect().await.map_err(fault)
}

async fn read_cut(db: &mut PgConnection) -> Result<Cut, Stop> {
    let rows: Vec<(String, i16, i64)> =
        sqlx::query_as(include_str!("../../sql/read_model/checkpoints.sql"))
            .fetch_all(db)
            .await
            .map_err(fault)?;
    let place = |(topic, shard, topic_seq): (String, i16, i64)| {
        let shard = Shard::new(u8::try_from(shard).ok()?)?;
        Some(((Topic::by_name(&topic)?, shard), topic_seq))
    };
    Ok(rows.into_iter().filter_map(place).collect())
}

/// Waits until every shard is at least where `heads` says, as long as the projector goes on.
pub(crate) async fn until_caught_up(url: &str, heads: &Heads, wait: Duration) -> Result<(), Stop> {
    let mut db = connect(url).await?;
    let mut behind_before = i64::MAX;
    let mut last_step = Instant::now();
    loop {
        let cut = read_cut(&mut db).await?;
        let at = |topic, shard| cut.get(&(topic, shard)).copied().unwrap_or(0);
        let lags = heads.iter().flat_map(|(shard, head)| {
            Topic::ALL.map(|topic| (topic, *shard, head.topic_seq(topic), at(topic, *shard)))
        });
        let behind: Vec<_> = lags.filter(|(_, _, head, at)| at < head).collect();
        let Some((topic, shard, head, at)) = behind.first() else {
            return Ok(());
        };
        let total = behind.iter().map(|(_, _, head, at)| head - at).sum();
        if total < behind_before {
            behind_before = total;
            last_step = Instant::now();
        } else if last_step.elapsed() >= wait {
            let place = format!("{} shard {shard}", topic.name());
            return Err(Difference::new(
                "read_model_behind",
                place,
                format!("topic_seq {head}"),
                format!("topic_seq {at}, and no step for {} s", wait.as_secs()),
            )
            .into());
        }
        tokio::time::sleep(POLL).await;
    }
}

impl ReadModel {
    pub(crate) async fn open(url: &str) -> Result<Self, Stop> {
        let mut db = connect(url).await?;
        // Ended with the connection: nothing is ever written.
        sqlx::query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .execute(&mut db)
            .await
            .map_err(fault)?;
        let cut = read_cut(&mut db).await?;
        Ok(Self { db, cut })
    }

    /// Last place of a shard in a topic that is in these read models.
    pub(crate) fn cut(&self, topic: Topic, shard: Shard) -> i64 {
        self.cut.get(&(topic, shard)).copied().unwrap_or(0)
    }

    /// The ledger of a shard, in order.
    pub(crate) fn ledger(&mut self, shard: Shard) -> BoxStream<'_, Result<LedgerRow, Stop>> {
        sqlx::query_as(include_str!("../../sql/read_model/ledger.sql"))
            .bind(i16::from(shard.number()))
            .fetch(&mut self.db)
            .map_err(fault)
            .boxed()
    }

    /// Every row that the store accounts for was found; now proves that there are no others.
    pub(crate) async fn prove_row_counts(&mut self, summary: &mut Summary) -> Result<(), Stop> {
        let (accounts, api_keys, contracts, reports, builds, dead_letters): (
            i64,
            i64,
            i64,
            i64,
            i64,
            i64,
        ) = sqlx::query_as(include_str!("../../sql/read_model/row_counts.sql"))
            .fetch_one(&mut self.db)
            .await
            .map_err(fault)?;
        summary.dead_letters = dead_letters;
        let counts = [
            ("account", summary.accounts, accounts),
            ("api_key", summary.api_keys, api_keys),
            ("contract", summary.contracts, contracts),
            ("report", summary.reports, reports),
            ("data_build", summary.builds, builds),
        ];
        for (table, expected, found) in counts {
            if expected != found {
                let place = format!("read model {table}");
                let rows = |count| format!("{count} rows");
                return Err(
                    Difference::new("unknown_row", place, rows(expected), rows(found)).into(),
                );
            }
        }
        Ok(())
    }
}
