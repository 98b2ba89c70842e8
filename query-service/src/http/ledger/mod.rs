//! `GET /credits/ledger`: the account's grants and charges, newest first. Free, with the rate limit of `GET /credits`.

mod cursor;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::SecondsFormat;
use events_schema::api::caller::api_key;
use events_schema::api::limits::{DEFAULT_LEDGER_LIMIT, MAX_LEDGER_LIMIT};
use events_schema::api::usage::Usage;
use events_schema::ids::AccountId;
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;
use service_kit::edge::correlation_id;
use service_kit::{Parameters, Problem};
use uuid::Uuid;

use cursor::Seal;

use super::App;
use super::problem::{no_answer, no_caller, told, unread};
use crate::credit_gate::Look;
use crate::read_model::{Entry, Page};

const ACCEPTED: &[&str] = &["limit", "cursor"];

/// A page, as it is answered.
#[derive(Serialize)]
struct Shown<'a> {
    entries: Vec<ShownEntry<'a>>,
    next_cursor: Option<String>,
    is_current: bool,
}

/// An entry, as it is answered: what a contract's entries add up to is its balance.
#[derive(Serialize)]
struct ShownEntry<'a> {
    request_id: Uuid,
    contract_id: Uuid,
    kind: &'a str,
    endpoint: Option<&'a str>,
    units: Option<i32>,
    credits: i64,
    balance_after: i64,
    occurred_at: String,
}

pub(super) async fn show(
    State(app): State<App>,
    headers: HeaderMap,
    parameters: Result<Parameters, Problem>,
) -> Result<Response, Problem> {
    let api_key = api_key(&headers).map_err(no_caller)?;
    let looked = app.gate.look(api_key).await;
    let (account, rate, credits_seq) = match looked.map_err(|fault| no_answer(&fault))? {
        Look::Seen {
            account_id,
            rate,
            credits_seq,
        } => (account_id, rate, credits_seq),
        Look::Refused(refusal, rate) => {
            let usage = Usage::of_reader_refusal(&refusal, rate);
            let problem = told(refusal.told_to_reader(rate.as_ref()));
            return Err(problem.add_headers(usage.headers()));
        }
    };
    let mut headers_of_answer = Usage::free(Some(rate), None).headers();
    let seal = Seal {
        secret: app.hash_secret.expose(),
        account,
    };
    let page = async {
        correlation_id(&headers)?;
        let wanted = Wanted::read(&parameters?, seal)?;
        wanted.page(&app, account, credits_seq).await
    };
    match page.await {
        Ok(page) => {
            // Caches do not know what an API key is.
            headers_of_answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Ok((headers_of_answer, Json(shown(&page, seal))).into_response())
        }
        Err(problem) => Err(problem.add_headers(headers_of_answer)),
    }
}

/// What is asked for.
struct Wanted {
    limit: u32,
    before: Option<i64>,
}

impl Wanted {
    fn read(parameters: &Parameters, seal: Seal<'_>) -> Result<Self, Problem> {
        parameters.only(ACCEPTED)?;
        let limit = parameters.integer("limit", 1..=i64::from(MAX_LEDGER_LIMIT))?;
        let limit = limit.and_then(|limit| u32::try_from(limit).ok());
        let before = parameters.text("cursor").map(|text| {
            let place = seal.decode(text);
            place.ok_or_else(|| parameters.no_cursor())
        });
        Ok(Self {
            limit: limit.unwrap_or(DEFAULT_LEDGER_LIMIT),
            before: before.transpose()?,
        })
    }

    async fn page(&self, app: &App, account: AccountId, credits_seq: i64) -> Result<Page, Problem> {
        let page = app
            .ledgers
            .page(account, self.before, self.limit, credits_seq);
        page.await
            .map_err(|fault| unread(&fault, app.retry_after_seconds))
    }
}

fn shown<'a>(page: &'a Page, seal: Seal<'_>) -> Shown<'a> {
    let oldest = page.entries.last().filter(|_| page.has_more);
    Shown {
        entries: page.entries.iter().map(entry).collect(),
        next_cursor: oldest.map(|entry| seal.encode(entry.pos)),
        is_current: page.is_current,
    }
}

fn entry(entry: &Entry) -> ShownEntry<'_> {
    let is_charge = entry.kind == "charge";
    ShownEntry {
        request_id: entry.request_id,
        contract_id: entry.contract_id,
        kind: &entry.kind,
        endpoint: entry.endpoint.as_deref(),
        units: entry.units,
        credits: if is_charge {
            -entry.credits
        } else {
            entry.credits
        },
        balance_after: entry.balance_after,
        occurred_at: entry
            .occurred_at
            .to_rfc3339_opts(SecondsFormat::Millis, true),
    }
}
