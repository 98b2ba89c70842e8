//! System tests: the service binaries over a real Postgres and a real Kafka (see the crate's documentation).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::large_futures
)]

mod builds;
mod chaos;
mod crashes;
mod credits;
mod deployment;
mod flow;
mod gateway;
mod instances;
mod keys;
mod killed;
mod migrations;
mod oracles;
mod outages;
mod promises;
