//! Refusals: the one error body, and which statuses and codes an operation may answer with (`docs/API.md`, "Errors").

use events_schema::api::endpoint::Endpoint;
use events_schema::api::error_code::ErrorCode;
use events_schema::api::operation::Operation;
use http::StatusCode;
use serde_json::{Map, Value, json};
use service_kit::problem::{self, KINDS, Kind};

use super::operations::Described as _;
use super::{headers, object, schema};

/// The codes of one status that an operation may answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusals {
    pub(super) status: u16,
    codes: Vec<Code>,
}

/// A code with what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Code {
    kind: Kind,
    meaning: &'static str,
}

/// What an operation may be refused with, by status.
pub(super) fn of(operation: Operation) -> Vec<Refusals> {
    let of_domain = ErrorCode::ALL
        .iter()
        .filter(|code| refuses(**code, operation));
    let of_domain = of_domain.map(|code| (code.parts(), code.meaning()));
    let of_frame = KINDS.iter().copied();
    let of_frame = of_frame.filter(|(kind, _)| frame_refuses(*kind, operation));
    let mut all: Vec<Refusals> = Vec::new();
    for (kind, meaning) in of_domain.chain(of_frame) {
        let status = kind.0;
        let code = Code { kind, meaning };
        let known = all.iter_mut().find(|refusals| refusals.status == status);
        match known {
            // What is in both lists is described in the words of the domain, which come first.
            Some(refusals) if refusals.codes.iter().any(|one| one.kind.1 == kind.1) => {}
            Some(refusals) => refusals.codes.push(code),
            None => all.push(Refusals {
                status,
                codes: vec![code],
            }),
        }
    }
    all.sort_by_key(|refusals| refusals.status);
    all
}

/// Whether an operation may be refused with a code of the domain.
fn refuses(code: ErrorCode, operation: Operation) -> bool {
    let endpoint = operation.endpoint();
    let is_of = |endpoints: &[Endpoint]| endpoint.is_some_and(|one| endpoints.contains(&one));
    let finds_by_query = is_of(&[
        Endpoint::PersonSearch,
        Endpoint::CompanySearch,
        Endpoint::PersonDiscover,
        Endpoint::CompanyDiscover,
    ]);
    let enriches = is_of(&[Endpoint::PersonEnrich, Endpoint::CompanyEnrich]);
    match code {
        // Of a request without a body a header may be malformed.
        ErrorCode::BadRequest | ErrorCode::Unauthorized | ErrorCode::RateLimited => {
            operation.takes_key()
        }
        ErrorCode::InvalidQuery => finds_by_query,
        ErrorCode::InsufficientCredits
        | ErrorCode::ContractExhausted
        | ErrorCode::ContractExpired
        | ErrorCode::Forbidden => operation.is_paid(),
        ErrorCode::NotFound => {
            let of_report =
                endpoint.is_some_and(Endpoint::is_report) || operation == Operation::Report;
            enriches || of_report
        }
        ErrorCode::QueryTimeout => {
            let completes = is_of(&[Endpoint::Autocomplete]);
            enriches || finds_by_query || completes || operation == Operation::Ledger
        }
        ErrorCode::IdempotencyConflict => operation.takes_idempotency_key(),
        ErrorCode::ValidationError => operation.takes_body() || operation == Operation::Ledger,
        ErrorCode::ServiceUnavailable => true,
    }
}

/// The same of the framework's own.
fn frame_refuses(kind: Kind, operation: Operation) -> bool {
    match kind {
        // Of what is no operation.
        problem::ROUTE_NOT_FOUND | problem::METHOD_NOT_ALLOWED => false,
        problem::BAD_REQUEST | problem::UNAUTHORIZED => operation.takes_key(),
        problem::REQUEST_TIMEOUT | problem::PAYLOAD_TOO_LARGE | problem::UNSUPPORTED_MEDIA_TYPE => {
            operation.takes_body()
        }
        problem::VALIDATION_ERROR => operation.takes_body() || operation == Operation::Ledger,
        _ => true,
    }
}

impl Refusals {
    /// Its name among the shared ones: operations with the same codes have one.
    pub(super) fn name(&self) -> String {
        let slugs: Vec<&str> = self.slugs().collect();
        format!("{}.{}", self.status, slugs.join("-"))
    }

    pub(super) fn reference(&self) -> Value {
        json!({"$ref": format!("#/components/responses/{}", self.name())})
    }

    fn slugs(&self) -> impl Iterator<Item = &'static str> {
        self.codes.iter().map(|code| code.kind.1)
    }

    pub(super) fn response(&self) -> Value {
        let told = self.codes.iter().map(|code| {
            let (_, slug, is_retryable) = code.kind;
            let later = if is_retryable {
                " The same request may succeed later."
            } else {
                ""
            };
            format!("`{slug}`: {}{later}", code.meaning)
        });
        let told: Vec<String> = told.collect();
        let title = StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or_default();
        let slugs: Vec<&str> = self.slugs().collect();
        json!({
            "description": format!("{title}. {}", told.join(" ")),
            "headers": headers::of_refusal(self.status),
            "content": {"application/json": {"schema": {
                "allOf": [schema("Error"), {"properties": {"error": {"enum": slugs}}}],
            }}},
        })
    }
}

/// The one error body, and the same as a part of an answer.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    let mut slugs: Vec<&str> = Vec::new();
    let of_domain = ErrorCode::ALL.iter().map(|code| code.parts());
    for (_, slug, _) in of_domain.chain(KINDS.iter().map(|(kind, _)| *kind)) {
        if !slugs.contains(&slug) {
            slugs.push(slug);
        }
    }
    let part = [
        (
            "error",
            json!({"type": "string", "enum": slugs, "description": "for programs"}),
        ),
        (
            "message",
            json!({"type": "string", "description": "for people; its words may change"}),
        ),
        (
            "retryable",
            json!({"type": "boolean", "description": "whether the same request may succeed later"}),
        ),
        ("details", schema("ErrorDetails")),
    ];
    let mut whole = part.to_vec();
    whole.insert(
        2,
        (
            "request_id",
            json!({"type": "string", "format": "uuid", "description": "also the header Request-ID"}),
        ),
    );
    schemas.insert("Error".to_owned(), object(whole));
    schemas.insert("ErrorDetails".to_owned(), details());
    schemas.insert("FieldError".to_owned(), of_field());
    schemas.insert("ItemError".to_owned(), object(part));
}

/// What errors tell beside their code. Which of it a code has stands in `docs/API.md`; there may be more one day.
fn details() -> Value {
    let text = |told: &str| json!({"type": "string", "description": told});
    let whole = |told: &str| json!({"type": "integer", "description": told});
    let texts =
        |told: &str| json!({"type": "array", "items": {"type": "string"}, "description": told});
    let flag = |told: &str| json!({"type": "boolean", "description": told});
    let or_null = |mut one: Value| {
        if let Some(kind) = one.get_mut("type") {
            *kind = json!([kind.clone(), "null"]);
        }
        one
    };
    let known = [
        ("reason", text("which rule is broken")),
        ("parameters", texts("the parameters or headers at fault")),
        ("unknown_fields", texts("names that no field has")),
        ("accepted", texts("what would be accepted")),
        ("suggestions", texts("what may be meant, best first")),
        ("line", whole("of the query, from 1")),
        ("column", whole("character of the line, from 1")),
        ("near", text("the query from there on")),
        (
            "fields",
            json!({
                "type": "array", "description": "every parameter with a bad value", "items": schema("FieldError"),
            }),
        ),
        (
            "unsupported",
            json!({"type": "array", "description": "phrases of a description that cannot be answered"}),
        ),
        ("supported_fields", texts("what a description may speak of")),
        (
            "credits_required",
            whole("what the request may cost at the most"),
        ),
        ("credits_available", whole("what is there for it")),
        ("credits_remaining", whole("of the contract")),
        (
            "expiration_date",
            or_null(text("of the contract; null where it has none")),
        ),
        ("is_expired", flag("of the contract")),
        (
            "endpoint",
            text("that the key or the contract does not cover"),
        ),
        ("subject_type", text("person or company")),
        ("candidates", whole("how many match equally well")),
        ("path", text("that no route has")),
        ("allowed", texts("methods or media types")),
        ("time_limit_ms", whole("in which it should have been done")),
        ("elapsed_ms", whole("that it took")),
        ("idempotency_key", or_null(text("as it was sent"))),
        ("max_bytes", whole("the limit")),
        (
            "received_bytes",
            or_null(whole("null where the length was not declared")),
        ),
        ("limit", whole("requests a window")),
        ("window_seconds", whole("length of the window")),
        ("retry_after_seconds", whole("seconds to wait")),
        (
            "reset_at",
            or_null(whole("when the window ends, as Unix seconds")),
        ),
        ("component", text("the part that does not answer")),
        (
            "outcome",
            json!({"const": "unknown", "description": "a charge may stand although its answer was lost"}),
        ),
    ];
    let known: Map<String, Value> = known
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    json!({
        "type": "object",
        "description": "what else is known, by code; empty where there is nothing to add",
        "properties": known,
        "additionalProperties": true,
    })
}

/// An item of `fields`.
fn of_field() -> Value {
    object([
        ("field", json!({"type": "string"})),
        ("value", json!({"description": "as it was sent, cut"})),
        ("error", json!({"type": "string"})),
        ("suggestion", json!({"type": ["string", "null"]})),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/API.md");

    #[test]
    fn the_table_of_errors_is_that_of_the_code() {
        let of_domain = ErrorCode::ALL.iter().map(|code| code.parts());
        let of_frame = KINDS.iter().map(|(kind, _)| *kind);
        let mut expected: Vec<(String, String, bool)> = of_domain
            .chain(of_frame)
            .map(|(status, slug, later)| (status.to_string(), format!("`{slug}`"), later))
            .collect();
        expected.sort();
        expected.dedup();
        let header = "| status | `error` | `details` | retryable | what to do |";
        let rows = PAGE.lines().skip_while(|line| *line != header).skip(2);
        let rows = rows.take_while(|line| line.starts_with('|'));
        let mut shown: Vec<(String, String, bool)> = rows
            .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
            .map(|row: Vec<&str>| {
                let later = row[3].starts_with("yes");
                (row[0].to_owned(), row[1].to_owned(), later)
            })
            .collect();
        shown.sort();
        assert_eq!(shown, expected);
    }
}
