//! From the answer of an admission that is none to the error body (`docs/API.md`, "Errors"); one `match` without wildcard.

use events_schema::api::caller::NoCaller;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::error_code::ErrorCode;
use events_schema::api::internal::{Answer, RateWindow, Refusal};
use events_schema::api::limits::RATE_WINDOW_SECONDS;
use events_schema::api::refusal;
use http::{HeaderValue, header};
use serde_json::json;
use service_kit::Problem;

use super::headers;
use crate::http::failure::no_caller;

/// What was asked, for the words of a refusal.
pub(super) struct Asked<'a> {
    pub(super) endpoint: Endpoint,
    pub(super) idempotency_key: Option<&'a str>,
}

/// The problem behind an answer that admits nothing.
pub(super) fn problem(answer: Answer, asked: &Asked<'_>) -> Problem {
    match answer {
        Answer::Refused {
            refusal,
            rate,
            standing,
        } => headers::on(
            of(&refusal, rate.as_ref(), asked),
            &headers::free(rate.as_ref(), standing.as_ref()),
        ),
        Answer::Unavailable {
            component,
            retry_after_seconds,
        } => headers::on(
            Problem::unavailable(&component, retry_after_seconds.into()),
            &headers::free(None, None),
        ),
        Answer::Unknown {
            retry_after_seconds,
        } => headers::on(
            Problem::unknown_outcome("ledger", retry_after_seconds.into()),
            &headers::free(None, None),
        ),
        Answer::Admitted { .. }
        | Answer::Replay { .. }
        | Answer::Noted { .. }
        | Answer::Settled { .. }
        | Answer::SettledBefore { .. }
        | Answer::Released { .. }
        | Answer::Valid(_)
        | Answer::Elsewhere { .. } => {
            tracing::error!("the ledger answered something else than was asked");
            Problem::internal()
        }
    }
}

fn of(refusal: &Refusal, rate: Option<&RateWindow>, asked: &Asked<'_>) -> Problem {
    let message = refusal.message();
    match refusal {
        Refusal::InvalidApiKey => no_caller(NoCaller::INVALID_KEY),
        Refusal::RateLimited => rate_limited(rate),
        Refusal::EndpointNotAllowed => forbidden("endpoint_not_allowed", message, asked),
        Refusal::NoActiveContract => forbidden("no_active_contract", message, asked),
        Refusal::DifferentRequest => conflict("different_request", message, asked),
        Refusal::InProgress => conflict("in_progress", message, asked),
        Refusal::InsufficientCredits {
            required,
            available,
        } => Problem::new(ErrorCode::InsufficientCredits.parts(), message)
            .detail("credits_required", required.0)
            .detail("credits_available", available.0),
        Refusal::ContractExhausted {
            credits_remaining,
            expiration_date,
        } => Problem::new(ErrorCode::ContractExhausted.parts(), message)
            .detail("credits_remaining", credits_remaining.0)
            .detail("expiration_date", json!(expiration_date))
            .detail("is_expired", false),
        Refusal::ContractExpired {
            credits_remaining,
            expiration_date,
        } => Problem::new(ErrorCode::ContractExpired.parts(), message)
            .detail("credits_remaining", credits_remaining.0)
            .detail("expiration_date", json!(expiration_date))
            .detail("is_expired", true),
    }
}

/// 429.
pub(super) fn rate_limited(rate: Option<&RateWindow>) -> Problem {
    let Some(rate) = rate else {
        let message = Refusal::RateLimited.message();
        return Problem::new(ErrorCode::RateLimited.parts(), message);
    };
    let wait = rate.retry_after_seconds;
    let message = refusal::rate_limited(rate.limit, wait);
    Problem::new(ErrorCode::RateLimited.parts(), message)
        .detail("limit", rate.limit)
        .detail("window_seconds", RATE_WINDOW_SECONDS)
        .detail("retry_after_seconds", wait)
        .detail("reset_at", rate.reset_at)
        .header(header::RETRY_AFTER, HeaderValue::from(wait))
}

fn forbidden(reason: &'static str, message: String, asked: &Asked<'_>) -> Problem {
    Problem::new(ErrorCode::Forbidden.parts(), message)
        .detail("reason", reason)
        .detail("endpoint", asked.endpoint.route())
}

fn conflict(reason: &'static str, message: String, asked: &Asked<'_>) -> Problem {
    let (status, slug, _) = ErrorCode::IdempotencyConflict.parts();
    Problem::new((status, slug, reason == "in_progress"), message)
        .detail("idempotency_key", json!(asked.idempotency_key))
        .detail("reason", reason)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use events_schema::credits::Credits;

    use super::*;

    #[test]
    fn a_refusal_is_told_in_the_words_that_every_service_uses() {
        let asked = Asked {
            endpoint: Endpoint::ReportPerson,
            idempotency_key: Some("k"),
        };
        for refusal in [
            Refusal::InvalidApiKey,
            Refusal::RateLimited,
            Refusal::EndpointNotAllowed,
            Refusal::NoActiveContract,
            Refusal::DifferentRequest,
            Refusal::InProgress,
            Refusal::InsufficientCredits {
                required: Credits(5),
                available: Credits(4),
            },
            Refusal::ContractExhausted {
                credits_remaining: Credits(0),
                expiration_date: None,
            },
            Refusal::ContractExpired {
                credits_remaining: Credits(4),
                expiration_date: NaiveDate::MIN,
            },
        ] {
            let problem = of(&refusal, None, &asked);
            assert_eq!(problem.message(), refusal.message());
        }
    }
}
