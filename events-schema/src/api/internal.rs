//! Calls to command-service's internal listener: `POST /internal/calls` takes `{"calls": [Call, …]}` (1 to
//! [`MAX_CALLS`]) and answers lines of JSON, `{"answers": [[place, Answer], …]}`: each call is answered once, by its place
//! among the calls, in whatever order, and none waits for a slower one. Callers that queue join one request.
//! `POST /internal/checks` answers [`Answers`] as a whole.
//!
//! A call at an instance that does not own the shard is answered [`Answer::Elsewhere`] with the owner's address.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::api::endpoint::Endpoint;
use crate::credits::Credits;
use crate::ids::{AccountId, ApiKeyId, BuildName, ContractId, Shard};
use crate::record::RecordKind;

/// Most calls in one request.
pub const MAX_CALLS: usize = 256;

/// Body of `POST /internal/calls` and `/internal/checks`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Calls {
    /// In any order; each stands alone.
    pub calls: Vec<Call>,
}

/// A line of the answer of `POST /internal/calls`: what is known by now and was not told before.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answered {
    /// By the place of the call, from 0; at least one.
    pub answers: Vec<(usize, Answer)>,
}

/// Body of the answer of `POST /internal/checks`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answers {
    /// One a call, in order.
    pub answers: Vec<Answer>,
}

/// One call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Call {
    /// Authenticate, count against the rate limit, and hold credits.
    Admit(Admit),
    /// Charge a hold durably.
    Settle(Settle),
    /// Give a hold back: nothing was delivered.
    Release {
        /// The hold.
        hold: Hold,
    },
    /// Whether a key is valid. Not counted against any limit.
    Check {
        /// The key as sent.
        api_key: String,
    },
    /// Who holds a key and wants to read what is its account's, counted against the limit of that.
    Look {
        /// The key as sent.
        api_key: String,
    },
}

/// `admit`: one per public request, after its pure work.
#[derive(Clone, Serialize, Deserialize)]
pub struct Admit {
    /// The key as sent. Never logged.
    pub api_key: String,
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The HTTP request.
    pub request_id: Uuid,
    /// What it wants.
    pub ask: Ask,
    /// `Idempotency-Key`, if sent.
    pub idempotency: Option<IdempotencyClaim>,
}

impl std::fmt::Debug for Admit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admit")
            .field("endpoint", &self.endpoint)
            .field("request_id", &self.request_id)
            .field("ask", &self.ask)
            .finish_non_exhaustive()
    }
}

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Up to so many units: matches or records, or 1 for a call.
    Units(u32),
    /// To know the contract that would serve so many units; none is set aside. That of the first contract where none has the credits.
    Quote(u32),
    /// Nothing: the endpoint is free, or the service refuses the request with its own 400 or 422; it is counted and gets
    /// its headers.
    Nothing,
}

/// A client's claim that requests with this key are one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdempotencyClaim {
    /// Keyed hash (HMAC-SHA-256, hexadecimal) of the `Idempotency-Key`.
    pub key_hash: String,
    /// Keyed hash of the request: endpoint and parsed body.
    pub request_hash: String,
}

/// Credits set aside. It carries all that `settle` needs, so that another owner can honour it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// Of this hold.
    pub hold_id: Uuid,
    /// The account.
    pub account_id: AccountId,
    /// The key that asked.
    pub api_key_id: ApiKeyId,
    /// The contract that serves; none for free endpoints.
    pub contract_id: Option<ContractId>,
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The HTTP request.
    pub request_id: Uuid,
    /// Most units that it may settle.
    pub units: u32,
    /// Credits a unit.
    pub price: Credits,
    /// After this it is given back by itself.
    pub expires_at: DateTime<Utc>,
    /// The claim that `settle` makes durable.
    pub idempotency: Option<IdempotencyClaim>,
}

/// `settle`: durable before the first byte of the answer leaves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settle {
    /// The whole hold.
    pub hold: Hold,
    /// Units delivered, at most the hold's. 0 is settled, too: with an idempotency claim as a charge of 0 credits that is
    /// replayed, without one by giving the hold back.
    pub units: u32,
    /// What a replay needs; kept only with an idempotency claim.
    pub receipt: Receipt,
    /// W3C trace context of the client's request: calls of many requests travel in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// What is kept of a charged answer: enough to render it again (`docs/API.md`, "Idempotency-Key"), not the body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Receipt {
    /// The data build that answered.
    pub build: Option<BuildName>,
    /// Records in order.
    pub ids: Vec<Uuid>,
    /// `total` of the answer.
    pub total: Option<u64>,
    /// Whatever else the endpoint needs to render the same answer (e.g. match levels).
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub extra: serde_json::Value,
}

/// Rate limit of one key on one endpoint, for the `RateLimit-*` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateWindow {
    /// Requests a minute.
    pub limit: u32,
    /// Left in this window.
    pub remaining: u32,
    /// Unix second at which the window ends.
    pub reset_at: i64,
    /// Whole seconds until then, at least 1.
    pub retry_after_seconds: u32,
}

/// The contract that serves or would serve, for `Contract-ID` and `Credits-Remaining`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The contract.
    pub contract_id: ContractId,
    /// Its exact balance (holds not taken off).
    pub credits_remaining: Credits,
}

/// Who asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The account.
    pub account_id: AccountId,
    /// The key.
    pub api_key_id: ApiKeyId,
}

/// One answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Admitted: work, then settle or release.
    Admitted {
        /// Who asked.
        caller: Caller,
        /// Set aside.
        hold: Hold,
        /// For the headers.
        rate: RateWindow,
        /// For the headers; none on free endpoints.
        standing: Option<Standing>,
    },
    /// The same request was charged before: render its answer again for 0 credits.
    Replay {
        /// Who asked.
        caller: Caller,
        /// What was kept.
        receipt: Receipt,
        /// For the headers.
        rate: RateWindow,
        /// For the headers.
        standing: Option<Standing>,
    },
    /// To [`Ask::Nothing`]: counted; now give your own answer.
    Noted {
        /// For the headers.
        rate: RateWindow,
        /// The contract that would serve, if any.
        standing: Option<Standing>,
    },
    /// Charged.
    Settled {
        /// Credits taken.
        credits_used: Credits,
        /// The contract with the exact balance right after; none on free endpoints.
        standing: Option<Standing>,
    },
    /// To [`Call::Settle`]: the same request was charged before, and nothing now. Render that answer for 0 credits.
    SettledBefore {
        /// What was kept.
        receipt: Receipt,
    },
    /// Given back.
    Released {
        /// The contract with its balance.
        standing: Option<Standing>,
    },
    /// To [`Call::Check`]: the key is valid.
    Valid(Caller),
    /// To [`Call::Look`]: the key is valid, and this was counted.
    Seen {
        /// Who asked.
        caller: Caller,
        /// For the headers.
        rate: RateWindow,
        /// The last `topic_seq` of `credits.v1` in the account's shard: whoever has read that far knows every charge that was
        /// answered before.
        credits_seq: i64,
    },
    /// The business says no.
    Refused {
        /// Why.
        refusal: Refusal,
        /// For the headers, from 429 on.
        rate: Option<RateWindow>,
        /// For the headers.
        standing: Option<Standing>,
    },
    /// Another instance owns the shard: ask there.
    Elsewhere {
        /// The shard.
        shard: Shard,
        /// Base URL of the owner's internal listener; none = nobody at this moment, try again.
        owner: Option<String>,
    },
    /// A part failed (full queue, store not reachable): 503. Nothing was charged.
    Unavailable {
        /// `ledger` or `database`.
        component: String,
        /// Seconds to wait.
        retry_after_seconds: u32,
    },
    /// A part failed, and whether it was charged is not known yet: 503. What the request named stays taken until it is.
    Unknown {
        /// Seconds to wait.
        retry_after_seconds: u32,
    },
}

/// Why a call is refused; each maps to one row of the table of `docs/API.md`, "Errors".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "snake_case")]
pub enum Refusal {
    /// 401 `invalid_api_key`.
    InvalidApiKey,
    /// 429.
    RateLimited,
    /// 403 `endpoint_not_allowed`.
    EndpointNotAllowed,
    /// 403 `no_active_contract`.
    NoActiveContract,
    /// 409 `different_request`.
    DifferentRequest,
    /// 409 `in_progress`.
    InProgress,
    /// 402.
    InsufficientCredits {
        /// The worst case, by that contract's prices.
        required: Credits,
        /// The largest balance less holds.
        available: Credits,
    },
    /// 402.
    ContractExhausted {
        /// Zero.
        credits_remaining: Credits,
        /// Of the contract that would serve.
        expiration_date: Option<NaiveDate>,
    },
    /// 402.
    ContractExpired {
        /// What was left.
        credits_remaining: Credits,
        /// Of the one that expired last.
        expiration_date: NaiveDate,
    },
}

/// Answer of `GET /internal/heads`: how far the event store is, to which a consumer compares itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heads {
    /// The last `topic_seq` of each shard by topic; a shard's place in the list is its number.
    pub topic_seqs: std::collections::BTreeMap<String, Vec<i64>>,
    /// Every history of the store.
    #[serde(default)]
    pub histories: crate::history::Histories,
}

/// Body of `POST /internal/heartbeat`, sent by every query-service each second: which builds it answers from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Random for each process.
    pub instance: Uuid,
    /// Name for operators, e.g. its listen address.
    pub name: String,
    /// Active person build that it answers from.
    pub person_build: Option<BuildName>,
    /// Active company build that it answers from.
    pub company_build: Option<BuildName>,
    /// Builds whose search files it holds, fetched, checked and mapped.
    #[serde(default)]
    pub searchable: Vec<BuildName>,
}

/// Body of `POST /internal/builds/{build}/outcome`, sent by the projector.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LoadOutcome {
    /// Loaded, failed, reindexed or dropping.
    #[serde(flatten)]
    pub result: LoadResult,
}

/// How loading, or writing the search files anew, ended; or that the build's time is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum LoadResult {
    /// Every row can be read.
    Loaded {
        /// Records.
        rows: u64,
        /// Rejected lines.
        rejected: u64,
        /// Path of the rejects file in the object store.
        rejects_object: Option<String>,
        /// Newest `last_seen` (or `--as-of`), never after the day of loading.
        reference_date: NaiveDate,
        /// What loading found.
        report: crate::data_build::v1::LoadReport,
        /// Its search files.
        #[serde(default)]
        search_files: Option<crate::data_build::v1::SearchFiles>,
    },
    /// The search files of a loaded build were written anew.
    Reindexed {
        /// Those that it has from now on.
        search_files: crate::data_build::v1::SearchFiles,
    },
    /// Its rows and files are to be removed. Refused for a build that is active or was never given up: then they stay.
    Dropping,
    /// It cannot be loaded.
    Failed {
        /// Why.
        reason: String,
        /// Rejected lines.
        rejected: u64,
        /// Path of the rejects file in the object store.
        rejects_object: Option<String>,
    },
}

/// Answer of query-service's `GET /internal/records/{kind}/{service_id}?field=…`: what a report needs to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecordLookup {
    /// Person or company.
    pub kind: RecordKind,
    /// The record, after merged ids are resolved.
    pub service_id: Uuid,
    /// The active build.
    pub build: BuildName,
    /// `last_seen` of the record.
    pub last_seen: Option<String>,
    /// What the record holds in `field`; null without `field`.
    pub stored_value: serde_json::Value,
}
