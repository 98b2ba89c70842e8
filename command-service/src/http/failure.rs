//! From what the application says to what the client reads: one `match` without wildcard, so that a new refusal must
//! choose its answer here.

use std::str::FromStr;

use axum::response::{IntoResponse, Response};
use events_schema::api::caller::NoCaller;
use events_schema::api::error_code::ErrorCode;
use http::StatusCode;
use serde_json::Value;
use service_kit::Problem;
use service_kit::client::CallFault;
use service_kit::problem::Kind;

use crate::application::{CommandError, Reason};
use crate::domain::account::AccountRefusal;
use crate::domain::aggregate::Refusal;
use crate::domain::contract::ContractRefusal;
use crate::domain::data_build::DataBuildRefusal;
use crate::domain::report::ReportRefusal;

/// A command that does not fit where its subject stands.
const CONFLICT: Kind = (409, "bad_request", false);
/// Why a name is refused that was used for another request.
const DIFFERENT_REQUEST: &str = "different_request";
/// Seconds after which a shard without an owner has one again.
pub(super) const OWNER_RETRY_SECONDS: u64 = 1;

/// Why a handler gives no answer of its own.
#[derive(Debug)]
pub enum Failure {
    /// Refused or failed.
    Problem(Problem),
    /// Another instance owns the shard: ask at this base URL.
    Elsewhere(String),
}

/// Marks a response whose request must be passed on; put there by [`Failure::into_response`].
#[derive(Debug, Clone)]
pub(super) struct OwnedElsewhere(pub(super) String);

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Refused(reason) => Self::Problem(refusal(&reason)),
            CommandError::Elsewhere { owner: None, .. } => Self::Problem(nobody()),
            CommandError::Elsewhere {
                owner: Some(owner), ..
            } => Self::Elsewhere(owner),
            CommandError::Unavailable {
                component,
                retry_after_seconds,
            } => Self::Problem(Problem::unavailable(component, retry_after_seconds.into())),
            CommandError::Unknown {
                retry_after_seconds,
            } => Self::Problem(Problem::unknown_outcome(
                "ledger",
                retry_after_seconds.into(),
            )),
        }
    }
}

impl Failure {
    /// The failure as a problem, where it cannot be passed on.
    #[must_use]
    pub fn into_problem(self) -> Problem {
        match self {
            Self::Problem(problem) => problem,
            Self::Elsewhere(_) => nobody(),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Problem(problem) => problem.into_response(),
            Self::Elsewhere(owner) => {
                let mut response = nobody().into_response();
                response.extensions_mut().insert(OwnedElsewhere(owner));
                response
            }
        }
    }
}

/// 503 while no instance that can be reached owns a shard.
pub(super) fn nobody() -> Problem {
    Problem::unavailable("ledger", OWNER_RETRY_SECONDS)
}

/// What another instance that was asked for a change made of it. 503 where it gave no answer: whether it made it is not known, unless it
/// was not reached at all, or says itself that it did nothing.
pub(super) fn unanswered(fault: &CallFault) -> Problem {
    match fault {
        CallFault::Unreachable(_) => nobody(),
        CallFault::Status(StatusCode::CONFLICT, body) if says_that_it_is_another(body) => {
            refusal(&Reason::NamedDifferently)
        }
        CallFault::Status(_, body) if says_that_nothing_was_done(body) => nobody(),
        CallFault::Status(..)
        | CallFault::TimedOut
        | CallFault::Broken(_)
        | CallFault::Malformed(_) => Problem::unknown_outcome("ledger", OWNER_RETRY_SECONDS),
    }
}

/// Whether a body is the error body of a name that was used for another request.
fn says_that_it_is_another(body: &[u8]) -> bool {
    let body: Result<Value, _> = serde_json::from_slice(body);
    let reason = |body: &Value| body.pointer("/details/reason") == Some(&DIFFERENT_REQUEST.into());
    body.is_ok_and(|body| reason(&body))
}

/// Whether a body is the error body, with an outcome that is known.
fn says_that_nothing_was_done(body: &[u8]) -> bool {
    let body: Result<Value, _> = serde_json::from_slice(body);
    body.is_ok_and(|body| {
        let is_fault = body
            .get("error")
            .is_some_and(|slug| slug != "internal_error");
        is_fault && body.pointer("/details/outcome").is_none()
    })
}

/// The id in a path. One that cannot be read names nothing.
pub(super) fn path_id<T: FromStr>(text: &str, subject_type: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| not_found(subject_type))
}

/// 404 of something that does not exist.
pub(super) fn not_found(subject_type: &str) -> Problem {
    let subject = subject_type.replace('_', " ");
    Problem::new(
        ErrorCode::NotFound.parts(),
        format!("There is no such {subject}."),
    )
    .detail("subject_type", subject_type)
    .detail("reason", "no_match")
}

/// 401 of a request without a valid key.
pub(super) fn no_caller(why: NoCaller) -> Problem {
    Problem::unauthorized(why.reason, why.message)
}

fn refusal(reason: &Reason) -> Problem {
    match reason {
        Reason::InvalidApiKey => no_caller(NoCaller::INVALID_KEY),
        Reason::OtherKind => conflict("other_kind", reason),
        Reason::SameBuild => conflict("same_build", reason),
        // The value is not said again: answers and logs of others may keep it.
        Reason::ReasonTells(_) => invalid("reason", Value::Null, reason),
        Reason::NamedDifferently => Problem::new(
            ErrorCode::IdempotencyConflict.parts(),
            "The Idempotency-Key was used for another request.",
        )
        .detail("reason", DIFFERENT_REQUEST),
        Reason::Aggregate(of) => match of {
            Refusal::Account(refusal) => match refusal {
                AccountRefusal::Unknown => not_found("account"),
                AccountRefusal::UnknownKey => not_found("api_key"),
                AccountRefusal::AlreadyOpen | AccountRefusal::KeyIdTaken => {
                    conflict("already_exists", reason)
                }
                AccountRefusal::IssuedAndRevoked => conflict("revoked", reason),
                AccountRefusal::TooManyKeys(_) => conflict("too_many_keys", reason),
                AccountRefusal::TooManyContracts(_) => conflict("too_many_contracts", reason),
            },
            Refusal::Contract(refusal) => match refusal {
                ContractRefusal::Unknown => not_found("contract"),
                ContractRefusal::AlreadyExists => conflict("already_exists", reason),
                ContractRefusal::TooFew { given, .. }
                | ContractRefusal::TooMany { given }
                | ContractRefusal::BalanceTooLow {
                    required: given, ..
                } => invalid("credits", given.0, reason),
                ContractRefusal::IsOver { .. } => conflict("contract_expired", reason),
                ContractRefusal::EndsBeforeItStarts { expires_on, .. } => {
                    invalid("expires_on", expires_on.to_string(), reason)
                }
            },
            Refusal::DataBuild(refusal) => data_build(refusal, reason),
            Refusal::Report(refusal) => match refusal {
                ReportRefusal::Unknown => not_found("report"),
                ReportRefusal::AlreadyFiled => conflict("already_exists", reason),
                ReportRefusal::OutOfOrder { .. } => conflict("out_of_order", reason),
            },
        },
    }
}

fn data_build(refusal: &DataBuildRefusal, reason: &Reason) -> Problem {
    match refusal {
        DataBuildRefusal::Unknown => not_found("data_build"),
        DataBuildRefusal::NameTaken => conflict("name_taken", reason),
        DataBuildRefusal::NotStaging => conflict("not_staging", reason),
        DataBuildRefusal::ChunkDiffers(_) => conflict("chunk_differs", reason),
        DataBuildRefusal::Overlap { .. } => conflict("lines_overlap", reason),
        DataBuildRefusal::TooManyChunks(given) => invalid("chunk", *given, reason),
        DataBuildRefusal::Incomplete { .. } => conflict("incomplete", reason),
        DataBuildRefusal::NotSealed => conflict("not_sealed", reason),
        DataBuildRefusal::NotLoaded => conflict("not_loaded", reason),
        DataBuildRefusal::Empty => conflict("empty", reason),
        DataBuildRefusal::Active => conflict("active", reason),
        DataBuildRefusal::Kept => conflict("kept", reason),
        DataBuildRefusal::Overtaken => conflict("overtaken", reason),
        DataBuildRefusal::Dropped => conflict("dropped", reason),
    }
}

fn conflict(slug: &'static str, reason: &Reason) -> Problem {
    Problem::new(CONFLICT, sentence(reason)).detail("reason", slug)
}

fn invalid(field: &str, given: impl Into<Value>, reason: &Reason) -> Problem {
    Problem::invalid_field(field, &given.into(), &reason.to_string(), None)
}

/// A refusal's words as a sentence.
fn sentence(reason: &Reason) -> String {
    let text = reason.to_string();
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), chars.as_str())
}
