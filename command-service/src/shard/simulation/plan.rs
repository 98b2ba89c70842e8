//! How a schedule begins: the account, and who comes when with which fault.

use std::collections::{BTreeMap, BinaryHeap};
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
use super::world::{CALM, ENDPOINT, Event, NAMES, OVER, Owner, SECRET, World, account};
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::Command;
use crate::domain::contract::{ContractCommand, Terms};
use crate::shard::{Ask, Cause, Change, Input, Mutant, Output, Proof, Reply, Shard};

fn claim(n: u32) -> IdempotencyClaim {
    IdempotencyClaim {
        key_hash: format!("name {n}"),
        request_hash: format!("request {n}"),
    }
}

impl World {
    pub(super) fn new(seed: u64, faults: Faults, mutant: Option<Mutant>) -> Self {
        let keys = (0..2).map(|n| ApiKeyId::new(account(), [n; 10])).collect();
        let contracts = (0..2)
            .map(|n| ContractId::new(account(), [n; 16]))
            .collect();
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
            told: BTreeMap::new(),
            revoked_at: BTreeMap::new(),
            contracts,
            keys,
        };
        world.found();
        world.plan();
        world
    }

    /// The account with its keys and contracts, made by the same code.
    pub(super) fn found(&mut self) {
        let limits = self.limits();
        let mut founder = Shard::new(account().shard(), limits);
        let moment = self.moment(0, 0);
        let until = moment.line + Duration::from_secs(60);
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
                            found: Ok(self.postgres.fetch(&wanted, moment.day)),
                            wanted,
                        }),
                        Output::Write(number, batch) => {
                            let written = self.postgres.append(&batch, moment.day);
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
        for key in &self.keys {
            let proof = Proof {
                account_id: account(),
                secret_hmac: SECRET.to_vec(),
            };
            self.postgres.keys.insert(key.clone(), proof);
        }
    }

    pub(super) fn foundation(&mut self) -> Vec<Change> {
        let at = DateTime::UNIX_EPOCH;
        let mut changes = vec![self.change(
            account().uuid(),
            Command::Account(AccountCommand::Open {
                account_id: account(),
                name: "acme".to_owned(),
            }),
        )];
        for api_key_id in self.keys.clone() {
            let command = AccountCommand::IssueApiKey {
                api_key_id,
                endpoints: EndpointSet::All,
                rate_limits: [(ENDPOINT, self.faults.rate_limit)].into(),
                at,
            };
            changes.push(self.change(account().uuid(), Command::Account(command)));
        }
        for contract_id in self.contracts.clone() {
            let credits = Credits(self.rng.random_range(0..60));
            let terms = Terms {
                contract_id,
                account_id: account(),
                endpoints: EndpointSet::All,
                starts_on: at.date_naive(),
                expires_on: None,
                prices: [(ENDPOINT, Credits(self.rng.random_range(0..3)))].into(),
            };
            let command = ContractCommand::Create { terms, credits };
            changes.push(self.change(contract_id.uuid(), Command::Contract(command)));
        }
        changes
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
        for _ in 0..self.rng.random_range(0..4) {
            let contract = self.contracts[self.rng.random_range(0..self.contracts.len())];
            let act = Act::Grant {
                contract,
                credits: Credits(self.rng.random_range(1..20)),
                request_id: self.uuid(),
            };
            let at = self.rng.random_range(0..self.faults.length);
            self.at(at, Event::Call(Purpose::Operate(act.clone(), 30)));
            if self.rng.random_bool(0.5) {
                let again = at + self.rng.random_range(0..3_000);
                self.at(again, Event::Call(Purpose::Operate(act, 30)));
            }
        }
        for _ in 0..self.rng.random_range(0..4) {
            let contract = self.contracts[self.rng.random_range(0..self.contracts.len())];
            let at = self.rng.random_range(0..self.faults.length + 4_000);
            let act = Act::Read { contract, told: 0 };
            self.at(at, Event::Call(Purpose::Operate(act, 3)));
        }
        // When everything is over each name is asked for once more.
        for n in 0..NAMES {
            let mut last = self.request(9_000_000 + u64::from(n));
            last.name = Some(claim(n));
            last.key = self.keys[0].clone();
            (last.repeats, last.is_last) = (0, true);
            let at = OVER + 1_000 * u64::from(n);
            self.at(at, Event::Send(Box::new(last)));
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

    pub(super) fn request(&mut self, number: u64) -> Request {
        let name = self
            .rng
            .random_bool(0.6)
            .then(|| claim(self.rng.random_range(0..NAMES)));
        Request {
            key: self.keys[self.rng.random_range(0..self.keys.len())].clone(),
            request_id: Uuid::nil(),
            repeats: if name.is_some() { 12 } else { 0 },
            name,
            units: self.rng.random_range(1..6),
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
