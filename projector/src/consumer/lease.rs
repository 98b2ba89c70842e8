//! Which partitions this projector reads: a fair share, by leases in the database.
//!
//! Leases only share the work out. Two projectors that both believe to hold a partition do no harm: the compare-and-set
//! of the checkpoint lets one of them write.

use std::time::Duration;

use sqlx::PgPool;
use uuid::Uuid;

use crate::checkpoint::Slot;
use events_schema::topics::Topic;

/// The leases of one process.
#[derive(Debug, Clone)]
pub struct Leases {
    pool: PgPool,
    owner: Uuid,
    slots: Vec<Slot>,
    ttl: Duration,
}

impl Leases {
    /// Leases over `slots`, all partitions that there are.
    #[must_use]
    pub fn new(pool: PgPool, owner: Uuid, slots: Vec<Slot>, ttl: Duration) -> Self {
        Self {
            pool,
            owner,
            slots,
            ttl,
        }
    }

    /// Renews what is held, gives back what is above the fair share, claims what is free, and says what is held now.
    ///
    /// # Errors
    /// When the database cannot be reached: then nothing is known to be held.
    pub async fn round(&self) -> Result<Vec<Slot>, sqlx::Error> {
        let seconds = self.ttl.as_secs_f64();
        let mut tx = self.pool.begin().await?;
        sqlx::query(include_str!("../../sql/consumer/heartbeat.sql"))
            .bind(self.owner)
            .bind(seconds)
            .execute(&mut *tx)
            .await?;
        sqlx::query(include_str!("../../sql/consumer/forget_dead.sql"))
            .execute(&mut *tx)
            .await?;
        let live: i64 = sqlx::query_scalar(include_str!("../../sql/consumer/count_live.sql"))
            .fetch_one(&mut *tx)
            .await?;
        let share = fair_share(self.slots.len(), live);
        sqlx::query(include_str!("../../sql/consumer/renew_leases.sql"))
            .bind(self.owner)
            .bind(seconds)
            .execute(&mut *tx)
            .await?;
        sqlx::query(include_str!("../../sql/consumer/release_surplus.sql"))
            .bind(self.owner)
            .bind(share)
            .execute(&mut *tx)
            .await?;
        sqlx::query(include_str!("../../sql/consumer/claim_leases.sql"))
            .bind(self.owner)
            .bind(
                self.slots
                    .iter()
                    .map(|(topic, _)| topic.name())
                    .collect::<Vec<_>>(),
            )
            .bind(
                self.slots
                    .iter()
                    .map(|(_, partition)| *partition)
                    .collect::<Vec<_>>(),
            )
            .bind(share)
            .bind(seconds)
            .execute(&mut *tx)
            .await?;
        let held: Vec<(String, i32)> =
            sqlx::query_as(include_str!("../../sql/consumer/own_leases.sql"))
                .bind(self.owner)
                .fetch_all(&mut *tx)
                .await?;
        tx.commit().await?;
        Ok(held
            .into_iter()
            .filter_map(|(topic, partition)| Some((Topic::by_name(&topic)?, partition)))
            .collect())
    }

    /// Gives everything back at the end of the process.
    ///
    /// # Errors
    /// When the database cannot be reached: the leases then run out by themselves.
    pub async fn release(&self) -> Result<(), sqlx::Error> {
        sqlx::query(include_str!("../../sql/consumer/release_all.sql"))
            .bind(self.owner)
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

/// Partitions a projector, rounded up, so that all are read.
fn fair_share(slots: usize, live: i64) -> i64 {
    let slots = i64::try_from(slots).unwrap_or(i64::MAX);
    let live = live.max(1);
    (slots / live) + i64::from(slots % live != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_cover_all_partitions_and_are_no_larger_than_that_takes() {
        for live in 1..9 {
            let share = fair_share(32, live);
            assert!(share * live >= 32, "{live} leave partitions unread");
            assert!((share - 1) * live < 32, "{live} do not share");
        }
        assert_eq!(fair_share(32, 0), 32);
    }
}
