//! The store as its statements mean it: one shard's head, events and rows. What `sql/append_batch.sql` and the migrations do,
//! in memory.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use events_schema::ids::{AccountId, BuildName, ContractId};
use events_schema::record::RecordKind;
use events_schema::{Envelope, Event};
use uuid::Uuid;

use crate::domain::aggregate::{Aggregate, Kind};
use crate::shard::{
    Batch, Found, Head, IdempotencyRow, KeptCharge, Mutant, Name, Proof, Row, Wanted, Written,
};

#[derive(Debug)]
pub(super) struct Postgres {
    pub(super) head: Head,
    pub(super) events: Vec<Envelope>,
    names: BTreeMap<Name, (KeptCharge, DateTime<Utc>)>,
    pub(super) keys: BTreeMap<events_schema::ids::ApiKeyId, Proof>,
    contracts: Vec<(AccountId, ContractId)>,
    active_builds: BTreeMap<RecordKind, BuildName>,
    snapshots: BTreeMap<Uuid, (i64, Aggregate)>,
    pub(super) mutant: Option<Mutant>,
    pub(super) refused: u64,
    /// Commands that were refused by themselves.
    pub(super) refused_alone: BTreeSet<Uuid>,
    /// How often a batch with a command came too late.
    pub(super) behind: BTreeMap<Uuid, u32>,
}

impl Postgres {
    pub(super) fn new(mutant: Option<Mutant>) -> Self {
        Self {
            head: Head {
                pos: 0,
                topic_seqs: vec![0; 4],
                fence: 0,
                history: events_schema::history::FIRST,
            },
            events: Vec::new(),
            names: BTreeMap::new(),
            keys: BTreeMap::new(),
            contracts: Vec::new(),
            active_builds: BTreeMap::new(),
            snapshots: BTreeMap::new(),
            mutant,
            refused: 0,
            refused_alone: BTreeSet::new(),
            behind: BTreeMap::new(),
        }
    }

    /// The statement of a batch.
    pub(super) fn append(&mut self, batch: &Batch, now: DateTime<Utc>) -> Written {
        if (self.head.pos, self.head.fence) != (batch.before.pos, batch.before.fence) {
            self.came_too_late(batch);
            return Written::Behind;
        }
        if !self.would_take(batch, now) {
            self.refused += 1;
            if let [alone] = &requests(batch)[..] {
                self.refused_alone.insert(*alone);
            }
            return Written::Refused;
        }
        for row in batch
            .rows
            .iter()
            .filter_map(|rows| rows.idempotency.as_deref())
        {
            let kept = KeptCharge {
                request_hash: row.claim.request_hash.clone(),
                receipt: row.receipt.clone(),
            };
            self.names.insert(row.name(), (kept, now));
        }
        for row in batch.rows.iter().filter_map(|rows| rows.row.as_deref()) {
            if let Row::ActiveBuild { kind, build } = row {
                self.active_builds.insert(*kind, build.clone());
            }
        }
        for event in batch.events.iter() {
            if let Event::ContractCreated(created) = &event.event {
                self.contracts
                    .push((created.account_id, created.contract_id));
            }
        }
        for row in batch.rows.iter().filter_map(|rows| rows.row.as_deref()) {
            if let Row::ApiKey { api_key_id, proof } = row {
                self.keys.insert(api_key_id.clone(), proof.clone());
            }
        }
        self.events.extend(batch.events.iter().cloned());
        self.head = batch.after.clone();
        Written::Committed
    }

    /// Constraints: one live row a name, one movement a request, one event a seq, no balance below zero.
    fn would_take(&self, batch: &Batch, now: DateTime<Utc>) -> bool {
        let is_taken = |row: &IdempotencyRow| {
            let live =
                |(_, created_at): &(KeptCharge, DateTime<Utc>)| *created_at > now - row.kept_for;
            self.names.get(&row.name()).is_some_and(live)
        };
        let mut names = BTreeSet::new();
        let mut rows = batch
            .rows
            .iter()
            .filter_map(|rows| rows.idempotency.as_deref());
        if self.mutant != Some(Mutant::NameTrustsMemory)
            && rows.any(|row| is_taken(row) || !names.insert(row.name()))
        {
            return false;
        }
        let seqs: BTreeSet<_> = self
            .events
            .iter()
            .map(|event| (event.aggregate_id, event.seq))
            .collect();
        let is_new = |new: &Envelope| {
            let moved = is_movement(&new.event) && self.movement(new.request_id).is_some();
            !moved && !seqs.contains(&(new.aggregate_id, new.seq))
        };
        let is_covered = |new: &Envelope| match &new.event {
            Event::CreditsCharged(charged) => charged.balance_after.0 >= 0,
            _ => true,
        };
        let mut requests: Vec<_> = batch
            .events
            .iter()
            .filter(|event| is_movement(&event.event))
            .map(|event| event.request_id)
            .collect();
        let movements = requests.len();
        requests.sort();
        requests.dedup();
        requests.len() == movements
            && batch
                .events
                .iter()
                .all(|new| is_new(new) && is_covered(new))
    }

    fn came_too_late(&mut self, batch: &Batch) {
        for request in requests(batch) {
            *self.behind.entry(request).or_default() += 1;
        }
    }

    /// Whether a request moved credits.
    pub(super) fn moved(&self, request_id: Uuid) -> bool {
        let mut events = self.events.iter();
        events.any(|event| event.request_id == request_id && is_movement(&event.event))
    }

    /// Whether every event of a batch stands where the batch put it; no statement of it is carried out any more.
    pub(super) fn stands(&mut self, batch: &Batch) -> bool {
        self.head.fence += 1;
        let stands = batch.events.iter().all(|sent| {
            let at = usize::try_from(sent.pos - 1).unwrap();
            self.events.get(at) == Some(sent)
        });
        if !stands {
            self.came_too_late(batch);
        }
        stands
    }

    pub(super) fn fetch(&mut self, wanted: &Wanted, now: DateTime<Utc>) -> Found {
        match wanted {
            Wanted::Head => {
                self.head.fence += 1;
                Found::Head(self.head.clone())
            }
            Wanted::Aggregate(kind, id) => self.aggregate(*kind, *id),
            Wanted::Key(id) => Found::Key(self.keys.get(id).cloned()),
            Wanted::Kept(_, name, not_older) => {
                let kept = self.names.get(name);
                let kept = kept.filter(|(_, created_at)| *created_at > now - *not_older);
                Found::Kept(kept.map(|(kept, _)| Box::new(kept.clone())))
            }
            Wanted::Movement(_, request) => Found::Movement(self.movement(*request).map(Box::new)),
            Wanted::ActiveBuilds(_) => {
                Found::ActiveBuilds(self.active_builds.values().cloned().collect())
            }
        }
    }

    pub(super) fn keep(&mut self, id: Uuid, seq: i64, state: Aggregate) {
        let kept = self.snapshots.entry(id).or_insert((0, state.clone()));
        if kept.0 < seq {
            *kept = (seq, state);
        }
    }

    fn aggregate(&self, kind: Kind, id: Uuid) -> Found {
        let kept = self.snapshots.get(&id).cloned();
        let (mut seq, mut state) = kept.unwrap_or_else(|| (0, Aggregate::new(kind)));
        let after = seq;
        for event in &self.events {
            if event.aggregate_id == id && event.seq > after {
                state.evolve(event.event.clone()).unwrap();
                seq = event.seq;
            }
        }
        let contracts = match kind {
            Kind::Account => self
                .contracts
                .iter()
                .filter(|(of, _)| of.uuid() == id)
                .map(|(_, contract)| *contract)
                .collect(),
            _ => Vec::new(),
        };
        Found::Aggregate {
            state,
            seq,
            contracts,
        }
    }

    fn movement(&self, request_id: Uuid) -> Option<Event> {
        let moved = |event: &&Envelope| event.request_id == request_id && is_movement(&event.event);
        self.events
            .iter()
            .find(moved)
            .map(|event| event.event.clone())
    }
}

/// Whose commands a batch carries out, in order.
fn requests(batch: &Batch) -> Vec<Uuid> {
    let mut requests: Vec<_> = batch.events.iter().map(|event| event.request_id).collect();
    requests.dedup();
    requests
}

pub(super) fn is_movement(event: &Event) -> bool {
    matches!(event, Event::CreditsCharged(_) | Event::CreditsGranted(_))
}
