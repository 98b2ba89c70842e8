//! What a client is told when the ledger refuses: the same error body, whichever service says it (`docs/API.md`, "Errors").

use http::{HeaderMap, HeaderValue, header};
use serde_json::{Map, Value, json};

use super::caller::NoCaller;
use super::endpoint::Endpoint;
use super::error_code::ErrorCode;
use super::internal::{RateWindow, Refusal};
use super::limits::{OWN_ACCOUNT_RATE_LIMIT, RATE_WINDOW_SECONDS};

/// Most requests take less: when to ask again for one that is still running.
const IN_PROGRESS_SECONDS: u32 = 1;

/// What was asked, for the details of a refusal.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The `Idempotency-Key` as sent.
    pub idempotency_key: Option<&'a str>,
}

/// The parts of an error body.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// HTTP status, slug, `retryable`.
    pub kind: (u16, &'static str, bool),
    /// One sentence for people.
    pub message: String,
    /// For programs.
    pub details: Map<String, Value>,
    /// When to come again.
    pub headers: HeaderMap,
}

impl Told {
    fn of<const N: usize>(
        code: ErrorCode,
        message: impl Into<String>,
        details: [(&str, Value); N],
    ) -> Self {
        let details = details
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Self {
            kind: code.parts(),
            message: message.into(),
            details: details.collect(),
            headers: HeaderMap::new(),
        }
    }
}

impl Refusal {
    /// What whoever made a request is told, counted in this window where it was counted; one `match` without wildcard, so that a new refusal must choose its answer here.
    #[must_use]
    pub fn told(&self, asked: &Asked<'_>, rate: Option<&RateWindow>) -> Told {
        match self {
            Self::InvalidApiKey => invalid_key(),
            Self::RateLimited => rate_limited(rate, asked.endpoint.default_rate_limit()),
            Self::EndpointNotAllowed => forbidden(
                "endpoint_not_allowed",
                "The API key has no access to this endpoint.",
                asked,
            ),
            Self::NoActiveContract => forbidden(
                "no_active_contract",
                "No active contract covers this endpoint.",
                asked,
            ),
            Self::DifferentRequest => conflict(
                "different_request",
                "The Idempotency-Key was used for another request.",
                asked,
            ),
            Self::InProgress => {
                let message = "The first request with this Idempotency-Key is still running.";
                let mut told = conflict("in_progress", message, asked);
                // The first may end without using the name up.
                told.kind.2 = true;
                told.headers
                    .insert(header::RETRY_AFTER, HeaderValue::from(IN_PROGRESS_SECONDS));
                told
            }
            Self::InsufficientCredits {
                required,
                available,
            } => Told::of(
                ErrorCode::InsufficientCredits,
                format!(
                    "This request may cost up to {required} credits; {available} are available."
                ),
                [
                    ("credits_required", json!(required)),
                    ("credits_available", json!(available)),
                ],
            ),
            Self::ContractExhausted {
                credits_remaining,
                expiration_date,
            } => Told::of(
                ErrorCode::ContractExhausted,
                "The contract has no credits left.",
                [
                    ("credits_remaining", json!(credits_remaining)),
                    ("expiration_date", json!(expiration_date)),
                    ("is_expired", json!(false)),
                ],
            ),
            Self::ContractExpired {
                credits_remaining,
                expiration_date,
            } => Told::of(
                ErrorCode::ContractExpired,
                format!("The contract expired on {expiration_date}."),
                [
                    ("credits_remaining", json!(credits_remaining)),
                    ("expiration_date", json!(expiration_date)),
                    ("is_expired", json!(true)),
                ],
            ),
        }
    }

    /// What whoever wants to read what is its account's is told: the key, or the limit of such reading. It costs no credits, so that
    /// nothing else can be refused.
    #[must_use]
    pub fn told_to_reader(&self, rate: Option<&RateWindow>) -> Told {
        match self {
            Self::RateLimited => rate_limited(rate, OWN_ACCOUNT_RATE_LIMIT),
            Self::InvalidApiKey
            | Self::EndpointNotAllowed
            | Self::NoActiveContract
            | Self::DifferentRequest
            | Self::InProgress
            | Self::InsufficientCredits { .. }
            | Self::ContractExhausted { .. }
            | Self::ContractExpired { .. } => invalid_key(),
        }
    }
}

fn invalid_key() -> Told {
    let NoCaller { reason, message } = NoCaller::INVALID_KEY;
    Told::of(
        ErrorCode::Unauthorized,
        message,
        [("reason", json!(reason))],
    )
}

/// 429. The owner always sends the window with this refusal; without it the whole window is the safe answer.
fn rate_limited(rate: Option<&RateWindow>, default_limit: u32) -> Told {
    let limit = rate.map_or(default_limit, |rate| rate.limit);
    let wait = rate.map_or(RATE_WINDOW_SECONDS, |rate| rate.retry_after_seconds);
    let message = format!("Rate limit of {limit}/min reached; retry in {wait} seconds.");
    let details = [
        ("limit", json!(limit)),
        ("window_seconds", json!(RATE_WINDOW_SECONDS)),
        ("retry_after_seconds", json!(wait)),
        ("reset_at", json!(rate.map(|rate| rate.reset_at))),
    ];
    let mut told = Told::of(ErrorCode::RateLimited, message, details);
    told.headers
        .insert(header::RETRY_AFTER, HeaderValue::from(wait));
    told
}

fn forbidden(reason: &str, message: &str, asked: &Asked<'_>) -> Told {
    let details = [
        ("reason", json!(reason)),
        ("endpoint", json!(asked.endpoint.route())),
    ];
    Told::of(ErrorCode::Forbidden, message, details)
}

fn conflict(reason: &str, message: &str, asked: &Asked<'_>) -> Told {
    let details = [
        ("idempotency_key", json!(asked.idempotency_key)),
        ("reason", json!(reason)),
    ];
    Told::of(ErrorCode::IdempotencyConflict, message, details)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credits::Credits;

    #[test]
    fn a_429_says_when_to_come_again_whether_the_window_is_known_or_not() {
        let known = RateWindow {
            limit: 7,
            remaining: 0,
            reset_at: 1_795_262_460,
            retry_after_seconds: 3,
        };
        for (rate, limit, wait) in [(Some(&known), 7, 3), (None, 50, RATE_WINDOW_SECONDS)] {
            let told = rate_limited(rate, 50);
            assert_eq!(told.headers[header::RETRY_AFTER], wait.to_string());
            assert_eq!(told.details["limit"], limit);
            assert_eq!(told.details["retry_after_seconds"], wait);
            let reset_at = rate.map(|rate| rate.reset_at);
            assert_eq!(told.details["reset_at"], json!(reset_at));
        }
    }

    #[test]
    fn each_refusal_has_its_status_and_details() {
        let asked = Asked {
            endpoint: Endpoint::PersonEnrich,
            idempotency_key: None,
        };
        let day = chrono::NaiveDate::MIN;
        for (refusal, kind, details) in [
            (
                Refusal::InvalidApiKey,
                (401, "unauthorized"),
                json!({"reason": "invalid_api_key"}),
            ),
            (
                Refusal::EndpointNotAllowed,
                (403, "forbidden"),
                json!({"reason": "endpoint_not_allowed", "endpoint": "POST /person/enrich"}),
            ),
            (
                Refusal::NoActiveContract,
                (403, "forbidden"),
                json!({"reason": "no_active_contract", "endpoint": "POST /person/enrich"}),
            ),
            (
                Refusal::InsufficientCredits {
                    required: Credits(5),
                    available: Credits(4),
                },
                (402, "insufficient_credits"),
                json!({"credits_required": 5, "credits_available": 4}),
            ),
            (
                Refusal::ContractExhausted {
                    credits_remaining: Credits(0),
                    expiration_date: None,
                },
                (402, "contract_exhausted"),
                json!({"credits_remaining": 0, "expiration_date": null, "is_expired": false}),
            ),
            (
                Refusal::ContractExpired {
                    credits_remaining: Credits(4),
                    expiration_date: day,
                },
                (402, "contract_expired"),
                json!({"credits_remaining": 4, "expiration_date": day, "is_expired": true}),
            ),
        ] {
            let told = refusal.told(&asked, None);
            assert_eq!((told.kind.0, told.kind.1), kind);
            assert_eq!(Value::Object(told.details), details);
            let reader = refusal.told_to_reader(None);
            assert_eq!(reader, Refusal::InvalidApiKey.told(&asked, None));
        }
        assert_eq!(Refusal::RateLimited.told_to_reader(None).kind.0, 429);
    }

    #[test]
    fn only_a_name_whose_first_request_is_at_work_may_be_free_again() {
        let asked = Asked {
            endpoint: Endpoint::PersonEnrich,
            idempotency_key: Some("order-4711"),
        };
        for (refusal, is_retryable) in [
            (Refusal::InProgress, true),
            (Refusal::DifferentRequest, false),
        ] {
            let told = refusal.told(&asked, None);
            assert_eq!(told.kind, (409, "idempotency_conflict", is_retryable));
            assert_eq!(told.details["idempotency_key"], "order-4711");
            let wait = told.headers.get(header::RETRY_AFTER);
            assert_eq!(wait.is_some(), is_retryable);
        }
    }
}
