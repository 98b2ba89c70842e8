//! What the publisher tells of itself: how far it lags, what it sent, how often it had to start again.

use std::sync::Weak;
use std::sync::atomic::Ordering;

use events_schema::ids::Shard;
use opentelemetry::global;
use opentelemetry::metrics::Counter;

use super::Shared;
use super::log::EventLog;

const METER: &str = "command-service";

pub(super) struct Metrics {
    /// Events that Kafka has acknowledged.
    pub(super) sent: Counter<u64>,
    /// Times that a shard began again after a failure.
    pub(super) restarts: Counter<u64>,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let meter = global::meter(METER);
        Self {
            sent: meter
                .u64_counter("publisher.events_sent")
                .with_description("Events that Kafka has acknowledged")
                .build(),
            restarts: meter
                .u64_counter("publisher.restarts")
                .with_description("Times that a shard began again after a failure")
                .build(),
        }
    }
}

/// Reports the lag for as long as the publisher lives.
pub(super) fn observe_lag<L: EventLog>(shared: Weak<Shared<L>>) {
    global::meter(METER)
        .i64_observable_gauge("publisher.lag")
        .with_description("Committed positions that Kafka has not acknowledged, over all shards")
        .with_callback(move |gauge| {
            if let Some(shared) = shared.upgrade() {
                gauge.observe(lag(&shared), &[]);
            }
        })
        .build();
}

fn lag<L: EventLog>(shared: &Shared<L>) -> i64 {
    let of = |shard: Shard| {
        let committed = *shared.log.committed(shard).borrow();
        (committed - shared.slot(shard).acked.load(Ordering::Relaxed)).max(0)
    };
    Shard::all().map(of).sum()
}
