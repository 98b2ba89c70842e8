//! What the publisher tells of itself: how far it lags, what it sent, how often it had to start again.

use opentelemetry::global;
use opentelemetry::metrics::{Counter, Gauge};

pub(super) struct Metrics {
    /// Committed positions that Kafka has not acknowledged, over all shards.
    pub(super) lag: Gauge<i64>,
    /// Events that Kafka has acknowledged.
    pub(super) sent: Counter<u64>,
    /// Times that a shard began again after a failure.
    pub(super) restarts: Counter<u64>,
    /// 1 while nothing is published, since the store went back behind what Kafka has.
    pub(super) refused: Gauge<u64>,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let meter = global::meter("command-service");
        Self {
            lag: meter
                .i64_gauge("publisher.lag")
                .with_description("Committed positions that Kafka has not acknowledged")
                .build(),
            sent: meter
                .u64_counter("publisher.events_sent")
                .with_description("Events that Kafka has acknowledged")
                .build(),
            restarts: meter
                .u64_counter("publisher.restarts")
                .with_description("Times that a shard began again after a failure")
                .build(),
            refused: meter
                .u64_gauge("publisher.refused")
                .with_description("1 while nothing is published, since the event store went back behind what Kafka has")
                .build(),
        }
    }
}
