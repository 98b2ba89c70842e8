//! Leases: which process owns which shard. They only route; the compare-and-set on `shard_head` is what keeps
//! a zombie from writing.

use std::collections::BTreeMap;

use events_schema::ids::Shard;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Store, StoreFault, answer};

/// A lease is renewed so many times in its life.
pub(super) const RENEWALS: u32 = 5;

impl Store {
    /// Claims and renews leases until shutdown, then gives them back. Ends by itself where another process took its place at its address:
    /// two would take each other's leases for ever.
    pub async fn run_leases(self, shutdown: CancellationToken) {
        let pause = self.0.settings.lease / RENEWALS;
        let mut is_known = false;
        while !shutdown.is_cancelled() {
            match self.renew(is_known).await {
                Ok(()) => is_known = true,
                Err(fault @ StoreFault::AddressTaken(_)) => {
                    tracing::error!(%fault, "this process ends");
                    break;
                }
                Err(fault) => {
                    tracing::warn!(%fault, cause = ?std::error::Error::source(&fault), "leases not renewed");
                }
            }
            self.announce();
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = shutdown.cancelled() => {}
            }
        }
        let owned = self.owned_shards();
        if let Err(fault) = self.give_back(&owned).await {
            tracing::warn!(fault = %fault, "leases not given back; they run out by themselves");
        }
        self.announce();
    }

    /// `is_known`: it has stood at its address before.
    async fn renew(&self, is_known: bool) -> Result<(), StoreFault> {
        let settings = &self.0.settings;
        let seconds = settings.lease.as_secs_f64();
        let asked_at = self.0.clock.monotonic();
        let statement = sqlx::query_scalar(include_str!("../../sql/renew_instance.sql"))
            .bind(settings.instance)
            .bind(&settings.address)
            .bind(seconds)
            .bind(is_known);
        let renewed: Option<Uuid> = answer!(self.leases(), statement => fetch_optional)?;
        if renewed.is_none() {
            return Err(StoreFault::AddressTaken(settings.address.clone()));
        }
        let held: Vec<i16> = self
            .owned_shards()
            .iter()
            .map(|shard| i16::from(shard.number()))
            .collect();
        let statement = sqlx::query_as(include_str!("../../sql/renew_leases.sql"))
            .bind(settings.instance)
            .bind(seconds)
            .bind(held);
        let leases: Vec<(i16, i64)> = answer!(self.leases(), statement => fetch_all)?;
        let leases: BTreeMap<i16, i64> = leases.into_iter().collect();
        for shard in Shard::all() {
            let slot = self.slot(shard);
            match leases.get(&i16::from(shard.number())) {
                Some(_) if slot.is_owned() => slot.extend(asked_at, settings.lease),
                // Between the end of the last one and this one it may have been somebody else's.
                Some(number) => slot.take(asked_at, settings.lease, *number),
                None if slot.is_owned() => slot.disown(),
                None => {}
            }
        }
        let kept: Vec<i16> = leases.into_keys().collect();
        self.balance(&kept).await?;
        self.read_owners().await
    }

    /// Claims free shards up to the fair share, or gives the surplus back.
    async fn balance(&self, kept: &[i16]) -> Result<(), StoreFault> {
        let settings = &self.0.settings;
        let statement = sqlx::query_scalar(include_str!("../../sql/fair_share.sql"));
        let share: i64 = answer!(self.leases(), statement => fetch_one)?;
        let owned = i64::try_from(kept.len()).unwrap_or(i64::MAX);
        if owned > share {
            let surplus = kept
                .iter()
                .rev()
                .take(usize::try_from(owned - share).unwrap_or(0));
            let surplus: Vec<_> = surplus
                .filter_map(|n| u8::try_from(*n).ok().and_then(Shard::new))
                .collect();
            return self.give_back(&surplus).await;
        }
        let asked_at = self.0.clock.monotonic();
        let statement = sqlx::query_as(include_str!("../../sql/claim_leases.sql"))
            .bind(settings.instance)
            .bind(&settings.address)
            .bind(settings.lease.as_secs_f64())
            .bind(share - owned);
        let claimed: Vec<(i16, i64)> = answer!(self.leases(), statement => fetch_all)?;
        for (shard, number) in claimed {
            if let Some(shard) = u8::try_from(shard).ok().and_then(Shard::new) {
                self.slot(shard).take(asked_at, settings.lease, number);
            }
        }
        Ok(())
    }

    /// Gives these very leases back. A statement that is carried out late, after its answer was not waited for any more, gives
    /// back none that was taken since, by this process or another.
    async fn give_back(&self, shards: &[Shard]) -> Result<(), StoreFault> {
        for shard in shards {
            self.slot(*shard).disown();
        }
        let number = |shard: &Shard| self.slot(*shard).number();
        let numbers: Vec<i64> = shards.iter().map(number).collect();
        let shards: Vec<i16> = shards
            .iter()
            .map(|shard| i16::from(shard.number()))
            .collect();
        let statement = sqlx::query(include_str!("../../sql/release_leases.sql"))
            .bind(self.0.settings.instance)
            .bind(shards)
            .bind(numbers);
        answer!(self.leases(), statement => execute)?;
        Ok(())
    }

    async fn read_owners(&self) -> Result<(), StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/owners.sql"));
        let rows: Vec<(i16, Option<String>)> = answer!(self.leases(), statement => fetch_all)?;
        let mut owners = vec![None; usize::from(events_schema::ids::SHARDS)];
        for (shard, address) in rows {
            if let Some(owner) = usize::try_from(shard)
                .ok()
                .and_then(|shard| owners.get_mut(shard))
            {
                *owner = address;
            }
        }
        *self
            .0
            .owners
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = owners;
        Ok(())
    }

    /// Tells the publisher which shards are owned now.
    fn announce(&self) {
        let mask = self
            .owned_shards()
            .iter()
            .fold(0_u64, |mask, shard| mask | 1 << shard.number());
        self.0
            .owned
            .send_if_modified(|owned| std::mem::replace(owned, mask) != mask);
    }
}
