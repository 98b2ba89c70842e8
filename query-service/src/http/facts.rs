//! The response headers that need the ledger's answer (`docs/API.md`, "Response headers").

use events_schema::api::internal::{RateWindow, Standing};
use http::{HeaderMap, HeaderName, HeaderValue};

/// What is known about a request's limits and credits; what is not known has no header.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// From 429 on.
    pub(super) rate: Option<RateWindow>,
    /// The contract that serves or would serve.
    pub(super) standing: Option<Standing>,
    /// 0 on every refusal once the key is known.
    pub(super) credits_used: Option<i64>,
}

impl Facts {
    /// Of a request that costs nothing, as yet.
    pub(super) const fn free(rate: Option<RateWindow>, standing: Option<Standing>) -> Self {
        Self {
            rate,
            standing,
            credits_used: Some(0),
        }
    }

    /// The headers.
    pub(super) fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(rate) = self.rate {
            put(
                &mut headers,
                "ratelimit-policy",
                &format!("{}/min", rate.limit),
            );
            put(&mut headers, "ratelimit-limit", &rate.limit);
            put(&mut headers, "ratelimit-remaining", &rate.remaining);
            put(&mut headers, "ratelimit-reset", &rate.reset_at);
        }
        if let Some(credits) = self.credits_used {
            put(&mut headers, "credits-used", &credits);
        }
        if let Some(standing) = self.standing {
            put(
                &mut headers,
                "credits-remaining",
                &standing.credits_remaining,
            );
            put(&mut headers, "contract-id", &standing.contract_id);
        }
        headers
    }
}

/// The build that was asked.
pub(super) const DATA_BUILD: &str = "data-build";

/// Sets a header; a value that no header can hold is left out.
pub(super) fn put(headers: &mut HeaderMap, name: &'static str, value: &dyn std::fmt::Display) {
    if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
        headers.insert(HeaderName::from_static(name), value);
    }
}
