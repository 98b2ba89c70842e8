//! The world of one schedule: virtual time, owners, the store and everything on its way between them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta};
use events_schema::api::endpoint::Endpoint;
use events_schema::ids::{AccountId, ApiKeyId, ContractId};
use rand::RngExt;
use rand::rngs::StdRng;
use uuid::Uuid;

use super::faults::Faults;
use super::history::History;
use super::people::{Purpose, Request};
use super::postgres::Postgres;
use crate::domain::aggregate::Aggregate;
use crate::shard::{Batch, Input, Limits, Moment, Mutant, Reply, Shard, Ticket, Wanted};

/// Of a lease, in milliseconds of virtual time.
pub(super) const LEASE: u64 = 5_000;
pub(super) const RENEWAL: u64 = 1_500;
/// A client waits no longer.
pub(super) const PATIENCE: u64 = 12_000;
/// After this nothing goes wrong any more, and everything must come to its end.
pub(super) const CALM: u64 = 30_000;
/// Then every claim and hold that nobody ended is over by itself.
pub(super) const OVER: u64 = 90_000;
pub(super) const END: u64 = 300_000;
pub(super) const NAMES: u32 = 6;
/// A statement that gets no answer is given up after so long.
pub(super) const ANSWER: u64 = 3_000;
pub(super) const ENDPOINT: Endpoint = Endpoint::PersonEnrich;

/// One process.
pub(super) struct Owner {
    pub(super) core: Option<Shard>,
    /// Counts its lives: what is meant for an earlier one is lost.
    pub(super) life: u64,
    pub(super) until: u64,
    pub(super) grant: u64,
    pub(super) paused_until: u64,
    pub(super) cut_until: u64,
    /// Its wall clock minus the true time.
    pub(super) day_offset: i64,
}

/// A statement on its way, and what may become of it.
pub(super) enum Statement {
    Fetch(u64, Wanted),
    Write(u64, Arc<Batch>),
    Probe(u64, Arc<Batch>),
    Snapshot(Uuid, i64, Aggregate),
}

pub(super) enum Event {
    /// An input reaches an owner.
    Reach(usize, u64, Input),
    /// A statement reaches the store; whether its answer comes back.
    Statement(usize, u64, Statement, bool),
    Renew(usize),
    /// A client begins, or sends again.
    Send(Box<Request>),
    Call(Purpose),
    /// An answer reaches whoever asked; none = it never will.
    Answered(Ticket, Option<Reply>),
    Crash(usize),
    Restart(usize),
    Pause(usize),
    Cut(usize),
    Steal,
    ClockStep(usize),
}

pub(super) struct World {
    pub(super) rng: StdRng,
    pub(super) faults: Faults,
    pub(super) mutant: Option<Mutant>,
    pub(super) now: u64,
    pub(super) count: u64,
    pub(super) coming: BinaryHeap<Reverse<(u64, u64)>>,
    pub(super) events: BTreeMap<u64, Event>,
    pub(super) postgres: Postgres,
    pub(super) owners: Vec<Owner>,
    pub(super) lives: u64,
    /// Who has the lease by the store, and until when.
    pub(super) lease: (usize, u64),
    pub(super) asked: BTreeMap<Ticket, (usize, Purpose)>,
    pub(super) tickets: Ticket,
    pub(super) uuids: u128,
    pub(super) history: History,
    /// Holds that were placed and are not given back, by the life of an owner, with their least end.
    pub(super) placed: BTreeMap<(u64, Uuid), u64>,
    /// Named requests that were admitted and not settled, with the end of their claim, by the life of an owner.
    pub(super) at_work: BTreeMap<(u64, String), (Uuid, u64)>,
    /// The last position of which somebody was told.
    pub(super) told: BTreeMap<ContractId, i64>,
    pub(super) revoked_at: BTreeMap<ApiKeyId, u64>,
    /// When an operator was told that a contract is ended.
    pub(super) ended_at: BTreeMap<ContractId, u64>,
    /// Accounts of which a contract was told as over.
    pub(super) told_as_over: Vec<AccountId>,
    /// When an operator was told that a key is issued.
    pub(super) issued_at: BTreeMap<ApiKeyId, u64>,
    /// Two of the account, one of the other account, and one more of the account that an operator makes, or never.
    pub(super) contracts: Vec<ContractId>,
    /// As the contracts.
    pub(super) keys: Vec<ApiKeyId>,
}

/// The contract and the key of the other account.
pub(super) const OTHER: usize = 2;
/// The contract and the key that are made while clients ask.
pub(super) const NEW: usize = 3;

pub(super) fn account() -> AccountId {
    AccountId::new([7; 16])
}

/// Another one on the same shard.
pub(super) fn other_account() -> AccountId {
    static OTHER: LazyLock<AccountId> = LazyLock::new(|| {
        (0..=u16::MAX)
            .map(|n| {
                let [high, low] = n.to_be_bytes();
                AccountId::new(std::array::from_fn(
                    |place| {
                        if place == 0 { high } else { low }
                    },
                ))
            })
            .find(|id| id.shard() == account().shard() && *id != account())
            .unwrap()
    });
    *OTHER
}

/// Each key's secret hashes to this.
pub(super) const SECRET: [u8; 32] = [1; 32];

impl World {
    pub(super) fn rate_limit(&self) -> usize {
        usize::try_from(self.faults.rate_limit).unwrap()
    }

    pub(super) fn limits(&self) -> Arc<Limits> {
        Arc::new(Limits {
            hold_timeout: Duration::from_millis(self.faults.hold_timeout),
            max_cells: self.faults.max_cells,
            max_keys: self.faults.max_keys,
            max_holds: self.faults.max_holds,
            max_claims: self.faults.max_claims,
            max_windows: self.faults.max_windows,
            max_waiting: self.faults.max_waiting,
            max_key_lookups: self.faults.max_key_lookups,
            snapshot_every: 3,
            batch_events: 4,
            ..Limits::default()
        })
    }

    /// Whose a key is.
    pub(super) fn account_of(&self, key: &ApiKeyId) -> AccountId {
        if *key == self.keys[OTHER] {
            other_account()
        } else {
            account()
        }
    }

    /// Both clocks of a process whose wall clock is off by so much.
    pub(super) fn moment(&self, at: u64, day_offset: i64) -> Moment {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        let day = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        Moment {
            utc: day + TimeDelta::milliseconds(i64::try_from(at).unwrap() + day_offset),
            monotonic: *START + Duration::from_millis(at),
        }
    }

    pub(super) fn uuid(&mut self) -> Uuid {
        self.uuids += 1;
        Uuid::from_u128(self.uuids)
    }

    /// Whether somebody asked since then may have been answered by an owner whose lease was taken by force, and who did not know
    /// it yet.
    pub(super) fn may_be_outdated(&self, since: u64) -> bool {
        let steals = self.history.steals.iter();
        steals.copied().any(|at| at + LEASE >= since)
    }

    /// Notes a promise that was broken.
    pub(super) fn broken(&mut self, what: impl Into<String>) {
        self.history.broken.push(what.into());
    }

    pub(super) fn chance(&mut self, in_thousand: u32) -> bool {
        self.now < CALM && self.rng.random_range(0..1_000) < in_thousand
    }

    pub(super) fn at(&mut self, at: u64, event: Event) {
        self.count += 1;
        self.coming.push(Reverse((at, self.count)));
        self.events.insert(self.count, event);
    }

    pub(super) fn after(&mut self, most: u64, event: Event) {
        let at = self.now + self.rng.random_range(0..=most);
        self.at(at, event);
    }

    /// Until nothing is coming but renewals of leases, or far too much time has passed.
    pub(super) fn run(&mut self) {
        while let Some(Reverse((at, number))) = self.coming.pop() {
            let Some(event) = self.events.remove(&number) else {
                continue;
            };
            self.now = at;
            let is_over = at > OVER + 20_000
                && self.asked.is_empty()
                && self
                    .events
                    .values()
                    .all(|event| matches!(event, Event::Renew(_)));
            if is_over || at > END {
                break;
            }
            self.happens(event);
        }
        for owner in &self.owners {
            let left = owner.core.as_ref().map_or_else(Vec::new, Shard::left_over);
            self.history.broken.extend(left);
        }
        self.history.counts.refused_batches = self.postgres.refused;
        if !self.asked.is_empty() {
            self.broken(format!("{} questions are never answered", self.asked.len()));
        }
    }

    pub(super) fn happens(&mut self, event: Event) {
        match event {
            Event::Reach(owner, life, input) => self.reach(owner, life, input),
            Event::Statement(owner, life, statement, is_heard) => {
                self.statement(owner, life, statement, is_heard);
            }
            Event::Renew(owner) => self.renew(owner),
            Event::Send(request) => self.send(*request),
            Event::Call(purpose) => self.call(purpose),
            Event::Answered(ticket, reply) => self.answered(ticket, reply),
            Event::Crash(owner) => self.crash(owner),
            Event::Restart(owner) => self.restart(owner),
            Event::Pause(owner) => {
                self.history.counts.pauses += 1;
                self.owners[owner].paused_until = self.now + self.rng.random_range(100..9_000);
            }
            Event::Cut(owner) => {
                self.history.counts.cuts += 1;
                self.owners[owner].cut_until = self.now + self.rng.random_range(100..9_000);
            }
            Event::Steal => {
                // By force: the one that has it still believes in it.
                self.history.counts.steals += 1;
                self.history.steals.push(self.now);
                self.lease = (self.rng.random_range(0..self.owners.len()), 0);
            }
            Event::ClockStep(owner) => {
                self.history.counts.clock_steps += 1;
                self.owners[owner].day_offset += self.rng.random_range(-3_600_000..=3_600_000);
            }
        }
    }
}

/// Every id of the world is in one shard.
#[test]
fn everything_is_in_one_shard() {
    let shard = account().shard();
    assert_eq!(ContractId::new(account(), [1; 16]).shard(), shard);
    assert_eq!(ApiKeyId::new(account(), [1; 10]).shard(), shard);
    assert_eq!(other_account().shard(), shard);
    assert_ne!(other_account(), account());
}
