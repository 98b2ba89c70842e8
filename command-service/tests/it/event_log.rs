//! An event store in memory, for the publisher, that fails when told to.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::DateTime;
use command_service::publisher::{EventLog, LogFault};
use events_schema::api::endpoint::Endpoint;
use events_schema::contract::v1::CreditsCharged;
use events_schema::ids::{AccountId, ContractId, ReportId, Shard};
use events_schema::report::v1::ReportDetails;
use events_schema::{Credits, Envelope};
use tokio::sync::watch;
use uuid::Uuid;

/// Cheap to clone; clones share the events.
#[derive(Clone)]
pub(crate) struct Log(Arc<Inner>);

struct Inner {
    events: std::sync::Mutex<HashMap<Shard, Vec<Envelope>>>,
    committed: Vec<watch::Sender<i64>>,
    marks: std::sync::Mutex<BTreeMap<Shard, i64>>,
    marks_fail: AtomicBool,
    reads_fail: AtomicBool,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Inner {
            events: std::sync::Mutex::default(),
            committed: Shard::all().map(|_| watch::Sender::new(0)).collect(),
            marks: std::sync::Mutex::default(),
            marks_fail: AtomicBool::new(false),
            reads_fail: AtomicBool::new(false),
        }))
    }

    /// Whether reads answer with a fault.
    pub(crate) fn fail_reads(&self, fail: bool) {
        self.0.reads_fail.store(fail, Ordering::Relaxed);
    }

    /// Whether marks cannot be stored.
    pub(crate) fn fail_marks(&self, fail: bool) {
        self.0.marks_fail.store(fail, Ordering::Relaxed);
    }

    /// Commits so many more charges in a shard; gives the batch.
    pub(crate) fn commit(&self, shard: Shard, count: i64) -> Arc<Vec<Envelope>> {
        let mut events = self.0.events.lock().unwrap();
        let events = events.entry(shard).or_default();
        let from = i64::try_from(events.len()).unwrap() + 1;
        let batch: Vec<Envelope> = (from..from + count).map(|pos| charge(shard, pos)).collect();
        events.extend(batch.clone());
        self.0.committed[usize::from(shard.number())].send_replace(from + count - 1);
        Arc::new(batch)
    }

    pub(crate) fn mark(&self, shard: Shard) -> i64 {
        self.0
            .marks
            .lock()
            .unwrap()
            .get(&shard)
            .copied()
            .unwrap_or(0)
    }
}

impl EventLog for Log {
    fn committed(&self, shard: Shard) -> watch::Receiver<i64> {
        self.0.committed[usize::from(shard.number())].subscribe()
    }

    async fn committed_after(
        &self,
        shard: Shard,
        pos: i64,
        limit: usize,
    ) -> Result<Vec<Envelope>, LogFault> {
        if self.0.reads_fail.load(Ordering::Relaxed) {
            return Err("the test lets reads fail".into());
        }
        let events = self.0.events.lock().unwrap();
        let events = events.get(&shard).into_iter().flatten();
        Ok(events
            .filter(|e| e.pos > pos)
            .take(limit)
            .cloned()
            .collect())
    }

    async fn published(&self, shard: Shard) -> Result<i64, LogFault> {
        Ok(self.mark(shard))
    }

    async fn mark_published(&self, marks: &[(Shard, i64)]) -> Result<(), LogFault> {
        if self.0.marks_fail.load(Ordering::Relaxed) {
            return Err("the test lets marks fail".into());
        }
        let mut kept = self.0.marks.lock().unwrap();
        for (shard, pos) in marks {
            let mark = kept.entry(*shard).or_default();
            *mark = (*mark).max(*pos);
        }
        Ok(())
    }

    async fn report_details(&self, _: ReportId) -> Result<Option<ReportDetails>, LogFault> {
        Ok(None)
    }
}

pub(crate) fn charge(shard: Shard, pos: i64) -> Envelope {
    let account_id = AccountId::new([7; 16]);
    let contract_id = ContractId::new(account_id, [8; 16]);
    Envelope {
        shard,
        pos,
        topic_seq: pos,
        aggregate_id: contract_id.uuid(),
        seq: pos,
        occurred_at: DateTime::from_timestamp_micros(1_795_262_460_123_456).unwrap(),
        request_id: Uuid::nil(),
        actor: "api_key:07abcdefghij".to_owned(),
        traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
        event: CreditsCharged {
            contract_id,
            account_id,
            endpoint: Endpoint::PersonEnrich,
            units: 1,
            credits: Credits(1),
            balance_after: Credits(1_000_000 - pos),
        }
        .into(),
    }
}
