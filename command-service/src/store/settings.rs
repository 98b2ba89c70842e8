//! Settings of the store; every queue and time has a limit here.

use std::str::FromStr;
use std::time::Duration;

use service_kit::config::Secret;
use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use super::StoreFault;

/// A statement for several shards takes no longer than this, twice: an answer is waited for 3 s.
const MAX_GROUP_PATIENCE_MS: u128 = 1_000;

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
    /// Most connections that look up API keys which nobody here has seen: whoever makes keys up has these alone.
    pub key_connections: u32,
    /// Longest wait for a connection.
    pub acquire_timeout: Duration,
    /// How long a lease lasts; renewed five times in it.
    pub lease: Duration,
    /// Most connections for batches that go alone.
    pub write_connections: u32,
    /// Most statements at a time that write batches of several shards; so many connections are kept open.
    pub write_groups: u32,
    /// About so many events in one of them.
    pub group_events: usize,
    /// Longest wait for such a statement; then a batch goes alone. The statement itself may take twice as long, and half of it where it
    /// meets a row that somebody else has locked.
    pub group_patience: Duration,
    /// Longest wait for the answer to one statement; the connection is closed after it.
    pub answer_timeout: Duration,
    /// The same for what a shard waits for: its batch and its look-ups.
    pub shard_answer_timeout: Duration,
    /// Longest wait of the schema that is brought up to date: for others' locks, or for a word of Postgres.
    pub schema_timeout: Duration,
    /// Most committed batches on their way to the publisher in memory.
    pub hand_over_batches: usize,
}

/// How Postgres knows the connections of the thread that writes batches together.
const GROUP_WRITER: &str = "command-service group-writer";

impl StoreSettings {
    /// Far above what a statement takes, and little for whoever waits.
    pub const GROUP_PATIENCE: Duration = Duration::from_millis(400);

    /// Defaults for a store at `url`, as process `instance` reached at `address`.
    #[must_use]
    pub fn new(url: Secret<String>, instance: Uuid, address: String) -> Self {
        Self {
            url,
            instance,
            address,
            max_connections: 24,
            key_connections: 4,
            acquire_timeout: Duration::from_secs(2),
            lease: Duration::from_secs(5),
            write_connections: 8,
            write_groups: 1,
            group_events: 2_000,
            group_patience: Self::GROUP_PATIENCE,
            answer_timeout: Duration::from_secs(12),
            shard_answer_timeout: Duration::from_secs(3),
            schema_timeout: Duration::from_secs(60),
            hand_over_batches: 256,
        }
    }

    /// How every connection of the store is made.
    ///
    /// # Errors
    /// When the URL is none.
    pub fn connect_options(&self) -> Result<PgConnectOptions, StoreFault> {
        let options = PgConnectOptions::from_str(self.url.expose())?;
        Ok(options.application_name("command-service").options([
            // A plan is kept as long as its connection. Made while a table has one page, it would read all pages for ever: a table of
            // few rows has thousands while a snapshot is open.
            ("enable_seqscan", "off"),
            // A page comes out of its index in order. Of a table that has grown faster than it was analysed, all that lies behind the
            // page looks like so few rows that they would be read and sorted, for every page again.
            ("enable_sort", "off"),
            ("statement_timeout", "10s"),
            ("lock_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "15s"),
        ]))
    }

    /// Of statements for several shards: they end by themselves, and let go what they have locked, before anybody gives them up.
    pub(super) fn group_connect_options(&self) -> Result<PgConnectOptions, StoreFault> {
        let patience = self
            .group_patience
            .as_millis()
            .clamp(2, MAX_GROUP_PATIENCE_MS);
        let option = |milliseconds: u128| milliseconds.to_string();
        let options = self.connect_options()?;
        Ok(options.application_name(GROUP_WRITER).options([
            ("statement_timeout", option(patience * 2).as_str()),
            ("lock_timeout", option(patience / 2).as_str()),
            // One plan, whatever the first statements of a connection looked like.
            ("plan_cache_mode", "force_generic_plan"),
        ]))
    }
}
