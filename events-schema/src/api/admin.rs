//! Bodies of command-service's admin listener, as the `roster` CLI sends and prints them (`docs/OPERATING.md`).

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::api::endpoint::{Endpoint, EndpointSet};
use crate::credits::Credits;
use crate::data_build::v1::{LoadReport, SearchFiles};
use crate::ids::{AccountId, ApiKeyId, BuildName, ContractId, ReportId};
use crate::record::RecordKind;
use crate::report::v1::{IssueLevel, IssueType, ReportDetails, ReportStatus};

/// `POST /admin/accounts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAccount {
    /// 1 to 200 characters.
    pub name: String,
}

/// An account, in answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AccountView {
    /// The account.
    pub account_id: AccountId,
    /// Its name.
    pub name: String,
    /// When it was opened.
    pub opened_at: DateTime<Utc>,
}

/// `POST /admin/contracts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateContract {
    /// Whose.
    pub account_id: AccountId,
    /// At least 0.
    pub credits: Credits,
    /// What it covers.
    pub endpoints: EndpointSet,
    /// First day (UTC); none = today.
    pub starts_on: Option<NaiveDate>,
    /// Last day (UTC); none = open.
    pub expires_on: Option<NaiveDate>,
    /// Prices that differ from the default.
    #[serde(default)]
    pub prices: BTreeMap<Endpoint, Credits>,
}

/// `POST /admin/contracts/{id}/grants`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantCredits {
    /// Above 0.
    pub credits: Credits,
}

/// `POST /admin/contracts/{id}/end`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndContract {
    /// Why, for whoever reads the events: 1 to 500 characters.
    pub reason: String,
}

/// A contract, in answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContractView {
    /// The contract.
    pub contract_id: ContractId,
    /// Whose.
    pub account_id: AccountId,
    /// What it covers.
    pub endpoints: EndpointSet,
    /// Granted in all.
    pub credits_total: Credits,
    /// Charged in all.
    pub credits_used: Credits,
    /// Set aside at this moment.
    pub credits_held: Credits,
    /// The balance: total less used.
    pub credits_remaining: Credits,
    /// First day (UTC).
    pub starts_on: NaiveDate,
    /// Last day (UTC): as agreed, or the one on which it was ended before; none = open.
    pub expiration_date: Option<NaiveDate>,
    /// Whether it serves no more: that day is over, or it was ended.
    pub is_expired: bool,
    /// When it was ended; none = it was not.
    pub ended_at: Option<DateTime<Utc>>,
    /// Why, in the words of the operator who ended it.
    pub end_reason: Option<String>,
    /// Prices that differ from the default.
    pub prices: BTreeMap<Endpoint, Credits>,
}

/// What a request charged or granted, in answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovementView {
    /// The request: of a charge and an unnamed grant the `Request-ID` of its answer; of a grant with an `Idempotency-Key` it follows from the
    /// name.
    pub request_id: Uuid,
    /// `charge` or `grant`.
    pub kind: String,
    /// Whose contract it is.
    pub account_id: AccountId,
    /// The contract.
    pub contract_id: ContractId,
    /// Of a charge: what was called.
    pub endpoint: Option<Endpoint>,
    /// Of a charge: what was delivered.
    pub units: Option<u32>,
    /// What was added to the balance: of a charge zero or less.
    pub credits: Credits,
    /// The balance right after.
    pub balance_after: Credits,
    /// When.
    pub occurred_at: DateTime<Utc>,
    /// `api_key:<id>` or `operator:<token name>`.
    pub actor: String,
}

/// `POST /admin/keys`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueApiKey {
    /// Whose.
    pub account_id: AccountId,
    /// What it may call.
    pub endpoints: EndpointSet,
    /// Requests a minute where they differ from the default.
    #[serde(default)]
    pub rate_limits: BTreeMap<Endpoint, u32>,
}

/// The one answer that shows a key.
#[derive(Clone, Serialize, Deserialize)]
pub struct IssuedApiKey {
    /// Public part.
    pub api_key_id: ApiKeyId,
    /// The whole key, shown once.
    pub api_key: String,
}

/// A key, in answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApiKeyView {
    /// Public part.
    pub api_key_id: ApiKeyId,
    /// Whose.
    pub account_id: AccountId,
    /// What it may call.
    pub endpoints: EndpointSet,
    /// Requests a minute where they differ from the default.
    pub rate_limits: BTreeMap<Endpoint, u32>,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// `POST /admin/builds`. The name of a build that is still `loading` resumes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartBuild {
    /// One kind a build.
    pub kind: RecordKind,
    /// Name; none = `YYYY.MM.N-<kind>`.
    pub build: Option<BuildName>,
    /// Reference date.
    pub as_of: Option<NaiveDate>,
}

/// `POST /admin/builds/{build}/seal`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealBuild {
    /// Chunks 0 to `chunks` - 1 must be staged.
    pub chunks: u32,
}

/// Where a build stands (`docs/OPERATING.md`, "The life of a data build").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildStatus {
    /// Chunks are being staged or loaded.
    Loading,
    /// Complete, not active.
    Loaded,
    /// Requests are answered from it.
    Active,
    /// Was active.
    Retired,
    /// Given up by an operator.
    Abandoned,
    /// Could not be loaded.
    Failed,
    /// Its rows and files are gone, or go at this moment: it can never be active again.
    Dropped,
}

/// A data build, in answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BuildView {
    /// Name.
    pub build: BuildName,
    /// Kind.
    pub kind: RecordKind,
    /// Where it stands.
    pub status: BuildStatus,
    /// Records: lines staged, while loading; none of a build that could not be loaded; those that it had, once it is abandoned or dropped.
    pub rows: u64,
    /// Rejected lines.
    pub rejected: u64,
    /// Path of the rejects file in the object store.
    pub rejects_object: Option<String>,
    /// What relative dates count from; known once loaded.
    pub reference_date: Option<NaiveDate>,
    /// When it was started.
    pub created_at: DateTime<Utc>,
    /// Chunks staged so far, with the SHA-256 of each: what `ingest` skips when it resumes.
    pub staged: BTreeMap<u32, String>,
    /// Whether it is sealed.
    pub sealed: bool,
    /// Why it failed.
    pub reason: Option<String>,
    /// What loading found.
    pub report: Option<LoadReport>,
    /// Its search files; none while it loads and for builds that were loaded before there were any.
    #[serde(default)]
    pub search_files: Option<SearchFiles>,
}

/// Answer of the projector's `POST` and `GET /admin/builds/{build}/reindex`: how far the search files of a build are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reindex {
    /// The build.
    pub build: BuildName,
    /// How far.
    pub state: ReindexState,
    /// When they were asked for.
    pub asked_at: DateTime<Utc>,
    /// Tries so far.
    pub attempts: u32,
    /// Rows that the running try has written, as of its last word.
    pub rows_written: u64,
    /// Rows of the build.
    pub rows: u64,
    /// What the last try said that failed.
    pub fault: Option<String>,
    /// The newest that were written whole.
    pub search_files: Option<SearchFiles>,
}

/// How far the search files of a build are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReindexState {
    /// Asked for; a try is due now or after a pause.
    Waiting,
    /// A projector writes them.
    Writing,
    /// They are in the object store; the other parts are being told.
    Written,
    /// The read models name them.
    Done,
    /// Given up: the build keeps the files that it had.
    Failed,
}

/// Answer of `POST /admin/builds/{build}/activate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Activation {
    /// The build.
    pub build: BuildName,
    /// Live query-services that do not answer from it yet after 30 s, or do not hold its search files; empty = all
    /// do.
    pub waiting_for: Vec<String>,
}

/// `POST /admin/republish`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Republish {
    /// 0 to 63.
    pub shard: u8,
    /// First position, from 1.
    pub from: i64,
}

/// Its answer: one portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Republished {
    /// Events that were sent.
    pub sent: u64,
    /// Where to go on; none = Kafka has everything up to the mark again.
    #[serde(default)]
    pub next: Option<i64>,
}

/// `POST /admin/reports/{id}/reject`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RejectReport {
    /// Why; 1 to 500 characters.
    pub reason: String,
}

/// `POST /admin/reports/{id}/correct`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectReport {
    /// The data build that carries the correction.
    pub build: BuildName,
}

/// A report, in answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReportView {
    /// The report.
    pub report_id: ReportId,
    /// Where it stands.
    pub status: ReportStatus,
    /// Person or company.
    pub subject_type: RecordKind,
    /// The record.
    pub service_id: Uuid,
    /// What is wrong.
    pub issue_type: IssueType,
    /// How much is concerned.
    pub issue_level: IssueLevel,
    /// Field or group.
    pub field: Option<String>,
    /// When it was received.
    pub created_at: DateTime<Utc>,
    /// Every step.
    pub history: Vec<ReportStep>,
}

/// A report with what it says, for who decides on it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReportShown {
    /// The report.
    #[serde(flatten)]
    pub report: ReportView,
    /// Personal data; none once erased.
    pub details: Option<ReportDetails>,
}

/// One step of a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReportStep {
    /// The status from then on.
    pub status: ReportStatus,
    /// When.
    pub at: DateTime<Utc>,
    /// Reason of a rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Build of a correction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<BuildName>,
}
