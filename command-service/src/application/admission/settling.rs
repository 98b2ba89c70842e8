//! Settle and release: a hold becomes a durable charge, also one of nothing, or is given back.

use chrono::{DateTime, Utc};
use events_schema::Credits;
use events_schema::api::internal::{Answer, Hold, IdempotencyClaim, Refusal, Settle, Standing};
use events_schema::ids::ContractId;

use super::refused;
use crate::application::command::{ATTEMPTS, CommandError, Tried, try_once};
use crate::application::holds::Holds;
use crate::application::{Application, Cause};
use crate::domain::contract::{Contract, ContractCommand, ContractEvent};
use crate::store::{IdempotencyRow, KeptCharge, SideRows, StoreFault};

/// Nothing was delivered to a request that no client named: giving the hold back is all there is to settle.
fn settled_for_nothing(released: Answer) -> Answer {
    match released {
        Answer::Released { standing } => Answer::Settled {
            credits_used: Credits::ZERO,
            standing,
        },
        other => other,
    }
}

/// The answer to who settles what was charged before.
fn charged_before(claim: &IdempotencyClaim, kept: KeptCharge) -> Answer {
    if kept.request_hash == claim.request_hash {
        return Answer::SettledBefore {
            receipt: kept.receipt,
        };
    }
    Answer::Refused {
        refusal: Refusal::DifferentRequest,
        rate: None,
        standing: None,
    }
}

impl Application {
    pub(super) async fn settle(&self, settle: Settle) -> Answer {
        let Settle { hold, units, .. } = &settle;
        let units = (*units).min(hold.units);
        let Some(contract_id) = hold.contract_id else {
            self.end_claim(hold).await;
            return Answer::Settled {
                credits_used: Credits::ZERO,
                standing: None,
            };
        };
        if units == 0 && hold.idempotency.is_none() {
            return settled_for_nothing(self.release(settle.hold).await);
        }
        // Nothing delivered to a named request is a charge of 0 credits: an event and its row, so that it is durable,
        // replayed like any other, and stands in the ledger without moving a balance.
        let charged = self.charge(&settle, contract_id, units).await;
        self.end_claim(&settle.hold).await;
        match charged {
            Ok(answer @ Answer::Settled { .. }) => answer,
            Ok(charged_before) => {
                self.release(settle.hold).await;
                charged_before
            }
            Err(error) => refused(error, None, None),
        }
    }

    /// The charge that stands under a claim.
    async fn kept(
        &self,
        hold: &Hold,
        claim: &IdempotencyClaim,
    ) -> Result<Option<KeptCharge>, StoreFault> {
        let since = self.now() - self.policy.idempotency_for;
        self.store
            .kept_charge(hold.account_id, hold.endpoint, &claim.key_hash, since)
            .await
    }

    async fn charge(
        &self,
        settle: &Settle,
        contract_id: ContractId,
        units: u32,
    ) -> Result<Answer, CommandError> {
        let Settle { hold, receipt, .. } = settle;
        let now = self.now();
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
            kept_for: self.policy.idempotency_for,
        });
        let (application, hold) = (self.clone(), hold.clone());
        // In a task of its own: a caller that goes away must not stop between decision and commit.
        let task = tokio::spawn(async move {
            let beside = |contract: &Contract, holds: &mut Holds| {
                holds.release(hold.hold_id);
                SideRows {
                    balance: Some((contract_id, hold.account_id, contract.balance)),
                    idempotency: idempotency.clone(),
                    row: None,
                }
            };
            application
                .charge_once(&hold, contract_id, command, (&cause, now), &beside)
                .await
        });
        task.await.map_err(|_| self.lost_task(contract_id))?
    }

    /// Charges, unless the same named request was charged before: by a hold of an earlier owner, by another owner since. The
    /// statement refuses a second row under a live name, and whoever was refused looks again.
    async fn charge_once(
        &self,
        hold: &Hold,
        contract_id: ContractId,
        command: ContractCommand,
        context: (&Cause, DateTime<Utc>),
        beside: &(impl Fn(&Contract, &mut Holds) -> SideRows + Sync),
    ) -> Result<Answer, CommandError> {
        let claim = hold.idempotency.as_ref();
        let name = claim.map(|claim| (hold.account_id, hold.endpoint, &claim.key_hash));
        let _turn = match name {
            Some(name) => self.name_turns.of(name).await,
            None => None,
        };
        let (store, contracts, id) = (&self.store, &self.contracts, contract_id.uuid());
        let mut attempt = 1;
        loop {
            if let Some(claim) = claim {
                let kept = self.kept(hold, claim).await;
                if let Some(kept) = kept.map_err(|fault| CommandError::from_fault(store, fault))? {
                    return Ok(charged_before(claim, kept));
                }
            }
            match try_once(store, contracts, id, command.clone(), context, beside).await {
                Ok(events) => {
                    let charge = events.iter().find_map(|event| match event {
                        ContractEvent::CreditsCharged(charged) => Some(Answer::Settled {
                            credits_used: charged.credits,
                            standing: Some(Standing {
                                contract_id,
                                credits_remaining: charged.balance_after,
                            }),
                        }),
                        _ => None,
                    });
                    return charge.ok_or_else(|| self.lost_task(contract_id));
                }
                Err(Tried::Ended(error)) => return Err(error),
                Err(Tried::Stale(_)) if attempt < ATTEMPTS => attempt += 1,
                Err(Tried::Stale(fault)) => return Err(CommandError::from_fault(store, fault)),
            }
        }
    }

    fn lost_task(&self, contract_id: ContractId) -> CommandError {
        CommandError::from_fault(&self.store, StoreFault::Stale(contract_id.shard()))
    }

    pub(super) async fn release(&self, hold: Hold) -> Answer {
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
}
