//! Commands that nobody is charged for, and reading an aggregate.

use events_schema::Event;
use uuid::Uuid;

use super::ask::{Change, Halt, HeldContract, Lock, Reply, Step, Work};
use super::pipeline::Decision;
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
        if let Some(reply) = self.account_is_missing(&change.command)? {
            return Ok(Step::Answer(reply));
        }
        let cell = self.cell(kind, change.id)?;
        let events = match cell.state.carry_out(change.command.clone()) {
            Ok(events) => events,
            // Told when what it rests on is durable: else it may be no refusal after all.
            Err(refusal) => {
                let reply = Reply::Refused(refusal);
                return Ok(Step::Decided(Box::new(Decision::barrier(reply))));
            }
        };
        let state = cell.state.clone();
        let reply = self.told(change.id, state, now);
        self.follow(&events);
        let rows = SideRows {
            balance: self.balance_of(kind, change.id),
            idempotency: change.named.clone(),
            row: change.row.clone(),
        };
        let cause = (change.cause.clone(), now);
        let decision = self.decision((kind, change.id), (events, rows), cause, reply);
        Ok(Step::Decided(Box::new(decision)))
    }

    pub(super) fn read(&mut self, kind: Kind, id: Uuid) -> Result<Step, Halt> {
        let reply = Reply::State(self.cell(kind, id)?.state.clone());
        Ok(Step::Decided(Box::new(Decision::barrier(reply))))
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
            // Its admission asked the store; again only where the store has refused.
            if work.looks {
                let Some(kept) = work.kept.take() else {
                    return Err(Halt::Wants(self.kept(work, name)));
                };
                return Ok(kept.map(|kept| before(kept, &row.claim.request_hash)));
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

    /// A contract is made for an account that was opened.
    fn account_is_missing(&mut self, command: &Command) -> Result<Option<Reply>, Halt> {
        let Command::Contract(ContractCommand::Create { terms, .. }) = command else {
            return Ok(None);
        };
        let is_open = self.account(terms.account_id)?.id.is_some();
        Ok((!is_open).then(|| Reply::Refused(AccountRefusal::Unknown.into())))
    }

    /// What is told of an aggregate right after a change: of a contract also what is held.
    fn told(&mut self, id: Uuid, state: Aggregate, now: Moment) -> Reply {
        match state {
            Aggregate::Contract(contract) => {
                let held = self.holds.held(id.into(), now.line);
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

    fn balance_of(
        &self,
        kind: Kind,
        id: Uuid,
    ) -> Option<(
        events_schema::ids::ContractId,
        events_schema::ids::AccountId,
        events_schema::Credits,
    )> {
        match (kind, &self.cells.peek((kind, id))?.state) {
            (Kind::Contract, Aggregate::Contract(contract)) => {
                let terms = contract.terms.as_ref()?;
                Some((terms.contract_id, terms.account_id, contract.balance))
            }
            _ => None,
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
        (Event::CreditsGranted(granted), Command::Contract(ContractCommand::Grant { credits })) => {
            granted.contract_id.uuid() == change.id && granted.credits == *credits
        }
        _ => false,
    }
}
