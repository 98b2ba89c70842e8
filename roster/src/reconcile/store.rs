//! The event store, read in one snapshot.

use std::collections::HashMap;

use events_schema::history::{Beginning, Histories};
use events_schema::ids::Shard;
use events_schema::topics::Topic;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use uuid::Uuid;

use crate::failure::Failure;
use crate::reconcile::rows::StoredEvent;
use crate::reconcile::{Difference, Stop};

/// Last position of a shard, and last place in each topic in the order of [`Topic::ALL`].
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) pos: i64,
    pub(crate) topic_seqs: Vec<i64>,
}

impl Head {
    /// Last place in a topic.
    pub(crate) fn topic_seq(&self, topic: Topic) -> i64 {
        self.topic_seqs.get(topic.index()).copied().unwrap_or(0)
    }
}

/// The head of every shard; a shard without a row has no events.
pub(crate) type Heads = HashMap<Shard, Head>;

/// The store as it was when it was opened.
pub(crate) struct Store {
    db: PgConnection,
    heads: Heads,
    histories: Histories,
}

/// The heads at this moment.
pub(crate) async fn heads(url: &str) -> Result<Heads, Stop> {
    let mut db = connect(url).await?;
    let heads = read_heads(&mut db).await?;
    db.close().await.map_err(fault)?;
    Ok(heads)
}

async fn connect(url: &str) -> Result<PgConnection, Stop> {
    let options: PgConnectOptions = url
        .parse()
        .map_err(|_| Failure::usage("EVENT_STORE_URL is no Postgres URL"))?;
    options.connect().await.map_err(fault)
}

async fn read_heads(db: &mut PgConnection) -> Result<Heads, Stop> {
    let rows: Vec<(i16, i64, Vec<i64>)> =
        sqlx::query_as(include_str!("../../sql/event_store/heads.sql"))
            .fetch_all(db)
            .await
            .map_err(fault)?;
    let head = |(shard, pos, topic_seqs): (i16, i64, Vec<i64>)| {
        Some((
            Shard::new(u8::try_from(shard).ok()?)?,
            Head { pos, topic_seqs },
        ))
    };
    Ok(rows.into_iter().filter_map(head).collect())
}

async fn read_histories(db: &mut PgConnection) -> Result<Histories, Stop> {
    let rows: Vec<(i16, i64, i64)> =
        sqlx::query_as(include_str!("../../sql/event_store/histories.sql"))
            .fetch_all(db)
            .await
            .map_err(fault)?;
    let beginning = |(shard, history, first_pos): (i16, i64, i64)| {
        Some(Beginning {
            shard: Shard::new(u8::try_from(shard).ok()?)?,
            history,
            first_pos,
        })
    };
    Ok(Histories::new(
        rows.into_iter().filter_map(beginning).collect(),
    ))
}

pub(crate) fn fault(cause: sqlx::Error) -> Stop {
    Stop::Fault(Failure::unavailable("the event store", &cause))
}

impl Store {
    pub(crate) async fn open(url: &str) -> Result<Self, Stop> {
        let mut db = connect(url).await?;
        // Ended with the connection: nothing is ever written.
        sqlx::query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .execute(&mut db)
            .await
            .map_err(fault)?;
        let heads = read_heads(&mut db).await?;
        let histories = read_histories(&mut db).await?;
        Ok(Self {
            db,
            heads,
            histories,
        })
    }

    /// The shard's histories: an event of an older history in the place of a newer one counts as never written.
    pub(crate) const fn histories(&self) -> &Histories {
        &self.histories
    }

    pub(crate) fn head(&self, shard: Shard) -> Head {
        self.heads.get(&shard).cloned().unwrap_or(Head {
            pos: 0,
            topic_seqs: Vec::new(),
        })
    }

    /// How many events there are.
    pub(crate) fn events(&self) -> i64 {
        self.heads.values().map(|head| head.pos).sum()
    }

    /// Proves that positions, places in topics and numbers in aggregates are 1, 2, 3 … up to the head.
    pub(crate) async fn prove_order(&mut self, shard: Shard) -> Result<(), Stop> {
        let number = i16::from(shard.number());
        let disorder: Option<(i64, i64, i16, i64, i64)> =
            sqlx::query_as(include_str!("../../sql/event_store/disorder.sql"))
                .bind(number)
                .fetch_optional(&mut self.db)
                .await
                .map_err(fault)?;
        if let Some((pos, expected_pos, topic, topic_seq, expected_seq)) = disorder {
            return Err(if pos == expected_pos {
                let place = format!("event store shard {shard} pos {pos}, topic {topic}");
                Difference::new(
                    "gap_in_event_store",
                    place,
                    format!("topic_seq {expected_seq}"),
                    topic_seq,
                )
            } else {
                let place = format!("event store shard {shard}");
                Difference::new(
                    "gap_in_event_store",
                    place,
                    format!("pos {expected_pos}"),
                    format!("pos {pos}"),
                )
            }
            .into());
        }
        self.prove_totals(shard).await?;
        self.prove_aggregates(shard).await
    }

    async fn prove_totals(&mut self, shard: Shard) -> Result<(), Stop> {
        let totals: Vec<(i16, i64, i64)> =
            sqlx::query_as(include_str!("../../sql/event_store/totals.sql"))
                .bind(i16::from(shard.number()))
                .fetch_all(&mut self.db)
                .await
                .map_err(fault)?;
        let head = self.head(shard);
        let last = totals.iter().map(|(_, _, pos)| *pos).max().unwrap_or(0);
        let wrong = |what: &str, expected: i64, found: i64| {
            Difference::new(
                "gap_in_event_store",
                format!("event store shard {shard}, {what}"),
                expected,
                found,
            )
        };
        if last != head.pos {
            return Err(wrong("last position", head.pos, last).into());
        }
        for topic in Topic::ALL {
            let index = i16::try_from(topic.index()).unwrap_or(i16::MAX);
            let count = totals
                .iter()
                .find(|(of, ..)| *of == index)
                .map_or(0, |(_, count, _)| *count);
            if count != head.topic_seq(topic) {
                return Err(wrong(topic.name(), head.topic_seq(topic), count).into());
            }
        }
        Ok(())
    }

    async fn prove_aggregates(&mut self, shard: Shard) -> Result<(), Stop> {
        let gap: Option<(Uuid, i64, i64)> =
            sqlx::query_as(include_str!("../../sql/event_store/aggregate_gap.sql"))
                .bind(i16::from(shard.number()))
                .fetch_optional(&mut self.db)
                .await
                .map_err(fault)?;
        gap.map_or(Ok(()), |(aggregate, count, last)| {
            let place = format!("event store shard {shard} aggregate {aggregate}");
            let expected = format!("{last} events");
            Err(Difference::new(
                "gap_in_event_store",
                place,
                expected,
                format!("{count} events"),
            )
            .into())
        })
    }

    /// Events of a shard in a topic, behind `after` and up to `until`, in order.
    pub(crate) fn events_between(
        &mut self,
        shard: Shard,
        topic: Topic,
        after: i64,
        until: i64,
    ) -> BoxStream<'_, Result<StoredEvent, Stop>> {
        let statement = match topic {
            Topic::Credits => include_str!("../../sql/event_store/events.sql"),
            Topic::Accounts | Topic::Reports | Topic::Builds => {
                include_str!("../../sql/event_store/rare_events.sql")
            }
        };
        sqlx::query_as(statement)
            .bind(i16::from(shard.number()))
            .bind(i16::try_from(topic.index()).unwrap_or(i16::MAX))
            .bind(after)
            .bind(until)
            .fetch(&mut self.db)
            .map_err(fault)
            .boxed()
    }

    /// Events at these places (shard, position); places without an event are left out.
    pub(crate) async fn at(
        &mut self,
        places: &[(i16, i64)],
    ) -> Result<HashMap<(i16, i64), StoredEvent>, Stop> {
        let runs = runs(places);
        let shards: Vec<i16> = runs.iter().map(|run| run.shard).collect();
        let firsts: Vec<i64> = runs.iter().map(|run| run.first).collect();
        let lasts: Vec<i64> = runs.iter().map(|run| run.last).collect();
        let events: Vec<StoredEvent> =
            sqlx::query_as(include_str!("../../sql/event_store/runs.sql"))
                .bind(shards)
                .bind(firsts)
                .bind(lasts)
                .fetch_all(&mut self.db)
                .await
                .map_err(fault)?;
        Ok(events
            .into_iter()
            .map(|event| ((event.shard, event.pos), event))
            .collect())
    }

    /// The contracts that are listed of these accounts, each with its account.
    pub(crate) async fn contracts_listed(
        &mut self,
        accounts: &[Uuid],
    ) -> Result<Vec<(Uuid, Uuid)>, Stop> {
        sqlx::query_as(include_str!("../../sql/event_store/contracts_listed.sql"))
            .bind(accounts)
            .fetch_all(&mut self.db)
            .await
            .map_err(fault)
    }
}

/// Positions of a shard without a gap.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    shard: i16,
    first: i64,
    last: i64,
}

/// Places (shard, position) in any order, also several times, as few runs.
fn runs(places: &[(i16, i64)]) -> Vec<Run> {
    let mut places = places.to_vec();
    places.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for (shard, pos) in places {
        match runs.last_mut() {
            Some(run) if run.shard == shard && pos <= run.last + 1 => run.last = pos,
            _ => runs.push(Run {
                shard,
                first: pos,
                last: pos,
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_several_shards_with_repeats_become_few_runs() {
        let places = [
            (2, 5),
            (1, 8),
            (1, 9),
            (1, 9),
            (2, 4),
            (1, 11),
            (1, 7),
            (2, 9),
        ];
        let run = |shard, first, last| Run { shard, first, last };
        assert_eq!(
            runs(&places),
            [run(1, 7, 9), run(1, 11, 11), run(2, 4, 5), run(2, 9, 9)]
        );
        assert_eq!(runs(&[]), []);
    }
}
