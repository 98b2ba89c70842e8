//! The records of one data build.

use std::sync::Arc;
use std::time::Instant;

use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use serde_json::Value;
use sqlx::postgres::PgPool;
use sqlx::types::Json;
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::{ReadFault, ReadLimits, fault};
use crate::enrich::probe::Probe;
use crate::enrich::{Candidate, DataPoint, Document, Hit};

/// Reads one build; cheap to clone.
#[derive(Debug, Clone)]
pub struct BuildReader {
    kind: RecordKind,
    build: BuildName,
    pool: PgPool,
    /// One a connection: whoever waits here waits for other requests, not for the database.
    slots: Arc<Semaphore>,
    limits: ReadLimits,
}

#[derive(sqlx::FromRow)]
struct Record {
    rank: i32,
    service_id: Uuid,
    doc: Json<Document>,
}

#[derive(sqlx::FromRow)]
struct Found {
    #[sqlx(flatten)]
    record: Record,
    probes: Vec<i32>,
    flags: Vec<i16>,
}

impl BuildReader {
    pub(super) fn new(
        kind: RecordKind,
        build: BuildName,
        pool: PgPool,
        limits: ReadLimits,
    ) -> Self {
        let connections = usize::try_from(pool.options().get_max_connections()).unwrap_or(1);
        Self {
            kind,
            build,
            pool,
            slots: Arc::new(Semaphore::new(connections)),
            limits,
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
    pub const fn build(&self) -> &BuildName {
        &self.build
    }

    /// Opens one connection, so that the first request does not wait for it.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn warm(&self) -> Result<(), ReadFault> {
        self.pool.acquire().await?;
        Ok(())
    }

    /// The records that the probes or the id lead to. `id` comes with the probe index under which its hit is told.
    ///
    /// # Errors
    /// When the read takes too long or fails.
    pub async fn candidates(
        &self,
        probes: &[Probe],
        id: Option<(usize, Uuid)>,
    ) -> Result<Vec<Candidate>, ReadFault> {
        let kinds: Vec<i16> = probes.iter().map(|probe| probe.kind).collect();
        let keys: Vec<Uuid> = probes.iter().map(|probe| probe.key).collect();
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
        let _slot = self.slot().await?;
        let started = Instant::now();
        let rows = query.fetch_all(&self.pool).await;
        let rows =
            rows.map_err(|cause| fault(cause, self.limits.statement_timeout, started.elapsed()))?;
        if rows.len() >= usize::try_from(self.limits.candidates).unwrap_or(usize::MAX) {
            tracing::info!(kind = %self.kind, "a request has more candidates than are looked at");
        }
        Ok(rows
            .into_iter()
            .map(|row| self.candidate(row, id.map(|(probe, _)| probe)))
            .collect())
    }

    fn candidate(&self, row: Found, id_probe: Option<usize>) -> Candidate {
        let hits = row
            .probes
            .iter()
            .zip(&row.flags)
            .filter_map(|(ord, flags)| {
                // `with ordinality` counts from 1; 0 is the id.
                let probe = usize::try_from(*ord).ok()?.checked_sub(1).or(id_probe)?;
                Some(Hit {
                    probe,
                    point: DataPoint::from_flags(*flags),
                })
            });
        let hits = hits.collect();
        let (rank, service_id, doc) = self.named(row.record);
        Candidate {
            rank,
            service_id,
            doc,
            hits,
        }
    }

    /// The records with these ids, in the order of the ids; what is not there is left out.
    ///
    /// # Errors
    /// When the read takes too long or fails.
    pub async fn by_ids(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, Document)>, ReadFault> {
        let statement = match self.kind {
            RecordKind::Person => include_str!("../../sql/person_by_id.sql"),
            RecordKind::Company => include_str!("../../sql/company_by_id.sql"),
        };
        let _slot = self.slot().await?;
        let started = Instant::now();
        let rows = sqlx::query_as::<_, Record>(statement)
            .bind(ids)
            .fetch_all(&self.pool)
            .await;
        let rows =
            rows.map_err(|cause| fault(cause, self.limits.statement_timeout, started.elapsed()))?;
        let mut records: Vec<(Uuid, Document)> = rows
            .into_iter()
            .map(|row| self.named(row))
            .map(|(_, id, doc)| (id, doc))
            .collect();
        records.sort_by_key(|(id, _)| ids.iter().position(|wanted| wanted == id));
        Ok(records)
    }

    /// The document with what the table knows besides it: a required field may name these too.
    fn named(&self, record: Record) -> (i32, Uuid, Document) {
        let Record {
            rank,
            service_id,
            doc: Json(mut doc),
        } = record;
        doc.insert(
            "service_id".to_owned(),
            Value::String(service_id.to_string()),
        );
        doc.insert(
            "build_version".to_owned(),
            Value::String(self.build.as_str().to_owned()),
        );
        (rank, service_id, doc)
    }
}
