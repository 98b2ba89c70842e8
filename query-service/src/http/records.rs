//! `GET /internal/records/{kind}/{service_id}?field=…`: what command-service needs to know for a report (`docs/REPORTS.md`).

use axum::Json;
use axum::extract::{Path, Query, State};
use events_schema::api::error_code::ErrorCode;
use events_schema::api::internal::RecordLookup;
use events_schema::record::RecordKind;
use serde::Deserialize;
use serde_json::Value;
use service_kit::Problem;
use uuid::Uuid;

use super::App;
use crate::builds::ActiveBuild;
use crate::enrich::{path, probe};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    field: Option<String>,
}

pub(super) async fn lookup(
    State(app): State<App>,
    Path((kind, service_id)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<RecordLookup>, Problem> {
    let (Ok(kind), Ok(service_id)) = (kind.parse::<RecordKind>(), Uuid::parse_str(&service_id))
    else {
        return Err(not_found(&kind));
    };
    if let Some(field) = wanted
        .field
        .as_deref()
        .filter(|field| kind.field(field).is_none())
    {
        return Err(
            Problem::bad_request("unknown_field", "There is no such field.")
                .detail("unknown_fields", vec![field]),
        );
    }
    let unavailable = || Problem::unavailable("database", u64::from(app.retry_after_seconds));
    let reader = match app.builds.active(kind) {
        ActiveBuild::Open(reader) => reader,
        ActiveBuild::None => return Err(not_found(kind.name())),
        ActiveBuild::Unknown => return Err(unavailable()),
    };
    let probes = [probe::of_id(kind, service_id)];
    let (found, _) = reader
        .candidates(&probes, Some((0, service_id)))
        .await
        .map_err(|fault| {
            tracing::warn!(%fault, "a record could not be read");
            unavailable()
        })?;
    // The record itself before one that replaced it, should a build hold both.
    let record = found
        .into_iter()
        .min_by_key(|candidate| candidate.service_id != service_id);
    let record = record.ok_or_else(|| not_found(kind.name()))?;
    let document = record.whole().map_err(|fault| {
        tracing::warn!(%fault, "the document of a record cannot be read");
        unavailable()
    })?;
    Ok(Json(RecordLookup {
        kind,
        service_id: record.service_id,
        build: reader.build().clone(),
        last_seen: document
            .get("last_seen")
            .and_then(Value::as_str)
            .map(str::to_owned),
        stored_value: wanted
            .field
            .map_or(Value::Null, |field| path::value(&document, &field)),
    }))
}

fn not_found(kind: &str) -> Problem {
    Problem::new(ErrorCode::NotFound.parts(), "There is no such record.")
        .detail("subject_type", kind)
        .detail("reason", "no_match")
}
