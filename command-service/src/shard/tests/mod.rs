//! Single steps that no store is needed for.

mod admission;
mod batches;
mod lookups;
mod settles;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta};
use events_schema::Credits;
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{Hold, IdempotencyClaim, Receipt, Settle};
use events_schema::ids::{AccountId, ApiKeyId, ContractId};
use uuid::Uuid;

use super::claims::{Asking, Claimed};
use super::settle::name_of;
use super::*;
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::{Aggregate, Command, Kind};
use crate::domain::contract::{Contract, Terms};

struct World {
    shard: Shard,
    start: Instant,
    at: u64,
    /// How far the time of day was set forward.
    set_by: TimeDelta,
}

impl World {
    /// A shard that is owned and knows its head.
    fn new(limits: Limits) -> Self {
        let mut world = Self {
            shard: Shard::new(account().shard(), Arc::new(limits)),
            start: Instant::now(),
            at: 0,
            set_by: TimeDelta::zero(),
        };
        let until = world.start + Duration::from_secs(3_600);
        world.step(Input::Owned { until, grant: 1 });
        world.step(Input::Ask(1_000, Ask::Read(kind(), account().uuid())));
        let head = Head {
            pos: 0,
            topic_seqs: vec![0; 4],
            fence: 0,
            history: events_schema::history::FIRST,
        };
        world.fetched(Wanted::Head, Ok(Found::Head(head)));
        world
    }

    fn step(&mut self, input: Input) -> Vec<Output> {
        let since = Duration::from_millis(self.at);
        let now = Moment {
            utc: DateTime::UNIX_EPOCH + since + self.set_by,
            monotonic: self.start + since,
        };
        self.shard.step(now, input)
    }

    fn fetched(&mut self, wanted: Wanted, found: Result<Found, Failing>) -> Vec<Output> {
        self.step(Input::Fetched {
            epoch: self.shard.epoch,
            wanted,
            found,
        })
    }

    /// A key is shown; what the shard does.
    fn check(&mut self, ticket: Ticket, id: &ApiKeyId) -> Vec<Output> {
        let key = ShownKey {
            id: id.clone(),
            secret_hmac: [0; 32],
        };
        self.step(Input::Ask(ticket, Ask::Check(key)))
    }
}

const fn kind() -> crate::domain::aggregate::Kind {
    crate::domain::aggregate::Kind::Account
}

fn account() -> AccountId {
    AccountId::new([7; 16])
}

fn key(n: u8) -> ApiKeyId {
    ApiKeyId::new(account(), [n; 10])
}

fn is_answer(outputs: &[Output]) -> bool {
    matches!(outputs, [Output::Answer(_, Reply::Answer(_))])
}

/// An operator's command to an aggregate.
fn change(id: Uuid, command: Command) -> Ask {
    Ask::Change(Box::new(Change {
        id,
        command,
        cause: Cause {
            request_id: Uuid::from_u128(1),
            actor: "operator:test".to_owned(),
            traceparent: None,
        },
        row: None,
        named: None,
        once: false,
    }))
}

#[test]
fn a_key_that_is_not_there_is_looked_up_once_in_a_while() {
    let mut world = World::new(Limits::default());
    let outputs = world.check(1, &key(1));
    assert!(
        matches!(&outputs[..], [Output::Fetch(_, Wanted::Key(_))]),
        "{outputs:?}"
    );
    // Whoever comes meanwhile waits for the same answer.
    assert!(world.check(2, &key(1)).is_empty());
    let told = world.fetched(Wanted::Key(key(1)), Ok(Found::Key(None)));
    assert_eq!(told.len(), 2);
    assert!(is_answer(&world.check(3, &key(1))));
    world.at += 10_001;
    assert!(matches!(&world.check(4, &key(1))[..], [Output::Fetch(..)]));
}

#[test]
fn who_forges_keys_takes_a_few_look_ups_at_a_time() {
    let mut world = World::new(Limits {
        max_key_lookups: 2,
        ..Limits::default()
    });
    for n in 1..=2 {
        let outputs = world.check(n.into(), &key(n));
        assert!(matches!(&outputs[..], [Output::Fetch(..)]));
    }
    assert!(world.check(3, &key(3)).is_empty());
    // The next one goes when one of them is back.
    let outputs = world.fetched(Wanted::Key(key(1)), Ok(Found::Key(None)));
    let next = outputs
        .iter()
        .filter(|output| matches!(output, Output::Fetch(_, Wanted::Key(id)) if *id == key(3)));
    assert_eq!(next.count(), 1, "{outputs:?}");
    world.fetched(Wanted::Key(key(2)), Err(Failing::Database));
    world.fetched(Wanted::Key(key(3)), Ok(Found::Key(None)));
    assert!(matches!(&world.check(4, &key(4))[..], [Output::Fetch(..)]));
    assert!(matches!(&world.check(5, &key(5))[..], [Output::Fetch(..)]));
    assert!(world.check(6, &key(6)).is_empty());
}

#[test]
fn more_than_may_wait_is_sent_away_at_once() {
    let mut world = World::new(Limits {
        max_waiting: 3,
        ..Limits::default()
    });
    // The reader of the account waits already.
    world.check(1, &key(1));
    world.check(2, &key(2));
    let outputs = world.check(3, &key(3));
    assert!(matches!(
        &outputs[..],
        [Output::Answer(3, Reply::Unavailable(Failing::Overloaded))]
    ));
    assert_eq!(world.shard.len(), 3);
    assert!(!world.shard.is_empty());
    // What ends a request is let in, up to as many again.
    for (ticket, is_let_in) in [(4, true), (5, true), (6, true), (7, false)] {
        let outputs = world.step(Input::Ask(ticket, Ask::Release(Box::new(hold()))));
        let told = |output: &Output| matches!(output, Output::Answer(..));
        assert_eq!(!outputs.iter().any(told), is_let_in, "{ticket}");
    }
}

#[test]
fn a_shard_of_which_nothing_is_asked_is_empty() {
    let mut world = World::new(Limits::default());
    let outputs = world.fetched(
        Wanted::Aggregate(kind(), account().uuid()),
        Err(Failing::Database),
    );
    assert!(matches!(&outputs[..], [Output::Answer(1_000, _)]));
    assert!(world.shard.is_empty());
}

#[test]
fn a_key_that_was_not_there_is_looked_up_again_by_a_new_owner() {
    let mut world = World::new(Limits::default());
    world.check(1, &key(1));
    world.fetched(Wanted::Key(key(1)), Ok(Found::Key(None)));
    assert!(is_answer(&world.check(2, &key(1))));
    let until = world.start + Duration::from_secs(3_600);
    world.step(Input::Owned { until, grant: 2 });
    let head = Head {
        pos: 0,
        topic_seqs: vec![0; 4],
        fence: 0,
        history: events_schema::history::FIRST,
    };
    world.check(3, &key(1));
    let outputs = world.fetched(Wanted::Head, Ok(Found::Head(head)));
    let is_looked_up = |output: &Output| matches!(output, Output::Fetch(_, Wanted::Key(_)));
    assert!(outputs.iter().any(is_looked_up), "{outputs:?}");
}

#[test]
fn a_look_up_of_an_earlier_epoch_is_not_believed() {
    let mut world = World::new(Limits::default());
    let before = world.shard.epoch;
    world.check(1, &key(1));
    let until = world.start + Duration::from_secs(3_600);
    let outputs = world.step(Input::Owned { until, grant: 2 });
    assert!(
        matches!(&outputs[..], [Output::Fetch(_, Wanted::Head)]),
        "{outputs:?}"
    );
    let late = Input::Fetched {
        epoch: before,
        wanted: Wanted::Key(key(1)),
        found: Ok(Found::Key(None)),
    };
    assert!(world.step(late).is_empty());
}

#[test]
fn who_does_not_own_a_shard_says_so_and_asks_nothing() {
    let mut world = World::new(Limits::default());
    world.check(1, &key(1));
    let told = world.step(Input::Disowned);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told.iter()
            .all(|output| matches!(output, Output::Answer(_, Reply::NotOwned)))
    );
    let outputs = world.check(2, &key(1));
    assert!(matches!(&outputs[..], [Output::Answer(2, Reply::NotOwned)]));
    // A lease that is over is none, though nobody said so.
    let until = world.start + Duration::from_secs(1);
    world.step(Input::Owned { until, grant: 2 });
    world.at += 1_000;
    let outputs = world.check(3, &key(1));
    assert!(matches!(&outputs[..], [Output::Answer(3, Reply::NotOwned)]));
}

/// A hold of one credit for a named request.
fn hold() -> Hold {
    let claim = IdempotencyClaim {
        key_hash: "name".to_owned(),
        request_hash: "words".to_owned(),
    };
    Hold {
        hold_id: Uuid::from_u128(1),
        account_id: account(),
        api_key_id: key(1),
        contract_id: Some(ContractId::new(account(), [1; 16])),
        endpoint: Endpoint::PersonEnrich,
        request_id: Uuid::from_u128(2),
        units: 1,
        price: Credits(1),
        expires_at: DateTime::UNIX_EPOCH + Duration::from_secs(40),
        idempotency: Some(claim),
    }
}

fn contract(hold: &Hold) -> Aggregate {
    let terms = Terms {
        contract_id: hold.contract_id.unwrap(),
        account_id: hold.account_id,
        endpoints: EndpointSet::All,
        starts_on: DateTime::UNIX_EPOCH.date_naive(),
        expires_on: None,
        prices: std::iter::empty().collect(),
    };
    let contract = Contract {
        terms: Some(terms),
        granted: Credits(10),
        balance: Credits(10),
        ended: None,
    };
    Aggregate::Contract(Arc::new(contract))
}

#[test]
fn a_name_whose_charge_came_to_nothing_with_a_lost_lease_is_free_again() {
    let mut world = World::new(Limits::default());
    let hold = hold();
    let name = name_of(&hold).unwrap();
    let enter = |world: &mut World, request_id: Uuid| {
        let now = world.start + Duration::from_millis(world.at);
        let asking = Asking {
            request_id,
            request_hash: "words",
            until: now + Duration::from_secs(40),
        };
        world.shard.claims.enter(&name, asking, now)
    };
    assert_eq!(enter(&mut world, hold.request_id), Claimed::Free);
    let settle = Settle {
        hold: hold.clone(),
        units: 1,
        receipt: Receipt {
            build: None,
            ids: Vec::new(),
            total: None,
            extra: serde_json::Value::Null,
        },
        traceparent: None,
    };
    world.step(Input::Ask(1, Ask::Settle(Box::new(settle))));
    let found = Found::Aggregate {
        state: contract(&hold),
        seq: 1,
        contracts: Vec::new(),
    };
    let id = hold.contract_id.unwrap().uuid();
    let outputs = world.fetched(Wanted::Aggregate(Kind::Contract, id), Ok(found));
    let [Output::Fetch(_, kept)] = &outputs[..] else {
        panic!("{outputs:?}");
    };
    let outputs = world.fetched(kept.clone(), Ok(Found::Kept(None)));
    let [Output::Write(batch, _)] = &outputs[..] else {
        panic!("{outputs:?}");
    };
    // Another one owned the shard for a while and wrote.
    world.step(Input::Disowned);
    let told = world.step(Input::Written(*batch, Written::Behind));
    let is_told = |output: &Output| matches!(output, Output::Answer(1, Reply::NotOwned));
    assert!(told.iter().any(is_told), "{told:?}");
    let until = world.start + Duration::from_secs(3_600);
    world.step(Input::Owned { until, grant: 2 });
    assert_eq!(enter(&mut world, Uuid::from_u128(3)), Claimed::Free);
}

#[test]
fn a_write_that_breaks_off_is_looked_for_and_given_up_on_when_it_breaks_every_time() {
    let mut world = World::new(Limits::default());
    let id = account().uuid();
    let found = Found::Aggregate {
        state: Aggregate::new(Kind::Account),
        seq: 0,
        contracts: Vec::new(),
    };
    world.fetched(Wanted::Aggregate(Kind::Account, id), Ok(found.clone()));
    let open = Command::Account(AccountCommand::Open {
        account_id: account(),
        name: "acme".to_owned(),
    });
    let mut outputs = world.step(Input::Ask(1, change(id, open)));
    for _ in 0..4 {
        let [Output::Write(batch, _)] = outputs[..] else {
            panic!("{outputs:?}");
        };
        let outcome = world.step(Input::Written(batch, Written::Broken));
        assert!(matches!(outcome[..], [Output::Probe(..)]), "{outcome:?}");
        // Nothing of it stands: it is decided anew.
        outputs = world.step(Input::Probed(batch, Some(false)));
        let head = Head {
            pos: 0,
            topic_seqs: vec![0; 4],
            fence: 0,
            history: events_schema::history::FIRST,
        };
        if matches!(outputs[..], [Output::Fetch(_, Wanted::Head)]) {
            world.fetched(Wanted::Head, Ok(Found::Head(head)));
            let wanted = Wanted::Aggregate(Kind::Account, id);
            outputs = world.fetched(wanted, Ok(found.clone()));
        }
    }
    assert!(
        matches!(
            outputs[..],
            [Output::Answer(1, Reply::Unavailable(Failing::Ledger))]
        ),
        "{outputs:?}"
    );
    assert!(world.shard.is_empty());
}
