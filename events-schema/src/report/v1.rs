//! Events of a data-quality report, version 1. None holds a reported value: those are personal data and
//! travel in `report-details.v1` (`docs/REPORTS.md`, "Topics").

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{BuildName, ReportId};
use crate::record::RecordKind;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueType {
    /// The value is wrong.
    Incorrect,
    /// The value was right once.
    Outdated,
    /// The value belongs to somebody else.
    Misattributed,
    /// The record mixes several people or companies.
    Frankenstein,
    /// Persons only.
    NotARealPerson,
    /// Another record is about the same subject.
    Duplicate,
}

impl IssueType {
    /// Accepted values.
    pub const NAMES: &'static [&'static str] = &[
        "incorrect",
        "outdated",
        "misattributed",
        "frankenstein",
        "not_a_real_person",
        "duplicate",
    ];
}

/// How much of the record is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueLevel {
    /// The record as a whole.
    Record,
    /// A group of fields, e.g. `experience`.
    Group,
    /// One field, e.g. `emails.address`.
    Field,
}

impl IssueLevel {
    /// Accepted values.
    pub const NAMES: &'static [&'static str] = &["record", "group", "field"];
}

/// Where a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportStatus {
    /// Filed.
    Received,
    /// Somebody looks at it.
    UnderReview,
    /// It is right; a correction is to come.
    Accepted,
    /// It is not acted on.
    Rejected,
    /// A data build carries the correction.
    Corrected,
}

/// `report.person.received.v1`, `report.company.received.v1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportReceived {
    /// The report.
    pub report_id: ReportId,
    /// Person or company.
    pub subject_type: RecordKind,
    /// The record, after merged ids are resolved.
    pub service_id: Uuid,
    /// What is wrong.
    pub issue_type: IssueType,
    /// How much is concerned.
    pub issue_level: IssueLevel,
    /// Field or group; none at record level.
    pub field: Option<String>,
    /// The data build that was active.
    pub data_build: BuildName,
    /// `last_seen` of the record then.
    pub record_last_seen: Option<String>,
    /// The HTTP request.
    pub request_id: Uuid,
    /// Keyed hash of the account, 32 hexadecimal characters.
    pub reporter: String,
    /// When it was received.
    pub received_at: DateTime<Utc>,
}

/// `report.under_review.v1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportReviewed {
    /// The report.
    pub report_id: ReportId,
    /// The record.
    pub service_id: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// `report.accepted.v1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportAccepted {
    /// The report.
    pub report_id: ReportId,
    /// The record.
    pub service_id: Uuid,
    /// When.
    pub at: DateTime<Utc>,
}

/// `report.rejected.v1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportRejected {
    /// The report.
    pub report_id: ReportId,
    /// The record.
    pub service_id: Uuid,
    /// Why, in the operator's words; never a reported value.
    pub reason: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// `report.corrected.v1`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportCorrected {
    /// The report.
    pub report_id: ReportId,
    /// The record.
    pub service_id: Uuid,
    /// The data build that carries the correction.
    pub data_build: BuildName,
    /// When.
    pub at: DateTime<Utc>,
}

/// The values of a report: never in the event log, erasable, in topic `report-details.v1`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReportDetails {
    /// What the client saw.
    pub observed_value: Option<String>,
    /// What the read model held at that moment.
    pub stored_value: Option<serde_json::Value>,
    /// What it should be.
    pub correct_value: Option<String>,
    /// Free text, up to 2,000 characters.
    pub comment: Option<String>,
}

/// Value of `report-details.v1`, key report id: the values with what they are about. A tombstone (null) erases them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportDetailsMessage {
    /// The report.
    pub report_id: ReportId,
    /// Person or company.
    pub subject_type: RecordKind,
    /// The record.
    pub service_id: Uuid,
    /// The values.
    #[serde(flatten)]
    pub details: ReportDetails,
}

/// Value of `report-status.v1`, key report id: where the report stands now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportStatusMessage {
    /// The report.
    pub report_id: ReportId,
    /// Where it stands.
    pub status: ReportStatus,
    /// The record.
    pub service_id: Uuid,
    /// Since when.
    pub at: DateTime<Utc>,
}
