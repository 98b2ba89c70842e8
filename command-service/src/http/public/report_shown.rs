//! `GET /utility/report/{report_id}`: what has become of a report, for the account that filed it (`docs/REPORTS.md`).

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use events_schema::api::admin::{ReportStep, ReportView};
use events_schema::api::caller::api_key;
use events_schema::api::internal::{Answer, Call};
use events_schema::api::usage::Usage;
use events_schema::ids::{BuildName, ReportId};
use events_schema::report::v1::ReportStatus;
use http::{HeaderMap, Uri, header};
use serde::Serialize;
use service_kit::edge::correlation_id;
use service_kit::{Parameters, Problem};

use super::refusal::not_seen;
use super::report::{FiledReport, shown_time};
use super::{NO_STORE, PublicState};
use crate::http::failure::{no_caller, not_found, path_id};

/// As it was answered when it was filed, with where it stands now and how it came there.
#[derive(Serialize)]
struct ShownReport {
    #[serde(flatten)]
    report: FiledReport,
    history: Vec<ShownStep>,
}

#[derive(Serialize)]
struct ShownStep {
    status: ReportStatus,
    at: String,
    reason: Option<String>,
    data_build: Option<BuildName>,
}

pub(super) async fn show(
    State(state): State<PublicState>,
    report_id: Result<Path<String>, PathRejection>,
    parameters: Result<Parameters, Problem>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let api_key = api_key(&request).map_err(no_caller)?.to_owned();
    let (caller, rate) = match state.peers.answer(Call::Look { api_key }).await {
        Answer::Seen { caller, rate, .. } => (caller, rate),
        answer => return Err(not_seen(answer)),
    };
    let mut headers = Usage::free(Some(rate), None).headers();
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    let shown = async {
        correlation_id(&request)?;
        parameters?.only(&[])?;
        let Path(report_id) = report_id.map_err(|_| not_found("report"))?;
        let report_id = path_id(&report_id, "report")?;
        state.peers.report_of(caller.account_id, report_id).await
    };
    match shown.await {
        Ok(report) => Ok((headers, Json(shown_report(report))).into_response()),
        Err(problem) => Err(problem.add_headers(headers)),
    }
}

/// Another method than GET: what is no id is a kind of report that there is not.
pub(super) async fn refuse(Path(report_id): Path<String>, uri: Uri) -> Problem {
    if report_id.parse::<ReportId>().is_ok() {
        Problem::method_not_allowed(&["GET", "HEAD"])
    } else {
        Problem::route_not_found(uri.path())
    }
}

fn shown_report(view: ReportView) -> ShownReport {
    let step = |step: ReportStep| ShownStep {
        status: step.status,
        at: shown_time(step.at),
        reason: step.reason,
        data_build: step.build,
    };
    ShownReport {
        report: FiledReport {
            report_id: view.report_id,
            status: view.status,
            subject_type: view.subject_type,
            service_id: view.service_id,
            issue_type: view.issue_type,
            issue_level: view.issue_level,
            field: view.field,
            created_at: shown_time(view.created_at),
        },
        history: view.history.into_iter().map(step).collect(),
    }
}
