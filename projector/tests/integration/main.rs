//! The projector over a real Postgres and a real Kafka: TEST_POSTGRES_URL (a server on which databases may be created)
//! and TEST_KAFKA_BROKERS. Every test has its own database, topics and objects.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::large_futures
)]

mod builds;
mod comparing;
mod consuming;
mod editions;
mod histories;
mod records;
mod search_files;
mod silence;
mod stack;
