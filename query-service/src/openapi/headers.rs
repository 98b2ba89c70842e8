//! Headers of requests and answers (`docs/API.md`, "Response headers").

use events_schema::api::endpoint::Endpoint;
use events_schema::api::limits::{
    DEFAULT_LEDGER_LIMIT, MAX_IDEMPOTENCY_KEY_CHARS, MAX_LEDGER_LIMIT,
};
use events_schema::api::operation::Operation;
use serde_json::{Map, Value, json};

use super::operations::Described as _;

/// Name of the way to say who asks.
pub(super) const API_KEY_SCHEME: &str = "ApiKey";

const BASE: &[&str] = &["Request-ID", "Process-Time", "Correlation-ID"];
const RATE: &[&str] = &[
    "RateLimit-Policy",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
];
const CONTRACT: &[&str] = &["Credits-Remaining", "Contract-ID"];

/// `components.headers`.
pub(super) fn responses() -> Value {
    let header = |description: &str, schema: Value| {
        // Of these two everywhere, whoever answers, only the first is promised.
        let mut header = json!({"description": description, "schema": schema});
        if let (true, Some(members)) = (description == REQUEST_ID, header.as_object_mut()) {
            members.insert("required".to_owned(), json!(true));
        }
        header
    };
    let whole = || json!({"type": "integer"});
    let text = || json!({"type": "string"});
    let id = || json!({"type": "string", "format": "uuid"});
    json!({
        "Request-ID": header(REQUEST_ID, id()),
        "Process-Time": header("Milliseconds. Not on the gateway's own refusals.", json!({"type": "number", "examples": [12.4]})),
        "Correlation-ID": header("The client's own name for the request, if it sent one.", text()),
        "RateLimit-Policy": header("Requests a window.", json!({"type": "string", "examples": ["100/min"]})),
        "RateLimit-Limit": header("Requests a window.", whole()),
        "RateLimit-Remaining": header("Requests that are left in this window.", whole()),
        "RateLimit-Reset": header("When the window ends, as Unix seconds.", whole()),
        "Credits-Used": header("What this request was charged; left out where nobody knows yet whether the charge stands.", whole()),
        "Credits-Remaining": header("The balance right after this very charge.", whole()),
        "Contract-ID": header("The contract that serves or would serve.", id()),
        "Data-Build": header("The data build that was asked. Of a refusal: of an enrich that found nothing.", text()),
        "Total-Count-Status": header("`at_least` where `total` could be higher.", json!({"type": "string", "enum": ["exact", "at_least"]})),
        "Search-Warning": header("What was read otherwise than it was written, if anything.", text()),
        "Idempotency-Replayed": header("On the answer of a request that was carried out before.", json!({"type": "string", "enum": ["true"]})),
        "Retry-After": header("Seconds to wait. Of a 409 with `in_progress` alone.", whole()),
        "Cache-Control": header("What is an account's own is kept nowhere on its way.", json!({"type": "string", "enum": ["no-store"]})),
    })
}

const REQUEST_ID: &str = "Made by the service; also `request_id` of an error.";

/// Headers of a 200.
pub(super) fn of_answer(operation: Operation) -> Value {
    let mut names = BASE.to_vec();
    match operation {
        Operation::Live | Operation::Ready => {}
        Operation::Credits => names.extend(["Credits-Used", "Cache-Control"]),
        Operation::Ledger | Operation::Report => {
            names.extend(RATE);
            names.extend(["Credits-Used", "Cache-Control"]);
        }
        Operation::Of(_) | Operation::Bulk(_) => {
            names.extend(RATE);
            names.push("Credits-Used");
        }
    }
    if operation.endpoint().is_some_and(|e| !e.is_report()) {
        names.extend(CONTRACT);
    }
    match operation {
        Operation::Of(Endpoint::PersonEnrich | Endpoint::CompanyEnrich) => {
            names.extend(["Data-Build", "Total-Count-Status"]);
        }
        Operation::Of(
            Endpoint::PersonSearch
            | Endpoint::CompanySearch
            | Endpoint::PersonDiscover
            | Endpoint::CompanyDiscover,
        ) => names.extend(["Data-Build", "Total-Count-Status", "Search-Warning"]),
        Operation::Of(Endpoint::Autocomplete) => names.push("Data-Build"),
        Operation::Bulk(_) => names.extend(["Data-Build", "Total-Count-Status"]),
        Operation::Of(
            Endpoint::UtilityClean
            | Endpoint::UtilityHashEmail
            | Endpoint::UtilityValidate
            | Endpoint::ReportPerson
            | Endpoint::ReportCompany,
        )
        | Operation::Credits
        | Operation::Ledger
        | Operation::Report
        | Operation::Live
        | Operation::Ready => {}
    }
    if operation.takes_idempotency_key() {
        names.push("Idempotency-Replayed");
    }
    references(&names)
}

/// Headers of a refusal: what is known when it is made.
pub(super) fn of_refusal(status: u16) -> Value {
    let mut names = BASE.to_vec();
    match status {
        401 | 413 | 414 | 415 | 431 => {}
        403 => {
            names.extend(RATE);
            names.push("Credits-Used");
        }
        429 => names.extend(RATE),
        _ => {
            names.extend(RATE);
            names.push("Credits-Used");
            names.extend(CONTRACT);
        }
    }
    if status == 404 {
        names.push("Data-Build");
    }
    if matches!(status, 409 | 429 | 503) {
        names.push("Retry-After");
    }
    references(&names)
}

fn references(names: &[&str]) -> Value {
    let reference = |name: &&str| json!({"$ref": format!("#/components/headers/{name}")});
    let headers: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), reference(name)))
        .collect();
    Value::Object(headers)
}

/// `components.parameters`: the headers of requests beside the key, and what stands in a URL.
pub(super) fn parameters() -> Value {
    let header = |name: &str, description: &str| {
        json!({
            "name": name,
            "in": "header",
            "description": description,
            "schema": {"type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY_CHARS, "pattern": "^[ -~]*$"},
        })
    };
    json!({
        "Idempotency-Key": header(
            "Idempotency-Key",
            "Names the request, for 24 hours: sent again with the same body it is carried out once and costs nothing more.",
        ),
        "Correlation-ID": header("Correlation-ID", "The client's own name for the request, echoed."),
        "limit": {
            "name": "limit",
            "in": "query",
            "description": "most entries",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_LEDGER_LIMIT, "default": DEFAULT_LEDGER_LIMIT},
        },
        "cursor": {
            "name": "cursor",
            "in": "query",
            "description": "next_cursor of the page before",
            "schema": {"type": "string"},
        },
        "report_id": {
            "name": "report_id",
            "in": "path",
            "required": true,
            "description": "as it was answered when the report was filed",
            "schema": {"type": "string", "format": "uuid"},
        },
    })
}

/// The parameters of an operation.
pub(super) fn of_request(operation: Operation) -> Value {
    let mut names = vec!["Correlation-ID"];
    if operation.takes_idempotency_key() {
        names.insert(0, "Idempotency-Key");
    }
    names.extend_from_slice(in_url(operation));
    let references = names.into_iter();
    references
        .map(|name| json!({"$ref": format!("#/components/parameters/{name}")}))
        .collect()
}

/// What stands in the URL of an operation.
const fn in_url(operation: Operation) -> &'static [&'static str] {
    match operation {
        Operation::Ledger => &["limit", "cursor"],
        Operation::Report => &["report_id"],
        Operation::Of(_)
        | Operation::Bulk(_)
        | Operation::Credits
        | Operation::Live
        | Operation::Ready => &[],
    }
}
