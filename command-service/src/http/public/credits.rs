//! `GET /credits`: the account's contracts, and the one that would serve next. Free, with a rate limit of its own.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use events_schema::api::admin::ContractView;
use events_schema::api::caller::api_key;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::usage::Usage;
use http::{HeaderMap, header};
use serde_json::{Map, Value, json};
use service_kit::edge::correlation_id;
use service_kit::{Parameters, Problem};

use super::refusal::of_own_account;
use super::{NO_STORE, PublicState};
use crate::application::{AccountCredits, CreditsOf};
use crate::http::failure::no_caller;

pub(super) async fn show(
    State(state): State<PublicState>,
    parameters: Result<Parameters, Problem>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let key = api_key(&request).map_err(no_caller)?;
    let credits = match state.peers.credits(key).await? {
        CreditsOf::Account(credits) => credits,
        CreditsOf::Refused(refusal, rate) => return Err(of_own_account(&refusal, rate)),
    };
    correlation_id(&request)?;
    parameters?.only(&[])?;
    let body = body(&credits);
    let mut headers = Usage::free(None, None).headers();
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    Ok((headers, Json(body)).into_response())
}

/// The contract that would serve next at the top level, all contracts below it.
fn body(
    AccountCredits {
        contracts,
        serves_next,
    }: &AccountCredits,
) -> Value {
    let serves = |contract: &&ContractView| Some(contract.contract_id) == *serves_next;
    let mut body = contracts.iter().find(serves).map_or_else(nobody, keys);
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
    use events_schema::credits::Credits;
    use events_schema::ids::{AccountId, ContractId};

    use super::*;

    fn contract() -> ContractView {
        let account_id = AccountId::new([9; 16]);
        ContractView {
            contract_id: ContractId::new(account_id, [1; 16]),
            account_id,
            endpoints: EndpointSet::All,
            credits_total: Credits(100),
            credits_used: Credits(50),
            credits_held: Credits(0),
            credits_remaining: Credits(50),
            starts_on: "2026-01-01".parse().unwrap(),
            expiration_date: None,
            is_expired: true,
            ended_at: None,
            end_reason: None,
            prices: BTreeMap::new(),
        }
    }

    #[test]
    fn prices_are_those_of_the_paid_endpoints_that_the_contract_covers() {
        let mut one = contract();
        one.prices.insert(Endpoint::PersonSearch, Credits(3));
        one.endpoints = EndpointSet::Only(
            [
                Endpoint::PersonEnrich,
                Endpoint::PersonSearch,
                Endpoint::ReportPerson,
            ]
            .into(),
        );
        let body = body(&AccountCredits {
            serves_next: Some(one.contract_id),
            contracts: vec![one],
        });
        let expected = json!({"person_enrich": 1, "person_search": 3});
        assert_eq!(body["prices"], expected);
        assert_eq!(body["contracts"][0]["prices"], expected);
    }

    #[test]
    fn without_an_active_contract_the_top_level_is_null_and_all_are_listed() {
        let body = body(&AccountCredits {
            contracts: vec![contract()],
            serves_next: None,
        });
        assert_eq!(body["contract_id"], Value::Null);
        assert_eq!(body["is_expired"], Value::Null);
        assert_eq!(body["prices"], Value::Null);
        assert_eq!(body["contracts"][0]["credits_remaining"], 50);
        assert_eq!(body["contracts"][0]["is_expired"], true);
    }
}
