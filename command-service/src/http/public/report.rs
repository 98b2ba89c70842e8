//! `POST /utility/report/person` and `/utility/report/company` (`docs/REPORTS.md`).
//!
//! Guarantee: a report that is answered 200 is in the event store, once, and so is the claim of its `Idempotency-Key`.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};
use events_schema::api::caller::{api_key, idempotency_key};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{
    Admit, Answer, Ask, Call, Caller, Hold, IdempotencyClaim, RateWindow, Receipt, RecordLookup,
    Settle,
};
use events_schema::api::refusal::Asked;
use events_schema::api::usage::Usage;
use events_schema::ids::ReportId;
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportDetails, ReportStatus};
use http::request::Parts;
use http::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service_kit::body::{UNASKED_BYTES, parse_object, read_rest_if};
use service_kit::edge::correlation_id;
use service_kit::telemetry::current_traceparent;
use service_kit::{Clock, Parameters, Problem, RequestId};
use tracing::Instrument;
use uuid::Uuid;

use super::PublicState;
use super::refusal::problem;
use super::report_body::{self, ReportBody};
use crate::application::{Filed, NewReport};
use crate::http::cause;
use crate::http::failure::{no_caller, not_found};
use crate::http::internal::reports::FileReport;

const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Shortest and longest pause before a report of unknown outcome is filed again.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Seconds after which query-service may answer again.
const RECORDS_RETRY_SECONDS: u64 = 5;

const fn endpoint(kind: RecordKind) -> Endpoint {
    match kind {
        RecordKind::Person => Endpoint::ReportPerson,
        RecordKind::Company => Endpoint::ReportCompany,
    }
}

pub(super) async fn file(
    kind: RecordKind,
    State(state): State<PublicState>,
    id: RequestId,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let headers = &head.headers;
    let api_key = api_key(headers).map_err(no_caller)?.to_owned();
    let asked = Asked {
        endpoint: endpoint(kind),
        idempotency_key: idempotency_key(headers).ok().flatten(),
    };
    let has_key = async || {
        let api_key = api_key.clone();
        match state.peers.answer(Call::Check { api_key }).await {
            Answer::Valid(_) => Ok(()),
            answer => Err(problem(answer, &asked)),
        }
    };
    let body = read_rest_if(&head, body, UNASKED_BYTES, has_key).await?;
    let checked = check(&state, kind, &head, &body);
    let (ask, idempotency) = match &checked {
        Ok((_, claim)) => (Ask::Units(1), claim.clone()),
        Err(_) => (Ask::Nothing, None),
    };
    // Before the ledger sets anything aside: what it holds lasts at least so long.
    let claimed_until = state.clock.monotonic() + state.hold_timeout;
    let admit = Admit {
        api_key,
        endpoint: asked.endpoint,
        request_id: id.0,
        ask,
        idempotency,
    };
    match (state.peers.answer(Call::Admit(admit)).await, checked) {
        (Answer::Noted { rate, standing }, Err(refused)) => {
            let usage = Usage::free(Some(rate), standing);
            Err(refused.add_headers(usage.headers()))
        }
        (Answer::Replay { receipt, rate, .. }, Ok(_)) => replayed(receipt, rate),
        (
            Answer::Admitted {
                caller, hold, rate, ..
            },
            Ok((report, _)),
        ) => {
            let work = Work {
                state,
                kind,
                request_id: id.0,
                caller,
                hold,
                claimed_until,
                report,
            };
            work.finish(rate).await
        }
        (answer, _) => Err(problem(answer, &asked)),
    }
}

/// All that can be said without the ledger: headers first, then the URL and the body.
fn check(
    state: &PublicState,
    kind: RecordKind,
    head: &Parts,
    body: &[u8],
) -> Result<(ReportBody, Option<IdempotencyClaim>), Problem> {
    correlation_id(&head.headers)?;
    let key = idempotency_key(&head.headers)
        .map_err(|fault| Problem::malformed_header(fault.name, fault.rule))?;
    Parameters::refuse_any(&head.uri)?;
    let map: Map<String, Value> = parse_object(body)?;
    let report = report_body::read(kind, &map)?;
    let secret = &state.request_hash_secret;
    let claim = key.map(|key| IdempotencyClaim::of(secret.expose(), endpoint(kind), key, &map));
    Ok((report, claim))
}

/// An admitted report on its way into the store.
struct Work {
    state: PublicState,
    kind: RecordKind,
    request_id: Uuid,
    caller: Caller,
    hold: Hold,
    /// When the hold and the claim of the name end by themselves.
    claimed_until: Instant,
    report: ReportBody,
}

impl Work {
    /// Goes on to its end although the client may go away: the hold is settled or released either way, as soon as it is known
    /// which.
    async fn finish(self, rate: RateWindow) -> Result<Response, Problem> {
        let headers = Usage::free(Some(rate), None).headers();
        let done = tokio::spawn(self.run().in_current_span()).await;
        match done.unwrap_or_else(|_| Err(Problem::internal())) {
            Ok(answer) => Ok((headers, Json(answer)).into_response()),
            Err(problem) => Err(problem.add_headers(headers)),
        }
    }

    async fn run(self) -> Result<FiledReport, Problem> {
        let (report, answer) = match self.found().await {
            Ok(found) => self.with_record(found),
            Err(problem) => {
                self.give_back().await;
                return Err(problem);
            }
        };
        match self.state.peers.file_report(&report).await {
            Ok(Filed::Now(_)) => {
                self.end().await;
                Ok(answer)
            }
            // Another owner of the account has admitted it, too, and it was filed by that admission.
            Ok(Filed::Before(receipt)) => {
                self.end().await;
                FiledReport::of(receipt)
            }
            Err(problem) if problem.is_unknown_outcome() && self.hold.idempotency.is_some() => {
                tokio::spawn(self.until_known(report).in_current_span());
                Err(problem)
            }
            Err(problem) => {
                self.give_back().await;
                Err(problem)
            }
        }
    }

    /// What the report names stays taken until it is known whether it was filed: it is filed again, which files it once,
    /// until somebody says so. At the latest the claim ends by its own time; then the row of the name, which the store has
    /// only once, is all that keeps a second one away.
    async fn until_known(self, report: FileReport) {
        let mut tries = Tries::until(self.claimed_until);
        while tries.next(&*self.state.clock).await {
            match self.state.peers.file_report(&report).await {
                Ok(_) => return self.end().await,
                // Of this try it may be known that it did nothing, of the first one it is not.
                Err(problem) if problem.status().is_server_error() => {}
                Err(_) => return self.give_back().await,
            }
        }
    }

    /// The claim, if any, is durable with the report: what is left is to end the hold.
    async fn end(self) {
        let settle = Settle {
            hold: self.hold.clone(),
            units: 1,
            receipt: Receipt::default(),
            traceparent: current_traceparent(),
        };
        self.last(Call::Settle(settle)).await;
    }

    async fn give_back(self) {
        let hold = self.hold.clone();
        self.last(Call::Release { hold }).await;
    }

    async fn last(self, call: Call) {
        if let Answer::Unavailable { component, .. } = self.state.peers.answer(call).await {
            tracing::warn!(%component, "the hold of a report ends by its time limit");
        }
    }

    async fn found(&self) -> Result<RecordLookup, Problem> {
        let (records, report) = (&self.state.records, &self.report);
        let found = records.find(self.kind, report.service_id, report.field.as_deref());
        let found = found.await.map_err(|fault| {
            tracing::warn!(%fault, "a record could not be looked up");
            Problem::unavailable("upstream", RECORDS_RETRY_SECONDS)
        })?;
        found.ok_or_else(|| not_found(self.kind.name()))
    }

    /// The report on the record that was found, and its answer.
    fn with_record(&self, found: RecordLookup) -> (FileReport, FiledReport) {
        let report = &self.report;
        let report_id = ReportId::new(found.service_id, rand::random());
        let received_at = self.state.clock.now().trunc_subsecs(6);
        let answer = FiledReport {
            report_id,
            status: ReportStatus::Received,
            subject_type: self.kind,
            service_id: found.service_id,
            issue_type: report.issue_type,
            issue_level: report.issue_level,
            field: report.field.clone(),
            created_at: shown_time(received_at),
        };
        let receipt = Receipt {
            build: Some(found.build.clone()),
            ids: vec![found.service_id],
            total: None,
            extra: json!(answer),
        };
        let stored_value = Some(found.stored_value).filter(|value| !value.is_null());
        let filed = FileReport {
            report: NewReport {
                report_id,
                subject_type: self.kind,
                service_id: found.service_id,
                issue_type: report.issue_type,
                issue_level: report.issue_level,
                field: report.field.clone(),
                data_build: found.build,
                record_last_seen: found.last_seen,
                received_at,
                account_id: self.caller.account_id,
                details: ReportDetails {
                    stored_value,
                    ..report.details.clone()
                },
                idempotency: self.hold.idempotency.clone().map(|claim| (claim, receipt)),
            },
            cause: cause(
                self.request_id,
                format!("api_key:{}", self.caller.api_key_id),
            ),
        };
        (filed, answer)
    }
}

/// What a filed report is answered with, by the same text when it is told again: the store gives the keys of a value back in an order
/// of its own. It holds no reported value, so that a receipt may keep it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FiledReport {
    pub(super) report_id: ReportId,
    pub(super) status: ReportStatus,
    pub(super) subject_type: RecordKind,
    pub(super) service_id: Uuid,
    pub(super) issue_type: IssueType,
    pub(super) issue_level: IssueLevel,
    pub(super) field: Option<String>,
    pub(super) created_at: String,
}

/// A time as customers read it.
pub(super) fn shown_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl FiledReport {
    fn of(receipt: Receipt) -> Result<Self, Problem> {
        serde_json::from_value(receipt.extra).map_err(|fault| {
            tracing::error!(%fault, "a receipt of a report cannot be read");
            Problem::internal()
        })
    }
}

/// Tries of something whose time ends on the line that no step of the clock moves.
struct Tries {
    until: Instant,
    pause: Duration,
}

impl Tries {
    const fn until(until: Instant) -> Self {
        Self {
            until,
            pause: FIRST_PAUSE,
        }
    }

    /// Waits for the next try; `false` when there is none any more.
    async fn next(&mut self, clock: &dyn Clock) -> bool {
        if clock.monotonic() >= self.until {
            return false;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        true
    }
}

fn replayed(receipt: Receipt, rate: RateWindow) -> Result<Response, Problem> {
    let mut headers = Usage::free(Some(rate), None).headers();
    let report =
        FiledReport::of(receipt).map_err(|problem| problem.add_headers(headers.clone()))?;
    headers.insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    Ok((headers, Json(report)).into_response())
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use service_kit::ManualClock;

    use super::*;

    #[test]
    fn a_report_is_told_again_by_the_same_text_in_whatever_order_the_store_kept_it() {
        let told = r#"{"report_id":"018f2f0e-5b7c-8a00-9c3e-0d6f5b1c2a3d","status":"received","subject_type":"company","service_id":"018f2f0e-5b7c-8a00-9c3e-0d6f5b1c2a3e","issue_type":"duplicate","issue_level":"record","field":null,"created_at":"2026-11-25T10:00:00Z"}"#;
        let kept: Value = serde_json::from_str(told).unwrap();
        let mut kept: Vec<_> = kept.as_object().unwrap().clone().into_iter().collect();
        // As `jsonb` orders them.
        kept.sort_by_key(|(key, _)| (key.len(), key.clone()));
        let receipt = Receipt {
            extra: Value::Object(kept.into_iter().collect()),
            ..Receipt::default()
        };
        assert_ne!(receipt.extra.to_string(), told);
        let again = FiledReport::of(receipt).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), told);
    }

    #[tokio::test]
    async fn a_report_of_unknown_outcome_is_tried_until_its_claim_ends_whatever_is_done_to_the_clock()
     {
        let clock = ManualClock::at(DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let mut tries = Tries::until(clock.monotonic() + Duration::from_secs(40));
        clock.step(TimeDelta::hours(1));
        assert!(tries.next(&clock).await);
        clock.step(TimeDelta::hours(-2));
        clock.advance(Duration::from_secs(39));
        assert!(tries.next(&clock).await);
        clock.advance(Duration::from_secs(1));
        assert!(!tries.next(&clock).await);
    }
}
