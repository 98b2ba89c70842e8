//! Connections to the read model: pools for one schema each, every wait with a limit.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use super::ReadFault;

/// The limits of reading.
#[derive(Debug, Clone)]
pub struct ReadLimits {
    /// Connections for the active build of one kind.
    pub connections: u32,
    /// Connections for a build that is no longer active.
    pub retained_connections: u32,
    /// Connections for ledgers of accounts.
    pub ledger_connections: u32,
    /// Longest wait until the projector has what an account was told.
    pub ledger_wait: Duration,
    /// Longest wait for another request's connection to become free.
    pub queue_timeout: Duration,
    /// Longest wait for a connection to be made.
    pub acquire_timeout: Duration,
    /// Longest statement.
    pub statement_timeout: Duration,
    /// Index entries read for one key.
    pub entries_per_key: i64,
    /// Records read for one request.
    pub candidates: i64,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            connections: 16,
            retained_connections: 2,
            ledger_connections: 4,
            ledger_wait: Duration::from_secs(2),
            queue_timeout: Duration::from_secs(10),
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(5),
            entries_per_key: 1_000,
            candidates: 1_000,
        }
    }
}

/// Idle connections are closed after this, so that a build's pool shrinks to nothing when its time is over.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const PUBLIC_SCHEMA: &str = "public";
const POINTER_CONNECTIONS: u32 = 2;

/// Where the read model is.
#[derive(Debug, Clone)]
pub struct Source {
    options: PgConnectOptions,
    limits: ReadLimits,
}

impl Source {
    /// A source of the database at `url`. Nothing is connected yet.
    ///
    /// # Errors
    /// When the URL cannot be read.
    pub fn new(url: &str, limits: ReadLimits) -> Result<Self, ReadFault> {
        let options = PgConnectOptions::from_str(url)?
            .application_name("query-service")
            .options([
                (
                    "statement_timeout",
                    limits.statement_timeout.as_millis().to_string(),
                ),
                ("default_transaction_read_only", "on".to_owned()),
                // No statement is better planned by the values of a request, and planning costs what a look-up does.
                ("plan_cache_mode", "force_generic_plan".to_owned()),
            ]);
        Ok(Self { options, limits })
    }

    /// The limits of reading.
    #[must_use]
    pub const fn limits(&self) -> &ReadLimits {
        &self.limits
    }

    pub(super) fn public(&self) -> PgPool {
        self.pool(PUBLIC_SCHEMA, POINTER_CONNECTIONS)
    }

    /// A page of a ledger comes out of its index in order, however many rows lie behind it and whenever the table was analysed.
    pub(super) fn ledgers(&self) -> PgPool {
        let in_order = Self {
            options: self.options.clone().options([("enable_sort", "off")]),
            limits: self.limits.clone(),
        };
        in_order.pool(PUBLIC_SCHEMA, self.limits.ledger_connections)
    }

    /// A pool for a build's schema; `schema` must have passed [`is_build_schema`].
    pub(super) fn build(&self, schema: &str, connections: u32) -> PgPool {
        self.pool(schema, connections)
    }

    fn pool(&self, schema: &str, connections: u32) -> PgPool {
        PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(self.limits.acquire_timeout)
            .idle_timeout(IDLE_TIMEOUT)
            // A dead connection shows at its first use as a fault of that one request; a ping before every use would
            // cost each request a round trip.
            .test_before_acquire(false)
            .connect_lazy_with(self.options.clone().options([("search_path", schema)]))
    }
}

/// `b_` and 16 hexadecimal digits: the only schema names that become part of a connection's options.
pub(super) fn is_build_schema(name: &str) -> bool {
    let digits = name.strip_prefix("b_");
    digits.is_some_and(|digits| {
        digits.len() == 16
            && digits
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_build_schemas_are_taken() {
        assert!(is_build_schema("b_0123456789abcdef"));
        for bad in [
            "public",
            "b_0123456789abcde",
            "b_0123456789ABCDEF",
            "b_0123456789abcdef,x",
            "b_0123456789abcde'",
            "",
        ] {
            assert!(!is_build_schema(bad), "{bad}");
        }
    }
}
