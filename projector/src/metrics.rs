//! What is counted. Names follow `roster.projector.*`; no value of a record or an event is ever an attribute.

use events_schema::topics::Topic;
use opentelemetry::metrics::{Counter, Gauge};
use opentelemetry::{KeyValue, global};

/// The instruments of this process. Clones count into the same ones.
#[derive(Debug, Clone)]
pub struct Metrics {
    applied: Counter<u64>,
    ignored: Counter<u64>,
    gaps_filled: Counter<u64>,
    events_behind: Gauge<i64>,
    parked_keys: Gauge<i64>,
    behind_history: Gauge<i64>,
    compared: Counter<u64>,
    differences_met: Counter<u64>,
    differences: Gauge<i64>,
    round_ended: Gauge<i64>,
    rows_loaded: Counter<u64>,
    lines_rejected: Counter<u64>,
    told_in_vain: Counter<u64>,
    builds_behind: Gauge<u64>,
}

/// How comparing the read models with the event store stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    /// In the last whole round, or in this one if there are more already.
    pub(crate) differences: i64,
    /// When the last whole round ended, in seconds since 1970.
    pub(crate) ended_at: i64,
}

impl Default for Metrics {
    fn default() -> Self {
        let meter = global::meter("projector");
        let counter = |name: &'static str| meter.u64_counter(name).build();
        Self {
            applied: counter("roster.projector.events_applied"),
            ignored: counter("roster.projector.events_ignored"),
            gaps_filled: counter("roster.projector.gaps_filled"),
            events_behind: meter.i64_gauge("roster.projector.events_behind").build(),
            parked_keys: meter.i64_gauge("roster.projector.parked_keys").build(),
            behind_history: meter.i64_gauge("roster.projector.behind_history").build(),
            compared: counter("roster.projector.events_compared"),
            differences_met: counter("roster.projector.differences_met"),
            differences: meter.i64_gauge("roster.projector.differences").build(),
            round_ended: meter.i64_gauge("roster.projector.comparison_ended").build(),
            rows_loaded: counter("roster.projector.rows_loaded"),
            lines_rejected: counter("roster.projector.lines_rejected"),
            told_in_vain: counter("roster.projector.outcomes_told_in_vain"),
            builds_behind: meter.u64_gauge("roster.projector.builds_behind").build(),
        }
    }
}

impl Metrics {
    pub(crate) fn batch(&self, applied: usize, ignored: usize, filled: u64) {
        let whole = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.applied.add(whole(applied), &[]);
        self.ignored.add(whole(ignored), &[]);
        self.gaps_filled.add(filled, &[]);
    }

    /// Events that the event store has and the read models do not, of the partitions of this process.
    pub(crate) fn events_behind(&self, events: i64) {
        self.events_behind.record(events, &[]);
    }

    pub(crate) fn parked_keys(&self, keys: i64) {
        self.parked_keys.record(keys, &[]);
    }

    /// 1 while the read models hold events that the event store does not have.
    pub(crate) fn behind_history(&self, is_behind: bool) {
        self.behind_history.record(i64::from(is_behind), &[]);
    }

    /// Events of a topic that were compared with the read models, and rows that differ.
    pub(crate) fn compared(&self, topic: Topic, events: usize, differences: usize) {
        let whole = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let of = [KeyValue::new("topic", topic.name())];
        self.compared.add(whole(events), &of);
        self.differences_met.add(whole(differences), &of);
    }

    /// How comparing stands.
    pub(crate) fn compared_rounds(&self, round: Round) {
        self.differences.record(round.differences, &[]);
        self.round_ended.record(round.ended_at, &[]);
    }

    /// An outcome of loading that nobody took.
    pub(crate) fn told_in_vain(&self) {
        self.told_in_vain.add(1, &[]);
    }

    /// Active builds that were loaded by an earlier edition of canon and keys.
    pub(crate) fn builds_behind(&self, builds: usize) {
        let builds = u64::try_from(builds).unwrap_or(u64::MAX);
        self.builds_behind.record(builds, &[]);
    }

    pub(crate) fn chunk(&self, rows: u64, rejected: u64) {
        self.rows_loaded.add(rows, &[]);
        self.lines_rejected.add(rejected, &[]);
    }
}
