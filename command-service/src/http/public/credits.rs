//! `GET /credits`: the account's contracts, and the one that would serve next. Free, with a rate limit of its own.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{NaiveDate, Utc};
use events_schema::api::admin::ContractView;
use events_schema::api::caller::api_key;
use events_schema::api::endpoint::Endpoint;
use events_schema::credits::Credits;
use http::{HeaderMap, header};
use serde_json::{Map, Value, json};
use service_kit::edge::correlation_id;
use service_kit::{Parameters, Problem};

use super::refusal::of_own_account;
use super::{NO_STORE, PublicState, headers};
use crate::application::CreditsOf;
use crate::http::failure::no_caller;

pub(super) async fn show(
    State(state): State<PublicState>,
    parameters: Result<Parameters, Problem>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let key = api_key(&request).map_err(no_caller)?;
    let contracts = match state.peers.credits(key).await? {
        CreditsOf::Contracts(contracts) => contracts,
        CreditsOf::Refused(refusal, rate) => return Err(of_own_account(&refusal, rate.as_ref())),
    };
    correlation_id(&request)?;
    parameters?.only(&[])?;
    let body = body(&contracts, Utc::now().date_naive());
    let mut headers = headers::free(None, None);
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    Ok((headers, Json(body)).into_response())
}

/// The contract that would serve next at the top level, all contracts below it.
fn body(contracts: &[ContractView], today: NaiveDate) -> Value {
    let serves = |contract: &&ContractView| !contract.is_expired && contract.starts_on <= today;
    let has_credits = |contract: &&ContractView| {
        contract.credits_remaining.minus(contract.credits_held) > Some(Credits::ZERO)
    };
    let mut active = contracts.iter().filter(serves);
    let next = active.clone().find(has_credits).or_else(|| active.next());
    let mut body = next.map_or_else(nobody, keys);
    if let Value::Object(map) = &mut body {
        let all: Vec<Value> = contracts.iter().map(keys).collect();
        map.insert("contracts".to_owned(), Value::Array(all));
    }
    body
}

fn keys(contract: &ContractView) -> Value {
    json!({
        "contract_id": contract.contract_id,
        "credits_total": contract.credits_total,
        "credits_used": contract.credits_used,
        "credits_held": contract.credits_held,
        "credits_remaining": contract.credits_remaining,
        "expiration_date": contract.expiration_date,
        "is_expired": contract.is_expired,
        "prices": prices(contract),
    })
}

/// Credits a unit, by the names of the paid endpoints that the contract covers.
fn prices(contract: &ContractView) -> Map<String, Value> {
    let paid = Endpoint::ALL.iter().filter(|endpoint| !endpoint.is_free());
    paid.filter(|endpoint| contract.endpoints.contains(**endpoint))
        .map(|endpoint| {
            let price = endpoint.price(&contract.prices);
            (endpoint.name().to_owned(), json!(price))
        })
        .collect()
}

fn nobody() -> Value {
    json!({
        "contract_id": null,
        "credits_total": null,
        "credits_used": null,
        "credits_held": null,
        "credits_remaining": null,
        "expiration_date": null,
        "is_expired": null,
        "prices": null,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use events_schema::api::endpoint::EndpointSet;
    use events_schema::ids::{AccountId, ContractId};

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn contract(n: u8, starts: &str, is_expired: bool, remaining: i64) -> ContractView {
        let account_id = AccountId::new([9; 16]);
        ContractView {
            contract_id: ContractId::new(account_id, [n; 16]),
            account_id,
            endpoints: EndpointSet::All,
            credits_total: Credits(100),
            credits_used: Credits(100 - remaining),
            credits_held: Credits(0),
            credits_remaining: Credits(remaining),
            starts_on: day(starts),
            expiration_date: None,
            is_expired,
            ended_at: None,
            end_reason: None,
            prices: BTreeMap::new(),
        }
    }

    fn next(contracts: &[ContractView]) -> Value {
        body(contracts, day("2026-11-21"))["contract_id"].clone()
    }

    #[test]
    fn the_next_contract_is_the_first_active_one_with_credits() {
        let expired = contract(1, "2026-01-01", true, 50);
        let empty = contract(2, "2026-01-01", false, 0);
        let later = contract(3, "2027-01-01", false, 50);
        let good = contract(4, "2026-11-21", false, 50);
        let id = json!(good.contract_id);
        assert_eq!(
            next(&[expired.clone(), empty.clone(), later.clone(), good]),
            id
        );
        assert_eq!(
            next(&[expired, empty.clone(), later]),
            json!(empty.contract_id)
        );
    }

    #[test]
    fn prices_are_those_of_the_paid_endpoints_that_the_contract_covers() {
        let mut one = contract(1, "2026-01-01", false, 50);
        one.prices.insert(Endpoint::PersonSearch, Credits(3));
        one.endpoints = EndpointSet::Only(
            [
                Endpoint::PersonEnrich,
                Endpoint::PersonSearch,
                Endpoint::ReportPerson,
            ]
            .into(),
        );
        let body = body(&[one], day("2026-11-21"));
        let expected = json!({"person_enrich": 1, "person_search": 3});
        assert_eq!(body["prices"], expected);
        assert_eq!(body["contracts"][0]["prices"], expected);
    }

    #[test]
    fn without_an_active_contract_the_top_level_is_null_and_all_are_listed() {
        let body = body(&[contract(1, "2026-01-01", true, 50)], day("2026-11-21"));
        assert_eq!(body["contract_id"], Value::Null);
        assert_eq!(body["is_expired"], Value::Null);
        assert_eq!(body["prices"], Value::Null);
        assert_eq!(body["contracts"][0]["credits_remaining"], 50);
        assert_eq!(body["contracts"][0]["is_expired"], true);
    }
}
