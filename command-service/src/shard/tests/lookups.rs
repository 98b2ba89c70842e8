//! What is asked of the store, what comes of it, and how long it is kept.

use super::*;
use crate::domain::account::{Account, AccountRefusal};
use crate::domain::aggregate::Refusal;
use crate::domain::contract::{ContractCommand, ContractRefusal};
use crate::domain::data_build::DataBuildCommand;

fn wants(outputs: &[Output]) -> Vec<Wanted> {
    let fetches = outputs.iter().filter_map(|output| match output {
        Output::Fetch(_, wanted) => Some(wanted.clone()),
        _ => None,
    });
    fetches.collect()
}

fn owner(n: u8) -> AccountId {
    AccountId::new([n; 16])
}

fn of_account(id: AccountId) -> Wanted {
    Wanted::Aggregate(Kind::Account, id.uuid())
}

fn new_account() -> Found {
    Found::Aggregate {
        state: Aggregate::new(Kind::Account),
        seq: 0,
        contracts: Vec::new(),
    }
}

fn account_with(contracts: Vec<ContractId>) -> Found {
    let state = Account {
        id: Some(account()),
        ..Account::default()
    };
    Found::Aggregate {
        state: Aggregate::Account(Arc::new(state)),
        seq: 1,
        contracts,
    }
}

#[test]
fn all_contracts_of_an_account_are_asked_for_at_once() {
    let mut world = World::new(Limits::default());
    let contracts: Vec<_> = (1..=3)
        .map(|n| ContractId::new(account(), [n; 16]))
        .collect();
    world.step(Input::Ask(1, Ask::Contracts(account())));
    let found = account_with(contracts.clone());
    let mut asked = wants(&world.fetched(of_account(account()), Ok(found)));
    asked.sort();
    let all = contracts
        .iter()
        .map(|id| Wanted::Aggregate(Kind::Contract, id.uuid()));
    assert_eq!(asked, all.collect::<Vec<_>>());
}

#[test]
fn only_a_command_that_rests_on_the_active_build_asks_for_it() {
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    for (command, asks) in [
        (DataBuildCommand::Seal { chunks: 0 }, false),
        (DataBuildCommand::Activate { is_active, at }, true),
    ] {
        let mut world = World::new(Limits::default());
        let ask = change(Uuid::from_u128(1), Command::DataBuild(command));
        let outputs = world.step(Input::Ask(1, ask));
        let asked = matches!(wants(&outputs)[..], [Wanted::ActiveBuilds(_)]);
        assert_eq!(asked, asks, "{outputs:?}");
    }
}

#[test]
fn a_full_account_gets_no_further_contract_and_one_that_is_made_again_is_refused_as_such() {
    let mut world = World::new(Limits {
        max_contracts: 1,
        ..Limits::default()
    });
    let create = |held: &Hold| {
        let Aggregate::Contract(made) = contract(held) else {
            panic!("{held:?}");
        };
        let terms = made.terms.clone().unwrap();
        let (id, credits) = (terms.contract_id.uuid(), Credits(1));
        let command = ContractCommand::Create { terms, credits };
        change(id, Command::Contract(command))
    };
    let one = hold();
    let other = Hold {
        contract_id: Some(ContractId::new(account(), [2; 16])),
        ..hold()
    };
    world.step(Input::Ask(1, create(&other)));
    let found = account_with(vec![one.contract_id.unwrap()]);
    let outputs = world.fetched(of_account(account()), Ok(found));
    let refusals = |outputs: &[Output]| {
        let told = outputs.iter().filter_map(|output| match output {
            Output::Answer(1, Reply::Refused(refusal)) => Some(refusal.clone()),
            _ => None,
        });
        told.collect::<Vec<_>>()
    };
    let is_full = Refusal::Account(AccountRefusal::TooManyContracts(1));
    assert_eq!(refusals(&outputs), [is_full]);

    world.step(Input::Ask(1, create(&one)));
    let found = Found::Aggregate {
        state: contract(&one),
        seq: 1,
        contracts: Vec::new(),
    };
    let wanted = Wanted::Aggregate(Kind::Contract, one.contract_id.unwrap().uuid());
    let outputs = world.fetched(wanted, Ok(found));
    let is_there = Refusal::Contract(ContractRefusal::AlreadyExists);
    assert_eq!(refusals(&outputs), [is_there]);
}

impl World {
    /// An account that the store has never seen is read.
    fn read(&mut self, n: u8) -> Vec<Output> {
        let id = owner(n);
        let outputs = self.step(Input::Ask(n.into(), Ask::Read(Kind::Account, id.uuid())));
        assert_eq!(wants(&outputs), [of_account(id)]);
        self.fetched(of_account(id), Ok(new_account()))
    }

    fn holds(&self, n: u8) -> bool {
        let cell = self.shard.cells.peek((Kind::Account, owner(n).uuid()));
        cell.is_some()
    }
}

#[test]
fn while_somebody_waits_what_was_asked_for_before_makes_room_and_what_came_since_stays() {
    let mut world = World::new(Limits {
        max_cells: 4,
        ..Limits::default()
    });
    world.fetched(of_account(account()), Ok(new_account()));
    for n in 1..=3 {
        assert!(matches!(world.read(n)[..], [Output::Answer(..)]));
    }
    // This one waits until the end of the test.
    assert!(matches!(
        &world.check(200, &key(1))[..],
        [Output::Fetch(..)]
    ));
    for n in 11..=20 {
        world.read(n);
    }
    assert!((1..=3).all(|n| !world.holds(n)));
    assert!((11..=20).all(|n| world.holds(n)));
}

#[test]
fn an_aggregate_whose_change_is_durable_makes_room() {
    let mut world = World::new(Limits {
        max_cells: 2,
        ..Limits::default()
    });
    world.fetched(of_account(account()), Ok(new_account()));
    for n in 1..=9 {
        let command = AccountCommand::Open {
            account_id: owner(n),
            name: "acme".to_owned(),
        };
        let ask = change(owner(n).uuid(), Command::Account(command));
        world.step(Input::Ask(n.into(), ask));
        let outputs = world.fetched(of_account(owner(n)), Ok(new_account()));
        let [Output::Write(batch, _)] = outputs[..] else {
            panic!("{outputs:?}");
        };
        assert!(world.holds(n));
        world.step(Input::Written(batch, Written::Committed));
    }
    assert!((1..=6).all(|n| !world.holds(n)));
}
