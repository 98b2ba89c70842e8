//! The response headers that only the handler knows (`docs/API.md`, "Response headers").

use events_schema::api::internal::{RateWindow, Refusal, Standing};
use http::{HeaderMap, HeaderName, HeaderValue};
use service_kit::Problem;

const CREDITS_USED: HeaderName = HeaderName::from_static("credits-used");
const CREDITS_REMAINING: HeaderName = HeaderName::from_static("credits-remaining");
const CONTRACT_ID: HeaderName = HeaderName::from_static("contract-id");

/// Rate limit, contract if one serves, and that nothing was charged.
pub(super) fn free(rate: Option<&RateWindow>, standing: Option<&Standing>) -> HeaderMap {
    let mut headers = limits(rate);
    headers.insert(CREDITS_USED, HeaderValue::from_static("0"));
    if let Some(standing) = standing {
        headers.insert(
            CREDITS_REMAINING,
            HeaderValue::from(standing.credits_remaining.0),
        );
        set(
            &mut headers,
            CONTRACT_ID.as_str(),
            &standing.contract_id.to_string(),
        );
    }
    headers
}

/// Those of a refusal: what was charged is told from the check of the key's rights on.
pub(super) fn of_refusal(
    refusal: &Refusal,
    rate: Option<&RateWindow>,
    standing: Option<&Standing>,
) -> HeaderMap {
    match refusal {
        Refusal::InvalidApiKey => HeaderMap::new(),
        Refusal::RateLimited => limits(rate),
        Refusal::EndpointNotAllowed
        | Refusal::NoActiveContract
        | Refusal::DifferentRequest
        | Refusal::InProgress
        | Refusal::InsufficientCredits { .. }
        | Refusal::ContractExhausted { .. }
        | Refusal::ContractExpired { .. } => free(rate, standing),
    }
}

fn limits(rate: Option<&RateWindow>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(rate) = rate {
        set(
            &mut headers,
            "ratelimit-policy",
            &format!("{}/min", rate.limit),
        );
        set(&mut headers, "ratelimit-limit", &rate.limit.to_string());
        set(
            &mut headers,
            "ratelimit-remaining",
            &rate.remaining.to_string(),
        );
        set(&mut headers, "ratelimit-reset", &rate.reset_at.to_string());
    }
    headers
}

fn set(headers: &mut HeaderMap, name: &str, text: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(text)) {
        headers.insert(name, value);
    }
}

/// A problem that is answered with these headers.
pub(super) fn on(problem: Problem, headers: &HeaderMap) -> Problem {
    headers.iter().fold(problem, |problem, (name, value)| {
        problem.header(name.clone(), value.clone())
    })
}
