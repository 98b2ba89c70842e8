//! Settle and release: a hold becomes a durable charge, also one of nothing, or is given back.

use events_schema::Credits;
use events_schema::api::internal::{Answer, Hold, Refusal, Settle, Standing};
use events_schema::ids::ContractId;

use super::refused;
use crate::application::command::{CommandError, execute};
use crate::application::{Application, Cause};
use crate::domain::contract::{ContractCommand, ContractEvent};
use crate::store::{IdempotencyRow, SideRows, StoreFault};

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
        let since = self.now() - self.policy.idempotency_for;
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
