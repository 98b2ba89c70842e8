//! `POST /internal/reports`: files a report that came in at an instance which does not own its shard.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use service_kit::Problem;
use service_kit::body::RawBody;

use super::super::failure::Failure;
use super::{InternalState, typed};
use crate::application::{Cause, Filed, NewReport};

/// A checked report with its cause, as it travels between instances.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::http) struct FileReport {
    #[serde(flatten)]
    pub(in crate::http) report: NewReport,
    #[serde(flatten)]
    pub(in crate::http) cause: Cause,
}

pub(super) async fn file(
    State(state): State<InternalState>,
    RawBody(body): RawBody,
) -> Result<Json<Filed>, Problem> {
    let FileReport { report, cause } = typed(&body)?;
    let filed = state.application.file_report(report, &cause).await;
    filed
        .map(Json)
        .map_err(|error| Failure::from(error).into_problem())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_report_and_its_cause_travel_as_one_flat_object() {
        let sent = json!({
            "report_id": "1eb21228-c5ba-8701-9924-8ff5ab939888",
            "subject_type": "person",
            "service_id": "fb7a39e7-9420-5c40-98a0-161df9a67d2e",
            "issue_type": "outdated",
            "issue_level": "field",
            "field": "job_title",
            "data_build": "b1",
            "record_last_seen": null,
            "received_at": "2026-11-22T13:28:00Z",
            "account_id": "1eb21228-c5ba-8701-9924-8ff5ab939888",
            "details": { "observed_value": null, "stored_value": null, "correct_value": "chief", "comment": null },
            "idempotency": null,
            "request_id": "01a20371-d8aa-739a-b324-c8c767b4059a",
            "actor": "api_key:k",
            "traceparent": null,
        });
        let read: FileReport = serde_json::from_value(sent.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), sent);
        let nobody = json!({ "actor": Value::Null });
        assert!(serde_json::from_value::<FileReport>(nobody).is_err());
    }
}
