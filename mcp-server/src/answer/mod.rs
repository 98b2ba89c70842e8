//! A REST answer as the result of a tool (`docs/AGENTS.md`, "Results" and "Errors").
//!
//! 200: the body as `structuredContent` and, compact, as text. A miss of an enrich tool: an empty list and a note why, no error.
//! Everything else: a tool error, a sentence an agent can show, with the code and the details in `_meta`.

mod advice;

use events_schema::api::endpoint::Endpoint;
use http::{HeaderMap, StatusCode};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value, json};
use service_kit::client::{Answer, CallFault};
use service_kit::problem::Problem;

use crate::RETRY_AFTER_SECONDS;
use crate::tools::withheld;

/// What a tool call came to. `request_id` is that of the call to us, for answers that bring none.
pub fn result(
    endpoint: Endpoint,
    outcome: Result<Answer, CallFault>,
    request_id: &str,
) -> CallToolResult {
    let answer = match outcome {
        Ok(answer) => answer,
        Err(fault) => {
            tracing::warn!(endpoint = endpoint.name(), %fault, "a tool call got no answer");
            return refusal(&unanswered(&fault), request_id);
        }
    };
    let Ok(Value::Object(body)) = serde_json::from_slice(&answer.body) else {
        tracing::warn!(endpoint = endpoint.name(), status = %answer.status, "an answer is no JSON object");
        // Whatever it says, it is no proof that nothing was charged.
        let problem = Problem::unknown_outcome("upstream", RETRY_AFTER_SECONDS);
        return refusal(&problem, request_id);
    };
    if answer.status.is_success() {
        return success(body, &answer);
    }
    let is_miss =
        answer.status == StatusCode::NOT_FOUND && body.get("error") == Some(&json!("not_found"));
    if is_miss && matches!(endpoint, Endpoint::PersonEnrich | Endpoint::CompanyEnrich) {
        return miss(endpoint, &body, &answer);
    }
    error(&Refusal::of(endpoint, body, answer.status))
}

/// Without an answer the endpoint may have charged, unless it was not reached at all.
fn unanswered(fault: &CallFault) -> Problem {
    match fault {
        CallFault::Unreachable(_) => Problem::unavailable("upstream", RETRY_AFTER_SECONDS),
        CallFault::TimedOut
        | CallFault::Broken(_)
        | CallFault::Status(..)
        | CallFault::Malformed(_) => Problem::unknown_outcome("upstream", RETRY_AFTER_SECONDS),
    }
}

/// A refusal of our own, in the same form as one of the endpoint.
pub fn refusal(problem: &Problem, request_id: &str) -> CallToolResult {
    error(&Refusal {
        status: problem.status().as_u16(),
        error: problem.error().to_owned(),
        message: problem.message().to_owned(),
        retryable: problem.is_retryable(),
        details: Value::Object(problem.details_ref().clone()),
        request_id: request_id.to_owned(),
    })
}

struct Refusal {
    status: u16,
    error: String,
    message: String,
    retryable: bool,
    details: Value,
    request_id: String,
}

impl Refusal {
    fn of(endpoint: Endpoint, mut body: Map<String, Value>, status: StatusCode) -> Self {
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            status: status.as_u16(),
            error: text(body.get("error")),
            message: text(body.get("message")),
            retryable: body
                .get("retryable")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            request_id: text(body.get("request_id")),
            details: body
                .remove("details")
                .map_or_else(|| json!({}), |details| of_a_tool(endpoint, details)),
        }
    }
}

/// The details of an endpoint's refusal without the parameters that its tool does not have.
fn of_a_tool(endpoint: Endpoint, mut details: Value) -> Value {
    if let Some(Value::Array(accepted)) = details.get_mut("accepted") {
        accepted.retain(|name| !withheld(endpoint).iter().any(|withheld| name == withheld));
    }
    details
}

fn error(refusal: &Refusal) -> CallToolResult {
    let Refusal {
        status,
        error,
        details,
        request_id,
        ..
    } = refusal;
    let what = advice::what_is_wrong(error, &refusal.message, details);
    let todo = advice::what_to_do(error, details);
    let text = format!("{status} {error}: {what} {todo} details={details} request_id={request_id}");
    let meta = json!({
        "error": error,
        "status": status,
        "request_id": request_id,
        "retryable": refusal.retryable,
        "details": details,
    });
    CallToolResult::error(vec![ContentBlock::text(text)]).with_meta(object(meta))
}

fn success(body: Map<String, Value>, answer: &Answer) -> CallToolResult {
    let mut result = CallToolResult::structured(Value::Object(body));
    // Models seldom see `_meta`, and an empty page without its reason reads like an answer.
    if let Some(warning) = text(&answer.headers, "search-warning") {
        result.content.push(note(warning));
    }
    result.with_meta(object(facts(answer)))
}

fn note(text: &str) -> ContentBlock {
    ContentBlock::text(format!("Note: {text}"))
}

fn miss(endpoint: Endpoint, body: &Map<String, Value>, answer: &Answer) -> CallToolResult {
    let details = body.get("details").cloned().unwrap_or_else(|| json!({}));
    let mut result = CallToolResult::structured(json!({"matches": [], "total": 0}));
    let why = advice::after_a_miss(endpoint, &details);
    result.content.push(note(&why));
    let mut meta = facts(answer);
    if let Some(meta) = meta.as_object_mut() {
        meta.insert("error".to_owned(), json!("not_found"));
        meta.insert("details".to_owned(), details);
    }
    result.with_meta(object(meta))
}

/// What REST says in its headers; null where a header is left out. Three are there only where there is something to say:
/// the build of the answer, what may explain an unexpected page, and that it was answered and paid before.
fn facts(answer: &Answer) -> Value {
    let headers = &answer.headers;
    let mut facts = json!({
        "request_id": text(headers, "request-id"),
        "status": answer.status.as_u16(),
        "credits_used": number(headers, "credits-used").unwrap_or_else(|| json!(0)),
        "credits_remaining": number(headers, "credits-remaining"),
        "contract_id": text(headers, "contract-id"),
        "total_count_status": text(headers, "total-count-status"),
        "rate_limit_remaining": number(headers, "ratelimit-remaining"),
        "process_time_ms": number(headers, "process-time"),
    });
    if let Some(facts) = facts.as_object_mut() {
        for (key, name) in [
            ("data_build", "data-build"),
            ("search_warning", "search-warning"),
        ] {
            if let Some(text) = text(headers, name) {
                facts.insert(key.to_owned(), json!(text));
            }
        }
        if text(headers, "idempotency-replayed").is_some_and(|text| text == "true") {
            facts.insert("idempotency_replayed".to_owned(), json!(true));
        }
    }
    facts
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn number(headers: &HeaderMap, name: &str) -> Option<Value> {
    let text = text(headers, name)?;
    text.parse::<i64>()
        .map(Value::from)
        .or_else(|_| text.parse::<f64>().map(Value::from))
        .ok()
}

fn object(meta: Value) -> Option<MetaObject> {
    match meta {
        Value::Object(map) => Some(MetaObject(map)),
        _ => None,
    }
}
