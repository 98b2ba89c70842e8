//! Admit, settle, release, check: the calls of the services that answer clients (architecture: hold, work,
//! settle). Decided in the order 401, 429, 403, 409, 402 (contract C0).

mod authentication;
mod serving;
mod settling;

use chrono::{DateTime, Utc};
use events_schema::Credits;
use events_schema::api::internal::{
    Admit, Answer, Ask, Call, Caller, Hold, IdempotencyClaim, RateWindow, Refusal, Standing,
};
use events_schema::ids::AccountId;

use super::Application;
use super::command::{CommandError, Reason};
use super::desk::Claimed;
use crate::domain::contract::ContractRefusal;

use serving::{Covering, NotServed};

/// Told where too many requests of one contract are at work: most end within a second.
const OVERLOAD_RETRY_SECONDS: u32 = 1;

/// A request that has passed 401, 429 and 403.
struct Entitled {
    caller: Caller,
    rate: RateWindow,
    /// Active contracts that cover the endpoint, and what happened to the others.
    covering: Covering,
}

impl Application {
    /// Answers one call. Never fails: a fault is an answer too.
    pub async fn answer(&self, call: Call) -> Answer {
        match call {
            Call::Admit(admit) => self.admit(admit).await,
            Call::Settle(settle) => self.settle(settle).await,
            Call::Release { hold } => self.release(hold).await,
            Call::Check { api_key } => match self.authenticate(&api_key).await {
                Ok((caller, _)) => Answer::Valid(caller),
                Err(error) => refused(error, None, None),
            },
        }
    }

    async fn admit(&self, admit: Admit) -> Answer {
        let now = self.now();
        let entitled = match self.entitle(&admit, now).await {
            Ok(entitled) => entitled,
            Err(answer) => return *answer,
        };
        let Ask::Units(units) = admit.ask else {
            let standing = self.standing(&entitled.covering).await;
            return Answer::Noted {
                rate: entitled.rate,
                standing,
            };
        };
        if let Some(claim) = &admit.idempotency
            && let Some(answer) = self.claim(&admit, claim, &entitled, now).await
        {
            return answer;
        }
        let held = self.hold(&admit, units, &entitled, now).await;
        if !matches!(held, Answer::Admitted { .. }) {
            self.unclaim(entitled.caller.account_id, &admit).await;
        }
        held
    }

    /// 401, 429, 403.
    async fn entitle(&self, admit: &Admit, now: DateTime<Utc>) -> Result<Entitled, Box<Answer>> {
        let no = |refusal, rate| {
            Box::new(Answer::Refused {
                refusal,
                rate,
                standing: None,
            })
        };
        let (caller, mut desk) = self
            .authenticate(&admit.api_key)
            .await
            .map_err(|error| Box::new(refused(error, None, None)))?;
        let Some(key) = desk.keys.get(&caller.api_key_id) else {
            return Err(no(Refusal::InvalidApiKey, None));
        };
        let endpoint = admit.endpoint;
        let limit = key
            .rate_limits
            .get(&endpoint)
            .copied()
            .unwrap_or_else(|| endpoint.default_rate_limit());
        let allowed = endpoint.is_free() || key.endpoints.contains(endpoint);
        let rate = desk
            .windows
            .count(&caller.api_key_id, endpoint, limit, self.moment(now))
            .map_err(|rate| no(Refusal::RateLimited, Some(rate)))?;
        if !allowed {
            return Err(no(Refusal::EndpointNotAllowed, Some(rate)));
        }
        let covering = Covering::of(&desk.contracts, endpoint, now.date_naive());
        if covering.is_none() && !endpoint.is_free() {
            return Err(no(Refusal::NoActiveContract, Some(rate)));
        }
        Ok(Entitled {
            caller,
            rate,
            covering,
        })
    }

    /// 409 or a replay; `None` = the claim is this request's, go on.
    async fn claim(
        &self,
        admit: &Admit,
        claim: &IdempotencyClaim,
        entitled: &Entitled,
        now: DateTime<Utc>,
    ) -> Option<Answer> {
        let account = entitled.caller.account_id;
        let until = now + self.policy.hold_timeout;
        let claimed = {
            let desk = self.desks.of(account);
            let mut desk = desk.lock().await;
            desk.claim(admit.endpoint, claim, admit.request_id, (now, until))
        };
        let rate = Some(entitled.rate);
        let conflict = match claimed {
            Claimed::Free => None,
            Claimed::SameAtWork => Some(Refusal::InProgress),
            Claimed::OtherAtWork => Some(Refusal::DifferentRequest),
        };
        if let Some(refusal) = conflict {
            return Some(Answer::Refused {
                refusal,
                rate,
                standing: self.standing(&entitled.covering).await,
            });
        }
        // Entered before the store is asked: of two equal requests one sees the other at work or its charge.
        let since = now - self.policy.idempotency_for;
        let kept = self
            .store
            .kept_charge(account, admit.endpoint, &claim.key_hash, since)
            .await;
        let answer = match kept {
            Ok(None) => return None,
            Ok(Some(kept)) if kept.request_hash == claim.request_hash => Answer::Replay {
                caller: entitled.caller.clone(),
                receipt: kept.receipt,
                rate: entitled.rate,
                standing: self.standing(&entitled.covering).await,
            },
            Ok(Some(_)) => Answer::Refused {
                refusal: Refusal::DifferentRequest,
                rate,
                standing: self.standing(&entitled.covering).await,
            },
            Err(fault) => refused(CommandError::from_fault(&self.store, fault), rate, None),
        };
        self.unclaim(account, admit).await;
        Some(answer)
    }

    /// 402, or credits set aside.
    async fn hold(
        &self,
        admit: &Admit,
        units: u32,
        entitled: &Entitled,
        now: DateTime<Utc>,
    ) -> Answer {
        let mut hold = Hold {
            hold_id: uuid::Uuid::new_v4(),
            account_id: entitled.caller.account_id,
            api_key_id: entitled.caller.api_key_id.clone(),
            contract_id: None,
            endpoint: admit.endpoint,
            request_id: admit.request_id,
            units,
            price: Credits::ZERO,
            expires_at: now + self.policy.hold_timeout,
            idempotency: admit.idempotency.clone(),
        };
        let (caller, rate) = (entitled.caller.clone(), entitled.rate);
        if admit.endpoint.is_free() {
            return Answer::Admitted {
                caller,
                hold,
                rate,
                standing: None,
            };
        }
        match self.serve(&entitled.covering, &mut hold, now).await {
            Ok(Ok(standing)) => Answer::Admitted {
                caller,
                hold,
                rate,
                standing: Some(standing),
            },
            Ok(Err(NotServed::TooManyHolds)) => Answer::Unavailable {
                component: "ledger".into(),
                retry_after_seconds: OVERLOAD_RETRY_SECONDS,
            },
            Ok(Err(NotServed::Refused(refusal, standing))) => Answer::Refused {
                refusal,
                rate: Some(rate),
                standing,
            },
            Err(fault) => refused(
                CommandError::from_fault(&self.store, fault),
                Some(rate),
                None,
            ),
        }
    }

    async fn unclaim(&self, account: AccountId, admit: &Admit) {
        if let Some(claim) = &admit.idempotency {
            self.desks
                .of(account)
                .lock()
                .await
                .unclaim(admit.endpoint, claim, admit.request_id);
        }
    }
}

/// The answer that says why a call was not carried out.
fn refused(error: CommandError, rate: Option<RateWindow>, standing: Option<Standing>) -> Answer {
    let refusal = match error {
        CommandError::Refused(Reason::Contract(ContractRefusal::BalanceTooLow {
            required,
            available,
        })) => Refusal::InsufficientCredits {
            required,
            available,
        },
        CommandError::Refused(Reason::InvalidApiKey) => Refusal::InvalidApiKey,
        CommandError::Refused(reason) => {
            tracing::error!(%reason, "a call was refused for a reason that no caller can cause");
            return Answer::Unavailable {
                component: "ledger".into(),
                retry_after_seconds: 2,
            };
        }
        CommandError::Elsewhere { shard, owner } => return Answer::Elsewhere { shard, owner },
        CommandError::Unavailable {
            component,
            retry_after_seconds,
            fault,
        } => {
            tracing::warn!(component, fault = %fault, "a call could not be carried out");
            return Answer::Unavailable {
                component: component.into(),
                retry_after_seconds,
            };
        }
    };
    Answer::Refused {
        refusal,
        rate,
        standing,
    }
}
