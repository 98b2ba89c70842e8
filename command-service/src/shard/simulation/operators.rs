//! Operators: grants, revocations, a look at what there is.

use events_schema::ids::ContractId;
use events_schema::{Credits, Envelope, Event as Fact};
use rand::RngExt;

use super::people::{Act, Purpose};
use super::world::{Event, World};
use crate::domain::aggregate::Aggregate;
use crate::shard::Reply;

impl World {
    pub(super) fn operated(&mut self, act: Act, tries: u32, reply: Option<Reply>) {
        match (&act, reply) {
            (
                Act::Grant {
                    request_id,
                    contract,
                    ..
                },
                Some(Reply::Contracts(_)),
            ) => {
                let is_done = |event: &&Envelope| event.request_id == *request_id;
                let Some(done) = self.postgres.events.iter().find(is_done) else {
                    let broken = "a grant is told and not stored".to_owned();
                    return self.history.broken.push(broken);
                };
                let told = self.told.entry(*contract).or_default();
                if *told >= done.pos {
                    self.history.counts.granted_again += 1;
                }
                *told = (*told).max(done.pos);
                self.history.counts.granted += 1;
            }
            (Act::Revoke(key), Some(Reply::State(_))) => {
                self.history.counts.revoked += 1;
                self.revoked_at.entry(key.clone()).or_insert(self.now);
            }
            (Act::Read { contract, told }, Some(Reply::State(Aggregate::Contract(state)))) => {
                self.history.counts.read += 1;
                self.read(*contract, *told, state.balance);
            }
            (Act::Look, Some(Reply::State(Aggregate::Account(state)))) => {
                for (id, _) in state
                    .keys
                    .iter()
                    .filter(|(_, key)| key.revoked_at.is_some())
                {
                    self.revoked_at.entry(id.clone()).or_insert(self.now);
                }
            }
            _ if tries > 0 => {
                let again = Purpose::Operate(act, tries - 1);
                let at = self.now + self.rng.random_range(50..1_500);
                self.at(at, Event::Call(again));
            }
            _ => {}
        }
    }

    /// What is read is not older than what was told before it was asked for.
    pub(super) fn read(&mut self, contract: ContractId, told: i64, balance: Credits) {
        let after = |event: &Envelope| match &event.event {
            Fact::CreditsCharged(e) if e.contract_id == contract => Some(e.balance_after),
            Fact::CreditsGranted(e) if e.contract_id == contract => Some(e.balance_after),
            Fact::ContractCreated(e) if e.contract_id == contract => Some(e.credits),
            _ => None,
        };
        let balances: Vec<(i64, Credits)> = self
            .postgres
            .events
            .iter()
            .filter_map(|event| Some((event.pos, after(event)?)))
            .collect();
        let next = |pos: i64| balances.iter().map(|(at, _)| *at).find(|at| *at > pos);
        let is_known = balances
            .iter()
            .any(|(pos, at)| *at == balance && next(*pos).is_none_or(|next| next > told));
        if !is_known && self.faults.steal_every == 0 {
            let broken = format!("a balance of {balance} was read that is older than {told}");
            self.history.broken.push(broken);
        }
    }
}
