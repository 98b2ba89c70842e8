//! `/admin/keys`.

use axum::Json;
use axum::extract::{Path, State};
use events_schema::api::admin::{ApiKeyView, IssueApiKey, IssuedApiKey};
use events_schema::api::limits::MAX_RATE_LIMIT;
use events_schema::ids::{AccountId, ApiKeyId};
use serde_json::{Map, Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Parameters, Problem};

use super::contracts::account_of;
use super::read::{NoFields, UUID_RULE, by_endpoint, endpoints, required};
use super::{AdminState, ByOperator, OnceByOperator};
use crate::http::Failure;
use crate::http::failure::path_id;

/// The one answer that shows a key.
pub(super) async fn issue(
    State(state): State<AdminState>,
    OnceByOperator(cause, once): OnceByOperator,
    RawBody(body): RawBody,
) -> Result<Json<IssuedApiKey>, Failure> {
    let key = read_key(&parse_object(&body)?)?;
    let issued = state.application.issue_api_key(key, &once, &cause);
    Ok(Json(issued.await?))
}

fn read_key(map: &Map<String, Value>) -> Result<IssueApiKey, Problem> {
    let mut fields = Fields::new(map, &["account_id", "endpoints", "rate_limits"]);
    let account_id = required::<AccountId>(&mut fields, "account_id", UUID_RULE);
    let set = endpoints(&mut fields, "endpoints");
    let rate_limits = by_endpoint(&mut fields, "rate_limits", &(1..=i64::from(MAX_RATE_LIMIT)));
    fields.finish()?;
    let (Some(account_id), Some(endpoints)) = (account_id, set) else {
        return Err(Problem::internal());
    };
    let rate_limits = rate_limits.into_iter();
    let rate_limits = rate_limits
        .filter_map(|(endpoint, limit)| Some((endpoint, u32::try_from(limit).ok()?)))
        .collect();
    Ok(IssueApiKey {
        account_id,
        endpoints,
        rate_limits,
    })
}

pub(super) async fn list(
    State(state): State<AdminState>,
    parameters: Parameters,
) -> Result<Json<Value>, Failure> {
    let keys = state.application.api_keys(account_of(&parameters)?).await?;
    Ok(Json(json!({ "keys": keys })))
}

pub(super) async fn revoke(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    NoFields: NoFields,
) -> Result<Json<ApiKeyView>, Failure> {
    let id: ApiKeyId = path_id(&id, "api_key")?;
    Ok(Json(state.application.revoke_api_key(id, &cause).await?))
}
