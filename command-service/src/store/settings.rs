//! Settings of the store; every queue and time has a limit here.

use std::str::FromStr;
use std::time::Duration;

use service_kit::config::Secret;
use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use super::StoreFault;

/// See each field.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    /// Connection URL of the event store.
    pub url: Secret<String>,
    /// Random for each process.
    pub instance: Uuid,
    /// Base URL by which others reach this process's internal listener.
    pub address: String,
    /// Most connections to Postgres.
    pub max_connections: u32,
    /// Longest wait for a connection.
    pub acquire_timeout: Duration,
    /// How long a lease lasts; renewed five times in it.
    pub lease: Duration,
    /// Most commands that wait for one shard's writer; more are answered 503.
    pub queue_commands: usize,
    /// Most events in one batch.
    pub batch_events: usize,
    /// Most bytes of payload in one batch (one command may exceed it alone).
    pub batch_bytes: usize,
    /// How long a batch whose outcome is unknown is tried again before its commands are answered 503.
    pub commit_deadline: Duration,
    /// Most committed batches on their way to the publisher in memory.
    pub hand_over_batches: usize,
    /// Most aggregates of one type in memory.
    pub max_cells: usize,
    /// A snapshot is kept each so many events of an aggregate.
    pub snapshot_every: i64,
}

impl StoreSettings {
    /// Defaults for a store at `url`, as process `instance` reached at `address`.
    #[must_use]
    pub fn new(url: Secret<String>, instance: Uuid, address: String) -> Self {
        Self {
            url,
            instance,
            address,
            max_connections: 24,
            acquire_timeout: Duration::from_secs(2),
            lease: Duration::from_secs(5),
            queue_commands: 8_192,
            batch_events: 2_000,
            batch_bytes: 1 << 20,
            commit_deadline: Duration::from_secs(5),
            hand_over_batches: 256,
            max_cells: 100_000,
            snapshot_every: 1_000,
        }
    }

    pub(super) fn connect_options(&self) -> Result<PgConnectOptions, StoreFault> {
        let options = PgConnectOptions::from_str(self.url.expose())?;
        Ok(options.application_name("command-service").options([
            ("statement_timeout", "10s"),
            ("lock_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "15s"),
        ]))
    }
}
