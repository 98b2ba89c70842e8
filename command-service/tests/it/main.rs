//! command-service over a real Postgres and a real Kafka.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod admission;
mod builds;
mod event_log;
mod event_store;
mod groups;
mod guards;
mod histories;
mod instances;
mod kafka;
mod operators;
mod publisher;
mod reports;
mod rights;
mod service;
mod support;
