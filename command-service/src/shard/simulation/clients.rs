//! Clients: they ask an owner, work, settle, hang up and come again.

use chrono::DateTime;
use events_schema::Credits;
use events_schema::api::internal::{Answer, Ask as Wish, Hold, Receipt, Refusal, Settle};
use events_schema::ids::ContractId;
use rand::RngExt;

use super::history::{Delivered, Replayed};
use super::people::{Act, Purpose, Request};
use super::world::{ENDPOINT, Event, PATIENCE, SECRET, World, account};
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::{Command, Kind};
use crate::domain::contract::ContractCommand;
use crate::shard::{Admit, Ask, Input, Reply, ShownKey, Ticket};

impl World {
    /// A client sends its request, as a new one of HTTP.
    pub(super) fn send(&mut self, mut request: Request) {
        request.request_id = self.uuid();
        request.sent_at = self.now;
        request.attempts = if request.is_last { 200 } else { 6 };
        let name = request.name.as_ref().map(|name| name.key_hash.clone());
        self.history
            .requests
            .insert(request.request_id, (name, request.number));
        request.is_gone = self.chance(self.faults.hang_up);
        if request.is_gone && request.repeats > 0 {
            // It repeats while the first is still at work.
            let again = Request {
                repeats: request.repeats - 1,
                is_gone: false,
                number: request.number + 10_000,
                ..request.clone()
            };
            self.after(2_000, Event::Send(Box::new(again)));
        }
        self.call(Purpose::Admit(Box::new(request)));
    }

    pub(super) fn call(&mut self, purpose: Purpose) {
        self.tickets += 1;
        let ticket = self.tickets;
        let owner = self.rng.random_range(0..self.owners.len());
        let ask = self.ask_of(&purpose);
        let purpose = match purpose {
            Purpose::Operate(Act::Read { contract, .. }, tries) => {
                let told = self.told.get(&contract).copied().unwrap_or(0);
                Purpose::Operate(Act::Read { contract, told }, tries)
            }
            other => other,
        };
        self.asked.insert(ticket, (owner, purpose));
        self.at(self.now + PATIENCE, Event::Answered(ticket, None));
        if self.chance(self.faults.call_lost) || self.owners[owner].core.is_none() {
            return self.after(50, Event::Answered(ticket, None));
        }
        let life = self.owners[owner].life;
        self.after(10, Event::Reach(owner, life, Input::Ask(ticket, ask)));
    }

    pub(super) fn ask_of(&mut self, purpose: &Purpose) -> Ask {
        match purpose {
            Purpose::Admit(request) => Ask::Admit(Box::new(Admit {
                key: ShownKey {
                    id: request.key.clone(),
                    secret_hmac: SECRET,
                },
                endpoint: ENDPOINT,
                request_id: request.request_id,
                hold_id: self.uuid(),
                ask: Wish::Units(request.units),
                idempotency: request.name.clone(),
            })),
            Purpose::Settle(request, hold, units) => {
                let receipt = Receipt {
                    total: Some(request.number),
                    ..Receipt::default()
                };
                let settle = Settle {
                    hold: (**hold).clone(),
                    units: *units,
                    receipt,
                };
                Ask::Settle(Box::new(settle), None)
            }
            Purpose::Release(hold, _) => Ask::Release(hold.clone()),
            Purpose::Operate(Act::Read { contract, .. }, _) => {
                Ask::Read(Kind::Contract, contract.uuid())
            }
            Purpose::Operate(Act::Look, _) => Ask::Read(Kind::Account, account().uuid()),
            Purpose::Operate(
                Act::Grant {
                    contract,
                    credits,
                    request_id,
                },
                _,
            ) => {
                let command = ContractCommand::Grant { credits: *credits };
                let mut change = self.change(contract.uuid(), Command::Contract(command));
                change.cause.request_id = *request_id;
                change.once = true;
                Ask::Change(Box::new(change))
            }
            Purpose::Operate(Act::Revoke(key), _) => {
                let command = AccountCommand::RevokeApiKey {
                    api_key_id: key.clone(),
                    at: DateTime::UNIX_EPOCH,
                };
                let change = self.change(account().uuid(), Command::Account(command));
                Ask::Change(Box::new(change))
            }
        }
    }

    /// An owner answers. What it says is true already, whether it arrives or not.
    pub(super) fn answer(&mut self, owner: usize, ticket: Ticket, reply: Reply) {
        let counts = &mut self.history.counts;
        match &reply {
            Reply::NotOwned => counts.not_owned += 1,
            Reply::Unavailable(_) => counts.unavailable += 1,
            Reply::Unknown => counts.unknown += 1,
            _ => {}
        }
        let Some((_, purpose)) = self.asked.get(&ticket) else {
            return;
        };
        let mut ended = Vec::new();
        match (purpose, &reply) {
            (Purpose::Settle(request, hold, _), Reply::Unavailable(_) | Reply::NotOwned) => {
                self.history.told_nothing.push(request.request_id);
                ended.push((**hold).clone());
            }
            (Purpose::Settle(request, hold, _), Reply::Answer(answer)) => {
                if matches!(**answer, Answer::Refused { .. }) {
                    self.history.told_nothing.push(request.request_id);
                }
                ended.push((**hold).clone());
            }
            (Purpose::Release(hold, _), Reply::Answer(_)) => ended.push((**hold).clone()),
            (Purpose::Admit(request), Reply::Answer(answer)) => {
                let is_counted = match &**answer {
                    Answer::Admitted { .. } | Answer::Replay { .. } => true,
                    Answer::Refused { refusal, .. } => {
                        !matches!(refusal, Refusal::InvalidApiKey | Refusal::RateLimited)
                    }
                    _ => false,
                };
                if is_counted {
                    let of = (self.owners[owner].life, request.key.clone());
                    self.history.passed.entry(of).or_default().push(self.now);
                }
            }
            _ => {}
        }
        if let Some(core) = &self.owners[owner].core {
            for hold in ended.iter().filter(|hold| core.holds_on_to(hold)) {
                let broken = format!("the hold {} is kept after its end", hold.hold_id);
                self.history.broken.push(broken);
            }
            if let Some(contract) = admitted_on(&reply)
                && !core.is_covered(contract)
            {
                let broken = "more is held than there is".to_owned();
                self.history.broken.push(broken);
            }
        }
        let is_lost = self.chance(self.faults.call_lost);
        if is_lost {
            self.history.counts.lost_answers += 1;
        } else if matches!(
            self.asked.get(&ticket).map(|(_, purpose)| purpose),
            Some(Purpose::Operate(Act::Revoke(_), _))
        ) && let Some(core) = self.owners[owner].core.as_mut()
        {
            core.operator_was_answered(account());
        }
        self.after(20, Event::Answered(ticket, (!is_lost).then_some(reply)));
    }

    pub(super) fn answered(&mut self, ticket: Ticket, reply: Option<Reply>) {
        let Some((_, purpose)) = self.asked.remove(&ticket) else {
            return;
        };
        match purpose {
            Purpose::Admit(request) => self.admission(*request, reply),
            Purpose::Settle(request, hold, units) => self.settlement(*request, *hold, units, reply),
            Purpose::Release(hold, tries) => {
                if matches!(reply, Some(Reply::NotOwned)) && tries > 0 {
                    self.after(200, Event::Call(Purpose::Release(hold, tries - 1)));
                }
            }
            Purpose::Operate(act, tries) => self.operated(act, tries, reply),
        }
    }

    pub(super) fn admission(&mut self, mut request: Request, reply: Option<Reply>) {
        if request.is_last {
            let says = match &reply {
                Some(Reply::NotOwned) if request.attempts > 0 => true,
                Some(Reply::Answer(answer)) => !matches!(
                    **answer,
                    Answer::Refused {
                        refusal: Refusal::InProgress | Refusal::DifferentRequest,
                        ..
                    } | Answer::Unavailable { .. }
                ),
                _ => false,
            };
            if !says {
                let broken = format!("when all is over, {:?} is answered {reply:?}", request.name);
                self.history.broken.push(broken);
            }
        }
        match reply {
            Some(Reply::NotOwned) if request.attempts > 0 => {
                request.attempts -= 1;
                self.after(300, Event::Call(Purpose::Admit(Box::new(request))));
            }
            Some(Reply::Answer(answer)) => match *answer {
                Answer::Admitted { hold, .. } => {
                    self.admitted(request, hold);
                }
                Answer::Replay { receipt, .. } => {
                    self.history.counts.replayed += 1;
                    self.replayed(&request, receipt.total);
                }
                Answer::Refused { refusal, .. } => self.refused(request, &refusal),
                _ => self.repeat(request),
            },
            _ => self.repeat(request),
        }
    }

    pub(super) fn admitted(&mut self, request: Request, hold: Hold) {
        self.history.counts.admitted += 1;
        let is_late = self
            .revoked_at
            .get(&request.key)
            .is_some_and(|at| request.sent_at > at + 1_000);
        if is_late && self.faults.steal_every == 0 {
            let broken = "a revoked key was served after its second".to_owned();
            self.history.broken.push(broken);
        }
        if self.rng.random_bool(0.1) {
            let release = Purpose::Release(Box::new(hold), 6);
            return self.after(200, Event::Call(release));
        }
        let units = self.rng.random_range(0..=request.units);
        let cost = hold.price.times(units).unwrap_or(Credits::ZERO);
        self.history.costs.insert(request.request_id, cost);
        let work = if self.rng.random_bool(0.1) {
            9_000
        } else {
            300
        };
        let settle = Purpose::Settle(Box::new(request), Box::new(hold), units);
        self.after(work, Event::Call(settle));
    }

    pub(super) fn refused(&mut self, request: Request, refusal: &Refusal) {
        match refusal {
            Refusal::InProgress => self.history.counts.in_progress += 1,
            Refusal::RateLimited => self.history.counts.rate_limited += 1,
            Refusal::InsufficientCredits { .. } | Refusal::ContractExhausted { .. } => {
                self.history.counts.no_credits += 1;
            }
            _ => {}
        }
        if matches!(refusal, Refusal::InProgress) {
            self.repeat(request);
        }
    }

    pub(super) fn settlement(
        &mut self,
        mut request: Request,
        hold: Hold,
        units: u32,
        reply: Option<Reply>,
    ) {
        match reply {
            Some(Reply::NotOwned) if request.attempts > 0 => {
                // Only this one is sent again: it was surely not seen.
                self.history
                    .told_nothing
                    .retain(|told| *told != request.request_id);
                request.attempts -= 1;
                let again = Purpose::Settle(Box::new(request), Box::new(hold), units);
                self.after(300, Event::Call(again));
            }
            Some(Reply::Answer(answer)) => match *answer {
                Answer::Settled {
                    credits_used,
                    standing,
                } => self.delivered(
                    &request,
                    credits_used,
                    standing.map(|s| (s.contract_id, s.credits_remaining)),
                ),
                Answer::SettledBefore { receipt } => {
                    self.history.counts.settled_before += 1;
                    self.replayed(&request, receipt.total);
                }
                _ => self.repeat(request),
            },
            _ => self.repeat(request),
        }
    }

    pub(super) fn delivered(
        &mut self,
        request: &Request,
        credits: Credits,
        standing: Option<(ContractId, Credits)>,
    ) {
        self.history.counts.delivered += 1;
        let charge = self
            .postgres
            .events
            .iter()
            .find(|event| event.request_id == request.request_id);
        if let (Some(event), Some((contract, _))) = (charge, standing) {
            let told = self.told.entry(contract).or_default();
            *told = (*told).max(event.pos);
        }
        if !request.is_gone {
            self.history.delivered.push(Delivered {
                request_id: request.request_id,
                credits,
                remaining: standing.map(|(_, remaining)| remaining),
            });
        }
    }

    pub(super) fn replayed(&mut self, request: &Request, total: Option<u64>) {
        if let Some(name) = &request.name {
            self.history.replayed.push(Replayed {
                name: name.key_hash.clone(),
                total,
            });
        }
    }

    /// The client got no answer that it can use: a named request comes again.
    pub(super) fn repeat(&mut self, mut request: Request) {
        if request.repeats == 0 || request.is_gone {
            return;
        }
        request.repeats -= 1;
        request.number += 100_000;
        let at = self.now + self.rng.random_range(50..3_000);
        self.at(at, Event::Send(Box::new(request)));
    }
}

/// The contract whose credits an admission holds.
fn admitted_on(reply: &Reply) -> Option<ContractId> {
    match reply {
        Reply::Answer(answer) => match &**answer {
            Answer::Admitted { hold, .. } => hold.contract_id,
            _ => None,
        },
        _ => None,
    }
}
