//! `/admin/accounts`.

use axum::Json;
use axum::extract::State;
use events_schema::api::admin::{AccountView, OpenAccount};
use serde_json::{Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Parameters};

use super::read::required_line;
use super::{AdminState, OnceByOperator};
use crate::http::Failure;

const MAX_NAME_CHARS: usize = 200;
/// Most accounts in one answer.
const MAX_LISTED: i64 = 1_000;

pub(super) async fn open(
    State(state): State<AdminState>,
    OnceByOperator(cause, once): OnceByOperator,
    RawBody(body): RawBody,
) -> Result<Json<AccountView>, Failure> {
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["name"]);
    let name = required_line(&mut fields, "name", MAX_NAME_CHARS);
    fields.finish()?;
    let account = OpenAccount { name };
    let opened = state.application.open_account(account, &once, &cause);
    Ok(Json(opened.await?))
}

/// `GET /admin/accounts?limit=…&cursor=…`.
pub(super) async fn list(
    State(state): State<AdminState>,
    parameters: Parameters,
) -> Result<Json<Value>, Failure> {
    parameters.only(&["limit", "cursor"])?;
    let limit = parameters.integer("limit", 1..=MAX_LISTED)?;
    let limit = limit.unwrap_or(MAX_LISTED);
    let after = parameters.cursor()?;
    if let Some(after) = after
        && !state.application.is_account(after).await?
    {
        return Err(parameters.no_cursor().into());
    }
    let (accounts, goes_on) = state.application.accounts(after, limit).await?;
    let next_cursor = accounts.last().filter(|_| goes_on);
    let next_cursor = next_cursor.map(|account| account.account_id);
    Ok(Json(
        json!({ "accounts": accounts, "next_cursor": next_cursor }),
    ))
}
