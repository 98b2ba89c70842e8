//! Histories: what a store that was restored to an older state writes must never be taken for what it had written before.

use events_schema::history::{Beginning, Histories};
use events_schema::ids::Shard;

use super::{Store, StoreFault, answer};

impl Store {
    /// Every history after the first one, with where it begins.
    ///
    /// # Errors
    /// When the store fails or holds a shard that is none.
    pub async fn histories(&self) -> Result<Histories, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/histories.sql"));
        let rows: Vec<(i16, i64, i64)> = answer!(self.reads(), statement => fetch_all)?;
        let beginning = |(number, history, first_pos): (i16, i64, i64)| {
            let shard = u8::try_from(number).ok().and_then(Shard::new);
            Ok::<_, StoreFault>(Beginning {
                shard: shard.ok_or_else(|| StoreFault::Damaged(format!("shard {number}")))?,
                history,
                first_pos,
            })
        };
        let beginnings = rows.into_iter().map(beginning);
        Ok(Histories::new(
            beginnings.collect::<Result<_, StoreFault>>()?,
        ))
    }

    /// Begins a new history in every shard and gives its number: from the next position on, or, where something may have been
    /// written since the store went back (`has_run`), from the one after the mark of what Kafka has. Whoever read a head before cannot
    /// write on it any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn begin_history(&self, has_run: bool) -> Result<i64, StoreFault> {
        let statement =
            sqlx::query_scalar(include_str!("../../sql/begin_history.sql")).bind(has_run);
        answer!(self.reads(), statement => fetch_one)
    }

    /// Addresses of the instances whose leases may still hold.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn living_instances(&self) -> Result<Vec<String>, StoreFault> {
        let statement = sqlx::query_scalar(include_str!("../../sql/living_instances.sql"));
        answer!(self.reads(), statement => fetch_all)
    }
}
