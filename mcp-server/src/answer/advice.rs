//! The two sentences of a tool error: what is wrong, and what an agent can do about it. Of an enrich that found nothing, too.

use events_schema::api::endpoint::Endpoint;
use serde_json::Value;

/// What is wrong, as a sentence. A rate limit is described in words of our own, everything else in REST's.
pub(super) fn what_is_wrong(error: &str, message: &str, details: &Value) -> String {
    if let ("rate_limited", Some(limit)) = (error, details.get("limit").and_then(Value::as_u64)) {
        return format!("{limit} requests a minute are used up.");
    }
    let message = message.trim();
    if message.ends_with(['.', '!', '?']) {
        message.to_owned()
    } else {
        format!("{message}.")
    }
}

/// What to do next, as a sentence.
pub(super) fn what_to_do(error: &str, details: &Value) -> String {
    let text = |key: &str| details.get(key).and_then(Value::as_str);
    let seconds = details.get("retry_after_seconds").and_then(Value::as_u64);
    let sentence = match error {
        // Comes before the advice to wait: a request that may have had an effect must not be repeated without care.
        _ if text("outcome") == Some("unknown") => {
            "It may have been done and charged: repeat it only under its Idempotency-Key, or where doing it twice does no harm."
        }
        "idempotency_conflict" if text("reason") == Some("in_progress") => {
            "The first call under this Idempotency-Key is still at work: wait a little, then repeat the same call."
        }
        "idempotency_conflict" => {
            "Use another Idempotency-Key for another call, or repeat the first call as it was."
        }
        "bad_request" | "validation_error" => {
            "Correct the arguments as the details say and call again."
        }
        "invalid_query" => "Correct the query as the details say and call again.",
        "unauthorized" => "Set a valid key in the API-Key header of this connection.",
        "insufficient_credits" => "Ask for fewer results, or have credits added to the contract.",
        "contract_exhausted" => "Have credits added to the contract.",
        "contract_expired" => "Ask for a new contract.",
        "forbidden" => "Use a key and a contract that cover this tool.",
        "not_found" => "Check the service_id.",
        "route_not_found" => "This server does not offer the operation; use another tool.",
        "query_timeout" => "Make the query narrower and call again.",
        "payload_too_large" => "Make the arguments smaller and call again.",
        "rate_limited" | "service_unavailable" => {
            return match seconds {
                Some(1) => "Wait 1 second, then repeat the same call.".to_owned(),
                Some(seconds) => format!("Wait {seconds} seconds, then repeat the same call."),
                None => "Wait a little, then repeat the same call.".to_owned(),
            };
        }
        "internal_error" | "request_timeout" => {
            "Repeat the same call once; if it fails again, report the request_id."
        }
        _ => "Report the request_id if this is unexpected.",
    };
    sentence.to_owned()
}

/// Why an enrich tool found nothing, and what would find something.
pub(super) fn after_a_miss(endpoint: Endpoint, details: &Value) -> String {
    let is_company = endpoint == Endpoint::CompanyEnrich;
    let (kind, decides) = if is_company {
        ("company", "a domain, a city or an industry")
    } else {
        ("person", "a city, a company or a job_title")
    };
    let reason = details.get("reason").and_then(Value::as_str);
    match reason {
        Some("ambiguous") => {
            let many = match details.get("candidates").and_then(Value::as_u64) {
                Some(number) => number.to_string(),
                None => "several".to_owned(),
            };
            format!(
                "ambiguous: {many} records match equally well. Add what would decide, such as {decides}; \
                 or ask with multiple_results to see candidates."
            )
        }
        Some("below_min_confidence") => {
            format!(
                "below_min_confidence: a {kind} was found, and less sure than min_confidence. Lower min_confidence, \
                 or add {decides} that agrees."
            )
        }
        Some("missing_required_fields") => {
            format!(
                "missing_required_fields: a {kind} was found, and lacks one of required_fields. Drop required_fields \
                 to get what is known."
            )
        }
        Some("no_match") | None => {
            format!(
                "no_match: no {kind} fits. Check the values, or add {decides}, or another identifier."
            )
        }
        Some(other) => {
            format!("{other}: no {kind} was returned. Add {decides}, or another identifier.")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_have_been_done_is_not_told_to_be_done_again() {
        let known = json!({"component": "upstream", "retry_after_seconds": 5});
        let unknown =
            json!({"component": "upstream", "outcome": "unknown", "retry_after_seconds": 5});
        assert_eq!(
            what_to_do("service_unavailable", &known),
            "Wait 5 seconds, then repeat the same call."
        );
        assert_eq!(
            what_to_do("service_unavailable", &unknown),
            "It may have been done and charged: repeat it only under its Idempotency-Key, or where doing it twice does no harm."
        );
    }

    #[test]
    fn a_name_that_is_taken_is_waited_for_or_replaced() {
        let todo = |reason: &str| what_to_do("idempotency_conflict", &json!({"reason": reason}));
        assert!(todo("in_progress").contains("wait a little"));
        assert!(todo("different_request").starts_with("Use another Idempotency-Key"));
    }
}
