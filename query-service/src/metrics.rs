//! What is counted. Names follow `roster.query_service.*`; no value of a request or a record is ever an attribute.

use std::time::Duration;

use events_schema::api::endpoint::Endpoint;
use events_schema::record::RecordKind;
use http::StatusCode;
use opentelemetry::metrics::{Counter, Gauge, Histogram};
use opentelemetry::{KeyValue, global};

/// The instruments of this process. Clones count into the same ones.
#[derive(Debug, Clone)]
pub struct Metrics {
    answers: Counter<u64>,
    units: Counter<u64>,
    candidates: Histogram<u64>,
    calls_per_request: Histogram<u64>,
    unanswered_calls: Counter<u64>,
    searches_waiting: Gauge<u64>,
    search_slices: Histogram<u64>,
    search_milliseconds: Histogram<f64>,
    searches_refused: Counter<u64>,
    searches_cancelled: Counter<u64>,
    search_file_faults: Counter<u64>,
    model_answers: Counter<u64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let meter = global::meter("query-service");
        let counter = |name: &'static str| meter.u64_counter(name).build();
        let histogram = |name: &'static str| meter.u64_histogram(name).build();
        Self {
            answers: counter("roster.query_service.answers"),
            units: counter("roster.query_service.units_delivered"),
            candidates: histogram("roster.query_service.enrich_candidates"),
            calls_per_request: histogram("roster.query_service.ledger_calls_per_request"),
            unanswered_calls: counter("roster.query_service.ledger_calls_unanswered"),
            searches_waiting: meter
                .u64_gauge("roster.query_service.searches_waiting")
                .build(),
            search_slices: histogram("roster.query_service.search_slices"),
            search_milliseconds: meter
                .f64_histogram("roster.query_service.search_milliseconds")
                .build(),
            searches_refused: counter("roster.query_service.searches_refused"),
            searches_cancelled: counter("roster.query_service.searches_cancelled"),
            search_file_faults: counter("roster.query_service.search_file_faults"),
            model_answers: counter("roster.query_service.model_answers"),
        }
    }
}

impl Metrics {
    /// An answer of a paid endpoint, whatever its status.
    pub(crate) fn answer(&self, endpoint: Endpoint, status: StatusCode) {
        let status = KeyValue::new("status", i64::from(status.as_u16()));
        self.answers.add(1, &[of(endpoint), status]);
    }

    /// Units of the price book that were delivered: matches, or calls of a utility.
    pub(crate) fn delivered(&self, endpoint: Endpoint, units: u32) {
        self.units.add(u64::from(units), &[of(endpoint)]);
    }

    /// Records that a look-up had to judge.
    pub(crate) fn candidates(&self, kind: RecordKind, number: usize) {
        self.candidates
            .record(whole(number), &[KeyValue::new("kind", kind.name())]);
    }

    /// A request to command-service with so many calls.
    pub(crate) fn sent(&self, calls: usize) {
        self.calls_per_request.record(whole(calls), &[]);
    }

    /// Calls to command-service without an answer.
    pub(crate) fn unanswered(&self, calls: usize) {
        self.unanswered_calls.add(whole(calls), &[]);
    }

    /// Searches that wait for their first slice.
    pub(crate) fn searches_waiting(&self, number: usize) {
        self.searches_waiting.record(whole(number), &[]);
    }

    /// A search that came to its end, `elapsed` after it was asked for.
    pub(crate) fn searched(&self, slices: u64, elapsed: Duration) {
        self.search_slices.record(slices, &[]);
        self.search_milliseconds
            .record(elapsed.as_secs_f64() * 1_000.0, &[]);
    }

    /// A search that was sent away because too many wait.
    pub(crate) fn search_refused(&self) {
        self.searches_refused.add(1, &[]);
    }

    /// A search that nobody waited for any more, after so many slices.
    pub(crate) fn search_cancelled(&self, slices: u64) {
        self.search_slices.record(slices, &[]);
        self.searches_cancelled.add(1, &[]);
    }

    /// What became of asking the language model, in one word.
    pub(crate) fn model(&self, outcome: &'static str) {
        let outcome = KeyValue::new("outcome", outcome);
        self.model_answers.add(1, &[outcome]);
    }

    /// The search files of a build could not be had.
    pub(crate) fn search_files_fault(&self, kind: RecordKind) {
        self.search_file_faults
            .add(1, &[KeyValue::new("kind", kind.name())]);
    }
}

fn of(endpoint: Endpoint) -> KeyValue {
    KeyValue::new("endpoint", endpoint.name())
}

fn whole(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
