//! `/admin/contracts`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use chrono::NaiveDate;
use events_schema::Credits;
use events_schema::api::admin::{ContractView, CreateContract, EndContract};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits::MAX_PRICE;
use events_schema::ids::{AccountId, ContractId};
use serde_json::{Map, Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::{Fields, Parameters, Problem};

use super::read::{UUID_RULE, by_endpoint, endpoints, parsed, required, required_line};
use super::{AdminState, ByOperator, OnceByOperator};
use crate::domain::contract::MAX_CREDITS;
use crate::http::Failure;
use crate::http::failure::path_id;

const MAX_REASON_CHARS: usize = 500;
const DATE_RULE: &str = "must be a date of the form YYYY-MM-DD";

pub(super) async fn create(
    State(state): State<AdminState>,
    OnceByOperator(cause, once): OnceByOperator,
    RawBody(body): RawBody,
) -> Result<Json<ContractView>, Failure> {
    let contract = read_contract(&parse_object(&body)?)?;
    let created = state.application.create_contract(contract, &once, &cause);
    Ok(Json(created.await?))
}

fn read_contract(map: &Map<String, Value>) -> Result<CreateContract, Problem> {
    let mut fields = Fields::new(
        map,
        &[
            "account_id",
            "credits",
            "endpoints",
            "starts_on",
            "expires_on",
            "prices",
        ],
    );
    let account_id = required::<AccountId>(&mut fields, "account_id", UUID_RULE);
    fields.require("credits");
    let credits = fields.optional_integer("credits", 0..=MAX_CREDITS);
    let set = endpoints(&mut fields, "endpoints");
    let starts_on = parsed::<NaiveDate>(&mut fields, "starts_on", DATE_RULE);
    let expires_on = parsed::<NaiveDate>(&mut fields, "expires_on", DATE_RULE);
    let prices = read_prices(&mut fields);
    fields.finish()?;
    match (account_id, credits, set) {
        (Some(account_id), Some(credits), Some(endpoints)) => Ok(CreateContract {
            account_id,
            credits: Credits(credits),
            endpoints,
            starts_on,
            expires_on,
            prices,
        }),
        _ => Err(Problem::internal()),
    }
}

fn read_prices(fields: &mut Fields<'_>) -> BTreeMap<Endpoint, Credits> {
    let prices = by_endpoint(fields, "prices", &(0..=i64::from(MAX_PRICE)));
    if let Some(free) = prices.keys().find(|endpoint| endpoint.is_free()) {
        fields.fail_within("prices", free.name(), "is always free");
    }
    let prices = prices.into_iter();
    prices
        .map(|(endpoint, price)| (endpoint, Credits(price)))
        .collect()
}

pub(super) async fn list(
    State(state): State<AdminState>,
    parameters: Parameters,
) -> Result<Json<Value>, Failure> {
    let contracts = state
        .application
        .contracts(account_of(&parameters)?)
        .await?;
    Ok(Json(json!({ "contracts": contracts })))
}

/// `?account=ID`.
pub(super) fn account_of(parameters: &Parameters) -> Result<AccountId, Problem> {
    parameters.only(&["account"])?;
    let account = parameters
        .text("account")
        .and_then(|text| text.parse().ok());
    account.ok_or_else(|| parameters.invalid("account", UUID_RULE))
}

pub(super) async fn show(
    State(state): State<AdminState>,
    Path(id): Path<String>,
) -> Result<Json<ContractView>, Failure> {
    let id: ContractId = path_id(&id, "contract")?;
    Ok(Json(state.application.contract(id).await?))
}

pub(super) async fn grant(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    OnceByOperator(cause, once): OnceByOperator,
    RawBody(body): RawBody,
) -> Result<Json<ContractView>, Failure> {
    let id: ContractId = path_id(&id, "contract")?;
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["credits"]);
    fields.require("credits");
    let credits = Credits(fields.integer("credits", 1..=MAX_CREDITS, 1));
    fields.finish()?;
    let application = &state.application;
    let granted = application.grant_credits(id, credits, &once, &cause);
    Ok(Json(granted.await?))
}

pub(super) async fn end(
    State(state): State<AdminState>,
    Path(id): Path<String>,
    ByOperator(cause): ByOperator,
    RawBody(body): RawBody,
) -> Result<Json<ContractView>, Failure> {
    let id: ContractId = path_id(&id, "contract")?;
    let map = parse_object(&body)?;
    let mut fields = Fields::new(&map, &["reason"]);
    let reason = required_line(&mut fields, "reason", MAX_REASON_CHARS);
    fields.finish()?;
    let ended = state
        .application
        .end_contract(id, EndContract { reason }, &cause);
    Ok(Json(ended.await?))
}
