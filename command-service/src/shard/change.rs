//! Commands that are not charged for, and reading an aggregate.

use events_schema::Event;
use uuid::Uuid;

use super::ask::{Change, Halt, HeldContract, Lock, Reply, Step, Work};
use super::pipeline::{Decision, Outcome};
use super::rows::{KeptCharge, SideRows};
use super::{Moment, Shard, Wanted};
use crate::domain::account::AccountRefusal;
use crate::domain::aggregate::{Aggregate, Command, Kind};
use crate::domain::contract::ContractCommand;

impl Shard {
    pub(super) fn change(
        &mut self,
        work: &mut Work,
        change: &Change,
        now: Moment,
    ) -> Result<Step, Halt> {
        let kind = change.command.kind();
        if let Some(reply) = self.before(work, change, now)? {
            return Ok(reply);
        }
        if let Some(refusal) = self.no_contract_for_account(&change.command)? {
            // Answered when what it rests on is durable, as below.
            let reply = Reply::Refused(refusal.into());
            return Ok(Step::Decided(Box::new(Decision::barrier(reply))));
        }
        let command = self.informed(work, change, now)?;
        let cell = self.cell(kind, change.id)?;
        let events = match cell.state.carry_out(command) {
            Ok(events) => events,
            // Answered when what it rests on is durable: otherwise it may turn out to be no refusal after all.
            Err(refusal) => {
                let reply = Reply::Refused(refusal);
                return Ok(Step::Decided(Box::new(Decision::barrier(reply))));
            }
        };
        let state = cell.state.clone();
        let reply = self.reply_of(change.id, state, now);
        self.follow(&events);
        let rows = SideRows {
            idempotency: change.named.clone().map(Box::new),
            row: change.row.clone().map(Box::new),
        };
        let outcome = Outcome { events, rows };
        let cause = change.cause.clone();
        let decision = self.decision((kind, change.id), outcome, cause, reply, now);
        Ok(Step::Decided(Box::new(decision)))
    }

    pub(super) fn read(&mut self, kind: Kind, id: Uuid) -> Result<Step, Halt> {
        let reply = Reply::State(self.cell(kind, id)?.state.clone());
        Ok(Step::Decided(Box::new(Decision::barrier(reply))))
    }

    /// The command, with what it depends on besides its aggregate: the moment, or whether its build is active. One of the latter command at a time, and asked for in the epoch in
    /// which it is decided: no activation, by this owner or another, comes in between.
    fn informed(&mut self, work: &mut Work, change: &Change, now: Moment) -> Result<Command, Halt> {
        match change.command.clone() {
            Command::DataBuild(command) if command.rests_on_the_active_build() => {
                self.lock(work, Lock::ActiveBuild)?;
                let Some(active) = &work.active_builds else {
                    return Err(Halt::Wants(Wanted::ActiveBuilds(work.number)));
                };
                let is_active = active.iter().any(|build| build.id() == change.id);
                Ok(Command::DataBuild(command.knowing(is_active)))
            }
            Command::Contract(command) => Ok(Command::Contract(command.decided_at(now.utc))),
            command => Ok(command),
        }
    }

    /// What was done before under this name or by this request.
    fn before(
        &mut self,
        work: &mut Work,
        change: &Change,
        now: Moment,
    ) -> Result<Option<Step>, Halt> {
        if let Some(row) = &change.named {
            let name = row.name();
            self.lock(work, Lock::Name(name.clone()))?;
            // Its admission asked the store already; it is asked again only after it refused a batch.
            if work.looks {
                let Some(kept) = work.kept.take() else {
                    return Err(Halt::Wants(self.kept(work, name)));
                };
                return Ok(kept.map(|kept| before(*kept, &row.claim.request_hash)));
            }
        }
        if change.once {
            let request_id = change.cause.request_id;
            self.lock(work, Lock::Request(request_id))?;
            let Some(movement) = work.movement.take() else {
                return Err(Halt::Wants(Wanted::Movement(work.number, request_id)));
            };
            return match movement {
                None => Ok(None),
                Some(event) if is_grant(&event, change) => {
                    Ok(Some(self.one_contract(change.id.into(), now)?))
                }
                Some(_) => Ok(Some(Step::Answer(Reply::NamedDifferently))),
            };
        }
        Ok(None)
    }

    /// Refuses to make a contract for an account that was not opened or has no room for one more. A contract that exists already passes
    /// here: its own refusal says so.
    fn no_contract_for_account(
        &mut self,
        command: &Command,
    ) -> Result<Option<AccountRefusal>, Halt> {
        let Command::Contract(ContractCommand::Create { terms, .. }) = command else {
            return Ok(None);
        };
        if self.account(terms.account_id)?.id.is_none() {
            return Ok(Some(AccountRefusal::Unknown));
        }
        let most = self.limits.max_contracts;
        let contracts = &self.cell(Kind::Account, terms.account_id.uuid())?.contracts;
        let is_full = contracts.len() >= most && !contracts.contains(&terms.contract_id);
        Ok(is_full.then_some(AccountRefusal::TooManyContracts(most)))
    }

    /// The reply that shows an aggregate right after a change; for a contract also the credits held.
    fn reply_of(&mut self, id: Uuid, state: Aggregate, now: Moment) -> Reply {
        match state {
            Aggregate::Contract(contract) => {
                let held = self.holds.held(id.into(), now.monotonic);
                Reply::Contracts(vec![HeldContract { contract, held }])
            }
            state => Reply::State(state),
        }
    }

    /// What memory must learn of events that were just decided.
    fn follow(&mut self, events: &[Event]) {
        for event in events {
            if let Event::ContractCreated(created) = event
                && let Some(account) = self.cells.get((Kind::Account, created.account_id.uuid()))
            {
                account.contracts.push(created.contract_id);
            }
        }
    }
}

fn before(kept: KeptCharge, request_hash: &str) -> Step {
    Step::Answer(if kept.request_hash == request_hash {
        Reply::Before(kept.receipt)
    } else {
        Reply::NamedDifferently
    })
}

/// Whether an event is what the command would have done.
fn is_grant(event: &Event, change: &Change) -> bool {
    match (event, &change.command) {
        (
            Event::CreditsGranted(granted),
            Command::Contract(ContractCommand::Grant { credits, .. }),
        ) => granted.contract_id.uuid() == change.id && granted.credits == *credits,
        _ => false,
    }
}
