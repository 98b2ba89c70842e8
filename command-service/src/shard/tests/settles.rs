//! What a settle asks the store, and how it is answered when its charge exists already.

use super::super::holds::{NewHold, SetAside};
use super::batches::{answers, batch};
use super::*;

/// A hold is settled whose contract is in memory; the shard, and what it does first.
fn settling(hold: &Hold) -> (World, Vec<Output>) {
    let mut world = World::new(Limits::default());
    let outputs = world.settle(hold);
    (world, outputs)
}

impl World {
    fn settle(&mut self, hold: &Hold) -> Vec<Output> {
        let id = (Kind::Contract, hold.contract_id.unwrap().uuid());
        let loaded = Loaded {
            state: contract(hold),
            seq: 1,
            contracts: Vec::new(),
        };
        self.shard.cells.insert(id, loaded, u64::MAX);
        let settle = Settle {
            hold: hold.clone(),
            units: 1,
            receipt: Receipt::default(),
            traceparent: None,
        };
        self.step(Input::Ask(1, Ask::Settle(Box::new(settle))))
    }
}

#[test]
fn a_name_that_was_looked_up_for_its_admission_is_not_looked_up_again_for_its_charge() {
    let mut world = World::new(Limits::default());
    let hold = hold();
    let name = name_of(&hold).unwrap();
    let asking = Asking {
        request_id: hold.request_id,
        request_hash: "words",
        until: world.start + Duration::from_secs(40),
    };
    let claims = &mut world.shard.claims;
    claims.enter(&name, asking, world.start);
    claims.is_free(&name, hold.request_id, world.shard.epoch);
    assert!(matches!(world.settle(&hold)[..], [Output::Write(..)]));
}

#[test]
fn a_settle_under_a_name_that_was_charged_is_told_what_was_kept_if_it_is_the_same_request() {
    use events_schema::api::internal::{Answer, Refusal};

    let settled = |words: &str| {
        let (mut world, outputs) = settling(&hold());
        let [Output::Fetch(_, wanted)] = &outputs[..] else {
            panic!("{outputs:?}");
        };
        let kept = KeptCharge {
            request_hash: words.to_owned(),
            receipt: Receipt::default(),
        };
        let outputs = world.fetched(wanted.clone(), Ok(Found::Kept(Some(Box::new(kept)))));
        match outputs.into_iter().next() {
            Some(Output::Answer(1, Reply::Answer(answer))) => *answer,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(settled("words"), Answer::SettledBefore { .. }));
    assert!(matches!(
        settled("other"),
        Answer::Refused {
            refusal: Refusal::DifferentRequest,
            ..
        }
    ));
}

#[test]
fn a_hold_that_is_not_here_is_looked_for_before_it_is_charged() {
    let hold = Hold {
        idempotency: None,
        ..hold()
    };
    let (mut world, outputs) = settling(&hold);
    let [Output::Fetch(_, wanted @ Wanted::Movement(..))] = &outputs[..] else {
        panic!("{outputs:?}");
    };
    // It is another owner's, which never charged it.
    let outputs = world.fetched(wanted.clone(), Ok(Found::Movement(None)));
    assert!(batch(&outputs).is_some(), "{outputs:?}");
}

#[test]
fn a_charge_that_the_store_refuses_because_it_stands_is_told_as_it_stands() {
    use events_schema::Event;
    use events_schema::api::internal::Answer;
    use events_schema::contract::v1::CreditsCharged;

    let hold = Hold {
        idempotency: None,
        ..hold()
    };
    let mut world = World::new(Limits::default());
    let new = NewHold {
        contract: hold.contract_id.unwrap(),
        id: hold.hold_id,
        set_aside: SetAside {
            credits: Credits(1),
            until: world.start + Duration::from_secs(40),
        },
    };
    world.shard.holds.place(new, world.start);
    let outputs = world.settle(&hold);
    let (number, _) = batch(&outputs).unwrap();
    world.step(Input::Written(number, Written::Refused));
    let head = Head {
        pos: 1,
        topic_seqs: vec![0; 4],
        fence: 1,
        history: events_schema::history::FIRST,
    };
    world.fetched(Wanted::Head, Ok(Found::Head(head)));
    let found = Found::Aggregate {
        state: contract(&hold),
        seq: 2,
        contracts: Vec::new(),
    };
    let id = hold.contract_id.unwrap();
    let outputs = world.fetched(Wanted::Aggregate(Kind::Contract, id.uuid()), Ok(found));
    let wanted = outputs.into_iter().find_map(|output| match output {
        Output::Fetch(_, wanted @ Wanted::Movement(..)) => Some(wanted),
        _ => None,
    });
    let charged = Event::CreditsCharged(CreditsCharged {
        contract_id: id,
        account_id: account(),
        endpoint: hold.endpoint,
        units: 1,
        credits: Credits(1),
        balance_after: Credits(8),
    });
    let found = Found::Movement(Some(Box::new(charged)));
    let outputs = world.fetched(wanted.unwrap(), Ok(found));
    match answers(&outputs)[..] {
        [(1, Reply::Answer(answer))] => assert!(matches!(
            **answer,
            Answer::Settled {
                credits_used: Credits(1),
                standing: Some(standing),
            } if standing.credits_remaining == Credits(8)
        )),
        ref other => panic!("{other:?}"),
    }
}
