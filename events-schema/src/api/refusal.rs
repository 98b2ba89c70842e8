//! What a client is told when the ledger refuses: the same sentence, whichever service says it.

use super::caller::NoCaller;
use super::internal::Refusal;

impl Refusal {
    /// One sentence for people (`docs/API.md`, "Errors"); of a rate limit without its numbers, see [`rate_limited`].
    #[must_use]
    pub fn message(&self) -> String {
        let plain = match self {
            Self::InvalidApiKey => NoCaller::INVALID_KEY.message,
            Self::RateLimited => "The rate limit is reached.",
            Self::EndpointNotAllowed => "The API key has no access to this endpoint.",
            Self::NoActiveContract => "No active contract covers this endpoint.",
            Self::DifferentRequest => "The Idempotency-Key was used for another request.",
            Self::InProgress => "The first request with this Idempotency-Key is still running.",
            Self::ContractExhausted { .. } => "The contract has no credits left.",
            Self::InsufficientCredits {
                required,
                available,
            } => {
                return format!(
                    "This request may cost up to {required} credits; {available} are available."
                );
            }
            Self::ContractExpired {
                expiration_date, ..
            } => return format!("The contract expired on {expiration_date}."),
        };
        plain.to_owned()
    }
}

/// The sentence of a 429.
#[must_use]
pub fn rate_limited(limit: u32, retry_after_seconds: u32) -> String {
    format!("Rate limit of {limit}/min reached; retry in {retry_after_seconds} seconds.")
}
