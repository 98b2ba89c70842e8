//! `POST /person/enrich` and `POST /company/enrich` (interface.md 4.4, contract C2, C3).
//!
//! The act: read the body, do all pure work, admit once, look up, settle, answer. What is delivered was settled
//! before; what is not delivered is released. A dropped request (the client went away) releases by itself.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use events_schema::api::internal::{
    Admit, Ask, IdempotencyClaim, RateWindow, Receipt, Refusal, Standing,
};
use events_schema::ids::BuildName;
use events_schema::record::RecordKind;
use http::{HeaderMap, HeaderValue, header};
use serde_json::{Map, Value, json};
use service_kit::body::{RawBody, parse_object};
use service_kit::edge::correlation_id;
use service_kit::{Problem, RequestId};
use uuid::Uuid;

use super::claim::{self, ApiKey};
use super::facts::{Facts, put};
use super::problem::{About, NotAnswered, with_facts};
use super::{App, endpoint};
use crate::builds;
use crate::credit_gate::{Admission, HeldCredits, Settlement};
use crate::enrich::choose::{Chosen, Miss, choose};
use crate::enrich::request::EnrichRequest;
use crate::enrich::{Document, MatchMetadata};
use crate::render::View;

pub(super) async fn person(
    State(app): State<App>,
    id: RequestId,
    headers: HeaderMap,
    body: RawBody,
) -> Response {
    answer(app, RecordKind::Person, id, headers, body).await
}

pub(super) async fn company(
    State(app): State<App>,
    id: RequestId,
    headers: HeaderMap,
    body: RawBody,
) -> Response {
    answer(app, RecordKind::Company, id, headers, body).await
}

async fn answer(
    app: App,
    kind: RecordKind,
    id: RequestId,
    headers: HeaderMap,
    RawBody(body): RawBody,
) -> Response {
    let act = Act {
        app: &app,
        kind,
        request_id: id.0,
        headers: &headers,
    };
    let response = act.run(body).await;
    let response = response.unwrap_or_else(IntoResponse::into_response);
    app.metrics.answer(kind, response.status());
    response
}

/// One request on its way.
struct Act<'a> {
    app: &'a App,
    kind: RecordKind,
    request_id: Uuid,
    headers: &'a HeaderMap,
}

/// What the pure work makes of a request.
struct Read<'a> {
    request: EnrichRequest,
    claim: Option<IdempotencyClaim>,
    idempotency_key: Option<&'a str>,
}

/// A match as it is shown.
struct Shown {
    service_id: Uuid,
    doc: Document,
    metadata: Option<MatchMetadata>,
}

impl<'a> Act<'a> {
    async fn run(&self, body: Bytes) -> Result<Response, Problem> {
        let api_key = match claim::api_key(self.headers) {
            ApiKey::Given(key) => key.to_owned(),
            ApiKey::Missing => return Err(self.problem(NotAnswered::MissingKey, None, None)),
            ApiKey::Malformed => return Err(self.problem(NotAnswered::MalformedKey, None, None)),
        };
        let read = self.read(&body);
        drop(body);
        let ask = read
            .as_ref()
            .map_or(Ask::Refused, |read| Ask::Units(read.request.wanted.limit));
        let idempotency_key = read.as_ref().ok().and_then(|read| read.idempotency_key);
        let admit = Admit {
            api_key,
            endpoint: endpoint(self.kind),
            request_id: self.request_id,
            ask,
            idempotency: read.as_ref().ok().and_then(|read| read.claim.clone()),
        };
        let admission = self.app.gate.admit(admit).await;
        let admission =
            admission.map_err(|fault| self.problem(NotAnswered::Gate(fault), None, None))?;
        match (admission, read) {
            (Admission::Refused(refusal, rate, standing), _) => {
                Err(self.refused(refusal, rate, standing, idempotency_key))
            }
            (Admission::Noted(rate, standing), Err(refusal)) => {
                let facts = Facts::free(Some(rate), standing);
                Err(with_facts(self.problem(refusal, Some(rate), None), &facts))
            }
            (Admission::Held(held, rate, standing), Ok(read)) => {
                self.work(&read, held, rate, standing).await
            }
            (Admission::Replay(receipt, rate, standing), Ok(read)) => {
                let facts = Facts::free(Some(rate), standing);
                let replayed = self.replay(&read.request, receipt, &facts).await;
                replayed.map_err(|fault| {
                    with_facts(self.problem(fault, Some(rate), idempotency_key), &facts)
                })
            }
            (Admission::Noted(..), Ok(_))
            | (Admission::Held(..) | Admission::Replay(..), Err(_)) => {
                tracing::error!("an admission does not answer what was asked");
                Err(Problem::internal())
            }
        }
    }

    /// The pure work: everything that can refuse the request without the ledger or the database.
    fn read(&self, body: &[u8]) -> Result<Read<'a>, NotAnswered> {
        correlation_id(self.headers).map_err(NotAnswered::Form)?;
        let idempotency_key = claim::idempotency_key(self.headers).map_err(NotAnswered::Form)?;
        let body = parse_object(body).map_err(NotAnswered::Form)?;
        let request = EnrichRequest::read(self.kind, &body).map_err(NotAnswered::Request)?;
        let secret = self.app.hash_secret.expose();
        let claim =
            idempotency_key.map(|key| claim::claim(secret, endpoint(self.kind), key, &body));
        Ok(Read {
            request,
            claim,
            idempotency_key,
        })
    }

    /// Looks up under a hold; ends with the hold settled or released.
    async fn work(
        &self,
        read: &Read<'_>,
        held: HeldCredits,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Result<Response, Problem> {
        let (build, chosen) = match self.look_up(&read.request).await {
            Ok(found) => found,
            Err(fault) => {
                // Awaited, so that the client's next request finds the credits free; if the ledger is gone, the hold
                // ends by its own time limit and the answer is the same.
                let released = self.app.gate.release(held).await.ok().flatten();
                let facts = Facts::free(Some(rate), released.or(standing));
                return Err(with_facts(self.problem(fault, Some(rate), None), &facts));
            }
        };
        let units = u32::try_from(chosen.matches.len()).unwrap_or(u32::MAX);
        let settlement = self
            .app
            .gate
            .settle(held, units, receipt(&build, &chosen))
            .await;
        match settlement {
            Ok(Settlement::Settled {
                credits_used,
                standing,
            }) => {
                let facts = Facts {
                    rate: Some(rate),
                    standing,
                    credits_used: Some(credits_used),
                };
                self.app.metrics.matches(self.kind, units);
                let total = chosen.total;
                let shown = chosen.matches.into_iter().map(|one| Shown {
                    service_id: one.candidate.service_id,
                    doc: one.candidate.doc,
                    metadata: Some(one.metadata),
                });
                Ok(respond(&read.request.view, &build, shown, total, &facts))
            }
            Ok(Settlement::Refused(refusal, now)) => {
                Err(self.refused(refusal, Some(rate), now.or(standing), read.idempotency_key))
            }
            // The charge may stand or not: nothing is said about credits.
            Err(fault) => {
                let facts = Facts {
                    rate: Some(rate),
                    ..Facts::default()
                };
                Err(with_facts(
                    self.problem(NotAnswered::Gate(fault), Some(rate), None),
                    &facts,
                ))
            }
        }
    }

    async fn look_up(&self, request: &EnrichRequest) -> Result<(BuildName, Chosen), NotAnswered> {
        let reader = match self.app.builds.active(self.kind) {
            builds::Standing::Active(reader) => reader,
            builds::Standing::None => return Err(NotAnswered::Miss(Miss::NoMatch)),
            builds::Standing::Unknown => return Err(NotAnswered::NoBuildKnown),
        };
        let probes = request.query.probes();
        let id = request.query.service_id();
        let id = id
            .and_then(|(clue, id)| Some((probes.iter().position(|probe| probe.clue == clue)?, id)));
        let found = reader
            .candidates(&probes, id)
            .await
            .map_err(NotAnswered::Read)?;
        self.app.metrics.candidates(self.kind, found.len());
        let scored = request.query.score(&probes, found);
        let chosen = choose(scored, &request.wanted).map_err(NotAnswered::Miss)?;
        Ok((reader.build().clone(), chosen))
    }

    /// Renders a charged answer again, from its build while that can be read, else from the active one. A record that
    /// is gone stays out.
    async fn replay(
        &self,
        request: &EnrichRequest,
        receipt: Receipt,
        facts: &Facts,
    ) -> Result<Response, NotAnswered> {
        let kept = match &receipt.build {
            Some(build) => self
                .app
                .builds
                .by_name(self.kind, build)
                .await
                .map_err(NotAnswered::Read)?,
            None => None,
        };
        let reader = match (kept, self.app.builds.active(self.kind)) {
            (Some(reader), _) | (None, builds::Standing::Active(reader)) => reader,
            (None, builds::Standing::None | builds::Standing::Unknown) => {
                return Err(NotAnswered::NoBuildKnown);
            }
        };
        let records = reader
            .by_ids(&receipt.ids)
            .await
            .map_err(NotAnswered::Read)?;
        let metadata = receipt.extra.get("matches").cloned().unwrap_or_default();
        let metadata: Vec<MatchMetadata> = serde_json::from_value(metadata).unwrap_or_default();
        let shown = records.into_iter().map(|(service_id, doc)| {
            let at = receipt.ids.iter().position(|id| *id == service_id);
            Shown {
                service_id,
                doc,
                metadata: at.and_then(|at| metadata.get(at).cloned()),
            }
        });
        let total = receipt.total.unwrap_or(receipt.ids.len() as u64);
        let mut response = respond(&request.view, reader.build(), shown, total, facts);
        response
            .headers_mut()
            .insert("idempotency-replayed", HeaderValue::from_static("true"));
        Ok(response)
    }

    /// A refusal of the ledger. A 401 and a 429 stand before any contract; with a 403 none serves.
    fn refused(
        &self,
        refusal: Refusal,
        rate: Option<RateWindow>,
        standing: Option<Standing>,
        idempotency_key: Option<&str>,
    ) -> Problem {
        let facts = match &refusal {
            Refusal::InvalidApiKey => Facts::default(),
            Refusal::RateLimited => Facts {
                rate,
                ..Facts::default()
            },
            Refusal::EndpointNotAllowed | Refusal::NoActiveContract => Facts::free(rate, None),
            Refusal::DifferentRequest
            | Refusal::InProgress
            | Refusal::InsufficientCredits { .. }
            | Refusal::ContractExhausted { .. }
            | Refusal::ContractExpired { .. } => Facts::free(rate, standing),
        };
        with_facts(
            self.problem(NotAnswered::Ledger(refusal), rate, idempotency_key),
            &facts,
        )
    }

    fn problem(
        &self,
        why: NotAnswered,
        rate: Option<RateWindow>,
        idempotency_key: Option<&str>,
    ) -> Problem {
        let retry_after_seconds = self.app.retry_after_seconds;
        why.problem(About {
            kind: self.kind,
            endpoint: endpoint(self.kind),
            rate,
            idempotency_key,
            retry_after_seconds,
        })
    }
}

/// What a replay of this answer needs.
fn receipt(build: &BuildName, chosen: &Chosen) -> Receipt {
    let metadata: Vec<&MatchMetadata> = chosen.matches.iter().map(|one| &one.metadata).collect();
    Receipt {
        build: Some(build.clone()),
        ids: chosen
            .matches
            .iter()
            .map(|one| one.candidate.service_id)
            .collect(),
        total: Some(chosen.total),
        extra: json!({"matches": metadata}),
    }
}

fn respond(
    view: &View,
    build: &BuildName,
    shown: impl Iterator<Item = Shown>,
    total: u64,
    facts: &Facts,
) -> Response {
    let matches = shown.map(|one| {
        let mut element = Map::new();
        element.insert(
            view.key().to_owned(),
            view.record(one.service_id, build, &one.doc),
        );
        element.insert("match_metadata".to_owned(), json!(one.metadata));
        Value::Object(element)
    });
    let matches: Vec<Value> = matches.collect();
    let mut headers = facts.headers();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    put(&mut headers, "data-build", build);
    (
        headers,
        view.text(&json!({"matches": matches, "total": total})),
    )
        .into_response()
}
