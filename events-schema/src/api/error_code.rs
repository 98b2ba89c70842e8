//! The domain's error codes (contract C0): status, slug, and whether the same request may succeed later.
//! The framework's own (unknown route, body too large …) are in `service-kit`.

/// One row of the table of contract C0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// Missing or unknown parameters.
    BadRequest,
    /// SQL that cannot be answered.
    InvalidQuery,
    /// No key, or none that is valid.
    Unauthorized,
    /// The balance is below the worst case.
    InsufficientCredits,
    /// Every active contract has balance zero.
    ContractExhausted,
    /// No contract is active, and one has expired.
    ContractExpired,
    /// The key or the contracts do not cover the endpoint.
    Forbidden,
    /// No matching record.
    NotFound,
    /// The search took too long.
    QueryTimeout,
    /// The `Idempotency-Key` is taken.
    IdempotencyConflict,
    /// A known parameter with a bad value.
    ValidationError,
    /// Too many requests in the window.
    RateLimited,
    /// A part is not available.
    ServiceUnavailable,
}

impl ErrorCode {
    /// HTTP status, slug of the error body, `retryable`.
    #[must_use]
    pub const fn parts(self) -> (u16, &'static str, bool) {
        match self {
            Self::BadRequest => (400, "bad_request", false),
            Self::InvalidQuery => (400, "invalid_query", false),
            Self::Unauthorized => (401, "unauthorized", false),
            Self::InsufficientCredits => (402, "insufficient_credits", false),
            Self::ContractExhausted => (402, "contract_exhausted", false),
            Self::ContractExpired => (402, "contract_expired", false),
            Self::Forbidden => (403, "forbidden", false),
            Self::NotFound => (404, "not_found", false),
            Self::QueryTimeout => (408, "query_timeout", true),
            Self::IdempotencyConflict => (409, "idempotency_conflict", false),
            Self::ValidationError => (422, "validation_error", false),
            Self::RateLimited => (429, "rate_limited", true),
            Self::ServiceUnavailable => (503, "service_unavailable", true),
        }
    }
}
