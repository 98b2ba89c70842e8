//! The CLI as its users run it: the binary, its exit code, stdout and stderr; against an admin server made for the test,
//! and for `reconcile` against a real Postgres and a real Kafka.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod admin;
mod arguments;
mod fake;
mod ingest;
mod reconcile;
mod reindex;
mod run;
