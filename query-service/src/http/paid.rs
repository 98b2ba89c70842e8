//! The act of every endpoint: read the body, do all pure work, admit once, perform, settle, answer. A free one is
//! authenticated and counted, and that is all that the ledger hears of it.
//!
//! Guarantee: what is delivered was settled before, and what is not delivered is released. A dropped request (the client
//! went away) releases by itself. What an endpoint reads, performs and shows is its [`Operation`]; the order of checks
//! (`docs/API.md`, "Rules of every request") and what is held, charged and given back are here and nowhere else.

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use events_schema::api::caller::{api_key, idempotency_key};
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{
    Admit, Ask, IdempotencyClaim, RateWindow, Receipt, Refusal, Standing,
};
use events_schema::api::refusal::Asked;
use events_schema::api::usage::Usage;
use events_schema::credits::Credits;
use events_schema::ids::BuildName;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use serde_json::{Map, Value, json};
use service_kit::body::{UNASKED_BYTES, parse_object, read_rest_if, refuse_rounded};
use service_kit::edge::correlation_id;
use service_kit::{Effects, Parameters, Problem, RequestId};
use uuid::Uuid;

use super::App;
use super::headers::{DATA_BUILD, put};
use super::problem::{About, NotAnswered};
use crate::credit_gate::{Admission, GateFault, HeldCredits, Settlement};
use crate::render::View;
use crate::spending::MaxCredits;

/// What is an endpoint's own.
pub(super) trait Operation: Copy + Send + Sync + 'static {
    /// A body that can be answered.
    type Request: Send + Sync + 'static;

    /// Its price and rate limit.
    fn endpoint(self) -> Endpoint;

    /// Where it is asked for; several operations may have the price and the rate limit of one.
    fn path(self) -> String {
        self.endpoint().path().to_owned()
    }

    /// A body of this many bytes takes long to read: it is read only for callers with a valid key, and not between other requests.
    fn long_bytes(self) -> usize {
        usize::MAX
    }

    /// Reads the body: everything that can refuse it without the ledger or the database.
    ///
    /// # Errors
    /// The refusal.
    fn read(self, body: &Map<String, Value>) -> Result<Self::Request, NotAnswered>;

    /// Checks that cost work, made only for callers with a valid key.
    ///
    /// # Errors
    /// The refusal.
    fn check(self, _request: &Self::Request) -> Result<(), NotAnswered> {
        Ok(())
    }

    /// Refusals that the work itself would give before it looks anything up. Asked for callers who lack credits, so that nobody buys
    /// credits for a request that would be refused anyway.
    ///
    /// # Errors
    /// The refusal.
    fn would_refuse(
        self,
        _app: &App,
        request: &Self::Request,
    ) -> impl Future<Output = Result<(), NotAnswered>> + Send {
        std::future::ready(self.check(request))
    }

    /// The most units of the price book that the request may cost.
    fn units(self, request: &Self::Request) -> u32;

    /// The most that the request lets itself cost.
    fn max_credits(self, _request: &Self::Request) -> Option<MaxCredits> {
        None
    }

    /// Whether the request only asks what it would cost: the hold is then of no unit, nothing is charged, and nothing is
    /// kept for its `Idempotency-Key`.
    fn is_dry_run(self, _request: &Self::Request) -> bool {
        false
    }

    /// The work, under a hold. `price` is what a unit costs by the contract that serves.
    ///
    /// # Errors
    /// Why there is nothing to deliver; the hold is then released.
    fn perform(
        self,
        app: &App,
        request: &Self::Request,
        price: Credits,
    ) -> impl Future<Output = Result<Outcome, NotAnswered>> + Send;

    /// The answer of a charge that stands, made again (`docs/API.md`, "Idempotency-Key").
    ///
    /// # Errors
    /// When a part does not answer.
    fn replay(
        self,
        app: &App,
        request: &Self::Request,
        receipt: Receipt,
    ) -> impl Future<Output = Result<Answer, NotAnswered>> + Send;
}

/// What the work gave: delivered once it is settled.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Units of the price book that are charged.
    pub(super) units: u32,
    /// What a replay needs.
    pub(super) receipt: Receipt,
    /// The body.
    pub(super) answer: Answer,
}

/// The body of a 200.
#[derive(Debug)]
pub(super) struct Answer {
    /// JSON.
    pub(super) text: String,
    /// The build that it comes from, for the header `Data-Build`.
    pub(super) build: Option<BuildName>,
    /// Headers of this endpoint alone.
    pub(super) headers: HeaderMap,
}

impl Answer {
    /// An answer without headers of its own.
    pub(super) fn new(text: String, build: Option<BuildName>) -> Self {
        Self {
            text,
            build,
            headers: HeaderMap::new(),
        }
    }
}

/// The route of an operation.
pub(super) fn paid<O: Operation>(operation: O) -> MethodRouter<App> {
    post(
        async move |State(app): State<App>, id: RequestId, effects: Effects, request: Request| {
            // Until it is settled, giving a request up gives its hold back.
            effects.none_yet();
            let (head, body) = request.into_parts();
            let act = Act {
                app: &app,
                operation,
                request_id: id.0,
                effects: &effects,
                head: &head,
            };
            let response = act.run(body).await;
            let response = response.unwrap_or_else(IntoResponse::into_response);
            app.metrics.answer(operation.endpoint(), response.status());
            response
        },
    )
}

/// One request on its way.
struct Act<'a, O> {
    app: &'a App,
    operation: O,
    request_id: Uuid,
    effects: &'a Effects,
    head: &'a Parts,
}

/// What the pure work makes of a request.
struct Read<'a, R> {
    request: R,
    is_dry_run: bool,
    claim: Option<IdempotencyClaim>,
    idempotency_key: Option<&'a str>,
}

impl<'a, O: Operation> Act<'a, O> {
    /// Looks at the key before it waits for the body.
    async fn run(&self, body: Body) -> Result<Response, Problem> {
        let api_key = api_key(&self.head.headers)
            .map_err(|why| self.problem(NotAnswered::NoCaller(why), None, None))?
            .to_owned();
        // Of a long body, too, the rest comes only with a valid key.
        let long = self.operation.long_bytes();
        let unasked = UNASKED_BYTES.min(long.saturating_sub(1));
        let look = || self.look_at_key(&api_key);
        let body = read_rest_if(self.head, body, unasked, look).await?;
        let read = if body.len() < long {
            let read = self.read(&body);
            drop(body);
            read
        } else {
            self.read_long(&api_key, body).await
        };
        let is_free = self.operation.endpoint().is_free();
        let ask = match &read {
            Ok(read) if read.is_dry_run => Ask::Quote(self.operation.units(&read.request)),
            Ok(read) if !is_free => Ask::Units(self.operation.units(&read.request)),
            Ok(_) | Err(_) => Ask::Nothing,
        };
        let idempotency_key = read.as_ref().ok().and_then(|read| read.idempotency_key);
        let admit = Admit {
            api_key,
            endpoint: self.operation.endpoint(),
            request_id: self.request_id,
            ask,
            idempotency: read.as_ref().ok().and_then(|read| read.claim.clone()),
        };
        let admission = self.app.gate.admit(admit).await;
        let admission =
            admission.map_err(|fault| self.problem(NotAnswered::Gate(fault), None, None))?;
        match (admission, read) {
            (Admission::Refused(refusal, rate, standing), read) => {
                if let Ok(read) = &read
                    && let Err(why) = self.refuses(&refusal, &read.request).await
                {
                    let usage = Usage::free(rate, standing);
                    return Err(self.problem(why, rate, None).add_headers(usage.headers()));
                }
                Err(self.refused(refusal, rate, standing, idempotency_key))
            }
            (Admission::Noted(rate, standing), Err(refusal)) => {
                let usage = Usage::free(Some(rate), standing);
                Err(self
                    .problem(refusal, Some(rate), None)
                    .add_headers(usage.headers()))
            }
            (Admission::Noted(rate, standing), Ok(read)) if is_free => {
                self.give(&read.request, rate, standing).await
            }
            (Admission::Held(held, rate, standing), Ok(read)) => {
                self.work(&read, held, rate, standing).await
            }
            (Admission::Replay(receipt, rate, standing), Ok(read)) => {
                self.replayed(&read, receipt, rate, standing).await
            }
            (Admission::Noted(..), Ok(_))
            | (Admission::Held(..) | Admission::Replay(..), Err(_)) => {
                tracing::error!("an admission does not answer what was asked");
                Err(Problem::internal())
            }
        }
    }

    /// Whether the request is refused for what it says, before it is for what the ledger says.
    async fn refuses(&self, refusal: &Refusal, request: &O::Request) -> Result<(), NotAnswered> {
        match stands(refusal) {
            Stands::BeforeTheBody => Ok(()),
            Stands::BehindTheBody => self.operation.check(request),
            Stands::BehindTheWork => self.operation.would_refuse(self.app, request).await,
        }
    }

    /// Refuses a key that is not valid, before anything is done for it.
    async fn look_at_key(&self, api_key: &str) -> Result<(), Problem> {
        match self.app.gate.check(api_key).await {
            Ok(None) => Ok(()),
            Ok(Some(refusal)) => Err(self.refused(refusal, None, None, None)),
            Err(fault) => Err(self.problem(NotAnswered::Gate(fault), None, None)),
        }
    }

    fn read(&self, body: &[u8]) -> Result<Read<'a, O::Request>, NotAnswered> {
        let idempotency_key = self.headers()?;
        let (body, request) = typed(self.operation, body)?;
        Ok(self.claimed(&body, request, idempotency_key))
    }

    /// The same where reading takes long.
    async fn read_long(
        &self,
        api_key: &str,
        body: Bytes,
    ) -> Result<Read<'a, O::Request>, NotAnswered> {
        let idempotency_key = self.headers()?;
        let operation = self.operation;
        let reads = &self.app.long_reads;
        let reading = reads.run(api_key, move || typed(operation, &body));
        let (body, request) = reading.await.map_err(NotAnswered::Form)??;
        Ok(self.claimed(&body, request, idempotency_key))
    }

    /// The `Idempotency-Key`, and no fault of another header or of the URL.
    fn headers(&self) -> Result<Option<&'a str>, NotAnswered> {
        let headers = &self.head.headers;
        correlation_id(headers).map_err(NotAnswered::Form)?;
        Parameters::refuse_any(&self.head.uri).map_err(NotAnswered::Form)?;
        idempotency_key(headers)
            .map_err(|fault| NotAnswered::Form(Problem::malformed_header(fault.name, fault.rule)))
    }

    fn claimed(
        &self,
        body: &Map<String, Value>,
        request: O::Request,
        idempotency_key: Option<&'a str>,
    ) -> Read<'a, O::Request> {
        let secret = self.app.hash_secret.expose();
        let endpoint = self.operation.endpoint();
        let is_dry_run = self.operation.is_dry_run(&request);
        let claim = idempotency_key
            .filter(|_| !is_dry_run && !endpoint.is_free())
            .map(|key| IdempotencyClaim::of(secret, endpoint, key, body));
        Read {
            request,
            is_dry_run,
            claim,
            idempotency_key,
        }
    }

    /// The answer of a charge that stands, for 0 credits.
    async fn replayed(
        &self,
        read: &Read<'_, O::Request>,
        receipt: Receipt,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Result<Response, Problem> {
        let usage = Usage::free(Some(rate), standing);
        let replay = self.operation.replay(self.app, &read.request, receipt);
        let answer = replay.await.map_err(|fault| {
            self.problem(fault, Some(rate), read.idempotency_key)
                .add_headers(usage.headers())
        })?;
        let mut response = respond(answer, &usage);
        response
            .headers_mut()
            .insert("idempotency-replayed", HeaderValue::from_static("true"));
        Ok(response)
    }

    /// Performs what is free.
    async fn give(
        &self,
        request: &O::Request,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Result<Response, Problem> {
        let usage = Usage::free(Some(rate), standing);
        let outcome = self.operation.perform(self.app, request, Credits::ZERO);
        match outcome.await {
            Ok(outcome) => Ok(respond(outcome.answer, &usage)),
            Err(fault) => Err(self
                .problem(fault, Some(rate), None)
                .add_headers(usage.headers())),
        }
    }

    /// Performs under a hold; ends with the hold settled or released.
    async fn work(
        &self,
        read: &Read<'_, O::Request>,
        held: HeldCredits,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Result<Response, Problem> {
        match self.perform(read, held.price()).await {
            Ok(outcome) if read.is_dry_run => {
                let usage = self.released(held, rate, standing).await;
                Ok(respond(outcome.answer, &usage))
            }
            Ok(outcome) => self.settled(read, outcome, held, rate, standing).await,
            Err(fault) => {
                let usage = self.released(held, rate, standing).await;
                Err(self
                    .problem(fault, Some(rate), None)
                    .add_headers(usage.headers()))
            }
        }
    }

    async fn perform(
        &self,
        read: &Read<'_, O::Request>,
        price: Credits,
    ) -> Result<Outcome, NotAnswered> {
        self.operation.check(&read.request)?;
        if let Some(most) = self.operation.max_credits(&read.request)
            && !read.is_dry_run
        {
            let units = self.operation.units(&read.request);
            most.allow(units, price).map_err(NotAnswered::Form)?;
        }
        self.operation.perform(self.app, &read.request, price).await
    }

    /// Gives a hold back. Awaited, so that the client's next request finds the credits free; if the ledger is gone, the hold ends by its own
    /// time limit and the answer is the same.
    async fn released(
        &self,
        held: HeldCredits,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Usage {
        let released = self.app.gate.release(held).await.ok().flatten();
        Usage::free(Some(rate), released.or(standing))
    }

    /// Charges for what was performed, and only then delivers it.
    async fn settled(
        &self,
        read: &Read<'_, O::Request>,
        outcome: Outcome,
        held: HeldCredits,
        rate: RateWindow,
        standing: Option<Standing>,
    ) -> Result<Response, Problem> {
        let Outcome {
            units,
            receipt,
            answer,
        } = outcome;
        self.effects.begin();
        match self.app.gate.settle(held, units, receipt).await {
            Ok(Settlement::Settled {
                credits_used,
                standing,
            }) => {
                self.app.metrics.delivered(self.operation.endpoint(), units);
                let usage = Usage {
                    rate: Some(rate),
                    standing,
                    credits_used: Some(credits_used),
                };
                Ok(respond(answer, &usage))
            }
            Ok(Settlement::Before(receipt)) => self.replayed(read, receipt, rate, standing).await,
            Ok(Settlement::Refused(refusal, now)) => {
                Err(self.refused(refusal, Some(rate), now.or(standing), read.idempotency_key))
            }
            Err(fault) => {
                // What is left is not known after the work, and after an unknown outcome not even whether the charge stands.
                let usage = match fault {
                    GateFault::Unavailable { .. } => Usage::free(Some(rate), None),
                    GateFault::Unknown { .. } => Usage::limits(Some(rate)),
                };
                let problem = self.problem(NotAnswered::Gate(fault), Some(rate), None);
                Err(problem.add_headers(usage.headers()))
            }
        }
    }

    /// A refusal of the ledger.
    fn refused(
        &self,
        refusal: Refusal,
        rate: Option<RateWindow>,
        standing: Option<Standing>,
        idempotency_key: Option<&str>,
    ) -> Problem {
        let usage = Usage::of_refusal(&refusal, rate, standing);
        self.problem(NotAnswered::Ledger(refusal), rate, idempotency_key)
            .add_headers(usage.headers())
    }

    fn problem(
        &self,
        why: NotAnswered,
        rate: Option<RateWindow>,
        idempotency_key: Option<&str>,
    ) -> Problem {
        let asked = Asked {
            endpoint: self.operation.endpoint(),
            idempotency_key,
        };
        why.problem(About {
            asked,
            rate,
            retry_after_seconds: self.app.retry_after_seconds,
        })
    }
}

/// The body, and what it asks for.
fn typed<O: Operation>(
    operation: O,
    body: &[u8],
) -> Result<(Map<String, Value>, O::Request), NotAnswered> {
    let read = parse_object(body).map_err(NotAnswered::Form)?;
    let request = operation.read(&read)?;
    // Last: of a parameter that is a number its range is told.
    refuse_rounded(body).map_err(NotAnswered::Form)?;
    Ok((read, request))
}

/// Which refusals come before one of the ledger (`docs/API.md`, "Order of checks").
enum Stands {
    /// None of the request's own.
    BeforeTheBody,
    /// What follows from the body alone: another request under the same name passed the rest, whatever builds there are now.
    BehindTheBody,
    /// Whatever the work would say before it finds anything.
    BehindTheWork,
}

const fn stands(refusal: &Refusal) -> Stands {
    match refusal {
        Refusal::InvalidApiKey
        | Refusal::RateLimited
        | Refusal::EndpointNotAllowed
        | Refusal::NoActiveContract => Stands::BeforeTheBody,
        Refusal::DifferentRequest | Refusal::InProgress => Stands::BehindTheBody,
        Refusal::InsufficientCredits { .. }
        | Refusal::ContractExhausted { .. }
        | Refusal::ContractExpired { .. } => Stands::BehindTheWork,
    }
}

fn respond(answer: Answer, usage: &Usage) -> Response {
    let mut headers = usage.headers();
    headers.extend(answer.headers);
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    if let Some(build) = &answer.build {
        put(&mut headers, DATA_BUILD, build);
    }
    (headers, answer.text).into_response()
}

/// The answer to a dry run: what the request would cost at the most, which is what it needs to be admitted.
pub(super) fn would_cost(view: &View, total: u64, units: u32, price: Credits) -> String {
    let required = price.times(units).unwrap_or(Credits(i64::MAX));
    let mut text = view.text(0);
    let body = json!({"matches": [], "total": total, "credits_required": required.0});
    text.value(&body);
    text.finish()
}
