//! From decided to durable: what makes a batch, and what is told when its outcome is late or bad.

use super::*;
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::Command;

fn owner(n: u8) -> AccountId {
    AccountId::new([n; 16])
}

/// Request `n`, which changes the account of owner `of`.
fn of_account(of: u8, n: u8, command: AccountCommand) -> Change {
    Change {
        id: owner(of).uuid(),
        command: Command::Account(command),
        cause: Cause {
            request_id: Uuid::from_u128(n.into()),
            actor: "operator:ops".to_owned(),
            traceparent: None,
        },
        row: None,
        named: None,
        once: false,
    }
}

impl World {
    /// A new account is opened; nothing of it was read before.
    fn open(&mut self, n: u8) -> Vec<Output> {
        let command = AccountCommand::Open {
            account_id: owner(n),
            name: "acme".to_owned(),
        };
        let change = of_account(n, n, command);
        let outputs = self.step(Input::Ask(n.into(), Ask::Change(Box::new(change))));
        self.supplied(outputs)
    }

    fn written(&mut self, number: u64, written: Written) -> Vec<Output> {
        let outputs = self.step(Input::Written(number, written));
        self.supplied(outputs)
    }

    fn tick(&mut self, at: u64) -> Vec<Output> {
        self.at = at;
        self.step(Input::Tick)
    }

    /// Answers what is looked up: a head, and accounts that were never opened.
    fn supplied(&mut self, outputs: Vec<Output>) -> Vec<Output> {
        let mut all = Vec::new();
        for output in outputs {
            let Output::Fetch(_, wanted) = output else {
                all.push(output);
                continue;
            };
            let found = match wanted {
                Wanted::Head => Found::Head(Head {
                    pos: 0,
                    topic_seqs: vec![0; 4],
                    fence: 0,
                    history: events_schema::history::FIRST,
                }),
                _ => Found::Aggregate {
                    state: Aggregate::new(kind()),
                    seq: 0,
                    contracts: Vec::new(),
                },
            };
            let outputs = self.fetched(wanted, Ok(found));
            all.extend(self.supplied(outputs));
        }
        all
    }
}

/// The number of the batch that is to be written, and whose commands it carries out.
pub(super) fn batch(outputs: &[Output]) -> Option<(u64, Vec<u128>)> {
    outputs.iter().find_map(|output| match output {
        Output::Write(number, batch) => {
            let requests = batch.events.iter().map(|event| event.request_id.as_u128());
            Some((*number, requests.collect()))
        }
        _ => None,
    })
}

/// What commands were told; a reader waits from the start.
pub(super) fn answers(outputs: &[Output]) -> Vec<(Ticket, &Reply)> {
    let answers = outputs.iter().filter_map(|output| match output {
        Output::Answer(ticket, reply) if *ticket < 1_000 => Some((*ticket, reply)),
        _ => None,
    });
    answers.collect()
}

#[test]
fn what_is_decided_meanwhile_is_the_next_batch_up_to_its_limit() {
    let mut world = World::new(Limits {
        batch_events: 2,
        ..Limits::default()
    });
    let (first, of) = batch(&world.open(1)).unwrap();
    assert_eq!(of, [1]);
    for n in 2..=6 {
        assert_eq!(batch(&world.open(n)), None);
    }
    let outputs = world.written(first, Written::Committed);
    assert!(matches!(answers(&outputs)[..], [(1, Reply::State(_))]));
    let (second, of) = batch(&outputs).unwrap();
    assert_eq!(of, [2, 3]);
    let (third, of) = batch(&world.written(second, Written::Committed)).unwrap();
    assert_eq!(of, [4, 5]);
    let (_, of) = batch(&world.written(third, Written::Committed)).unwrap();
    assert_eq!(of, [6]);
}

/// Else the store stands still while hundreds are told.
#[test]
fn the_next_batch_goes_on_its_way_before_the_callers_of_the_one_before_are_told() {
    let mut world = World::new(Limits::default());
    let (first, _) = batch(&world.open(1)).unwrap();
    world.open(2);
    let outputs = world.written(first, Written::Committed);
    assert!(
        matches!(
            outputs[..],
            [
                Output::Committed(_),
                Output::Write(..),
                Output::Answer(1, _)
            ]
        ),
        "{outputs:?}"
    );
}

#[test]
fn what_is_told_of_an_earlier_batch_is_not_taken_for_the_next_one() {
    let mut world = World::new(Limits::default());
    let (first, _) = batch(&world.open(1)).unwrap();
    world.written(first, Written::Committed);
    let (second, _) = batch(&world.open(2)).unwrap();
    assert!(world.written(first, Written::Committed).is_empty());
    let outputs = world.written(second, Written::Committed);
    assert!(matches!(answers(&outputs)[..], [(2, Reply::State(_))]));
}

#[test]
fn a_bad_command_fails_alone_and_the_others_are_written() {
    // Up to which request, which of them is bad, and how many batches halves and their halves take.
    for (last, bad, most) in [(6, 4, 8), (33, 30, 16)] {
        let mut world = World::new(Limits::default());
        let (first, _) = batch(&world.open(1)).unwrap();
        for n in 2..=last {
            world.open(n);
        }
        let mut next = batch(&world.written(first, Written::Committed));
        let (mut sizes, mut failed, mut done) = (Vec::new(), Vec::new(), Vec::new());
        while let Some((number, of)) = next {
            sizes.push(of.len());
            // The store refuses whatever the bad one is in.
            let written = if of.contains(&bad) {
                Written::Refused
            } else {
                Written::Committed
            };
            let outputs = world.written(number, written);
            for (ticket, reply) in answers(&outputs) {
                match reply {
                    Reply::State(_) => done.push(u128::from(ticket)),
                    Reply::Unavailable(Failing::Ledger) => failed.push(u128::from(ticket)),
                    other => panic!("{other:?}"),
                }
            }
            next = batch(&outputs);
        }
        done.sort_unstable();
        let others: Vec<_> = (2..=last.into()).filter(|n| *n != bad).collect();
        assert_eq!((failed, done), (vec![bad], others));
        assert!(sizes.len() <= most, "halves and their halves: {sizes:?}");
    }
}

#[test]
fn a_write_that_wrote_nothing_is_tried_again_after_a_pause_and_told_as_nothing_in_the_end() {
    let mut world = World::new(Limits::default());
    let (number, _) = batch(&world.open(1)).unwrap();
    let outputs = world.written(number, Written::NotNow);
    assert!(matches!(outputs[..], [Output::Wake(pause)] if pause.as_millis() == 20));
    assert_eq!(batch(&world.tick(19)), None);
    assert_eq!(batch(&world.tick(20)).unwrap().0, number);
    let outputs = world.written(number, Written::NotNow);
    assert!(matches!(outputs[..], [Output::Wake(pause)] if pause.as_millis() == 40));
    assert!(answers(&world.tick(59)).is_empty());
    assert!(batch(&world.tick(4_999)).is_some());
    world.written(number, Written::NotNow);
    let outputs = world.tick(5_000);
    assert!(matches!(
        answers(&outputs)[..],
        [(1, Reply::Unavailable(Failing::Database))]
    ));
}

#[test]
fn a_write_whose_answer_is_lost_is_told_as_unknown_and_nothing_is_decided_until_it_is_known() {
    let mut world = World::new(Limits::default());
    let (number, _) = batch(&world.open(1)).unwrap();
    world.open(2);
    world.written(number, Written::Lost);
    assert!(answers(&world.tick(4_999)).is_empty());
    let outputs = world.tick(5_000);
    let nothing = |told: &Reply| matches!(told, Reply::Unavailable(Failing::Database));
    assert!(matches!(answers(&outputs)[..], [(1, Reply::Unknown), (2, two)] if nothing(two)));
    let outputs = world.open(4);
    assert!(matches!(answers(&outputs)[..], [(4, four)] if nothing(four)));
    // It stands: whoever was told does not hear of it again, and the shard goes on.
    let outputs = world.written(number, Written::Committed);
    assert!(answers(&outputs).is_empty());
    assert_eq!(batch(&world.open(3)).unwrap().1, [3]);
}

#[test]
fn who_only_reads_is_not_told_that_the_outcome_is_unknown() {
    let mut world = World::new(Limits::default());
    let (first, _) = batch(&world.open(1)).unwrap();
    world.open(2);
    world.step(Input::Ask(3, Ask::Read(kind(), owner(2).uuid())));
    let (second, _) = batch(&world.written(first, Written::Committed)).unwrap();
    world.written(second, Written::Lost);
    let outputs = world.tick(5_000);
    assert!(
        matches!(
            answers(&outputs)[..],
            [
                (2, Reply::Unknown),
                (3, Reply::Unavailable(Failing::Database))
            ]
        ),
        "{outputs:?}"
    );
}

#[test]
fn a_snapshot_is_kept_each_so_many_events() {
    let mut world = World::new(Limits {
        snapshot_every: 2,
        ..Limits::default()
    });
    let snapshots = |outputs: &[Output]| {
        let kept = outputs.iter().filter_map(|output| match output {
            Output::Snapshot(_, seq, _) => Some(*seq),
            _ => None,
        });
        kept.collect::<Vec<_>>()
    };
    let (number, _) = batch(&world.open(1)).unwrap();
    assert_eq!(
        snapshots(&world.written(number, Written::Committed)),
        Vec::<i64>::new()
    );
    for (n, kept) in [(2_u8, vec![2]), (3, vec![]), (4, vec![4])] {
        let command = AccountCommand::IssueApiKey {
            api_key_id: ApiKeyId::new(owner(1), [n; 10]),
            endpoints: EndpointSet::All,
            rate_limits: std::iter::empty().collect(),
            at: DateTime::UNIX_EPOCH,
        };
        let change = of_account(1, n, command);
        let outputs = world.step(Input::Ask(n.into(), Ask::Change(Box::new(change))));
        let (number, _) = batch(&outputs).unwrap();
        let outputs = world.written(number, Written::Committed);
        assert_eq!(snapshots(&outputs), kept, "{n}");
    }
}

/// A grant under a name, after its request was looked up.
fn grant(movement: Option<events_schema::Event>) -> Vec<Output> {
    let mut world = World::new(Limits::default());
    let hold = hold();
    let id = hold.contract_id.unwrap().uuid();
    let loaded = Loaded {
        state: contract(&hold),
        seq: 1,
        contracts: Vec::new(),
    };
    let cells = &mut world.shard.cells;
    cells.insert((Kind::Contract, id), loaded, u64::MAX);
    let credits = Credits(5);
    let change = Change {
        id,
        command: Command::Contract(crate::domain::contract::ContractCommand::Grant {
            credits,
            on: chrono::NaiveDate::default(),
        }),
        cause: Cause {
            request_id: Uuid::from_u128(1),
            actor: "operator:ops".to_owned(),
            traceparent: None,
        },
        row: None,
        named: None,
        once: true,
    };
    let outputs = world.step(Input::Ask(1, Ask::Change(Box::new(change))));
    let [Output::Fetch(_, wanted)] = &outputs[..] else {
        panic!("{outputs:?}");
    };
    world.fetched(wanted.clone(), Ok(Found::Movement(movement.map(Box::new))))
}

#[test]
fn a_grant_that_was_made_before_is_told_and_not_made_again() {
    use events_schema::Event;
    use events_schema::contract::v1::{CreditsCharged, CreditsGranted};

    let hold = hold();
    let contract_id = hold.contract_id.unwrap();
    let account_id = hold.account_id;
    let balance_after = Credits(15);
    let granted = |contract_id, credits| {
        Event::CreditsGranted(CreditsGranted {
            contract_id,
            account_id,
            credits: Credits(credits),
            balance_after,
        })
    };
    let outputs = grant(Some(granted(contract_id, 5)));
    assert!(matches!(answers(&outputs)[..], [(1, Reply::Contracts(_))]));
    assert_eq!(batch(&outputs), None);
    let charged = Event::CreditsCharged(CreditsCharged {
        contract_id,
        account_id,
        endpoint: Endpoint::PersonEnrich,
        units: 5,
        credits: Credits(5),
        balance_after,
    });
    let other = ContractId::new(account(), [9; 16]);
    for something_else in [granted(contract_id, 6), granted(other, 5), charged] {
        let outputs = grant(Some(something_else));
        assert!(matches!(
            answers(&outputs)[..],
            [(1, Reply::NamedDifferently)]
        ));
    }
}

#[test]
fn the_head_is_read_when_the_batch_that_is_on_its_way_has_arrived() {
    let mut world = World::new(Limits::default());
    let (number, _) = batch(&world.open(1)).unwrap();
    let until = world.start + Duration::from_secs(3_600);
    let is_head = |output: &Output| matches!(output, Output::Fetch(_, Wanted::Head));
    let outputs = world.step(Input::Owned { until, grant: 2 });
    assert!(!outputs.iter().any(is_head), "{outputs:?}");
    let read = Ask::Read(kind(), owner(1).uuid());
    assert!(world.step(Input::Ask(9, read)).is_empty());
    let outputs = world.step(Input::Written(number, Written::Committed));
    assert!(outputs.iter().any(is_head), "{outputs:?}");
}
