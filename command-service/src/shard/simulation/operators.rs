//! Operators and whoever looks: grants, new contracts and keys, ends and revocations, reports, and what there is.

use std::collections::BTreeMap;

use chrono::DateTime;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Answer, Caller, IdempotencyClaim, Receipt, Refusal};
use events_schema::ids::{ApiKeyId, ContractId, ReportId};
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportReceived};
use events_schema::topics::Topic;
use events_schema::{Credits, Envelope, Event as Fact};
use rand::RngExt;
use uuid::Uuid;

use super::clients::shown;
use super::history::Replayed;
use super::people::{Act, Purpose, Told};
use super::world::{Event, NEW, OTHER, OVER, PATIENCE, World, account};
use crate::domain::account::{AccountCommand, AccountRefusal};
use crate::domain::aggregate::{Aggregate, Command, Kind, Refusal as Refused};
use crate::domain::contract::{Contract, ContractCommand, ContractRefusal};
use crate::domain::report::ReportCommand;
use crate::shard::{Ask, Change, IdempotencyRow, Reply};

/// Of the record that is reported.
const RECORD: Uuid = Uuid::from_u128(7);

impl World {
    pub(super) fn ask_of_operator(&mut self, act: &Act) -> Ask {
        let change = match act {
            Act::Read(contract, _) if self.tickets.is_multiple_of(2) => {
                return Ask::Contract(*contract);
            }
            Act::Read(contract, _) => return Ask::Read(Kind::Contract, contract.uuid()),
            Act::List(_) => return Ask::Contracts(account()),
            Act::Credits { key, .. } if self.tickets.is_multiple_of(2) => {
                return Ask::Look(shown(key));
            }
            Act::Credits { key, .. } => return Ask::Credits(shown(key)),
            Act::Check { key, .. } => return Ask::Check(shown(key)),
            Act::Look => return Ask::Read(Kind::Account, account().uuid()),
            Act::Make { credits, price } => self.make(self.contracts[NEW], *credits, *price),
            Act::Issue => self.issue(self.keys[NEW].clone()),
            Act::File(name) => self.report(name),
            Act::Grant {
                contract,
                credits,
                request_id,
            } => {
                let command = ContractCommand::Grant {
                    credits: *credits,
                    on: DateTime::UNIX_EPOCH.date_naive(),
                };
                let mut change = self.change(contract.uuid(), Command::Contract(command));
                change.cause.request_id = *request_id;
                change.once = true;
                change
            }
            Act::End(contract) => {
                let command = ContractCommand::End {
                    at: DateTime::UNIX_EPOCH,
                    reason: "cancelled".to_owned(),
                };
                self.change(contract.uuid(), Command::Contract(command))
            }
            Act::Revoke(key) => {
                let command = AccountCommand::RevokeApiKey {
                    api_key_id: key.clone(),
                    at: DateTime::UNIX_EPOCH,
                };
                self.change(account().uuid(), Command::Account(command))
            }
        };
        Ask::Change(Box::new(change))
    }

    /// A report under a name: as whoever repeats a request files it, it has another id each time.
    fn report(&mut self, name: &IdempotencyClaim) -> Change {
        let mut random = [0; 16];
        random.copy_from_slice(self.uuid().as_bytes());
        let report_id = ReportId::new(RECORD, random);
        let request_id = self.uuid();
        let received = ReportReceived {
            report_id,
            subject_type: RecordKind::Person,
            service_id: RECORD,
            issue_type: IssueType::Outdated,
            issue_level: IssueLevel::Record,
            field: None,
            data_build: "b1".parse().unwrap(),
            record_last_seen: None,
            request_id,
            reporter: String::new(),
            received_at: DateTime::UNIX_EPOCH,
        };
        let number = u64::try_from(self.uuids).unwrap();
        let request = (Some(name_of_report(name)), number);
        self.history.requests.insert(request_id, request);
        let command = ReportCommand::File(Box::new(received));
        let mut change = self.change(report_id.uuid(), Command::Report(command));
        change.cause.request_id = request_id;
        change.named = Some(IdempotencyRow {
            account_id: account(),
            endpoint: Endpoint::ReportPerson,
            claim: name.clone(),
            receipt: Receipt {
                total: Some(number),
                ..Receipt::default()
            },
            kept_for: self.limits().idempotency_for,
        });
        change
    }

    /// An act with what is known when it is asked for.
    pub(super) fn knowing(&self, act: Act) -> Act {
        let told = self.told.clone();
        match act {
            Act::Read(contract, _) => Act::Read(contract, told),
            Act::List(_) => Act::List(told),
            Act::Credits { key, .. } => Act::Credits { key, told },
            Act::Check { key, .. } => Act::Check {
                key,
                since: self.now,
            },
            other => other,
        }
    }

    pub(super) fn operated(&mut self, act: Act, tries: u32, reply: Option<Reply>) {
        let Some(reply) = reply else {
            return self.act_again(act, tries);
        };
        match (&act, reply) {
            (
                Act::Grant {
                    request_id,
                    contract,
                    ..
                },
                Reply::Contracts(_),
            ) => {
                let request_id = *request_id;
                self.history.counts.granted += 1;
                if self.is_made(*contract, |event| event.request_id == request_id) {
                    self.history.counts.granted_again += 1;
                }
            }
            (
                Act::Grant {
                    contract,
                    request_id,
                    ..
                },
                Reply::Refused(Refused::Contract(ContractRefusal::IsOver { .. })),
            ) => self.not_granted(*contract, *request_id),
            (Act::End(contract), Reply::Contracts(found)) => {
                let contract = *contract;
                if found.iter().any(|found| found.contract.ended.is_none()) {
                    self.broken("an end was answered with a contract that is not ended");
                }
                self.history.counts.ended += 1;
                self.ended_at.entry(contract).or_insert(self.now);
                self.is_made(contract, |event| ends(event, contract));
            }
            (
                Act::Make { .. },
                Reply::Contracts(_)
                | Reply::Refused(Refused::Contract(ContractRefusal::AlreadyExists)),
            ) => {
                self.history.counts.made += 1;
                let new = self.contracts[NEW];
                let is_made = |event: &Envelope| matches!(&event.event, Fact::ContractCreated(made) if made.contract_id == new);
                if self.is_made(new, is_made) {
                    self.history.counts.made_known += 1;
                }
            }
            (
                Act::Issue,
                Reply::State(_) | Reply::Refused(Refused::Account(AccountRefusal::KeyIdTaken)),
            ) => {
                self.history.counts.issued += 1;
                let key = self.keys[NEW].clone();
                self.issued_at.entry(key).or_insert(self.now);
            }
            (Act::File(name), Reply::Before(receipt)) => {
                self.history.counts.filed_before += 1;
                let (name, total) = (name_of_report(name), receipt.total);
                self.history.replayed.push(Replayed { name, total });
            }
            (Act::File(_), Reply::State(_)) => self.history.counts.filed += 1,
            (Act::Revoke(key), Reply::State(_)) => {
                self.history.counts.revoked += 1;
                self.revoked_at.entry(key.clone()).or_insert(self.now);
            }
            (Act::Look, Reply::State(Aggregate::Account(state))) => {
                for (id, _) in state
                    .keys
                    .iter()
                    .filter(|(_, key)| key.revoked_at.is_some())
                {
                    self.revoked_at.entry(id.clone()).or_insert(self.now);
                }
            }
            (Act::Read(contract, told), Reply::State(Aggregate::Contract(state))) => {
                self.read(*contract, told, &state);
            }
            (Act::Read(contract, told), Reply::Contracts(found)) => {
                for found in found {
                    self.read(*contract, told, &found.contract);
                }
            }
            (Act::List(told), Reply::Contracts(found)) => self.listed(told, &found),
            (Act::Credits { key, told }, Reply::Credits(found)) => {
                let serves_next = found.serves_next;
                self.history.counts.credits += 1;
                let told = self.told_to_account_of(key, told);
                self.listed(&told, &found.contracts);
                let is_next = |found: &&crate::shard::HeldContract| {
                    found.contract.terms.as_ref().map(|terms| terms.contract_id) == serves_next
                };
                let next = found.contracts.iter().find(is_next);
                if serves_next.is_some() && next.is_none_or(|next| next.contract.ended.is_some()) {
                    self.broken("a contract that is over, or not the account's, would serve next");
                }
            }
            (Act::Credits { .. } | Act::Check { .. }, Reply::Answer(answer)) => {
                match (&act, &*answer) {
                    (
                        Act::Credits { key, told },
                        Answer::Seen {
                            caller,
                            credits_seq,
                            ..
                        },
                    ) => {
                        self.history.counts.looked += 1;
                        let told = self.told_to_account_of(key, told);
                        self.looked(key, caller, *credits_seq, &told);
                    }
                    _ => self.checked(&act, &answer),
                }
            }
            _ => self.act_again(act, tries),
        }
    }

    /// A grant was refused, since the contract is over.
    fn not_granted(&mut self, contract: ContractId, request_id: Uuid) {
        self.history.counts.granted_too_late += 1;
        if self.postgres.moved(request_id) {
            self.broken("a grant was told as refused and is stored");
        }
        if !self
            .postgres
            .events
            .iter()
            .any(|event| ends(event, contract))
        {
            self.broken("a grant was refused for an end that is not stored");
        }
    }

    /// Of what a client was told, that of the account of its key.
    fn told_to_account_of(&self, key: &ApiKeyId, told: &Told) -> Told {
        let is_of = |id: &ContractId| {
            let is_others = *id == self.contracts[OTHER];
            is_others == (self.account_of(key) != account())
        };
        let told = told.iter().filter(|(id, _)| is_of(id));
        told.map(|(id, pos)| (*id, *pos)).collect()
    }

    /// Whoever reads the ledger up to there must find in it all that the client was told.
    fn looked(&mut self, key: &ApiKeyId, caller: &Caller, credits_seq: i64, told: &Told) {
        if caller.account_id != self.account_of(key) {
            self.broken("a key is told as somebody else's");
        }
        let last_told = told.values().copied().max().unwrap_or(0);
        let is_behind = |event: &&Envelope| {
            event.pos <= last_told
                && event.event.topic() == Topic::Credits
                && event.topic_seq > credits_seq
        };
        let behind = self.postgres.events.iter().find(is_behind);
        if let Some(event) =
            behind.filter(|_| !self.may_be_outdated(self.now.saturating_sub(PATIENCE)))
        {
            self.broken(format!(
                "the ledger is told to end at {credits_seq}, before what was told: {}",
                event.topic_seq
            ));
        }
    }

    fn act_again(&mut self, act: Act, tries: u32) {
        if tries == 0 {
            if self.now > OVER {
                self.broken(format!(
                    "when all is over, nobody says whether it is done: {act:?}"
                ));
            }
            return;
        }
        let at = self.now + self.rng.random_range(50..1_500);
        self.at(at, Event::Call(Purpose::Operate(act, tries - 1)));
    }

    /// An operator is told that something of a contract is done: it is stored. Whether this was known before.
    fn is_made(&mut self, contract: ContractId, is_it: impl Fn(&Envelope) -> bool) -> bool {
        let Some(done) = self.postgres.events.iter().find(|event| is_it(event)) else {
            self.broken("something is told as done and not stored");
            return false;
        };
        let told = self.told.entry(contract).or_default();
        let is_known = *told >= done.pos;
        *told = (*told).max(done.pos);
        is_known
    }

    /// Whether a key is valid was told.
    fn checked(&mut self, act: &Act, answer: &Answer) {
        let (Act::Check { key, since }, answer) = (act, answer) else {
            return;
        };
        self.history.counts.checked += 1;
        match answer {
            Answer::Valid(caller) => {
                let revoked = self.revoked_at.get(key);
                if revoked.is_some_and(|at| *since > at + 1_000) && !self.may_be_outdated(*since) {
                    self.broken("a revoked key is told as valid");
                }
                if caller.account_id != self.account_of(key) {
                    self.broken("a key is told as somebody else's");
                }
            }
            Answer::Refused {
                refusal: Refusal::InvalidApiKey,
                ..
            } => self.refused_key(&key.clone(), *since),
            _ => {}
        }
    }

    /// A key is refused that was shown at this time or later.
    pub(super) fn refused_key(&mut self, key: &ApiKeyId, since: u64) {
        let is_valid = if *key == self.keys[NEW] {
            // An owner that lost its lease by force may not know it yet.
            !self.may_be_outdated(since) && self.issued_at.get(key).is_some_and(|at| *at <= since)
        } else {
            *key != self.keys[1]
        };
        if is_valid {
            self.broken(format!("the key {key} is valid and was refused"));
        }
    }

    /// What is listed has all that was told of before.
    fn listed(&mut self, told: &Told, found: &[crate::shard::HeldContract]) {
        let found: BTreeMap<ContractId, &Contract> = found
            .iter()
            .filter_map(|found| {
                Some((found.contract.terms.as_ref()?.contract_id, &*found.contract))
            })
            .collect();
        let asked = self.now.saturating_sub(PATIENCE);
        for contract in told.keys() {
            match found.get(contract) {
                Some(state) => self.read(*contract, told, state),
                None if !self.may_be_outdated(asked) && *contract != self.contracts[OTHER] => {
                    self.broken(format!("{contract} was told of and is missing"));
                }
                None => {}
            }
        }
    }

    /// What is read is not older than what was told before it was asked for.
    fn read(&mut self, contract: ContractId, told: &Told, state: &Contract) {
        self.history.counts.read += 1;
        let told = told.get(&contract).copied().unwrap_or(0);
        let (mut granted, mut balance, mut is_ended) = (Credits::ZERO, Credits::ZERO, false);
        // After each event: what was granted in all, the balance, and whether it was ended.
        let mut states = vec![(0, (granted, balance, is_ended))];
        for event in &self.postgres.events {
            match &event.event {
                Fact::CreditsCharged(e) if e.contract_id == contract => balance = e.balance_after,
                Fact::CreditsGranted(e) if e.contract_id == contract => {
                    granted.0 += e.credits.0;
                    balance = e.balance_after;
                }
                Fact::ContractCreated(e) if e.contract_id == contract => {
                    (granted, balance) = (e.credits, e.credits);
                }
                Fact::ContractEnded(e) if e.contract_id == contract => is_ended = true,
                _ => continue,
            }
            states.push((event.pos, (granted, balance, is_ended)));
        }
        let next = |pos: i64| states.iter().map(|(at, _)| *at).find(|at| *at > pos);
        let is_known = states.iter().any(|(pos, at)| {
            *at == (state.granted, state.balance, state.ended.is_some())
                && next(*pos).is_none_or(|next| next > told)
        });
        if !is_known && !self.may_be_outdated(self.now.saturating_sub(PATIENCE)) {
            let (granted, balance) = (state.granted, state.balance);
            self.broken(format!(
                "{balance} of {granted} was read, older than {told} or never true"
            ));
        }
    }
}

fn name_of_report(name: &IdempotencyClaim) -> String {
    format!("report {}", name.key_hash)
}

fn ends(event: &Envelope, contract: ContractId) -> bool {
    matches!(&event.event, Fact::ContractEnded(ended) if ended.contract_id == contract)
}
