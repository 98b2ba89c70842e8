//! The response headers that need the ledger's answer (`docs/API.md`, "Response headers"), the same at every listener.

use std::fmt::Display;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::internal::{RateWindow, Refusal, Standing};
use crate::credits::Credits;

/// What is known of a request's limits and credits; what is not known has no header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// From the check of the rate limit on.
    pub rate: Option<RateWindow>,
    /// The contract that serves or would serve.
    pub standing: Option<Standing>,
    /// From the check of the key's rights on; none where nobody knows yet whether a charge stands.
    pub credits_used: Option<Credits>,
}

impl Usage {
    /// With nothing said about credits.
    #[must_use]
    pub const fn limits(rate: Option<RateWindow>) -> Self {
        Self {
            rate,
            standing: None,
            credits_used: None,
        }
    }

    /// Of a request that costs nothing, as yet.
    #[must_use]
    pub const fn free(rate: Option<RateWindow>, standing: Option<Standing>) -> Self {
        Self {
            rate,
            standing,
            credits_used: Some(Credits::ZERO),
        }
    }

    /// Of a refused request. A 401 and a 429 stand before any contract; with a 403 none serves.
    #[must_use]
    pub const fn of_refusal(
        refusal: &Refusal,
        rate: Option<RateWindow>,
        standing: Option<Standing>,
    ) -> Self {
        match refusal {
            Refusal::InvalidApiKey => Self::limits(None),
            Refusal::RateLimited => Self::limits(rate),
            Refusal::EndpointNotAllowed | Refusal::NoActiveContract => Self::free(rate, None),
            Refusal::DifferentRequest
            | Refusal::InProgress
            | Refusal::InsufficientCredits { .. }
            | Refusal::ContractExhausted { .. }
            | Refusal::ContractExpired { .. } => Self::free(rate, standing),
        }
    }

    /// Of what was refused to whoever wants to read what is its account's ([`Refusal::told_to_reader`]).
    #[must_use]
    pub const fn of_reader_refusal(refusal: &Refusal, rate: Option<RateWindow>) -> Self {
        match refusal {
            Refusal::RateLimited => Self::limits(rate),
            _ => Self::limits(None),
        }
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let mut put = |name, value: &dyn Display| {
            // None of these values has a character that a header cannot hold.
            if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        if let Some(rate) = self.rate {
            put("ratelimit-policy", &format_args!("{}/min", rate.limit));
            put("ratelimit-limit", &rate.limit);
            put("ratelimit-remaining", &rate.remaining);
            put("ratelimit-reset", &rate.reset_at);
        }
        if let Some(credits) = self.credits_used {
            put("credits-used", &credits);
        }
        if let Some(standing) = self.standing {
            put("credits-remaining", &standing.credits_remaining);
            put("contract-id", &standing.contract_id);
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{AccountId, ContractId};

    #[test]
    fn a_refusal_tells_of_credits_from_the_check_of_the_keys_rights_on_and_of_a_contract_behind_it()
    {
        let rate = RateWindow {
            limit: 100,
            remaining: 99,
            reset_at: 1_795_262_460,
            retry_after_seconds: 3,
        };
        let standing = Standing {
            contract_id: ContractId::new(AccountId::new([7; 16]), [8; 16]),
            credits_remaining: Credits(4),
        };
        for (refusal, told) in [
            (Refusal::InvalidApiKey, [false, false, false]),
            (Refusal::RateLimited, [true, false, false]),
            (Refusal::EndpointNotAllowed, [true, true, false]),
            (Refusal::NoActiveContract, [true, true, false]),
            (Refusal::DifferentRequest, [true, true, true]),
            (Refusal::InProgress, [true, true, true]),
        ] {
            let usage = Usage::of_refusal(&refusal, Some(rate), Some(standing));
            let headers = usage.headers();
            let has = |name| headers.contains_key(name);
            let found = ["ratelimit-reset", "credits-used", "contract-id"].map(has);
            assert_eq!(found, told, "{refusal:?}");
        }
    }
}
