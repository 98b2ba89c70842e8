//! How a schedule begins: the account, and who comes when with which fault.

use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use events_schema::Credits;
use events_schema::api::endpoint::EndpointSet;
use events_schema::api::internal::IdempotencyClaim;
use events_schema::ids::{ApiKeyId, ContractId};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::faults::Faults;
use super::history::History;
use super::people::{Act, Purpose, Request};
use super::postgres::Postgres;
use super::world::{
    CALM, ENDPOINT, Event, NAMES, NEW, OTHER, OVER, Owner, SECRET, World, account, other_account,
};
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::Command;
use crate::domain::contract::{ContractCommand, Terms};
use crate::shard::{Ask, Cause, Change, Input, Limits, Mutant, Output, Proof, Reply, Row, Shard};

fn claim(n: u32) -> IdempotencyClaim {
    IdempotencyClaim {
        key_hash: format!("name {n}"),
        request_hash: format!("request {n}"),
    }
}

impl World {
    pub(super) fn new(seed: u64, faults: Faults, mutant: Option<Mutant>) -> Self {
        let of = [account(), account(), other_account(), account()];
        let numbered = || of.into_iter().zip(0..);
        let keys = numbered().map(|(of, n)| ApiKeyId::new(of, [n; 10]));
        let contracts = numbered().map(|(of, n)| ContractId::new(of, [n; 16]));
        let mut world = Self {
            rng: StdRng::seed_from_u64(seed),
            faults,
            mutant,
            now: 0,
            count: 0,
            coming: BinaryHeap::new(),
            events: BTreeMap::new(),
            postgres: Postgres::new(mutant),
            owners: Vec::new(),
            lives: 0,
            lease: (0, 0),
            asked: BTreeMap::new(),
            tickets: 0,
            uuids: 0,
            history: History::default(),
            placed: BTreeMap::new(),
            at_work: BTreeMap::new(),
            told: BTreeMap::new(),
            revoked_at: BTreeMap::new(),
            ended_at: BTreeMap::new(),
            told_as_over: Vec::new(),
            issued_at: BTreeMap::new(),
            contracts: contracts.collect(),
            keys: keys.collect(),
        };
        world.found();
        world.plan();
        world
    }

    /// The accounts with their keys and contracts, made by the same code.
    pub(super) fn found(&mut self) {
        let limits = Limits {
            max_waiting: 1_000,
            ..(*self.limits()).clone()
        };
        let mut founder = Shard::new(account().shard(), Arc::new(limits));
        let moment = self.moment(0, 0);
        let until = moment.monotonic + Duration::from_secs(60);
        let mut inputs = vec![Input::Owned { until, grant: 1 }];
        inputs.extend(self.foundation().into_iter().map(|change| {
            self.tickets += 1;
            Input::Ask(self.tickets, Ask::Change(Box::new(change)))
        }));
        while !inputs.is_empty() {
            for input in std::mem::take(&mut inputs) {
                for output in founder.step(moment, input) {
                    match output {
                        Output::Fetch(epoch, wanted) => inputs.push(Input::Fetched {
                            epoch,
                            found: Ok(self.postgres.fetch(&wanted, moment.utc)),
                            wanted,
                        }),
                        Output::Write(number, batch) => {
                            let written = self.postgres.append(&batch, moment.utc);
                            inputs.push(Input::Written(number, written));
                        }
                        Output::Answer(_, reply) => {
                            assert!(matches!(reply, Reply::State(_) | Reply::Contracts(_)))
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    pub(super) fn foundation(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for account_id in [account(), other_account()] {
            let name = "acme".to_owned();
            let command = AccountCommand::Open { account_id, name };
            changes.push(self.change(account_id.uuid(), Command::Account(command)));
        }
        for key in 0..NEW {
            changes.push(self.issue(self.keys[key].clone()));
        }
        for contract in 0..NEW {
            let credits = Credits(self.rng.random_range(0..60));
            let price = Credits(self.rng.random_range(0..3));
            changes.push(self.make(self.contracts[contract], credits, price));
        }
        changes
    }

    pub(super) fn issue(&mut self, api_key_id: ApiKeyId) -> Change {
        let account_id = self.account_of(&api_key_id);
        let row = Row::ApiKey {
            api_key_id: api_key_id.clone(),
            proof: Proof {
                account_id,
                secret_hmac: SECRET.to_vec(),
            },
        };
        let command = AccountCommand::IssueApiKey {
            api_key_id,
            endpoints: EndpointSet::All,
            rate_limits: [(ENDPOINT, self.faults.rate_limit)].into(),
            at: DateTime::UNIX_EPOCH,
        };
        let change = self.change(account_id.uuid(), Command::Account(command));
        Change {
            row: Some(row),
            ..change
        }
    }

    pub(super) fn make(
        &mut self,
        contract_id: ContractId,
        credits: Credits,
        price: Credits,
    ) -> Change {
        let is_others = contract_id == self.contracts[OTHER];
        let terms = Terms {
            contract_id,
            account_id: if is_others {
                other_account()
            } else {
                account()
            },
            endpoints: EndpointSet::All,
            starts_on: DateTime::UNIX_EPOCH.date_naive(),
            expires_on: None,
            prices: [(ENDPOINT, price)].into(),
        };
        let command = ContractCommand::Create { terms, credits };
        self.change(contract_id.uuid(), Command::Contract(command))
    }

    /// Who comes when, and which faults.
    pub(super) fn plan(&mut self) {
        for owner in 0..self.faults.owners {
            self.owners.push(Owner {
                core: None,
                life: 0,
                until: 0,
                grant: 0,
                paused_until: 0,
                cut_until: 0,
                day_offset: 0,
            });
            let at = self.rng.random_range(0..50);
            self.at(at, Event::Restart(owner));
        }
        for number in 0..self.faults.requests {
            let request = self.request(u64::try_from(number).unwrap());
            let at = self.rng.random_range(0..self.faults.length);
            if request.name.is_some() && self.chance(self.faults.twice) {
                let again = at + self.rng.random_range(0..5_000);
                let mut request = request.clone();
                request.number += 1_000;
                self.at(again, Event::Send(Box::new(request)));
            }
            self.at(at, Event::Send(Box::new(request)));
        }
        self.plan_operators();
        // When everything is over each name is asked for once more.
        for n in 0..NAMES + 2 {
            let mut last = self.request(9_000_000 + u64::from(n));
            last.name = Some(claim(n % NAMES));
            last.key = self.keys[if n < NAMES { 0 } else { OTHER }].clone();
            (last.repeats, last.is_last) = (20, true);
            last.units = last.units.max(1);
            let at = OVER + 1_000 * u64::from(n);
            self.at(at, Event::Send(Box::new(last)));
        }
        for (every, make) in [
            (self.faults.crash_every, Event::Crash as fn(usize) -> Event),
            (self.faults.pause_every, Event::Pause),
            (self.faults.step_every, Event::ClockStep),
            (self.faults.cut_every, Event::Cut),
            (self.faults.steal_every, |_| Event::Steal),
        ] {
            let mut at = 0;
            while every > 0 && at < CALM {
                at += self.rng.random_range(1..=2 * every);
                let owner = self.rng.random_range(0..self.owners.len());
                if at < CALM {
                    self.at(at, make(owner));
                }
            }
        }
    }

    /// What operators do and clients look at meanwhile.
    fn plan_operators(&mut self) {
        for _ in 0..self.rng.random_range(0..4) {
            let grant = Act::Grant {
                contract: self.some_contract(),
                credits: Credits(self.rng.random_range(1..20)),
                request_id: self.uuid(),
            };
            self.plan_once(grant);
        }
        if self.rng.random_bool(0.3) {
            let credits = Credits(self.rng.random_range(0..60));
            let price = Credits(self.rng.random_range(0..3));
            self.plan_once(Act::Make { credits, price });
        }
        if self.rng.random_bool(0.3) {
            self.plan_once(Act::Issue);
        }
        for _ in 0..self.rng.random_range(0..3) {
            let name = self.rng.random_range(0..2);
            self.plan_once(Act::File(claim(name)));
        }
        for _ in 0..self.rng.random_range(0..8) {
            let told = BTreeMap::new();
            let key = self.keys[self.rng.random_range(0..self.keys.len())].clone();
            let act = match self.rng.random_range(0..4) {
                0 => Act::Check { key, since: 0 },
                1 => Act::Credits { key, told },
                2 => Act::List(told),
                _ => Act::Read(self.some_contract(), told),
            };
            let at = self.rng.random_range(0..self.faults.length + 4_000);
            self.at(at, Event::Call(Purpose::Operate(act, 3)));
        }
        if self.rng.random_bool(0.4) {
            let act = Act::Revoke(self.keys[1].clone());
            let at = self.rng.random_range(0..self.faults.length);
            // Or once, whatever comes of it.
            let tries = if self.rng.random_bool(0.5) { 30 } else { 0 };
            self.at(at, Event::Call(Purpose::Operate(act, tries)));
            for _ in 0..4 {
                let look = at + self.rng.random_range(0..6_000);
                self.at(look, Event::Call(Purpose::Operate(Act::Look, 3)));
            }
        }
        if self.rng.random_bool(0.2) {
            let contract = self.some_contract();
            self.plan_once(Act::End(contract));
        }
    }

    fn some_contract(&mut self) -> ContractId {
        self.contracts[self.rng.random_range(0..NEW)]
    }

    /// Something that may be done once, however often it is asked for: until it is known to be done, by two at a time, and once
    /// more when everything is over.
    fn plan_once(&mut self, act: Act) {
        let at = self.rng.random_range(0..self.faults.length);
        self.at(at, Event::Call(Purpose::Operate(act.clone(), 30)));
        if self.rng.random_bool(0.5) {
            let again = at + self.rng.random_range(0..3_000);
            self.at(again, Event::Call(Purpose::Operate(act.clone(), 30)));
        }
        self.at(OVER, Event::Call(Purpose::Operate(act, 60)));
    }

    pub(super) fn request(&mut self, number: u64) -> Request {
        let units = self.rng.random_range(0..6);
        let name = (units > 0 && self.rng.random_bool(0.6))
            .then(|| claim(self.rng.random_range(0..NAMES)));
        // The new key is tried now and then, also where nobody ever issues it.
        let key = [0, 0, 0, 1, 1, 1, OTHER, OTHER, NEW][self.rng.random_range(0..9)];
        Request {
            key: self.keys[key].clone(),
            request_id: Uuid::nil(),
            repeats: if name.is_some() { 12 } else { 0 },
            name,
            units,
            number,
            attempts: 0,
            sent_at: 0,
            is_gone: false,
            is_last: false,
        }
    }

    pub(super) fn change(&mut self, id: Uuid, command: Command) -> Change {
        Change {
            id,
            command,
            cause: Cause {
                request_id: self.uuid(),
                actor: "operator:simulation".to_owned(),
                traceparent: None,
            },
            row: None,
            named: None,
            once: false,
        }
    }
}
