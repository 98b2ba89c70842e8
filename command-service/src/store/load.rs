//! What a shard asks of the store.

use chrono::TimeDelta;
use events_schema::Event;
use events_schema::ids::Shard;
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use super::read::movement;
use super::{Store, StoreFault, answer};
use crate::domain::aggregate::{Aggregate, Kind};
use crate::shard::{Found, Head, KeptCharge, Name, Wanted};

/// Events of an aggregate that are read at a time.
const PAGE: i64 = 5_000;

impl Store {
    /// Looks up one thing.
    ///
    /// # Errors
    /// When the store fails, or what it holds cannot be read.
    pub async fn fetch(&self, shard: Shard, wanted: &Wanted) -> Result<Found, StoreFault> {
        Ok(match wanted {
            Wanted::Head => Found::Head(self.head(shard).await?),
            Wanted::Aggregate(kind, id) => self.aggregate(*kind, *id).await?,
            Wanted::Key(id) => Found::Key(self.shown_key(id).await?),
            Wanted::Kept(_, name, not_older) => {
                Found::Kept(self.kept_charge(name, *not_older).await?.map(Box::new))
            }
            Wanted::Movement(_, request_id) => Found::Movement(self.movement(*request_id).await?),
            Wanted::ActiveBuilds(_) => {
                let active = self.active_builds().await?;
                Found::ActiveBuilds(active.into_iter().map(|(_, build)| build).collect())
            }
        })
    }

    async fn head(&self, shard: Shard) -> Result<Head, StoreFault> {
        let statement =
            sqlx::query_as(include_str!("../../sql/head.sql")).bind(i16::from(shard.number()));
        // Before it is asked for: an answer that comes late says nothing of what was committed meanwhile.
        let seen = self.slot(shard).seen();
        let (pos, topic_seqs, fence, history) = answer!(self.look_ups(), statement => fetch_one)?;
        self.slot(shard).see(pos);
        if pos < seen {
            self.note_that_it_went_back(shard, seen, pos);
        }
        Ok(Head {
            pos,
            topic_seqs,
            fence,
            history,
        })
    }

    /// Snapshot and the events after it; of an account its contracts, too. An id of another kind of aggregate is that of none: whoever
    /// asks chooses ids.
    async fn aggregate(&self, kind: Kind, id: Uuid) -> Result<Found, StoreFault> {
        let snapshot = self.snapshot(kind, id).await?;
        let (mut state, mut seq) = match &snapshot {
            Snapshot::Good(state, seq) => (state.clone(), *seq),
            Snapshot::None | Snapshot::Worthless(_) => (Aggregate::new(kind), 0),
        };
        loop {
            let events = self.events_after(id, seq).await?;
            let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
            for event in events {
                match state.evolve(event) {
                    Ok(()) => seq += 1,
                    Err(_) if seq == 0 => {
                        return Ok(Found::Aggregate {
                            state: Aggregate::new(kind),
                            seq: 0,
                            contracts: Vec::new(),
                        });
                    }
                    Err(fault) => return Err(StoreFault::Damaged(fault.to_string())),
                }
            }
            if count < PAGE {
                break;
            }
        }
        if let Snapshot::Worthless(seq) = snapshot {
            self.forget_snapshot(id, seq).await?;
        }
        let contracts = match kind {
            Kind::Account => self.account_contracts(id.into()).await?,
            Kind::Contract | Kind::Report | Kind::DataBuild => Vec::new(),
        };
        Ok(Found::Aggregate {
            state,
            seq,
            contracts,
        })
    }

    async fn snapshot(&self, kind: Kind, id: Uuid) -> Result<Snapshot, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/aggregate_snapshot.sql"))
            .bind(id)
            .bind(Kind::STATE_VERSION);
        let kept: Option<Kept> = answer!(self.look_ups(), statement => fetch_optional)?;
        let Some((seq, state, is_there, balance)) = kept else {
            return Ok(Snapshot::None);
        };
        Ok(match Aggregate::from_snapshot(kind, state.0) {
            Ok(state) if is_there && is_left(&state, balance) => Snapshot::Good(state, seq),
            // What cannot be read may be of another kind.
            Ok(_) | Err(_) => Snapshot::Worthless(seq),
        })
    }

    /// Else none would take its place until there are more events.
    async fn forget_snapshot(&self, id: Uuid, seq: i64) -> Result<(), StoreFault> {
        tracing::error!(aggregate_id = %id, seq, "a snapshot cannot be read, or is not what its last event left; the events were read");
        let forget = sqlx::query(include_str!("../../sql/forget_snapshot.sql"));
        answer!(self.look_ups(), forget.bind(id).bind(seq) => execute)?;
        Ok(())
    }

    /// A page of an aggregate's events after a seq, in order and without a gap.
    ///
    /// # Errors
    /// When the store fails, an event cannot be read, or one is missing.
    pub async fn events_after(&self, id: Uuid, seq: i64) -> Result<Vec<Event>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/aggregate_events.sql"))
            .bind(id)
            .bind(seq)
            .bind(PAGE);
        let rows: Vec<(i64, String, Value)> = answer!(self.look_ups(), statement => fetch_all)?;
        let read = |((found, stored_type, payload), expected): ((i64, String, Value), i64)| {
            if found != expected {
                let missing = format!("event {expected} of {id} is missing");
                return Err(StoreFault::Damaged(missing));
            }
            Ok(Event::from_parts(&stored_type, payload)?)
        };
        rows.into_iter().zip(seq + 1..).map(read).collect()
    }

    async fn kept_charge(
        &self,
        name: &Name,
        not_older: TimeDelta,
    ) -> Result<Option<KeptCharge>, StoreFault> {
        let statement = sqlx::query_as(include_str!("../../sql/idempotency.sql"))
            .bind(name.account_id.uuid())
            .bind(name.endpoint.name())
            .bind(name.key_hash.clone())
            .bind(not_older.num_milliseconds());
        let row: Option<(String, Json<_>)> = answer!(self.look_ups(), statement => fetch_optional)?;
        Ok(row.map(|(request_hash, receipt)| KeptCharge {
            request_hash,
            receipt: receipt.0,
        }))
    }

    async fn movement(&self, request_id: Uuid) -> Result<Option<Box<Event>>, StoreFault> {
        let found = movement(self.look_ups(), request_id).await?;
        Ok(found.map(|(event, ..)| Box::new(event)))
    }
}

/// Number and state, whether there is an event of that number, and what that one left of a contract.
type Kept = (i64, Json<Value>, bool, Option<i64>);

/// What the snapshot of an aggregate is worth: one that cannot be read, or is not what its last event left, nothing, and the events
/// say the same.
enum Snapshot {
    None,
    Good(Aggregate, i64),
    Worthless(i64),
}

/// Whether a state has the balance that its last event left, if it is a contract.
fn is_left(state: &Aggregate, balance: Option<i64>) -> bool {
    match state {
        Aggregate::Contract(contract) => balance == Some(contract.balance.0),
        _ => true,
    }
}
