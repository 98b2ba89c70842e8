//! The records of one data build.

use std::sync::Arc;

use documents::Unpacker;
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::query::QueryAs;
use sqlx::{FromRow, Postgres};
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::answer::rows_at_hand;
use super::at_hand::AtHand;
use super::document::{Opened, Row};
use super::{ReadFault, ReadLimits, StoredDocument};
use crate::enrich::probe::{MAX_RELATIVES, Probe};
use crate::enrich::{Candidate, Cut, DataPoint, Hit};

/// Reads one build; cheap to clone.
#[derive(Debug, Clone)]
pub struct BuildReader {
    kind: RecordKind,
    build: Arc<BuildName>,
    connections: AtHand,
    /// One a connection: whoever waits here waits for other requests, not for the database.
    slots: Arc<Semaphore>,
    limits: ReadLimits,
    opened: Arc<Opened>,
}

#[derive(sqlx::FromRow)]
struct Found {
    #[sqlx(flatten)]
    record: Row,
    probes: Vec<i32>,
    flags: Vec<i16>,
    cut: Option<Vec<i32>>,
}

/// `with ordinality` counts from 1; 0 is the id.
fn probe_of(ord: i32) -> Option<usize> {
    usize::try_from(ord).ok()?.checked_sub(1)
}

impl BuildReader {
    pub(super) fn new(
        kind: RecordKind,
        build: BuildName,
        pool: PgPool,
        limits: ReadLimits,
    ) -> Self {
        let places = usize::try_from(pool.options().get_max_connections()).unwrap_or(1);
        Self {
            kind,
            build: Arc::new(build),
            connections: AtHand::of(pool),
            slots: Arc::new(Semaphore::new(places)),
            limits,
            opened: Arc::default(),
        }
    }

    /// Waits until one of the connections is free. The wait is bounded by itself: a long queue is load, and no reason
    /// to call the database unreachable as soon as a connection could not be made.
    async fn slot(&self) -> Result<SemaphorePermit<'_>, ReadFault> {
        let limit = self.limits.queue_timeout;
        let slot = tokio::time::timeout(limit, self.slots.acquire()).await;
        slot.ok().and_then(Result::ok).ok_or(ReadFault::Busy(limit))
    }

    /// The build's name.
    #[must_use]
    pub fn build(&self) -> &BuildName {
        &self.build
    }

    /// Opens one connection and reads the dictionary and a record, so that the first request does not wait for them. A build whose rows
    /// are not there, as in read models that are being made anew, is none to answer from.
    ///
    /// # Errors
    /// When the database cannot be reached, or the build cannot be read.
    pub async fn warm(&self) -> Result<(), ReadFault> {
        match self.by_ranks(&[1]).await {
            Ok(_) | Err(ReadFault::NoSuchRank(_)) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    async fn unpacker(&self) -> Result<&Unpacker, ReadFault> {
        let longest = self.limits.statement_timeout;
        self.opened.unpacker(&self.connections, longest).await
    }

    /// Runs a statement on a connection of its own, within the limits.
    async fn fetch<T>(
        &self,
        query: QueryAs<'_, Postgres, T, PgArguments>,
    ) -> Result<(Vec<T>, &Unpacker), ReadFault>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let _slot = self.slot().await?;
        let unpacker = self.unpacker().await?;
        let longest = self.limits.statement_timeout;
        let rows = rows_at_hand(&self.connections, longest, query).await?;
        Ok((rows, unpacker))
    }

    /// The records that the probes or the id lead to, and what of them was not read. `id` comes with the probe index under which
    /// its hit is told.
    ///
    /// # Errors
    /// When the read takes too long or fails.
    pub async fn candidates(
        &self,
        probes: &[Probe],
        id: Option<(usize, Uuid)>,
    ) -> Result<(Vec<Candidate>, Cut), ReadFault> {
        let kinds: Vec<i16> = probes.iter().map(|probe| probe.kind).collect();
        let keys: Vec<Uuid> = probes.iter().map(|probe| probe.key).collect();
        let of_words: Vec<bool> = probes.iter().map(Probe::is_of_word).collect();
        let identify: Vec<bool> = probes.iter().map(|probe| probe.identifies).collect();
        let statement = match self.kind {
            RecordKind::Person => include_str!("../../sql/person_candidates.sql"),
            RecordKind::Company => include_str!("../../sql/company_candidates.sql"),
        };
        let query = sqlx::query_as::<_, Found>(statement)
            .bind(kinds)
            .bind(keys)
            .bind(id.map(|(_, id)| id))
            .bind(self.limits.entries_per_key)
            .bind(self.limits.candidates)
            .bind(identify);
        let query = match self.kind {
            RecordKind::Person => query,
            RecordKind::Company => query.bind(of_words).bind(i64::from(MAX_RELATIVES)),
        };
        let (rows, unpacker) = self.fetch(query).await?;
        let cut = rows.first().and_then(|row| row.cut.as_ref());
        let cut = Cut {
            probes: cut.map_or_else(Vec::new, |cut| {
                cut.iter().copied().filter_map(probe_of).collect()
            }),
            is_full: i64::try_from(rows.len()).is_ok_and(|rows| rows >= self.limits.candidates),
        };
        let candidates = rows
            .into_iter()
            .map(|row| self.candidate(row, unpacker, id.map(|(probe, _)| probe)));
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        Ok((candidates, cut))
    }

    fn candidate(
        &self,
        row: Found,
        unpacker: &Unpacker,
        id_probe: Option<usize>,
    ) -> Result<Candidate, ReadFault> {
        let hits = row
            .probes
            .iter()
            .zip(&row.flags)
            .filter_map(|(ord, flags)| {
                let probe = probe_of(*ord).or(id_probe)?;
                Some(Hit {
                    probe,
                    point: DataPoint::from_flags(*flags),
                })
            });
        let hits = hits.collect();
        let stored = row.record.unpack(unpacker)?;
        let doc = stored.compared()?;
        Ok(Candidate {
            rank: stored.rank,
            service_id: stored.service_id,
            build: Arc::clone(&self.build),
            json: stored.json,
            doc,
            hits,
        })
    }

    /// The records with these ids, in the order of the ids; what is not there is left out.
    ///
    /// # Errors
    /// When the read takes too long or fails.
    pub async fn by_ids(&self, ids: &[Uuid]) -> Result<Vec<StoredDocument>, ReadFault> {
        let statement = match self.kind {
            RecordKind::Person => include_str!("../../sql/person_by_id.sql"),
            RecordKind::Company => include_str!("../../sql/company_by_id.sql"),
        };
        let query = sqlx::query_as::<_, Row>(statement).bind(ids);
        let (rows, unpacker) = self.fetch(query).await?;
        let records = rows.into_iter().map(|row| row.unpack(unpacker));
        let mut records = records.collect::<Result<Vec<_>, _>>()?;
        records.sort_by_key(|record| ids.iter().position(|wanted| *wanted == record.service_id));
        Ok(records)
    }

    /// The records of these ranks, in the order asked, each once: one round trip, meant for a page of up to 100.
    ///
    /// # Errors
    /// When the read takes too long or fails, or the build has no record of a rank: every rank from 1 to the number of
    /// its rows has one.
    pub async fn by_ranks(&self, ranks: &[u32]) -> Result<Vec<StoredDocument>, ReadFault> {
        let statement = match self.kind {
            RecordKind::Person => include_str!("../../sql/person_by_rank.sql"),
            RecordKind::Company => include_str!("../../sql/company_by_rank.sql"),
        };
        // A rank beyond what Postgres can hold is none of a record.
        let asked = |rank: &u32| i32::try_from(*rank).map_err(|_| ReadFault::NoSuchRank(*rank));
        let asked = ranks.iter().map(asked).collect::<Result<Vec<i32>, _>>()?;
        let (rows, unpacker) = self
            .fetch(sqlx::query_as::<_, Row>(statement).bind(asked))
            .await?;
        let records = rows.into_iter().map(|row| row.unpack(unpacker));
        let mut records = records.collect::<Result<Vec<_>, _>>()?;
        let is_there = |rank: &&u32| records.iter().any(|record| record.rank == **rank);
        if let Some(missing) = ranks.iter().find(|rank| !is_there(rank)) {
            return Err(ReadFault::NoSuchRank(*missing));
        }
        records.sort_by_key(|record| ranks.iter().position(|wanted| *wanted == record.rank));
        Ok(records)
    }
}
