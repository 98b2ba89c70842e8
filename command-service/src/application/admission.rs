//! Admit, settle, release, check: the calls of the services that answer clients (architecture: hold, work,
//! settle). Decided in the order 401, 429, 403, 409, 402 (contract C0).

mod serving;

use chrono::{DateTime, Utc};
use events_schema::Credits;
use events_schema::api::internal::{
    Admit, Answer, Ask, Call, Caller, Hold, IdempotencyClaim, RateWindow, Refusal, Settle, Standing,
};
use events_schema::ids::{AccountId, ContractId};
use tokio::sync::OwnedMutexGuard;

use super::api_key::ApiKey;
use super::command::{CommandError, Reason, execute};
use super::desk::{Claimed, Desk, Proof, in_serving_order};
use super::{Application, Cause};
use crate::domain::contract::{ContractCommand, ContractEvent, ContractRefusal, Terms};
use crate::store::{IdempotencyRow, SideRows, StoreFault};

use serving::Covering;

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
        let now = self.clock.now();
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
            .count(&caller.api_key_id, endpoint, limit, now)
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
            Ok(Err((refusal, standing))) => Answer::Refused {
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

    async fn settle(&self, settle: Settle) -> Answer {
        let Settle { hold, units, .. } = &settle;
        let units = (*units).min(hold.units);
        let Some(contract_id) = hold.contract_id else {
            self.end_claim(hold).await;
            return Answer::Settled {
                credits_used: Credits::ZERO,
                standing: None,
            };
        };
        if units == 0 {
            return self.release(settle.hold).await;
        }
        if let Some(refusal) = self.charged_meanwhile(hold, contract_id).await {
            return refusal;
        }
        let charged = self.charge(&settle, contract_id, units).await;
        self.end_claim(&settle.hold).await;
        match charged {
            Ok((credits_used, credits_remaining)) => Answer::Settled {
                credits_used,
                standing: Some(Standing {
                    contract_id,
                    credits_remaining,
                }),
            },
            Err(error) => refused(error, None, None),
        }
    }

    /// A hold of an earlier owner may name a charge that was made since; then nothing is charged again.
    async fn charged_meanwhile(&self, hold: &Hold, contract_id: ContractId) -> Option<Answer> {
        let claim = hold.idempotency.as_ref()?;
        match self
            .contracts
            .lock(contract_id.shard(), contract_id.uuid())
            .await
        {
            Ok(mut locked) => {
                if locked.with_state(|_, holds| holds.knows(hold.hold_id)) {
                    return None;
                }
            }
            Err(fault) => {
                return Some(refused(
                    CommandError::from_fault(&self.store, fault),
                    None,
                    None,
                ));
            }
        }
        let since = self.clock.now() - self.policy.idempotency_for;
        match self
            .store
            .kept_charge(hold.account_id, hold.endpoint, &claim.key_hash, since)
            .await
        {
            Ok(None) => None,
            Ok(Some(_)) => Some(Answer::Refused {
                refusal: Refusal::InProgress,
                rate: None,
                standing: None,
            }),
            Err(fault) => Some(refused(
                CommandError::from_fault(&self.store, fault),
                None,
                None,
            )),
        }
    }

    async fn charge(
        &self,
        settle: &Settle,
        contract_id: ContractId,
        units: u32,
    ) -> Result<(Credits, Credits), CommandError> {
        let Settle { hold, receipt, .. } = settle;
        let now = self.clock.now();
        let cause = Cause {
            request_id: hold.request_id,
            actor: format!("api_key:{}", hold.api_key_id),
            traceparent: service_kit::telemetry::current_traceparent(),
        };
        let command = ContractCommand::Charge {
            endpoint: hold.endpoint,
            units,
            price: hold.price,
        };
        let idempotency = hold.idempotency.clone().map(|claim| IdempotencyRow {
            account_id: hold.account_id,
            endpoint: hold.endpoint,
            claim,
            receipt: receipt.clone(),
            created_at: now,
        });
        let (store, contracts, hold) = (self.store.clone(), self.contracts.clone(), hold.clone());
        // In a task of its own: a caller that goes away must not stop between decision and commit.
        let task = tokio::spawn(async move {
            execute(
                &store,
                &contracts,
                contract_id.uuid(),
                command,
                (&cause, now),
                |contract, holds| {
                    holds.release(hold.hold_id);
                    SideRows {
                        balance: Some((contract_id, hold.account_id, contract.balance)),
                        idempotency: idempotency.clone(),
                        row: None,
                    }
                },
            )
            .await
        });
        let events = task.await.map_err(|_| self.lost_task(contract_id))??;
        let charged = events.iter().find_map(|event| match event {
            ContractEvent::CreditsCharged(charged) => {
                Some((charged.credits, charged.balance_after))
            }
            _ => None,
        });
        charged.ok_or_else(|| self.lost_task(contract_id))
    }

    fn lost_task(&self, contract_id: ContractId) -> CommandError {
        CommandError::from_fault(&self.store, StoreFault::Stale(contract_id.shard()))
    }

    async fn release(&self, hold: Hold) -> Answer {
        self.end_claim(&hold).await;
        let Some(contract_id) = hold.contract_id else {
            return Answer::Released { standing: None };
        };
        match self
            .contracts
            .lock(contract_id.shard(), contract_id.uuid())
            .await
        {
            Ok(mut locked) => {
                let credits_remaining = locked.with_state(|contract, holds| {
                    holds.release(hold.hold_id);
                    contract.balance
                });
                Answer::Released {
                    standing: Some(Standing {
                        contract_id,
                        credits_remaining,
                    }),
                }
            }
            Err(fault) => refused(CommandError::from_fault(&self.store, fault), None, None),
        }
    }

    async fn end_claim(&self, hold: &Hold) {
        if let Some(claim) = &hold.idempotency {
            self.desks.of(hold.account_id).lock().await.unclaim(
                hold.endpoint,
                claim,
                hold.request_id,
            );
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

    /// Who holds this key, with the account's desk, locked and up to date.
    pub(super) async fn authenticate(
        &self,
        text: &str,
    ) -> Result<(Caller, OwnedMutexGuard<Desk>), CommandError> {
        let invalid = || CommandError::Refused(Reason::InvalidApiKey);
        let key = ApiKey::parse(text).ok_or_else(invalid)?;
        self.owned_here(key.id.shard())?;
        let proof = match self.desks.proof(&key.id) {
            Some(proof) => proof,
            None => {
                let found = self
                    .store
                    .api_key(&key.id)
                    .await
                    .map_err(|fault| self.fault(fault))?;
                let found = found.ok_or_else(invalid)?;
                let proof = Proof {
                    account_id: found.account_id,
                    secret_hmac: found.secret_hmac,
                };
                self.desks.keep_proof(key.id.clone(), proof)
            }
        };
        if !key.proves(self.policy.api_key_pepper.expose(), &proof.secret_hmac) {
            return Err(invalid());
        }
        let desk = self.desk(proof.account_id).await?;
        if desk
            .keys
            .get(&key.id)
            .is_none_or(|state| state.revoked_at.is_some())
        {
            return Err(invalid());
        }
        Ok((
            Caller {
                account_id: proof.account_id,
                api_key_id: key.id,
            },
            desk,
        ))
    }

    /// The account's desk, locked, with keys and contracts as they are now.
    pub(super) async fn desk(
        &self,
        account: AccountId,
    ) -> Result<OwnedMutexGuard<Desk>, CommandError> {
        let mut desk = self.desks.of(account).lock_owned().await;
        let generation = self.store.generation(account.shard());
        if desk.generation != generation {
            let state = self
                .accounts
                .read(account.shard(), account.uuid())
                .await
                .map_err(|f| self.fault(f))?;
            let ids = self
                .store
                .account_contracts(account)
                .await
                .map_err(|f| self.fault(f))?;
            let mut contracts: Vec<Terms> = Vec::with_capacity(ids.len());
            for id in ids {
                let contract = self
                    .contracts
                    .read(id.shard(), id.uuid())
                    .await
                    .map_err(|f| self.fault(f))?;
                contracts.extend(contract.terms);
            }
            desk.keys = state.keys.into_iter().collect();
            desk.contracts = std::sync::Arc::new(in_serving_order(contracts));
            desk.generation = generation;
        }
        Ok(desk)
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
