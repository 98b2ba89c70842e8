//! From the answer of an admission that is none to the error body (`docs/API.md`, "Errors"); one `match` without wildcard.

use events_schema::api::caller::NoCaller;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::error_code::ErrorCode;
use events_schema::api::internal::{Answer, RateWindow, Refusal};
use events_schema::api::limits::{OWN_ACCOUNT_RATE_LIMIT, RATE_WINDOW_SECONDS};
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
            &headers::of_refusal(&refusal, rate.as_ref(), standing.as_ref()),
        ),
        answer => unanswered(answer),
    }
}

/// The problem behind an answer by which nobody may read what is its account's.
pub(super) fn not_seen(answer: Answer) -> Problem {
    match answer {
        Answer::Refused { refusal, rate, .. } => of_own_account(&refusal, rate.as_ref()),
        answer => unanswered(answer),
    }
}

/// Why nobody may read what is its account's: the key, or the limit of that.
pub(super) fn of_own_account(refusal: &Refusal, rate: Option<&RateWindow>) -> Problem {
    let problem = match refusal {
        Refusal::RateLimited => rate_limited(rate, OWN_ACCOUNT_RATE_LIMIT),
        Refusal::InvalidApiKey
        | Refusal::EndpointNotAllowed
        | Refusal::NoActiveContract
        | Refusal::DifferentRequest
        | Refusal::InProgress
        | Refusal::ContractExhausted { .. }
        | Refusal::InsufficientCredits { .. }
        | Refusal::ContractExpired { .. } => no_caller(NoCaller::INVALID_KEY),
    };
    headers::on(problem, &headers::of_refusal(refusal, rate, None))
}

/// The problem of a part that did not do what was asked.
fn unanswered(answer: Answer) -> Problem {
    match answer {
        Answer::Unavailable {
            component,
            retry_after_seconds,
        } => Problem::unavailable(&component, retry_after_seconds.into()),
        Answer::Unknown {
            retry_after_seconds,
        } => Problem::unknown_outcome("ledger", retry_after_seconds.into()),
        Answer::Refused { .. }
        | Answer::Admitted { .. }
        | Answer::Replay { .. }
        | Answer::Noted { .. }
        | Answer::Settled { .. }
        | Answer::SettledBefore { .. }
        | Answer::Released { .. }
        | Answer::Valid(_)
        | Answer::Seen { .. }
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
        Refusal::RateLimited => rate_limited(rate, asked.endpoint.default_rate_limit()),
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

/// 429. The owner always sends the window with this refusal; without it the whole window is the safe answer.
fn rate_limited(rate: Option<&RateWindow>, default_limit: u32) -> Problem {
    let limit = rate.map_or(default_limit, |rate| rate.limit);
    let wait = rate.map_or(RATE_WINDOW_SECONDS, |rate| rate.retry_after_seconds);
    let message = refusal::rate_limited(limit, wait);
    Problem::new(ErrorCode::RateLimited.parts(), message)
        .detail("limit", limit)
        .detail("window_seconds", RATE_WINDOW_SECONDS)
        .detail("retry_after_seconds", wait)
        .detail("reset_at", json!(rate.map(|rate| rate.reset_at)))
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
            let window = refusal::rate_limited(50, RATE_WINDOW_SECONDS);
            let message = match refusal {
                Refusal::RateLimited => window,
                refusal => refusal.message(),
            };
            assert_eq!(problem.message(), message);
        }
    }

    #[test]
    fn a_429_says_when_to_come_again_whether_the_window_is_known_or_not() {
        let known = RateWindow {
            limit: 7,
            remaining: 0,
            reset_at: 1_795_262_460,
            retry_after_seconds: 3,
        };
        for (rate, limit, wait) in [(Some(&known), 7, 3), (None, 50, RATE_WINDOW_SECONDS)] {
            let problem = rate_limited(rate, 50);
            assert_eq!(problem.headers()[header::RETRY_AFTER], wait.to_string());
            let details = problem.details_ref();
            assert_eq!(details["limit"], limit);
            assert_eq!(details["retry_after_seconds"], wait);
            assert_eq!(details["reset_at"], json!(rate.map(|rate| rate.reset_at)));
        }
    }

    #[test]
    fn what_was_charged_is_told_from_the_check_of_the_keys_rights_on() {
        let asked = Asked {
            endpoint: Endpoint::ReportPerson,
            idempotency_key: None,
        };
        let refused = |refusal| Answer::Refused {
            refusal,
            rate: None,
            standing: None,
        };
        let unavailable = Answer::Unavailable {
            component: "ledger".to_owned(),
            retry_after_seconds: 1,
        };
        for (answer, is_told) in [
            (refused(Refusal::InvalidApiKey), false),
            (refused(Refusal::RateLimited), false),
            (unavailable, false),
            (refused(Refusal::EndpointNotAllowed), true),
            (refused(Refusal::InProgress), true),
        ] {
            let problem = problem(answer, &asked);
            assert_eq!(problem.headers().contains_key("credits-used"), is_told);
        }
    }
}
