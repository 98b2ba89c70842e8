//! The way to command-service: check keys, admit, settle and release credits, one connection an owner, many calls in a request.
//!
//! Guarantees:
//! - A hold that was admitted ends: settled, or released by its [`HeldCredits`] when the handler fails, the client goes away or a settle
//!   surely did nothing, at whatever point (command-service's own time limit is the last resort). The hold stays only while the outcome of
//!   a settle is unknown.
//! - A call that may have had an effect is never sent twice: after a broken connection the caller gets [`GateFault::Unavailable`], or for a
//!   settle [`GateFault::Unknown`]. A call that was certainly not seen, or was answered [`Answer::Elsewhere`], is sent again.
//! - The queue of each owner is bounded; when it is full the caller gets [`GateFault::Unavailable`] at once.
//!
//! Prices, limits and balances are command-service's; none of them is decided here.

mod held;
mod lane;
mod route;

use std::sync::Arc;
use std::time::Duration;

use events_schema::api::internal::{
    Admit, Answer, Call, Hold, RateWindow, Receipt, Refusal, Settle, Standing,
};
use events_schema::api::limits::HOLD_TIMEOUT;
use events_schema::credits::Credits;
use events_schema::ids::{AccountId, ApiKeyId, Shard};
use service_kit::client::Client;
use service_kit::telemetry::current_traceparent;

use crate::metrics::Metrics;

pub use held::HeldCredits;
use lane::{Lanes, SendFault, Sent};
use route::Routes;

/// The limits of the gate.
#[derive(Debug, Clone)]
pub struct GateConfig {
    /// Base URLs of internal listeners of command-service; any of them will do, the owner is learned from the answers.
    pub urls: Vec<String>,
    /// Calls waiting for one owner.
    pub queue_calls: usize,
    /// Requests at a time to one owner. While they are out, further calls gather for the next one.
    pub requests_in_flight: usize,
    /// Requests that have no answer yet although their time is up, beside those in flight. Few: an owner that is frozen or out of reach
    /// leaves the outcome of all their calls open, and resetting twenty at once would end the connection.
    pub silent_requests: usize,
    /// Requests that are answered in part, beside those. Fewer than the streams that one connection may have.
    pub late_requests: usize,
    /// How often a call is sent in all when owners move.
    pub attempts: u32,
    /// The same for a settle: longer than a shard is without an owner when a process dies.
    pub settle_attempts: u32,
    /// Pause before a call is sent again to a shard that nobody owns.
    pub retry_pause: Duration,
    /// `Retry-After` for clients when the ledger does not answer.
    pub retry_after_seconds: u32,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self {
            urls: vec!["http://127.0.0.1:8083".to_owned()],
            queue_calls: 4096,
            requests_in_flight: 2,
            silent_requests: 6,
            late_requests: 192,
            attempts: 6,
            settle_attempts: 80,
            retry_pause: Duration::from_millis(100),
            retry_after_seconds: 2,
        }
    }
}

/// What the owner of the account said to an admit.
#[derive(Debug)]
pub enum Admission {
    /// Credits are held: work, then settle.
    Held(HeldCredits, RateWindow, Option<Standing>),
    /// Charged before: render the kept answer again.
    Replay(Receipt, RateWindow, Option<Standing>),
    /// Counted, and nothing is held: the request is refused anyway, or its endpoint is free.
    Noted(RateWindow, Option<Standing>),
    /// Refused.
    Refused(Refusal, Option<RateWindow>, Option<Standing>),
}

/// What the owner of the account said to a request to read the account's own data.
#[derive(Debug)]
pub enum Look {
    /// Counted: read.
    Seen {
        /// Whose it is.
        account_id: AccountId,
        /// For the headers.
        rate: RateWindow,
        /// How far the ledger has to be read at least ([`Answer::Seen`]).
        credits_seq: i64,
    },
    /// Refused: the key, or the limit.
    Refused(Refusal, Option<RateWindow>),
}

/// What the owner said to a settle.
#[derive(Debug)]
pub enum Settlement {
    /// Durable.
    Settled {
        /// Credits taken.
        credits_used: Credits,
        /// The exact balance right after.
        standing: Option<Standing>,
    },
    /// Charged before under the same name, and nothing now: render that answer again.
    Before(Receipt),
    /// The hold had run out and the balance no longer suffices: no data.
    Refused(Refusal, Option<Standing>),
}

/// The ledger gave no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum GateFault {
    /// A part failed, and nothing was done; the client may try again.
    #[error("{component} is not available")]
    Unavailable {
        /// `ledger` or `database`.
        component: &'static str,
        /// For `Retry-After`.
        retry_after_seconds: u32,
    },
    /// Whether credits were charged is not known; nothing may be delivered.
    #[error("the outcome is not known")]
    Unknown {
        /// For `Retry-After`.
        retry_after_seconds: u32,
    },
}

/// What a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// A client waits for the answer: a full queue is reported at once.
    AtOnce,
    /// No client waits, and nothing is tried after it.
    ToTheEnd,
}

/// The client of command-service. Clones share connections and queues.
#[derive(Debug, Clone)]
pub struct CreditGate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config: GateConfig,
    routes: Routes,
    lanes: Lanes,
}

impl CreditGate {
    /// A gate over `client`, which carries the token of the internal listener.
    #[must_use]
    pub fn new(config: GateConfig, client: Client, metrics: Metrics) -> Self {
        let urls = config
            .urls
            .iter()
            .map(|url| url.trim_end_matches('/').to_owned())
            .collect();
        let lanes = Lanes::new(client, metrics, &config);
        Self(Arc::new(Inner {
            routes: Routes::new(urls),
            lanes,
            config,
        }))
    }

    /// Authenticates, counts and holds, in one call.
    ///
    /// # Errors
    /// When no owner answers.
    pub async fn admit(&self, admit: Admit) -> Result<Admission, GateFault> {
        let shard = shard_of_key(&admit.api_key);
        // An admission charges nothing, so its outcome need not be known.
        let sent = self.call(shard, Call::Admit(admit), Patience::AtOnce).await;
        let mut sent = sent.map_err(|_fault| self.ledger())?;
        match sent.answer {
            Answer::Admitted { rate, standing, .. } => match sent.held.take() {
                Some(held) => Ok(Admission::Held(held, rate, standing)),
                None => Err(self.unexpected()),
            },
            Answer::Replay {
                receipt,
                rate,
                standing,
                ..
            } => Ok(Admission::Replay(receipt, rate, standing)),
            Answer::Noted { rate, standing } => Ok(Admission::Noted(rate, standing)),
            Answer::Refused {
                refusal,
                rate,
                standing,
            } => Ok(Admission::Refused(refusal, rate, standing)),
            other => Err(self.fault_of(&other)),
        }
    }

    /// Why a key is not valid; nothing is counted.
    ///
    /// # Errors
    /// When no owner answers.
    pub async fn check(&self, api_key: &str) -> Result<Option<Refusal>, GateFault> {
        let call = Call::Check {
            api_key: api_key.to_owned(),
        };
        let sent = self
            .call(shard_of_key(api_key), call, Patience::AtOnce)
            .await;
        match sent.map_err(|_fault| self.ledger())?.answer {
            Answer::Valid(_) => Ok(None),
            Answer::Refused { refusal, .. } => Ok(Some(refusal)),
            other => Err(self.fault_of(&other)),
        }
    }

    /// Whose account a key may read; counted against the rate limit.
    ///
    /// # Errors
    /// When no owner answers.
    pub async fn look(&self, api_key: &str) -> Result<Look, GateFault> {
        let call = Call::Look {
            api_key: api_key.to_owned(),
        };
        let sent = self
            .call(shard_of_key(api_key), call, Patience::AtOnce)
            .await;
        match sent.map_err(|_fault| self.ledger())?.answer {
            Answer::Seen {
                caller,
                rate,
                credits_seq,
            } => Ok(Look::Seen {
                account_id: caller.account_id,
                rate,
                credits_seq,
            }),
            Answer::Refused { refusal, rate, .. } => Ok(Look::Refused(refusal, rate)),
            other => Err(self.fault_of(&other)),
        }
    }

    /// Charges `units` of the hold durably. Answered before the first byte of the response may leave.
    ///
    /// # Errors
    /// Nothing may be delivered: [`GateFault::Unavailable`] means that nothing was charged, and the hold is given back;
    /// [`GateFault::Unknown`] that it may have been.
    pub async fn settle(
        &self,
        held: HeldCredits,
        units: u32,
        receipt: Receipt,
    ) -> Result<Settlement, GateFault> {
        let hold = held.into_hold();
        let shard = Some(hold.account_id.shard());
        let settle = Call::Settle(Settle {
            hold,
            units,
            receipt,
            traceparent: current_traceparent(),
        });
        let sent = self.call(shard, settle, Patience::AtOnce).await?;
        match sent.answer {
            Answer::Settled {
                credits_used,
                standing,
            } => Ok(Settlement::Settled {
                credits_used,
                standing,
            }),
            Answer::SettledBefore { receipt } => Ok(Settlement::Before(receipt)),
            Answer::Refused {
                refusal, standing, ..
            } => Ok(Settlement::Refused(refusal, standing)),
            // `Unavailable` means that nothing was charged: the hold is still in hand, and is given back.
            other @ (Answer::Unavailable { .. } | Answer::Unknown { .. }) => {
                Err(self.fault_of(&other))
            }
            // Whatever it says, it is no proof that nothing was charged.
            other => {
                let _logged = self.fault_of(&other);
                Err(self.unknown())
            }
        }
    }

    /// Gives the hold back and waits for it, so that the client's next request finds the credits free.
    ///
    /// # Errors
    /// When no owner answers; the hold then ends by its own time limit.
    pub async fn release(&self, held: HeldCredits) -> Result<Option<Standing>, GateFault> {
        let released = self.release_hold(held.hold(), Patience::AtOnce).await;
        if !matches!(released, Err(GateFault::Unavailable { .. })) {
            held.into_hold();
        }
        released
    }

    /// Gives back a hold that nobody else will give back: waits for room in the queue and for the next owner, while the hold lasts.
    async fn give_back(&self, hold: Hold) -> Result<(), GateFault> {
        let released = self.release_hold(hold, Patience::ToTheEnd);
        match tokio::time::timeout(HOLD_TIMEOUT, released).await {
            Ok(released) => released.map(|_standing| ()),
            Err(_) => Err(self.ledger()),
        }
    }

    async fn release_hold(
        &self,
        hold: Hold,
        patience: Patience,
    ) -> Result<Option<Standing>, GateFault> {
        let shard = Some(hold.account_id.shard());
        let sent = self.call(shard, Call::Release { hold }, patience).await?;
        match sent.answer {
            Answer::Released { standing } => Ok(standing),
            other => Err(self.fault_of(&other)),
        }
    }

    async fn call(
        &self,
        shard: Option<Shard>,
        call: Call,
        patience: Patience,
    ) -> Result<Sent, GateFault> {
        let Inner {
            config,
            routes,
            lanes,
        } = &*self.0;
        let mut told = None;
        // The work that a settle pays for is done, so it waits for the next owner; an admission need not.
        let attempts = match (&call, patience) {
            (Call::Settle(_), _) | (_, Patience::ToTheEnd) => config.settle_attempts,
            _ => config.attempts,
        };
        // The hold of a settle that certainly did nothing: given back unless the settle is sent again.
        let mut unsettled = None;
        for _attempt in 0..attempts {
            let url = told.take().unwrap_or_else(|| routes.pick(shard));
            let _on_its_way = unsettled.take().map(HeldCredits::into_hold);
            match lanes.send(self, &url, call.clone(), patience).await {
                Ok(Sent {
                    answer: Answer::Elsewhere { shard, owner },
                    held,
                }) => {
                    unsettled = held;
                    routes.learn(shard, owner.as_deref());
                    if owner.is_none() {
                        tokio::time::sleep(config.retry_pause).await;
                    }
                    told = owner.map(|owner| owner.trim_end_matches('/').to_owned());
                }
                Ok(sent) => return Ok(sent),
                Err(SendFault::NotSeen(held)) => {
                    unsettled = held;
                    routes.lost(&url);
                    tokio::time::sleep(config.retry_pause).await;
                }
                Err(SendFault::QueueFull(held)) => {
                    unsettled = held;
                    break;
                }
                // An instance that is silent, because it is frozen or cut off, is not asked again before another instance has named it the
                // owner.
                Err(SendFault::MaybeSeen) => {
                    routes.lost(&url);
                    return Err(self.unknown());
                }
            }
        }
        drop(unsettled);
        Err(self.ledger())
    }

    fn unknown(&self) -> GateFault {
        GateFault::Unknown {
            retry_after_seconds: self.0.config.retry_after_seconds,
        }
    }

    fn ledger(&self) -> GateFault {
        GateFault::Unavailable {
            component: "ledger",
            retry_after_seconds: self.0.config.retry_after_seconds,
        }
    }

    fn fault_of(&self, answer: &Answer) -> GateFault {
        match answer {
            Answer::Unavailable {
                component,
                retry_after_seconds,
            } => GateFault::Unavailable {
                component: if component == "database" {
                    "database"
                } else {
                    "ledger"
                },
                retry_after_seconds: *retry_after_seconds,
            },
            Answer::Unknown {
                retry_after_seconds,
            } => GateFault::Unknown {
                retry_after_seconds: *retry_after_seconds,
            },
            _ => self.unexpected(),
        }
    }

    fn unexpected(&self) -> GateFault {
        tracing::error!("command-service answered a call with an answer of another kind");
        self.ledger()
    }
}

/// The shard that a key's id carries; any instance can tell that a key without a shard is not valid.
fn shard_of_key(api_key: &str) -> Option<Shard> {
    let id = api_key.strip_prefix("rk_live_")?.get(..ApiKeyId::LENGTH)?;
    id.parse::<ApiKeyId>().ok().map(|id| id.shard())
}
