//! Every way not to answer, as the one error body: one match without wildcard (`docs/API.md`, "Errors").

use std::time::Duration;

use column_files::TooBroad;
use events_schema::api::caller::NoCaller;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::error_code::ErrorCode;
use events_schema::api::internal::{RateWindow, Refusal};
use events_schema::api::refusal::{Asked, Told};
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use http::{HeaderName, HeaderValue, header};
use serde_json::{Value, json};
use service_kit::Problem;
use service_kit::problem::Kind;

use super::headers::DATA_BUILD;
use crate::builds::NotSearchable;
use crate::credit_gate::GateFault;
use crate::enrich::choose::Miss;
use crate::enrich::request::{PERSON_CONTEXT, RequestRefusal};
use crate::instead;
use crate::pin::Pin;
use crate::read_model::ReadFault;
use crate::search::asked;
use crate::search::request::Belongs;
use crate::search::threads::SearchFault;

/// Why a request gets no 200.
#[derive(Debug)]
pub(super) enum NotAnswered {
    /// Nothing that could be an API key.
    NoCaller(NoCaller),
    /// The ledger's refusal.
    Ledger(Refusal),
    /// The ledger does not answer.
    Gate(GateFault),
    /// A malformed header, or a body that is no JSON object.
    Form(Problem),
    /// Parameters that are wrong whether the cursor belongs to the query or not, which was not looked at yet.
    Page(asked::Asked, Box<Belongs>),
    /// A body that says something else than the contract.
    Request(RequestRefusal),
    /// No record, and in which build that holds.
    Miss(RecordKind, Miss, Option<BuildName>),
    /// The read model does not answer.
    Read(ReadFault),
    /// The active builds have not been read since the start.
    NoBuildKnown,
    /// A text that is no query.
    Query(Box<dialect::Refusal>),
    /// A search that was not done.
    Search(SearchFault),
    /// No build to search; with what the request asked for.
    NotSearchable(NotSearchable, Option<Pin>),
}

/// What a problem needs besides the refusal itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) asked: Asked<'a>,
    pub(super) rate: Option<RateWindow>,
    pub(super) retry_after_seconds: u32,
}

impl NotAnswered {
    /// The problem without headers of credits and limits.
    pub(super) fn problem(self, about: About<'_>) -> Problem {
        let endpoint = about.asked.endpoint;
        suggesting(self.without_suggestions(about), endpoint)
    }

    fn without_suggestions(self, about: About<'_>) -> Problem {
        match self {
            Self::NoCaller(why) => no_caller(why),
            Self::Ledger(refusal) => told(refusal.told(&about.asked, about.rate.as_ref())),
            Self::Gate(fault) => no_answer(&fault),
            Self::Form(problem) => problem,
            Self::Page(query, belongs) => {
                let problem = belongs.problem(&query).cloned();
                problem.unwrap_or_else(Problem::internal)
            }
            Self::Request(refusal) => request(refusal),
            Self::Miss(kind, miss, build) => not_found(kind, miss, build.as_ref()),
            Self::Read(fault) => unread(&fault, about.retry_after_seconds),
            Self::Search(SearchFault::TimedOut { limit, elapsed }) => timed_out(limit, elapsed),
            Self::NoBuildKnown => {
                Problem::unavailable("database", u64::from(about.retry_after_seconds))
            }
            Self::Query(refusal) => invalid_query(*refusal),
            Self::Search(SearchFault::TooBroad(fault)) => too_broad(fault),
            Self::Search(SearchFault::Full) => no_search("Too many searches are waiting.", about),
            Self::Search(SearchFault::Broken) => Problem::internal(),
            Self::NotSearchable(why, pin) => not_searchable(why, pin, about),
        }
    }
}

/// 503 of a ledger that does not answer.
pub(super) fn no_answer(fault: &GateFault) -> Problem {
    match *fault {
        GateFault::Unavailable {
            component,
            retry_after_seconds,
        } => Problem::unavailable(component, u64::from(retry_after_seconds)),
        GateFault::Unknown {
            retry_after_seconds,
        } => Problem::unknown_outcome("ledger", u64::from(retry_after_seconds)),
    }
}

/// 408 or 503 of a read that gave nothing.
pub(super) fn unread(fault: &ReadFault, retry_after_seconds: u32) -> Problem {
    match *fault {
        ReadFault::TimedOut { limit, elapsed } => timed_out(limit, elapsed),
        ReadFault::Silent(_)
        | ReadFault::Busy(_)
        | ReadFault::Database(_)
        | ReadFault::Form(_)
        | ReadFault::Document(_)
        | ReadFault::NoSuchRank(_) => {
            let cause = std::error::Error::source(fault)
                .map(ToString::to_string)
                .unwrap_or_default();
            tracing::warn!(%fault, cause, "a read failed");
            Problem::unavailable("database", u64::from(retry_after_seconds))
        }
    }
}

fn timed_out(limit: Duration, elapsed: Duration) -> Problem {
    let text = format!(
        "The query exceeded the time limit of {} ms.",
        limit.as_millis()
    );
    problem(ErrorCode::QueryTimeout, text)
        .detail("time_limit_ms", millis(limit))
        .detail("elapsed_ms", millis(elapsed))
}

fn invalid_query(refusal: dialect::Refusal) -> Problem {
    let problem = problem(ErrorCode::InvalidQuery, refusal.message)
        .detail("reason", refusal.reason.slug())
        .detail("line", refusal.line)
        .detail("column", refusal.column)
        .detail("near", refusal.near)
        .detail("suggestions", refusal.suggestions);
    if refusal.accepted.is_empty() {
        problem
    } else {
        problem.detail("accepted", refusal.accepted)
    }
}

/// The query as a whole, so no place in it.
fn too_broad(fault: TooBroad) -> Problem {
    problem(ErrorCode::InvalidQuery, format!("{fault}."))
        .detail("reason", dialect::Reason::TooComplex.slug())
        .detail("suggestions", Vec::<String>::new())
}

/// 503 of a part that is not a process of its own, so "not reachable" would mislead.
fn no_search(message: impl Into<String>, about: About<'_>) -> Problem {
    problem(ErrorCode::ServiceUnavailable, message)
        .detail("component", "search")
        .detail("retry_after_seconds", about.retry_after_seconds)
        .header(
            header::RETRY_AFTER,
            HeaderValue::from(about.retry_after_seconds),
        )
}

fn not_searchable(why: NotSearchable, pin: Option<Pin>, about: About<'_>) -> Problem {
    match (why, pin) {
        (NotSearchable::Unknown | NotSearchable::NoBuild, _) => {
            NotAnswered::NoBuildKnown.problem(about)
        }
        (NotSearchable::Read(fault), _) => NotAnswered::Read(fault).problem(about),
        (NotSearchable::Fetching, _) | (NotSearchable::Gone { .. }, None) => {
            no_search("The search files are being fetched.", about)
        }
        (NotSearchable::WithoutFiles(build), _) => {
            // `roster builds reindex` makes them.
            tracing::warn!(%build, "a search was refused: the data build has no search files");
            no_search(format!("The data build {build} cannot be searched."), about)
        }
        (NotSearchable::Gone { active }, Some(pin)) => {
            let error = format!("the data build {} is none that can be asked", pin.build);
            let suggestion = active.as_ref().map(BuildName::as_str);
            Problem::invalid_field(pin.field, &json!(pin.given), &error, suggestion)
        }
    }
}

/// A parameter that is not known, with the one that is meant.
fn suggesting(problem: Problem, endpoint: Endpoint) -> Problem {
    let details = problem.details_ref();
    let list = |key| {
        let list = details.get(key).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.collect::<Vec<_>>()
    };
    if details.get("reason") != Some(&json!("unknown_parameter")) {
        return problem;
    }
    let suggestions = instead::parameters(endpoint, &list("parameters"), &list("accepted"));
    problem.detail("suggestions", suggestions)
}

fn problem(code: ErrorCode, message: impl Into<String>) -> Problem {
    let kind: Kind = code.parts();
    Problem::new(kind, message)
}

pub(super) fn no_caller(why: NoCaller) -> Problem {
    Problem::unauthorized(why.reason, why.message)
}

/// The ledger's refusal, as every service tells it.
pub(super) fn told(told: Told) -> Problem {
    Problem::new(told.kind, told.message)
        .details(told.details)
        .add_headers(told.headers)
}

fn request(refusal: RequestRefusal) -> Problem {
    match refusal {
        RequestRefusal::Form(problem) => problem,
        RequestRefusal::LimitWithoutMultiple => Problem::bad_request(
            "missing_parameter",
            "The limit is only taken with multiple_results.",
        )
        .detail("parameters", json!(["multiple_results"])),
        RequestRefusal::UnknownFields { unknown, kind } => {
            let (accepted, suggestions) = instead::fields(kind, &unknown);
            let mut parameters: Vec<&str> = unknown.iter().map(|one| one.parameter).collect();
            parameters.dedup();
            let mut names: Vec<String> = unknown.into_iter().map(|one| one.name).collect();
            names.dedup();
            let message = format!(
                "There is no such field or value of a {kind} in {}: {}.",
                parameters.join(", "),
                names.join(", ")
            );
            Problem::bad_request("unknown_field", message)
                .detail("unknown_fields", names)
                .detail("parameters", parameters)
                .detail("accepted", accepted)
                .detail("suggestions", suggestions)
        }
        RequestRefusal::InsufficientIdentifiers {
            given,
            accepted,
            kind,
            lacks,
        } => {
            let provide = match kind {
                RecordKind::Person => format!(
                    "Provide a primary identifier, or a name with at least one context field: {}.",
                    PERSON_CONTEXT.join(", ")
                ),
                RecordKind::Company => {
                    "Provide an identifier of the company, or its name.".to_owned()
                }
            };
            let message = match lacks {
                Some(lacks) => format!("{lacks} {provide}"),
                None => provide,
            };
            Problem::bad_request("insufficient_identifiers", message)
                .detail("parameters", given)
                .detail("accepted", accepted)
        }
    }
}

fn not_found(kind: RecordKind, miss: Miss, build: Option<&BuildName>) -> Problem {
    let (reason, candidates) = match miss {
        Miss::NoMatch => ("no_match", None),
        Miss::Ambiguous(number) => ("ambiguous", Some(number)),
        Miss::BelowMinConfidence => ("below_min_confidence", None),
        Miss::MissingRequiredFields => ("missing_required_fields", None),
    };
    let message = match candidates {
        None => format!("No {kind} matched the given parameters."),
        Some(number) => format!(
            "{number} records match the given parameters equally well; add another parameter."
        ),
    };
    let mut problem = problem(ErrorCode::NotFound, message)
        .detail("subject_type", kind.name())
        .detail("reason", reason);
    if let Some(number) = candidates {
        problem = problem.detail("candidates", number);
    }
    // The name of a build is of such characters.
    match build.and_then(|build| HeaderValue::from_str(build.as_str()).ok()) {
        None => problem,
        Some(build) => problem.header(HeaderName::from_static(DATA_BUILD), build),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
