//! The domain's error codes (`docs/API.md`, "Errors"): status, slug, and whether the same request may succeed later.
//! The framework's own (unknown route, body too large …) are in `service-kit`.

macro_rules! error_codes {
    ($( $variant:ident = $status:literal, $slug:literal, $retryable:literal, $doc:literal; )*) => {
        /// One row of the page's table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorCode {
            $( #[doc = $doc] $variant, )*
        }

        impl ErrorCode {
            /// All, by status.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// HTTP status, slug of the error body, `retryable`.
            #[must_use]
            pub const fn parts(self) -> (u16, &'static str, bool) {
                match self { $(Self::$variant => ($status, $slug, $retryable),)* }
            }

            /// What it says, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

error_codes! {
    BadRequest = 400, "bad_request", false, "Missing or unknown parameters.";
    InvalidQuery = 400, "invalid_query", false, "SQL that cannot be answered.";
    Unauthorized = 401, "unauthorized", false, "No key, or none that is valid.";
    InsufficientCredits = 402, "insufficient_credits", false, "The balance is below the worst case.";
    ContractExhausted = 402, "contract_exhausted", false, "Every active contract has balance zero.";
    ContractExpired = 402, "contract_expired", false, "No contract is active, and one has expired.";
    Forbidden = 403, "forbidden", false, "The key or the contracts do not cover the endpoint.";
    NotFound = 404, "not_found", false, "No matching record.";
    QueryTimeout = 408, "query_timeout", true, "The search took too long.";
    IdempotencyConflict = 409, "idempotency_conflict", false, "The `Idempotency-Key` is taken.";
    ValidationError = 422, "validation_error", false, "A known parameter with a bad value.";
    RateLimited = 429, "rate_limited", true, "Too many requests in the window.";
    ServiceUnavailable = 503, "service_unavailable", true, "A part is not available.";
}
