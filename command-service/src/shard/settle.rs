//! Settle and release: a hold becomes a durable charge, which may be one of zero credits, or is given back.

use events_schema::api::internal::{
    Answer, Hold, IdempotencyClaim, Receipt, Refusal, Settle, Standing,
};
use events_schema::{Credits, Event};

use super::admit::refused;
use super::ask::{Cause, Halt, Lock, Reply, Step, Work};
use super::claims::Name;
use super::holds::{NewHold, SetAside};
use super::pipeline::Outcome;
use super::rows::{IdempotencyRow, KeptCharge, SideRows};
use super::{Moment, Shard, Wanted};
use crate::domain::aggregate::{self, Command, Kind};
use crate::domain::contract::{ContractCommand, ContractRefusal};

impl Shard {
    pub(super) fn settle(
        &mut self,
        work: &mut Work,
        settle: &Settle,
        now: Moment,
    ) -> Result<Step, Halt> {
        let Settle {
            hold,
            units,
            receipt,
            traceparent,
        } = settle;
        let units = (*units).min(hold.units);
        let Some(contract_id) = hold.contract_id else {
            self.end_claim(hold);
            return Ok(settled(Credits::ZERO, None));
        };
        if units == 0 && hold.idempotency.is_none() {
            // Nothing was delivered, and the request has no `Idempotency-Key`: giving the hold back is all there is to settle.
            let standing = self.give_back(hold)?;
            return Ok(settled(Credits::ZERO, standing));
        }
        let name = name_of(hold);
        self.lock(work, lock_of(hold))?;
        self.cell(Kind::Contract, contract_id.uuid())?;
        if let Some(step) = self.charged_before(work, hold, name.as_ref(), now)? {
            return Ok(step);
        }
        // Nothing delivered to a named request is a charge of 0 credits: an event and its row, so that it is durable, replayed like any
        // other, and listed in the ledger without moving a balance.
        let command = ContractCommand::Charge {
            endpoint: hold.endpoint,
            units,
            price: hold.price,
        };
        work.hold = self.holds.release(contract_id, hold.hold_id);
        let cell = self.cell(Kind::Contract, contract_id.uuid())?;
        let events = match cell.state.carry_out(Command::Contract(command)) {
            Ok(events) => events,
            Err(refusal) => {
                self.end_claim(hold);
                return Ok(Step::Answer(not_charged(refusal)));
            }
        };
        if let Some(name) = &name {
            self.claims.settling(name, hold.request_id);
        }
        let charge = events.iter().find_map(charge);
        let Some((credits_used, standing)) = charge else {
            return Ok(Step::Answer(Reply::Unavailable(super::Failing::Ledger)));
        };
        let rows = self.named_row(hold, receipt);
        let cause = Cause {
            request_id: hold.request_id,
            actor: format!("api_key:{}", hold.api_key_id),
            traceparent: traceparent.clone(),
        };
        let reply = Answer::Settled {
            credits_used,
            standing: Some(standing),
        };
        let id = (Kind::Contract, contract_id.uuid());
        let outcome = Outcome { events, rows };
        let decision = self.decision(id, outcome, cause, reply.into(), now);
        Ok(Step::Decided(Box::new(decision)))
    }

    /// The charge that exists already: under the name, made from a hold of an earlier owner or by another owner since; or of the very same
    /// request. The store is asked where memory is not certain: for a request without a name only after it refused a batch, or when the
    /// hold is not known here. A request that was charged before is answered so, even where the balance would not pay it twice, and takes
    /// no credits held for others meanwhile.
    fn charged_before(
        &mut self,
        work: &mut Work,
        hold: &Hold,
        name: Option<&Name>,
        now: Moment,
    ) -> Result<Option<Step>, Halt> {
        if let (Some(name), Some(claim)) = (name, &hold.idempotency) {
            let is_certain = !work.looks
                && self
                    .claims
                    .is_certain(name, hold.request_id, self.epoch, now.monotonic);
            #[cfg(test)]
            let is_certain = is_certain || self.trusts_memory(hold);
            if is_certain {
                return Ok(None);
            }
            let Some(kept) = work.kept.take() else {
                return Err(Halt::Wants(self.kept(work, name.clone())));
            };
            let Some(kept) = kept else { return Ok(None) };
            self.forget_hold(hold);
            self.end_claim(hold);
            return Ok(Some(Step::Answer(replayed(claim, *kept))));
        }
        let contract_id = hold.contract_id;
        let is_here = contract_id.is_some_and(|id| self.holds.has(id, hold.hold_id));
        if is_here && !work.looks {
            return Ok(None);
        }
        let Some(movement) = work.movement.take() else {
            let wanted = Wanted::Movement(work.number, hold.request_id);
            return Err(Halt::Wants(wanted));
        };
        let Some((credits_used, standing)) = movement.as_deref().and_then(charge) else {
            return Ok(None);
        };
        self.forget_hold(hold);
        Ok(Some(settled(credits_used, Some(standing))))
    }

    /// The row that keeps the charge under its name, if it has one.
    fn named_row(&self, hold: &Hold, receipt: &Receipt) -> SideRows {
        let idempotency = hold.idempotency.clone().map(|claim| {
            Box::new(IdempotencyRow {
                account_id: hold.account_id,
                endpoint: hold.endpoint,
                claim,
                receipt: receipt.clone(),
                kept_for: self.limits.idempotency_for,
            })
        });
        SideRows {
            idempotency,
            row: None,
        }
    }

    pub(super) fn release(&mut self, hold: &Hold) -> Result<Step, Halt> {
        let standing = self.give_back(hold)?;
        Ok(Step::Answer(Answer::Released { standing }.into()))
    }

    fn give_back(&mut self, hold: &Hold) -> Result<Option<Standing>, Halt> {
        let Some(contract_id) = hold.contract_id else {
            self.end_claim(hold);
            return Ok(None);
        };
        self.cell(Kind::Contract, contract_id.uuid())?;
        // A work that is settling the hold at this moment ends it.
        if !self.locks.contains_key(&lock_of(hold)) {
            self.end_claim(hold);
            self.forget_hold(hold);
        }
        let balance = self.contract(contract_id).map(|contract| contract.balance);
        Ok(balance.map(|credits_remaining| Standing {
            contract_id,
            credits_remaining,
        }))
    }

    pub(super) fn forget_hold(&mut self, hold: &Hold) {
        if let Some(contract_id) = hold.contract_id {
            self.holds.release(contract_id, hold.hold_id);
        }
    }

    /// Whether another work settles this hold, or another one under its name.
    pub(super) fn is_settling_elsewhere(&self, work: &Work, hold: &Hold) -> bool {
        work.lock.is_none() && self.locks.contains_key(&lock_of(hold))
    }

    pub(super) fn end_claim(&mut self, hold: &Hold) {
        if let Some(name) = name_of(hold) {
            self.claims.end(&name, hold.request_id);
        }
    }

    /// Sets a hold aside again whose charge has to be decided anew.
    pub(super) fn hold_again(&mut self, hold: &Hold, was: SetAside, now: Moment) {
        if let Some(contract) = hold.contract_id {
            let hold = NewHold {
                contract,
                id: hold.hold_id,
                set_aside: was,
            };
            self.holds.place(hold, now.monotonic);
        }
    }
}

/// The lock that only one settle of this hold, or under its name, has at a time.
fn lock_of(hold: &Hold) -> Lock {
    name_of(hold).map_or(Lock::Request(hold.request_id), Lock::Name)
}

pub(super) fn name_of(hold: &Hold) -> Option<Name> {
    let claim = hold.idempotency.as_ref()?;
    Some(Name::new(hold.account_id, hold.endpoint, claim))
}

fn settled(credits_used: Credits, standing: Option<Standing>) -> Step {
    let answer = Answer::Settled {
        credits_used,
        standing,
    };
    Step::Answer(answer.into())
}

/// What an event charged, and its contract's standing right after.
fn charge(event: &Event) -> Option<(Credits, Standing)> {
    let Event::CreditsCharged(charged) = event else {
        return None;
    };
    let standing = Standing {
        contract_id: charged.contract_id,
        credits_remaining: charged.balance_after,
    };
    Some((charged.credits, standing))
}

/// The answer to a settle of what was charged before.
fn replayed(claim: &IdempotencyClaim, kept: KeptCharge) -> Reply {
    if kept.request_hash == claim.request_hash {
        let receipt = kept.receipt;
        return Answer::SettledBefore { receipt }.into();
    }
    refused(Refusal::DifferentRequest, None).into()
}

/// The hold had expired and the balance no longer suffices, or the contract does not exist.
fn not_charged(refusal: aggregate::Refusal) -> Reply {
    match refusal {
        aggregate::Refusal::Contract(ContractRefusal::BalanceTooLow {
            required,
            available,
        }) => {
            let refusal = Refusal::InsufficientCredits {
                required,
                available,
            };
            refused(refusal, None).into()
        }
        other => Reply::Refused(other),
    }
}
