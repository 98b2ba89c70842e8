//! Rows that are written in the statement of their events, and what is read of them.

use chrono::{DateTime, TimeDelta, Utc};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{IdempotencyClaim, Receipt};
use events_schema::ids::{AccountId, ApiKeyId, BuildName, ReportId};
use events_schema::record::RecordKind;
use events_schema::report::v1::{ReportDetails, ReportStatus};
use serde_json::{Value, json};

use super::claims::Name;
use super::keys::Proof;

/// What is written beside the events of one command.
#[derive(Debug, Clone, Default)]
pub struct SideRows {
    /// The charge that a client named.
    pub idempotency: Option<Box<IdempotencyRow>>,
    /// Rare rows.
    pub row: Option<Box<Row>>,
}

/// A charge or a report that a client named with an `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct IdempotencyRow {
    /// Scope, with the endpoint.
    pub account_id: AccountId,
    /// Scope, with the account.
    pub endpoint: Endpoint,
    /// Keyed hashes of key and request.
    pub claim: IdempotencyClaim,
    /// What a replay needs.
    pub receipt: Receipt,
    /// For how long no other row may take its place; the same for all rows of a process.
    pub kept_for: TimeDelta,
}

impl IdempotencyRow {
    /// The name that only one live row may have.
    pub(super) fn name(&self) -> Name {
        Name::new(self.account_id, self.endpoint, &self.claim)
    }
}

/// A charge that a client named.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptCharge {
    /// Keyed hash of the request.
    pub request_hash: String,
    /// What a replay needs.
    pub receipt: Receipt,
}

/// A row of one of the small tables.
#[derive(Debug, Clone)]
pub enum Row {
    /// A new account.
    Account {
        /// The account.
        account_id: AccountId,
        /// Its name.
        name: String,
        /// When it was opened.
        opened_at: DateTime<Utc>,
    },
    /// Proof of a new key.
    ApiKey {
        /// The key.
        api_key_id: ApiKeyId,
        /// What proves it; the secret in lowercase hexadecimal.
        proof: Proof,
    },
    /// A new report with its values.
    Report {
        /// The report.
        report_id: ReportId,
        /// When it was received.
        received_at: DateTime<Utc>,
        /// Its values.
        details: ReportDetails,
    },
    /// A step of a report.
    ReportStatus {
        /// The report.
        report_id: ReportId,
        /// The new status.
        status: ReportStatus,
    },
    /// A reserved name.
    Build {
        /// The name.
        build: BuildName,
        /// When.
        created_at: DateTime<Utc>,
    },
    /// A new active build.
    ActiveBuild {
        /// Of this kind.
        kind: RecordKind,
        /// The build.
        build: BuildName,
    },
}

impl Row {
    /// Name in `append_batch.sql`, key within it, and body.
    pub(crate) fn parts(&self) -> (&'static str, String, Value) {
        match self {
            Self::Account {
                account_id,
                name,
                opened_at,
            } => (
                "account",
                account_id.to_string(),
                json!({"account_id": account_id, "name": name, "opened_at": opened_at}),
            ),
            Self::ApiKey { api_key_id, proof } => (
                "api_key",
                api_key_id.to_string(),
                json!({
                    "api_key_id": api_key_id,
                    "account_id": proof.account_id,
                    "secret_hmac": hex::encode(&proof.secret_hmac),
                }),
            ),
            Self::Report {
                report_id,
                received_at,
                details,
            } => (
                "report",
                report_id.to_string(),
                json!({"report_id": report_id, "received_at": received_at, "details": details}),
            ),
            Self::ReportStatus { report_id, status } => (
                "report_status",
                report_id.to_string(),
                json!({"report_id": report_id, "status": status}),
            ),
            Self::Build { build, created_at } => (
                "build",
                build.to_string(),
                json!({"build": build, "created_at": created_at}),
            ),
            Self::ActiveBuild { kind, build } => (
                "active_build",
                kind.to_string(),
                json!({"kind": kind, "build": build}),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sql/append_batch.sql` reads it.
    #[test]
    fn a_row_says_its_table_its_key_and_its_columns() {
        let account_id = AccountId::new([1; 16]);
        let api_key_id = ApiKeyId::new(account_id, [2; 10]);
        let row = Row::ApiKey {
            api_key_id: api_key_id.clone(),
            proof: Proof {
                account_id,
                secret_hmac: vec![0],
            },
        };
        let (table, key, body) = row.parts();
        assert_eq!((table, key), ("api_key", api_key_id.to_string()));
        let columns =
            json!({"api_key_id": api_key_id, "account_id": account_id, "secret_hmac": "00"});
        assert_eq!(body, columns);
    }
}
