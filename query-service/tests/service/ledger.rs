//! A stand-in for command-service's internal listener: it holds, settles and replays for one contract, and refuses as
//! the key that is sent says. It keeps every call.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use chrono::{DateTime, NaiveDate, Utc};
use events_schema::api::internal::{
    Admit, Answer, Answered, Ask, Call, Caller, Calls, Heartbeat, Hold, RateWindow, Receipt,
    Refusal, Settle, Standing,
};
use events_schema::credits::Credits;
use events_schema::ids::{AccountId, ApiKeyId, ContractId, Shard};
use futures::stream::{self, StreamExt};
use http::StatusCode;
use service_kit::serve::{ServeConfig, serve};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A key that is valid and paid for.
pub(crate) const GOOD_KEY: &str = "rk_live_00good";

/// A key whose calls get no answer.
pub(crate) const SLOW_KEY: &str = "slow";

#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Books>>);

#[derive(Default)]
struct Books {
    balance: i64,
    held: HashMap<Uuid, u32>,
    receipts: HashMap<String, (String, Receipt)>,
    calls: Vec<&'static str>,
    heartbeats: Vec<Heartbeat>,
    /// To which owner so many calls are sent instead of being answered.
    elsewhere: (Option<String>, usize),
    /// Requests that wait for a permit.
    stalled: Option<Arc<Semaphore>>,
    requests: usize,
    /// How many calls came in one request, for each request.
    batches: Vec<usize>,
    /// The next settle is refused with this.
    settle_refusal: Option<Refusal>,
    /// The next settle meets a store that does not take it.
    cannot_settle: bool,
    /// How far `credits.v1` is in the account's shard.
    credits_seq: i64,
    /// Such calls get no answer.
    silent_on: Option<&'static str>,
}

fn caller() -> Caller {
    Caller {
        account_id: account(),
        api_key_id: ApiKeyId::new(account(), [0; 10]),
    }
}

pub(crate) fn account() -> AccountId {
    AccountId::from(Uuid::from_u128(0x0a00_0000_0000_8000_8000_0000_0000_0000))
}

pub(crate) fn contract() -> ContractId {
    ContractId::from(Uuid::from_u128(0x0c00_0000_0000_8000_8000_0000_0000_0000))
}

impl Ledger {
    pub(crate) fn with_balance(balance: i64) -> Self {
        let ledger = Self::default();
        ledger.0.lock().unwrap().balance = balance;
        ledger
    }

    /// Serves until the token is cancelled; gives the base URL.
    pub(crate) async fn start(&self, stop: &CancellationToken) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/internal/calls", post(calls))
            .route("/internal/heartbeat", post(heartbeat))
            .with_state(self.clone());
        tokio::spawn(serve(
            listener,
            router,
            ServeConfig::default(),
            stop.clone(),
        ));
        url
    }

    pub(crate) fn set_balance(&self, balance: i64) {
        self.0.lock().unwrap().balance = balance;
    }

    /// The owner says that `credits.v1` is so far.
    pub(crate) fn set_credits_seq(&self, seq: i64) {
        self.0.lock().unwrap().credits_seq = seq;
    }

    pub(crate) fn balance(&self) -> i64 {
        self.0.lock().unwrap().balance
    }

    pub(crate) fn holds(&self) -> usize {
        self.0.lock().unwrap().held.len()
    }

    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().calls.clone()
    }

    pub(crate) fn batches(&self) -> Vec<usize> {
        self.0.lock().unwrap().batches.clone()
    }

    pub(crate) fn heartbeats(&self) -> Vec<Heartbeat> {
        self.0.lock().unwrap().heartbeats.clone()
    }

    pub(crate) fn send_elsewhere(&self, url: &str) {
        self.0.lock().unwrap().elsewhere = (Some(url.to_owned()), usize::MAX);
    }

    /// The next so many calls are answered by the name of an owner, or that there is none.
    pub(crate) fn send_elsewhere_for(&self, calls: usize, owner: Option<&str>) {
        self.0.lock().unwrap().elsewhere = (owner.map(str::to_owned), calls);
    }

    /// How many calls are still to be sent elsewhere.
    pub(crate) fn elsewhere_left(&self) -> usize {
        self.0.lock().unwrap().elsewhere.1
    }

    /// From now on requests get no answer.
    pub(crate) fn stall(&self) {
        self.0.lock().unwrap().stalled = Some(Arc::new(Semaphore::new(0)));
    }

    /// Answers the request that has waited longest.
    pub(crate) fn answers_one(&self) {
        if let Some(stalled) = &self.0.lock().unwrap().stalled {
            stalled.add_permits(1);
        }
    }

    pub(crate) fn go_on(&self) {
        if let Some(stalled) = self.0.lock().unwrap().stalled.take() {
            stalled.add_permits(1_000);
        }
    }

    /// How many requests came, answered or not.
    pub(crate) fn requests(&self) -> usize {
        self.0.lock().unwrap().requests
    }

    pub(crate) fn is_silent_on(&self, call: &'static str) {
        self.0.lock().unwrap().silent_on = Some(call);
    }

    pub(crate) fn refuse_settling(&self, refusal: Refusal) {
        self.0.lock().unwrap().settle_refusal = Some(refusal);
    }

    pub(crate) fn cannot_settle(&self) {
        self.0.lock().unwrap().cannot_settle = true;
    }
}

async fn heartbeat(State(ledger): State<Ledger>, Json(heartbeat): Json<Heartbeat>) -> StatusCode {
    ledger.0.lock().unwrap().heartbeats.push(heartbeat);
    StatusCode::NO_CONTENT
}

/// A line of all answers that there are, and no end while a call has none.
async fn calls(State(ledger): State<Ledger>, Json(Calls { calls }): Json<Calls>) -> Body {
    let stalled = {
        let mut books = ledger.0.lock().unwrap();
        books.requests += 1;
        books.stalled.clone()
    };
    if let Some(stalled) = stalled {
        stalled.acquire().await.unwrap().forget();
    }
    let mut books = ledger.0.lock().unwrap();
    books.batches.push(calls.len());
    let mut answers = Vec::new();
    let mut is_complete = true;
    for (place, call) in calls.into_iter().enumerate() {
        if Some(name(&call)) == books.silent_on || is_slow(&call) {
            is_complete = false;
        } else {
            answers.push((place, books.answer(call)));
        }
    }
    let line = (!answers.is_empty()).then(|| {
        let mut line = serde_json::to_vec(&Answered { answers }).unwrap();
        line.push(b'\n');
        Ok::<_, Infallible>(line)
    });
    let first = stream::iter(line);
    if is_complete {
        Body::from_stream(first)
    } else {
        Body::from_stream(first.chain(stream::pending()))
    }
}

/// Of a key that is never answered.
fn is_slow(call: &Call) -> bool {
    matches!(call, Call::Admit(admit) if admit.api_key == SLOW_KEY)
}

const fn name(call: &Call) -> &'static str {
    match call {
        Call::Admit(_) => "admit",
        Call::Settle(_) => "settle",
        Call::Release { .. } => "release",
        Call::Check { .. } => "check",
        Call::Look { .. } => "look",
    }
}

fn rate(remaining: u32) -> RateWindow {
    RateWindow {
        limit: 100,
        remaining,
        reset_at: 1_795_262_460,
        retry_after_seconds: 23,
    }
}

impl Books {
    fn standing(&self) -> Option<Standing> {
        Some(Standing {
            contract_id: contract(),
            credits_remaining: Credits(self.balance),
        })
    }

    fn answer(&mut self, call: Call) -> Answer {
        if self.elsewhere.1 > 0 {
            self.elsewhere.1 -= 1;
            return Answer::Elsewhere {
                shard: Shard::DATA_BUILDS,
                owner: self.elsewhere.0.clone(),
            };
        }
        match call {
            Call::Admit(admit) => {
                self.calls.push(if admit.ask == Ask::Nothing {
                    "noted"
                } else {
                    "admit"
                });
                self.admit(admit)
            }
            Call::Settle(settle) => {
                self.calls.push("settle");
                self.settle(settle)
            }
            Call::Release { hold } => {
                self.calls.push("release");
                self.held.remove(&hold.hold_id);
                Answer::Released {
                    standing: self.standing(),
                }
            }
            Call::Check { api_key } => {
                self.calls.push("check");
                self.check(&api_key)
            }
            Call::Look { api_key } => {
                self.calls.push("look");
                self.refusal_of(&api_key).unwrap_or_else(|| Answer::Seen {
                    caller: caller(),
                    rate: rate(597),
                    credits_seq: self.credits_seq,
                })
            }
        }
    }

    fn check(&self, api_key: &str) -> Answer {
        match self.refusal_of(api_key) {
            Some(
                answer @ Answer::Refused {
                    refusal: Refusal::InvalidApiKey,
                    ..
                },
            ) => answer,
            _ => Answer::Valid(caller()),
        }
    }

    fn admit(&mut self, admit: Admit) -> Answer {
        if let Some(answer) = self.refusal_of(&admit.api_key) {
            return answer;
        }
        let units = match admit.ask {
            Ask::Units(units) => units,
            Ask::Quote(_) => 0,
            Ask::Nothing => {
                return Answer::Noted {
                    rate: rate(97),
                    standing: self.standing(),
                };
            }
        };
        let caller = caller();
        if let Some(claim) = &admit.idempotency
            && let Some((request_hash, receipt)) = self.receipts.get(&claim.key_hash)
        {
            if *request_hash != claim.request_hash {
                return self.refused(Refusal::DifferentRequest);
            }
            return Answer::Replay {
                caller,
                receipt: receipt.clone(),
                rate: rate(97),
                standing: self.standing(),
            };
        }
        let available = self.balance - self.held.values().copied().map(i64::from).sum::<i64>();
        if available < i64::from(units) {
            return self.refused(Refusal::InsufficientCredits {
                required: Credits(units.into()),
                available: Credits(available),
            });
        }
        let hold = Hold {
            hold_id: Uuid::new_v4(),
            account_id: account(),
            api_key_id: caller.api_key_id.clone(),
            contract_id: Some(contract()),
            endpoint: admit.endpoint,
            request_id: admit.request_id,
            units,
            price: Credits(1),
            expires_at: DateTime::<Utc>::MAX_UTC,
            idempotency: admit.idempotency,
        };
        self.held.insert(hold.hold_id, units);
        Answer::Admitted {
            caller,
            hold,
            rate: rate(97),
            standing: self.standing(),
        }
    }

    fn refused(&self, refusal: Refusal) -> Answer {
        Answer::Refused {
            refusal,
            rate: Some(rate(97)),
            standing: self.standing(),
        }
    }

    /// Keys that are refused whatever they ask.
    fn refusal_of(&self, key: &str) -> Option<Answer> {
        let day = NaiveDate::from_ymd_opt(2026, 10, 31);
        let bare = |refusal, rate| Answer::Refused {
            refusal,
            rate,
            standing: None,
        };
        Some(match key {
            GOOD_KEY => return None,
            "limited" => bare(Refusal::RateLimited, Some(rate(0))),
            "not-allowed" => bare(Refusal::EndpointNotAllowed, Some(rate(97))),
            "no-contract" => bare(Refusal::NoActiveContract, Some(rate(97))),
            "exhausted" => self.refused(Refusal::ContractExhausted {
                credits_remaining: Credits(0),
                expiration_date: day,
            }),
            "expired" => self.refused(Refusal::ContractExpired {
                credits_remaining: Credits(412),
                expiration_date: day.unwrap(),
            }),
            "in-progress" => self.refused(Refusal::InProgress),
            "broken" => Answer::Unavailable {
                component: "database".into(),
                retry_after_seconds: 7,
            },
            _ => bare(Refusal::InvalidApiKey, None),
        })
    }

    fn settle(&mut self, settle: Settle) -> Answer {
        if let Some(refusal) = self.settle_refusal.take() {
            self.held.remove(&settle.hold.hold_id);
            return self.refused(refusal);
        }
        if std::mem::take(&mut self.cannot_settle) {
            return Answer::Unavailable {
                component: "database".to_owned(),
                retry_after_seconds: 1,
            };
        }
        assert!(
            self.held.remove(&settle.hold.hold_id).is_some(),
            "a hold is settled once"
        );
        assert!(settle.units <= settle.hold.units);
        self.balance -= i64::from(settle.units);
        if let Some(claim) = settle.hold.idempotency {
            self.receipts
                .insert(claim.key_hash, (claim.request_hash, settle.receipt));
        }
        Answer::Settled {
            credits_used: Credits(settle.units.into()),
            standing: self.standing(),
        }
    }
}
