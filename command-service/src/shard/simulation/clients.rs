//! Clients: they ask an owner, work, settle, hang up and come again.

use events_schema::Credits;
use events_schema::api::internal::{Answer, Ask as Wish, Hold, Receipt, Refusal, Settle};
use events_schema::ids::{ApiKeyId, ContractId};
use rand::RngExt;

use super::history::{Delivered, Replayed};
use super::people::{Act, Purpose, Request};
use super::world::{ENDPOINT, Event, OTHER, PATIENCE, SECRET, World, account, other_account};
use crate::shard::{Admit, Ask, Failing, Input, Reply, ShownKey, Ticket};

impl World {
    /// A client sends its request, as a new one of HTTP.
    pub(super) fn send(&mut self, mut request: Request) {
        request.request_id = self.uuid();
        request.sent_at = self.now;
        request.attempts = if request.is_last { 200 } else { 6 };
        let name = self.name_of(&request);
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
        // Whoever asks knows mostly who has the shard.
        let owner = if self.rng.random_bool(0.7) {
            self.lease.0
        } else {
            self.rng.random_range(0..self.owners.len())
        };
        let ask = self.ask_of(&purpose);
        let purpose = match purpose {
            Purpose::Operate(act, tries) => Purpose::Operate(self.knowing(act), tries),
            other => other,
        };
        if let Purpose::Settle(_, hold, _) | Purpose::Release(hold, _) = &purpose {
            // From now on its name may be free.
            self.at_work.retain(|_, (id, _)| *id != hold.request_id);
            if self.history.twice.contains(&hold.request_id) {
                // The first of the two takes what was held.
                self.placed.retain(|(_, id), _| *id != hold.hold_id);
            }
        }
        self.asked.insert(ticket, (owner, purpose));
        self.at(self.now + PATIENCE, Event::Answered(ticket, None));
        if self.chance(self.faults.call_lost) || self.owners[owner].core.is_none() {
            return self.after(50, Event::Answered(ticket, None));
        }
        let life = self.owners[owner].life;
        self.after(10, Event::Reach(owner, life, Input::Ask(ticket, ask)));
    }

    /// The name of a request, with its scope.
    pub(super) fn name_of(&self, request: &Request) -> Option<String> {
        let name = request.name.as_ref()?;
        let account = self.account_of(&request.key);
        Some(format!("{} of {account}", name.key_hash))
    }

    pub(super) fn ask_of(&mut self, purpose: &Purpose) -> Ask {
        match purpose {
            Purpose::Admit(request) => Ask::Admit(Box::new(Admit {
                key: shown(&request.key),
                endpoint: ENDPOINT,
                request_id: request.request_id,
                hold_id: self.uuid(),
                ask: match request.units {
                    0 => Wish::Nothing,
                    units => Wish::Units(units),
                },
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
                    traceparent: None,
                };
                Ask::Settle(Box::new(settle))
            }
            Purpose::Release(hold, _) => Ask::Release(hold.clone()),
            Purpose::Operate(act, _) => self.ask_of_operator(act),
        }
    }

    /// An owner answers. What it says is true already, whether it arrives or not.
    pub(super) fn answer(&mut self, owner: usize, ticket: Ticket, reply: Reply) {
        self.note_reply(ticket, &reply);
        let Some((asked, purpose)) = self.asked.remove(&ticket) else {
            return;
        };
        self.check_neighbours(&purpose, &reply);
        let is_end = match (&purpose, &reply) {
            (Purpose::Settle(request, ..), reply) => self.check_settlement(request, reply),
            (Purpose::Release(..), Reply::Answer(_)) => true,
            (Purpose::Admit(request), Reply::Answer(answer)) => {
                self.check_admission(owner, request, answer);
                false
            }
            _ => false,
        };
        let ended = match &purpose {
            Purpose::Settle(_, hold, _) | Purpose::Release(hold, _) if is_end => Some(&**hold),
            _ => None,
        };
        let life = self.owners[owner].life;
        if let (Purpose::Settle(_, hold, _), Reply::Unknown) = (&purpose, &reply) {
            self.placed.remove(&(life, hold.hold_id));
        }
        if let Some(hold) = ended {
            self.placed.remove(&(life, hold.hold_id));
        }
        self.check_memory(owner, ended, &reply);
        let is_lost = self.chance(self.faults.call_lost);
        if is_lost {
            self.history.counts.lost_answers += 1;
        } else if matches!(purpose, Purpose::Operate(Act::Revoke(_), _))
            && let Some(core) = self.owners[owner].core.as_mut()
        {
            core.operator_was_answered(account());
        }
        self.asked.insert(ticket, (asked, purpose));
        self.after(20, Event::Answered(ticket, (!is_lost).then_some(reply)));
    }

    fn note_reply(&mut self, ticket: Ticket, reply: &Reply) {
        let counts = &mut self.history.counts;
        match reply {
            Reply::NotOwned => counts.not_owned += 1,
            Reply::Unavailable(_) => counts.unavailable += 1,
            Reply::Unknown => counts.unknown += 1,
            _ => {}
        }
        self.history.answered.insert(ticket, self.now);
    }

    /// A command fails for good by what is in it alone, never for others of its batch.
    fn check_neighbours(&mut self, purpose: &Purpose, reply: &Reply) {
        let failed = match purpose {
            Purpose::Settle(request, ..) => Some(request.request_id),
            Purpose::Operate(Act::Grant { request_id, .. }, _) => Some(*request_id),
            _ => None,
        };
        if let (Some(id), Reply::Unavailable(Failing::Ledger)) = (failed, reply)
            && !self.postgres.refused_alone.contains(&id)
            && self.postgres.behind.get(&id).is_none_or(|count| *count < 4)
        {
            self.broken(format!("{id} failed for a neighbour"));
        }
    }

    /// What a settle was answered; whether its hold ended with that.
    fn check_settlement(&mut self, request: &Request, reply: &Reply) -> bool {
        let id = request.request_id;
        if self.history.twice.contains(&id) {
            // The hold ended with the one that was charged nothing, and the other one may be charged without it.
            self.history.is_unheld |= !is_settled(reply);
            if is_refused(reply) && self.postgres.moved(id) && !self.may_be_outdated(self.now) {
                self.broken(format!("it was told that nothing is charged for {id}"));
            }
            return false;
        }
        match reply {
            Reply::Unavailable(_) | Reply::NotOwned => {
                self.history.told_nothing.push(id);
                self.history.is_unheld |= matches!(reply, Reply::NotOwned);
                true
            }
            Reply::Answer(answer) => {
                if let Answer::Refused { refusal, .. } = &**answer {
                    self.history.told_nothing.push(id);
                    if matches!(refusal, Refusal::InsufficientCredits { .. }) {
                        self.history.not_covered.push(id);
                    }
                }
                true
            }
            // Nothing that happens to a contract takes back what was admitted.
            Reply::Refused(refusal) => {
                self.broken(format!("what was admitted is not charged: {refusal}"));
                false
            }
            _ => false,
        }
    }

    /// Whether a request was counted and limited rightly, and whether it alone has its name.
    fn check_admission(&mut self, owner: usize, request: &Request, answer: &Answer) {
        let is_counted = match answer {
            Answer::Admitted { .. } | Answer::Replay { .. } | Answer::Noted { .. } => true,
            Answer::Refused { refusal, .. } => {
                !matches!(refusal, Refusal::InvalidApiKey | Refusal::RateLimited)
            }
            _ => false,
        };
        let life = self.owners[owner].life;
        let of = (life, request.key.clone());
        let limit = usize::try_from(self.faults.rate_limit).unwrap();
        if is_counted {
            self.history.passed.entry(of).or_default().push(self.now);
        } else if is_limited(answer) && !self.history.may_be_limited(&of, self.now, limit) {
            self.broken("it was told to come too often, and did not");
        }
        let Answer::Admitted { hold, .. } = answer else {
            return;
        };
        let until = request.sent_at + self.faults.hold_timeout;
        self.placed.insert((life, hold.hold_id), until);
        if let Some(name) = self.name_of(request) {
            let before = self.at_work.insert((life, name), (hold.request_id, until));
            if before.is_some_and(|(_, until)| until > self.now + 10) {
                self.broken("two of one name are at work");
            }
        }
    }

    /// Whether the owner keeps what it must and no more, now that the hold `ended`.
    fn check_memory(&mut self, owner: usize, ended: Option<&Hold>, reply: &Reply) {
        let life = self.owners[owner].life;
        let Some(core) = &self.owners[owner].core else {
            return;
        };
        let is_due = |hold: &&Hold| {
            let until = self.placed.get(&(life, hold.hold_id));
            until.is_some_and(|until| *until > self.now + 10)
        };
        let mut broken = Vec::new();
        for hold in core.undecided().filter(is_due) {
            if !core.has_hold(hold) {
                broken.push(format!("what was held for {} is gone", hold.request_id));
            }
        }
        if let Some(hold) = ended {
            if core.holds_on_to(hold) {
                broken.push(format!("the hold {} is kept after its end", hold.hold_id));
            }
            if core.claims_on_to(hold) {
                let id = hold.request_id;
                broken.push(format!("the claim of {id} is kept after its end"));
            }
        }
        broken.extend(core.too_much());
        if let Some(contract) = admitted_on(reply)
            && !core.is_covered(contract)
        {
            broken.push("more is held than there is".to_owned());
        }
        self.history.broken.extend(broken);
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
                // Those before it are at work, and there is no room for more. Windows last a minute each.
                Some(reply) if is_overload(reply) => {
                    request.repeats > 0 || self.faults.max_windows <= self.keys.len()
                }
                Some(Reply::Answer(answer)) => match &**answer {
                    Answer::Refused { refusal, .. } => {
                        !matches!(refusal, Refusal::InProgress | Refusal::DifferentRequest)
                    }
                    _ => true,
                },
                _ => false,
            };
            if !says {
                self.broken(format!(
                    "when all is over, {:?} is answered {reply:?}",
                    request.name
                ));
            }
        }
        match reply {
            Some(Reply::NotOwned) if request.attempts > 0 => {
                request.attempts -= 1;
                self.after(300, Event::Call(Purpose::Admit(Box::new(request))));
            }
            Some(reply) if request.is_last && request.repeats > 0 && is_overload(&reply) => {
                self.history.counts.no_room += 1;
                request.repeats -= 1;
                self.after(3_000, Event::Call(Purpose::Admit(Box::new(request))));
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
        if is_late && !self.may_be_outdated(request.sent_at) {
            self.broken("a revoked key was served after its second");
        }
        let ended = hold.contract_id.and_then(|id| self.ended_at.get(&id));
        if ended.is_some_and(|at| request.sent_at > *at) && !self.may_be_outdated(request.sent_at) {
            self.broken("a contract that was ended serves a request that came later");
        }
        let is_others = hold.contract_id == Some(self.contracts[OTHER]);
        if is_others != (self.account_of(&request.key) == other_account()) {
            self.broken("a request is served by somebody else's contract");
        }
        if self.rng.random_bool(0.1) {
            let release = Purpose::Release(Box::new(hold), 6);
            return self.after(200, Event::Call(release));
        }
        // Whoever says that it delivered more than was set aside is charged for that and no more.
        let units = self.rng.random_range(0..=request.units + 1);
        let cost = hold.price.times(units.min(request.units));
        let cost = cost.unwrap_or(Credits::ZERO);
        self.history.costs.insert(request.request_id, cost);
        let work = if request.is_last {
            100
        } else if self.chance(self.faults.slow) {
            self.history.counts.slow += 1;
            self.faults.hold_timeout + 2_000
        } else if self.rng.random_bool(0.1) {
            9_000
        } else {
            300
        };
        let is_twice = self.chance(self.faults.settled_twice);
        if is_twice {
            self.history.counts.settled_twice += 1;
            self.history.twice.insert(request.request_id);
        }
        let settle = Purpose::Settle(Box::new(request), Box::new(hold), units);
        if is_twice {
            self.after(work + 3_000, Event::Call(settle.clone()));
        }
        self.after(work, Event::Call(settle));
    }

    pub(super) fn refused(&mut self, request: Request, refusal: &Refusal) {
        match refusal {
            Refusal::InvalidApiKey => self.refused_key(&request.key, request.sent_at),
            Refusal::InProgress => self.history.counts.in_progress += 1,
            Refusal::RateLimited => self.history.counts.rate_limited += 1,
            Refusal::InsufficientCredits { .. } | Refusal::ContractExhausted { .. } => {
                self.history.counts.no_credits += 1;
            }
            Refusal::ContractExpired { .. } => {
                self.history.counts.told_as_over += 1;
                self.told_as_over.push(self.account_of(&request.key));
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
        if hold.expires_at <= self.moment(self.now + 10, 0).utc || self.faults.step_every > 0 {
            // Not by the time of day where clocks step: then nothing is said of it.
            self.history.is_unheld = true;
        }
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
        if let Some(name) = self.name_of(request) {
            self.history.replayed.push(Replayed { name, total });
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

pub(super) fn shown(key: &ApiKeyId) -> ShownKey {
    ShownKey {
        id: key.clone(),
        secret_hmac: SECRET,
    }
}

fn is_settled(reply: &Reply) -> bool {
    match reply {
        Reply::Answer(answer) => matches!(
            **answer,
            Answer::Settled { .. } | Answer::SettledBefore { .. }
        ),
        _ => false,
    }
}

fn is_refused(reply: &Reply) -> bool {
    match reply {
        Reply::Answer(answer) => matches!(**answer, Answer::Refused { .. }),
        Reply::Refused(_) => true,
        _ => false,
    }
}

fn is_limited(answer: &Answer) -> bool {
    let refusal = match answer {
        Answer::Refused { refusal, .. } => refusal,
        _ => return false,
    };
    matches!(refusal, Refusal::RateLimited)
}

/// Whether there was no room for a request.
fn is_overload(reply: &Reply) -> bool {
    match reply {
        Reply::Unavailable(failing) => *failing == Failing::Overloaded,
        Reply::Answer(answer) => matches!(**answer, Answer::Unavailable { .. }),
        _ => false,
    }
}
