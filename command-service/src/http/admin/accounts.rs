//! `/admin/accounts`.

use axum::Json;
use axum::extract::State;
use events_schema::api::admin::{AccountView, OpenAccount};
use serde_json::{Value, json};
use service_kit::Fields;
use service_kit::body::{RawBody, parse_object};

use super::{AdminState, OnceByOperator};
use crate::http::Failure;

const MAX_NAME_CHARS: usize = 200;

pub(super) async fn open(
    State(state): State<AdminState>,
    OnceByOperator(cause, once): OnceByOperator,
    RawBody(body): RawBody,
) -> Result<Json<AccountView>, Failure> {
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["name"]);
    let name = fields.required_string("name", MAX_NAME_CHARS).to_owned();
    fields.finish()?;
    let account = OpenAccount { name };
    let opened = state.application.open_account(account, &once, &cause);
    Ok(Json(opened.await?))
}

pub(super) async fn list(State(state): State<AdminState>) -> Result<Json<Value>, Failure> {
    let accounts = state.application.accounts().await?;
    Ok(Json(json!({ "accounts": accounts })))
}
