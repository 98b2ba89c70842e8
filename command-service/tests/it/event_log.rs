//! An event store in memory, for the publisher, that fails when told to.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use command_service::publisher::{EventLog, LogFault, ShardHead};
use command_service::store::OwedTombstone;
use events_schema::api::endpoint::Endpoint;
use events_schema::contract::v1::CreditsCharged;
use events_schema::history::{Beginning, FIRST, Histories};
use events_schema::ids::{AccountId, ContractId, ReportId, Shard};
use events_schema::record::RecordKind;
use events_schema::report::v1::{
    IssueLevel, IssueType, ReportAccepted, ReportDetails, ReportReceived,
};
use events_schema::{Credits, Envelope, Event};
use tokio::sync::{Notify, Semaphore, watch};
use uuid::Uuid;

/// The store as one process sees it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Log {
    store: Arc<Inner>,
    process: Arc<Process>,
}

#[derive(Default)]
struct Inner {
    events: std::sync::Mutex<HashMap<Shard, Vec<Envelope>>>,
    details: std::sync::Mutex<HashMap<ReportId, ReportDetails>>,
    owed: std::sync::Mutex<Vec<Owed>>,
    marks: std::sync::Mutex<BTreeMap<Shard, i64>>,
    histories: std::sync::Mutex<Vec<Beginning>>,
}

/// A tombstone that is owed, and since when Kafka has it.
struct Owed {
    report_id: ReportId,
    sent_at: Option<Instant>,
}

struct Process {
    committed: Vec<watch::Sender<i64>>,
    owns: AtomicBool,
    went_back: AtomicBool,
    marks: Fails,
    reads: Fails,
    forgetting: Fails,
    /// Whether what comes after a position of a shard cannot be read.
    unreadable: std::sync::Mutex<Option<(Shard, i64)>>,
    breaks: AtomicBool,
    /// Who has read the values of a report waits here for a permit.
    after_details: Semaphore,
    details_read: AtomicUsize,
    /// Who reads the newest event of a report next waits here with it.
    holds_status: AtomicBool,
    after_status: Notify,
    owed_read: AtomicUsize,
}

/// A fault that is on or off, and how often it was met.
#[derive(Default)]
struct Fails {
    on: AtomicBool,
    met: AtomicUsize,
}

impl Fails {
    fn meet(&self) -> Result<(), LogFault> {
        if self.on.load(Ordering::Relaxed) {
            self.met.fetch_add(1, Ordering::Relaxed);
            return Err("the test lets it fail".into());
        }
        Ok(())
    }
}

impl Log {
    pub(crate) fn new() -> Self {
        Self::of(Arc::default())
    }

    fn of(store: Arc<Inner>) -> Self {
        let process = Process {
            committed: Shard::all().map(|_| watch::Sender::new(0)).collect(),
            owns: AtomicBool::new(true),
            went_back: AtomicBool::new(false),
            marks: Fails::default(),
            reads: Fails::default(),
            forgetting: Fails::default(),
            unreadable: std::sync::Mutex::default(),
            breaks: AtomicBool::new(false),
            after_details: Semaphore::new(Semaphore::MAX_PERMITS),
            details_read: AtomicUsize::new(0),
            holds_status: AtomicBool::new(false),
            after_status: Notify::new(),
            owed_read: AtomicUsize::new(0),
        };
        Self {
            store,
            process: Arc::new(process),
        }
    }

    /// The same store for another process, or for this one after a restart: what was committed is in the store alone.
    pub(crate) fn elsewhere(&self) -> Self {
        Self::of(self.store.clone())
    }

    /// The store as it was restored, for a process that was started after it: of a shard only the first `kept` events.
    pub(crate) fn restored(&self, shard: Shard, kept: i64) -> Self {
        let log = Self::new();
        let events = self.store.events.lock().unwrap()[&shard].clone();
        let events = events.into_iter().filter(|e| e.pos <= kept).collect();
        log.store.events.lock().unwrap().insert(shard, events);
        let mark = self.mark(shard).min(kept);
        log.store.marks.lock().unwrap().insert(shard, mark);
        log
    }

    /// Everything that is committed from now on in a shard is of another history.
    pub(crate) fn begin_history(&self, shard: Shard, history: i64) {
        let events = self.store.events.lock().unwrap();
        let beginning = Beginning {
            shard,
            history,
            first_pos: events.get(&shard).map_or(0, |e| e.last().unwrap().pos) + 1,
        };
        self.store.histories.lock().unwrap().push(beginning);
    }

    fn history(&self, shard: Shard) -> i64 {
        let histories = self.store.histories.lock().unwrap();
        let of_shard = histories.iter().filter(|one| one.shard == shard);
        of_shard.map(|one| one.history).max().unwrap_or(FIRST)
    }

    /// From now on the store is known to lack what it had.
    pub(crate) fn lose_events(&self) {
        self.process.went_back.store(true, Ordering::Relaxed);
    }

    /// Whether this process owns its shards.
    pub(crate) fn own(&self, owns: bool) {
        self.process.owns.store(owns, Ordering::Relaxed);
    }

    /// Whether reads answer with a fault.
    pub(crate) fn fail_reads(&self, fail: bool) {
        self.process.reads.on.store(fail, Ordering::Relaxed);
    }

    /// Whoever reads a shard after `pos` gets a fault.
    pub(crate) fn fail_reads_after(&self, shard: Shard, pos: i64) {
        *self.process.unreadable.lock().unwrap() = Some((shard, pos));
    }

    pub(crate) fn failed_reads(&self) -> usize {
        self.process.reads.met.load(Ordering::Relaxed)
    }

    /// From now on reads break off by a fault of the program.
    pub(crate) fn break_reads(&self) {
        self.process.breaks.store(true, Ordering::Relaxed);
    }

    /// Whether marks cannot be stored.
    pub(crate) fn fail_marks(&self, fail: bool) {
        self.process.marks.on.store(fail, Ordering::Relaxed);
    }

    /// Whether the store cannot be told that Kafka has a tombstone.
    pub(crate) fn fail_forgetting(&self) {
        self.process.forgetting.on.store(true, Ordering::Relaxed);
    }

    pub(crate) fn failed_forgetting(&self) -> usize {
        self.process.forgetting.met.load(Ordering::Relaxed)
    }

    pub(crate) fn failed_marks(&self) -> usize {
        self.process.marks.met.load(Ordering::Relaxed)
    }

    /// From now on nobody who has read the values of a report goes on with them.
    pub(crate) fn hold_details(&self) {
        self.process
            .after_details
            .forget_permits(Semaphore::MAX_PERMITS);
    }

    pub(crate) fn let_details_go(&self) {
        self.process.after_details.add_permits(1_000);
    }

    /// Whoever reads the newest event of a report next goes on with it when it is let go, and nobody after it.
    pub(crate) fn hold_status(&self) {
        self.process.holds_status.store(true, Ordering::Relaxed);
    }

    pub(crate) fn holds_status(&self) -> bool {
        self.process.holds_status.load(Ordering::Relaxed)
    }

    pub(crate) fn let_status_go(&self) {
        self.process.after_status.notify_one();
    }

    /// How often this process has read the values of a report.
    pub(crate) fn details_read(&self) -> usize {
        self.process.details_read.load(Ordering::Relaxed)
    }

    /// Erases the values of a report and owes their tombstone.
    pub(crate) fn erase(&self, report_id: ReportId) {
        self.store.details.lock().unwrap().remove(&report_id);
        self.store.owed.lock().unwrap().push(Owed {
            report_id,
            sent_at: None,
        });
    }

    /// Whether there is a tombstone that Kafka never got.
    pub(crate) fn owes_any(&self) -> bool {
        let owed = self.store.owed.lock().unwrap();
        owed.iter().any(|owed| owed.sent_at.is_none())
    }

    /// Whether there is a tombstone that Kafka will get, for the first or for the second time.
    pub(crate) fn will_send_any(&self) -> bool {
        !self.store.owed.lock().unwrap().is_empty()
    }

    fn tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
        is_one: impl Fn(Option<Instant>) -> bool,
    ) -> Vec<OwedTombstone> {
        let owed = self.store.owed.lock().unwrap();
        let of_shards = owed
            .iter()
            .filter(|owed| shards.contains(&owed.report_id.shard()) && is_one(owed.sent_at));
        let tombstones = of_shards.map(|owed| OwedTombstone {
            report_id: owed.report_id,
            at: Utc::now(),
        });
        tombstones.take(limit).collect()
    }

    /// How often this process has read what is owed.
    pub(crate) fn owed_read(&self) -> usize {
        self.process.owed_read.load(Ordering::Relaxed)
    }

    pub(crate) fn forget_marks(&self) {
        self.store.marks.lock().unwrap().clear();
    }

    /// Commits a report with values in its shard.
    pub(crate) fn file_report(&self) -> ReportId {
        let service_id = Uuid::nil();
        let report_id = ReportId::new(service_id, [3; 16]);
        let details = ReportDetails {
            correct_value: Some("somebody's value".to_owned()),
            ..ReportDetails::default()
        };
        self.store
            .details
            .lock()
            .unwrap()
            .insert(report_id, details);
        let received = ReportReceived {
            report_id,
            subject_type: RecordKind::Person,
            service_id,
            issue_type: IssueType::Incorrect,
            issue_level: IssueLevel::Record,
            field: None,
            data_build: "b1".parse().unwrap(),
            record_last_seen: None,
            request_id: Uuid::nil(),
            reporter: "somebody".to_owned(),
            received_at: DateTime::UNIX_EPOCH,
        };
        self.commit_event(report_id, 1, received.into());
        report_id
    }

    /// Commits that a report is accepted.
    pub(crate) fn accept_report(&self, report_id: ReportId, seq: i64) {
        let accepted = ReportAccepted {
            report_id,
            service_id: Uuid::nil(),
            at: DateTime::UNIX_EPOCH,
        };
        self.commit_event(report_id, seq, accepted.into());
    }

    fn commit_event(&self, report_id: ReportId, seq: i64, event: Event) {
        let shard = report_id.shard();
        let mut all = self.store.events.lock().unwrap();
        let events = all.entry(shard).or_default();
        let pos = i64::try_from(events.len()).unwrap() + 1;
        events.push(Envelope {
            aggregate_id: report_id.uuid(),
            seq,
            event,
            ..charge(shard, pos)
        });
        self.announce(shard, pos);
    }

    fn announce(&self, shard: Shard, pos: i64) {
        self.process.committed[usize::from(shard.number())].send_replace(pos);
    }

    /// Commits so many more charges in a shard; gives the batch.
    pub(crate) fn commit(&self, shard: Shard, count: i64) -> Arc<Vec<Envelope>> {
        self.commit_for(shard, count, Uuid::nil())
    }

    /// The same for another request.
    pub(crate) fn commit_for(
        &self,
        shard: Shard,
        count: i64,
        request_id: Uuid,
    ) -> Arc<Vec<Envelope>> {
        let history = self.history(shard);
        let mut events = self.store.events.lock().unwrap();
        let events = events.entry(shard).or_default();
        let from = i64::try_from(events.len()).unwrap() + 1;
        let event = |pos| Envelope {
            history,
            request_id,
            ..charge(shard, pos)
        };
        let batch: Vec<Envelope> = (from..from + count).map(event).collect();
        events.extend(batch.clone());
        self.announce(shard, from + count - 1);
        Arc::new(batch)
    }

    pub(crate) fn mark(&self, shard: Shard) -> i64 {
        self.store
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
        self.process.committed[usize::from(shard.number())].subscribe()
    }

    async fn committed_after(
        &self,
        shard: Shard,
        pos: i64,
        limit: usize,
    ) -> Result<Vec<Envelope>, LogFault> {
        self.process.reads.meet()?;
        let unreadable = *self.process.unreadable.lock().unwrap();
        if unreadable.is_some_and(|(of, from)| of == shard && pos >= from) {
            return Err("the test lets it fail".into());
        }
        let breaks = self.process.breaks.load(Ordering::Relaxed);
        assert!(!breaks, "the test lets a read break off");
        let events = self.store.events.lock().unwrap();
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
        self.process.marks.meet()?;
        let mut kept = self.store.marks.lock().unwrap();
        for (shard, pos) in marks {
            let mark = kept.entry(*shard).or_default();
            *mark = (*mark).max(*pos);
        }
        Ok(())
    }

    fn owns(&self, _: Shard) -> bool {
        self.process.owns.load(Ordering::Relaxed)
    }

    async fn heads(&self) -> Result<Vec<ShardHead>, LogFault> {
        let events = self.store.events.lock().unwrap();
        let head = |shard| ShardHead {
            shard,
            pos: events.get(&shard).map_or(0, |e| e.last().unwrap().pos),
            published: self.mark(shard),
        };
        Ok(Shard::all().map(head).collect())
    }

    async fn histories(&self) -> Result<Histories, LogFault> {
        let histories = self.store.histories.lock().unwrap();
        Ok(Histories::new(histories.clone()))
    }

    fn has_gone_back(&self) -> bool {
        self.process.went_back.load(Ordering::Relaxed)
    }

    async fn newest_of_report(&self, report_id: ReportId) -> Result<Option<Envelope>, LogFault> {
        let newest = {
            let events = self.store.events.lock().unwrap();
            let of_report = events.values().flatten();
            let of_report = of_report.filter(|e| e.aggregate_id == report_id.uuid());
            of_report.max_by_key(|e| e.seq).cloned()
        };
        if self.process.holds_status.swap(false, Ordering::Relaxed) {
            self.process.after_status.notified().await;
        }
        Ok(newest)
    }

    async fn report_details(&self, report_id: ReportId) -> Result<Option<ReportDetails>, LogFault> {
        let details = self.store.details.lock().unwrap().get(&report_id).cloned();
        self.process.details_read.fetch_add(1, Ordering::Relaxed);
        let _permit = self.process.after_details.acquire().await?;
        Ok(details)
    }

    async fn owed_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
    ) -> Result<Vec<OwedTombstone>, LogFault> {
        self.process.reads.meet()?;
        self.process.owed_read.fetch_add(1, Ordering::Relaxed);
        Ok(self.tombstones(shards, limit, |sent_at| sent_at.is_none()))
    }

    async fn repeated_tombstones(
        &self,
        shards: &[Shard],
        limit: usize,
        after: Duration,
    ) -> Result<Vec<OwedTombstone>, LogFault> {
        self.process.reads.meet()?;
        let is_due = |sent_at: Option<Instant>| sent_at.is_some_and(|at| at.elapsed() >= after);
        Ok(self.tombstones(shards, limit, is_due))
    }

    async fn owes_tombstone(&self, report_id: ReportId) -> Result<bool, LogFault> {
        self.process.reads.meet()?;
        let owed = self.store.owed.lock().unwrap();
        Ok(owed
            .iter()
            .any(|o| o.report_id == report_id && o.sent_at.is_none()))
    }

    async fn tombstones_sent(&self, reports: &[ReportId]) -> Result<(), LogFault> {
        self.process.forgetting.meet()?;
        let mut owed = self.store.owed.lock().unwrap();
        for owed in owed.iter_mut().filter(|o| reports.contains(&o.report_id)) {
            owed.sent_at = Some(Instant::now());
        }
        Ok(())
    }

    async fn forget_tombstones(&self, reports: &[ReportId]) -> Result<(), LogFault> {
        self.process.forgetting.meet()?;
        let mut owed = self.store.owed.lock().unwrap();
        owed.retain(|o| !(o.sent_at.is_some() && reports.contains(&o.report_id)));
        Ok(())
    }
}

pub(crate) fn charge(shard: Shard, pos: i64) -> Envelope {
    let account_id = AccountId::new([7; 16]);
    let contract_id = ContractId::new(account_id, [8; 16]);
    Envelope {
        shard,
        pos,
        history: FIRST,
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
