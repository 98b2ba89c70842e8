//! `/admin/reports`: triage of data-quality reports.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use events_schema::api::admin::{ReportShown, ReportView};
use events_schema::ids::{BuildName, ReportId};
use events_schema::report::v1::ReportStatus;
use http::StatusCode;
use serde_json::{Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Parameters, Problem};

use super::read::{NoFields, required};
use super::{AdminState, ByOperator};
use crate::application::ReportFilter;
use crate::http::Failure;
use crate::http::failure::path_id;

const DEFAULT_LIMIT: i64 = 50;
const MAX_LIMIT: i64 = 500;
const MAX_REASON_CHARS: usize = 500;
/// How long an erasure waits for Kafka to take the tombstone.
const TOMBSTONE_WAIT: Duration = Duration::from_secs(10);

pub(super) async fn list(
    State(state): State<AdminState>,
    parameters: Parameters,
) -> Result<Json<Value>, Failure> {
    let filter = read_filter(&parameters)?;
    if let Some(after) = filter.after
        && !state.application.is_report(after).await?
    {
        return Err(parameters.no_cursor().into());
    }
    let page = state.application.reports(filter).await?;
    let next_cursor = page.last.filter(|_| page.goes_on);
    Ok(Json(json!({
        "reports": page.found,
        "unreadable": page.unreadable,
        "next_cursor": next_cursor,
    })))
}

fn read_filter(parameters: &Parameters) -> Result<ReportFilter, Problem> {
    parameters.only(&["status", "limit", "cursor"])?;
    let status = parameters.text("status").map(|word| {
        let status: Result<ReportStatus, _> = serde_json::from_value(json!(word));
        let rule = "must be one of received, under_review, accepted, rejected, corrected";
        status.map_err(|_| parameters.invalid("status", rule))
    });
    let limit = parameters.integer("limit", 1..=MAX_LIMIT)?;
    Ok(ReportFilter {
        status: status.transpose()?,
        limit: limit.unwrap_or(DEFAULT_LIMIT),
        after: parameters.cursor()?,
    })
}

pub(super) async fn show(
    State(state): State<AdminState>,
    Path(id): Path<String>,
) -> Result<Json<ReportShown>, Failure> {
    let id = report(&id)?;
    let report = state.application.report(id).await?;
    let details = state.application.report_details(id).await?;
    Ok(Json(ReportShown { report, details }))
}

pub(super) async fn review(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Json<ReportView>, Failure> {
    let reviewed = state.application.review_report(report(&id)?, &cause);
    Ok(Json(reviewed.await?))
}

pub(super) async fn accept(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Json<ReportView>, Failure> {
    let accepted = state.application.accept_report(report(&id)?, &cause);
    Ok(Json(accepted.await?))
}

pub(super) async fn reject(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    RawBody(body): RawBody,
) -> Result<Json<ReportView>, Failure> {
    let id = report(&id)?;
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["reason"]);
    let reason = fields
        .required_string("reason", MAX_REASON_CHARS)
        .to_owned();
    fields.finish()?;
    let rejected = state.application.reject_report(id, reason, &cause);
    Ok(Json(rejected.await?))
}

pub(super) async fn correct(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    RawBody(body): RawBody,
) -> Result<Json<ReportView>, Failure> {
    let id = report(&id)?;
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["build"]);
    let build = required::<BuildName>(&mut fields, "build", "must be the name of a data build");
    fields.finish()?;
    let build = build.ok_or_else(Problem::internal)?;
    let corrected = state.application.correct_report(id, build, &cause);
    Ok(Json(corrected.await?))
}

/// `DELETE /admin/reports/{id}/details`. 204 means that the values are gone from the store and that Kafka has the
/// tombstone; 202 that they are gone from the store, which owes the tombstone and sends it by itself.
pub(super) async fn erase_details(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Response, Failure> {
    let id = report(&id)?;
    state.application.erase_report_details(id, &cause).await?;
    if state.publisher.until_erased(id, TOMBSTONE_WAIT).await {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let owed = json!({ "report_id": id, "tombstone": "owed" });
    Ok((StatusCode::ACCEPTED, Json(owed)).into_response())
}

fn report(id: &str) -> Result<ReportId, Problem> {
    path_id(id, "report")
}
