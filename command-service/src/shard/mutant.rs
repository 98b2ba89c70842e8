//! Faults of earlier logic and rules left out, to be switched on in tests: the simulator must find each of them.

use std::collections::BTreeMap;

use events_schema::api::internal::Hold;
use events_schema::ids::{AccountId, ApiKeyId, ContractId};

use super::{Failing, Moment, Reply, Shard};
use crate::domain::account::Key;

/// One fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// A charge under a name trusts memory alone, and the store takes a second row under a live name.
    NameTrustsMemory,
    /// A rate window starts anew when a request read the clock before it began.
    WindowResets,
    /// What a key may is looked up again only when the operator who changed it has got the answer.
    KeysFollowAnswers,
    /// A batch of unknown outcome is told as not written, and what it named is free again.
    UnknownIsNothing,
    /// How far the ledger is is told without its last event.
    LooksBehind,
    /// A contract that was ended goes on serving.
    EndedServes,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) which: Option<Mutant>,
    seen: BTreeMap<(AccountId, ApiKeyId), Option<Key>>,
}

impl State {
    pub(super) fn looked(&self, credits_seq: i64) -> i64 {
        credits_seq - i64::from(self.which == Some(Mutant::LooksBehind))
    }

    pub(super) fn serves_ended(&self) -> bool {
        self.which == Some(Mutant::EndedServes)
    }

    pub(super) fn gives_up(&self) -> bool {
        self.which == Some(Mutant::UnknownIsNothing)
    }
}

impl Shard {
    /// The shard with a fault of earlier logic.
    pub(super) fn with_mutant(mut self, mutant: Option<Mutant>) -> Self {
        self.mutant.which = mutant;
        self.windows.resets_backwards = mutant == Some(Mutant::WindowResets);
        self
    }

    /// What a shard that nothing is asked of must not have.
    pub(super) fn left_over(&self) -> Vec<String> {
        let mut left = Vec::new();
        for (what, count) in [
            ("works never come to their end", self.len()),
            ("locks are never given back", self.locks.len()),
            ("claims are settled for ever", self.claims.settling_now()),
        ] {
            if count > 0 {
                left.push(format!("{count} {what}"));
            }
        }
        left
    }

    /// Whether a hold is still set aside.
    pub(super) fn holds_on_to(&self, hold: &Hold) -> bool {
        self.locks.is_empty() && self.has_hold(hold)
    }

    /// Whether the name of a hold's request is still taken by it.
    pub(super) fn claims_on_to(&self, hold: &Hold) -> bool {
        let name = super::settle::name_of(hold);
        let is_settled = self.locks.is_empty();
        name.is_some_and(|name| is_settled && self.claims.has(&name, hold.request_id))
    }

    /// The holds of settles that are not decided, or not any more.
    pub(super) fn undecided(&self) -> impl Iterator<Item = &Hold> {
        let waiting = self.waiting.values().flatten().chain(&self.ready);
        let works = waiting.chain(self.locks.values().flatten());
        works.filter_map(|work| match &*work.ask {
            super::Ask::Settle(settle) => Some(&settle.hold),
            _ => None,
        })
    }

    /// Whether a hold is known.
    pub(super) fn has_hold(&self, hold: &Hold) -> bool {
        hold.contract_id
            .is_some_and(|id| self.holds.has(id, hold.hold_id))
    }

    /// Where memory holds more than it may.
    pub(super) fn too_much(&self) -> Vec<String> {
        let limits = &self.limits;
        let works = limits.max_waiting * 2;
        let mut much = Vec::new();
        for (what, count, most) in [
            ("claims", self.claims.len(), limits.max_claims),
            ("rate windows", self.windows.len(), limits.max_windows),
            // A work that begins anew has its hold again, whoever came meanwhile.
            (
                "holds of a contract",
                self.holds.most(),
                limits.max_holds + self.len(),
            ),
            ("keys", self.keys.len(), limits.max_keys),
            ("works", self.len(), works),
        ] {
            if count > most {
                much.push(format!("{count} {what} are more than {most}"));
            }
        }
        much
    }

    /// Whether a contract has what is set aside of it.
    pub(super) fn is_covered(&self, id: ContractId) -> bool {
        let held = self.holds.sum(id);
        self.contract(id)
            .is_none_or(|contract| contract.balance >= held)
    }

    /// The driver of [`Mutant::KeysFollowAnswers`]: an operator got the answer about an account.
    pub fn operator_was_answered(&mut self, account: AccountId) {
        self.mutant.seen.retain(|(of, _), _| *of != account);
    }

    pub(super) fn as_seen(
        &mut self,
        account: AccountId,
        id: &ApiKeyId,
        key: Option<Key>,
    ) -> Option<Key> {
        if self.mutant.which != Some(Mutant::KeysFollowAnswers) {
            return key;
        }
        let seen = self.mutant.seen.entry((account, id.clone()));
        seen.or_insert(key).clone()
    }

    pub(super) fn trusts_memory(&self, hold: &Hold) -> bool {
        self.mutant.which == Some(Mutant::NameTrustsMemory) && self.has_hold(hold)
    }

    /// Forgets a batch that may still be written.
    pub(super) fn give_up(&mut self, now: Moment) {
        let Some(flight) = self.flight.take() else {
            return;
        };
        for work in flight.into_works() {
            if let super::Ask::Settle(settle) = &*work.ask {
                self.end_claim(&settle.hold);
            }
            self.finish(work, Reply::Unavailable(Failing::Database));
        }
        self.reload(now);
    }
}
