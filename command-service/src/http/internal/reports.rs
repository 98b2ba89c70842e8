//! `POST /internal/reports`: files a report that came in at an instance which does not own its shard.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use events_schema::api::internal::{IdempotencyClaim, Receipt};
use events_schema::ids::{AccountId, BuildName, ReportId};
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportDetails};
use serde::{Deserialize, Serialize};
use service_kit::Problem;
use service_kit::body::RawBody;
use uuid::Uuid;

use super::super::failure::Failure;
use super::{InternalState, typed};
use crate::application::{Cause, Filed, NewReport};

/// A checked report with its cause, as it travels between instances.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::http) struct FileReport {
    pub(in crate::http) report_id: ReportId,
    pub(in crate::http) subject_type: RecordKind,
    pub(in crate::http) service_id: Uuid,
    pub(in crate::http) issue_type: IssueType,
    pub(in crate::http) issue_level: IssueLevel,
    pub(in crate::http) field: Option<String>,
    pub(in crate::http) data_build: BuildName,
    pub(in crate::http) record_last_seen: Option<String>,
    pub(in crate::http) received_at: DateTime<Utc>,
    pub(in crate::http) account_id: AccountId,
    pub(in crate::http) details: ReportDetails,
    pub(in crate::http) request_id: Uuid,
    pub(in crate::http) actor: String,
    pub(in crate::http) traceparent: Option<String>,
    /// Kept with the report, so that claim and report are durable together.
    pub(in crate::http) idempotency: Option<(IdempotencyClaim, Receipt)>,
}

impl FileReport {
    pub(in crate::http) fn into_parts(self) -> (NewReport, Cause) {
        let report = NewReport {
            report_id: self.report_id,
            subject_type: self.subject_type,
            service_id: self.service_id,
            issue_type: self.issue_type,
            issue_level: self.issue_level,
            field: self.field,
            data_build: self.data_build,
            record_last_seen: self.record_last_seen,
            received_at: self.received_at,
            account_id: self.account_id,
            details: self.details,
            idempotency: self.idempotency,
        };
        let cause = Cause {
            request_id: self.request_id,
            actor: self.actor,
            traceparent: self.traceparent,
        };
        (report, cause)
    }
}

pub(super) async fn file(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<Json<Filed>, Problem> {
    let report: FileReport = typed(&body)?;
    let (new, cause) = report.into_parts();
    let filed = state.application.file_report(new, &cause).await;
    filed
        .map(Json)
        .map_err(|error| Failure::from(error).into_problem())
}
