//! What an admission decides, from what is in memory.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};
use events_schema::api::internal::{Answer, Ask as Wish, Refusal, Standing};

use super::super::keys::Proof;
use super::*;
use crate::domain::account::{Account, Key};
use crate::domain::contract::End;

const ENDPOINT: Endpoint = Endpoint::PersonEnrich;
const HOLD_MS: u64 = 40_000;

/// A contract to be: its number, its balance, and what differs.
struct Made {
    n: u8,
    balance: i64,
    starts_in: u64,
    days: Option<u64>,
    covers: Endpoint,
    price: i64,
    /// The day on which it was ended.
    ended: Option<i64>,
}

const fn made(n: u8, balance: i64) -> Made {
    Made {
        n,
        balance,
        starts_in: 0,
        days: None,
        covers: ENDPOINT,
        price: 1,
        ended: None,
    }
}

fn id(n: u8) -> ContractId {
    ContractId::new(account(), [n; 16])
}

fn day(days: u64) -> NaiveDate {
    DateTime::UNIX_EPOCH.date_naive() + Days::new(days)
}

/// A shard on its second day that has an account with these contracts and a key for [`ENDPOINT`] in memory.
fn world(limits: Limits, contracts: &[Made]) -> World {
    let mut world = World::new(limits);
    world.at = 86_400_000;
    let until = world.start + Duration::from_secs(200_000);
    world.step(Input::Owned { until, grant: 1 });
    let own = Key {
        endpoints: EndpointSet::Only(BTreeSet::from([ENDPOINT])),
        rate_limits: BTreeMap::new(),
        issued_at: DateTime::UNIX_EPOCH,
        revoked_at: None,
    };
    let state = Account {
        id: Some(account()),
        keys: BTreeMap::from([(key(1), own)]),
    };
    let ids = contracts.iter().map(|made| id(made.n)).collect();
    let cells = &mut world.shard.cells;
    let loaded = Loaded {
        state: Aggregate::Account(Arc::new(state)),
        seq: 1,
        contracts: ids,
    };
    cells.insert((Kind::Account, account().uuid()), loaded, u64::MAX);
    for made in contracts {
        let terms = Terms {
            contract_id: id(made.n),
            account_id: account(),
            endpoints: EndpointSet::Only(BTreeSet::from([made.covers])),
            starts_on: day(made.starts_in),
            expires_on: made.days.map(day),
            prices: [(ENDPOINT, Credits(made.price))].into(),
        };
        let contract = Contract {
            terms: Some(terms),
            granted: Credits(100),
            balance: Credits(made.balance),
            ended: made.ended.map(|days| End {
                at: DateTime::UNIX_EPOCH + TimeDelta::days(days),
                reason: "cancelled".to_owned(),
            }),
        };
        let loaded = Loaded {
            state: Aggregate::Contract(Arc::new(contract)),
            seq: 1,
            contracts: Vec::new(),
        };
        cells.insert((Kind::Contract, id(made.n).uuid()), loaded, u64::MAX);
    }
    let proof = Proof {
        account_id: account(),
        secret_hmac: vec![0; 32],
    };
    let now = Moment {
        utc: DateTime::UNIX_EPOCH,
        monotonic: world.start,
    };
    world.shard.keys.keep(key(1), Some(proof), now);
    world
}

impl World {
    fn admit(&mut self, ask: Wish, change: impl FnOnce(&mut Admit)) -> Vec<Output> {
        self.admit_as(1, ask, change)
    }

    fn admit_as(
        &mut self,
        ticket: Ticket,
        ask: Wish,
        change: impl FnOnce(&mut Admit),
    ) -> Vec<Output> {
        let n = self.at.into();
        let mut admit = Admit {
            key: ShownKey {
                id: key(1),
                secret_hmac: [0; 32],
            },
            endpoint: ENDPOINT,
            request_id: Uuid::from_u128(n),
            hold_id: Uuid::from_u128(n),
            ask,
            idempotency: None,
        };
        self.at += 1;
        change(&mut admit);
        self.step(Input::Ask(ticket, Ask::Admit(Box::new(admit))))
    }

    /// A request under one name; `words` tell one such request from another.
    fn named(&mut self, ticket: Ticket, words: &str) -> Vec<Output> {
        self.admit_as(ticket, Wish::Units(1), |admit| {
            admit.idempotency = Some(IdempotencyClaim {
                key_hash: "name".to_owned(),
                request_hash: words.to_owned(),
            });
        })
    }

    /// The answer to a request for so many units.
    fn units(&mut self, units: u32) -> Answer {
        answer(self.admit(Wish::Units(units), |_| {}))
    }
}

/// The look for what is kept under the name.
fn kept(outputs: Vec<Output>) -> Wanted {
    match outputs.into_iter().next() {
        Some(Output::Fetch(_, kept @ Wanted::Kept(..))) => kept,
        other => panic!("{other:?}"),
    }
}

fn answer(outputs: Vec<Output>) -> Answer {
    match outputs.into_iter().next() {
        Some(Output::Answer(_, Reply::Answer(answer))) => *answer,
        other => panic!("{other:?}"),
    }
}

fn held_on(answer: &Answer) -> ContractId {
    match answer {
        Answer::Admitted { hold, .. } => hold.contract_id.unwrap(),
        other => panic!("{other:?}"),
    }
}

fn why(answer: Answer) -> (Refusal, Option<Standing>) {
    match answer {
        Answer::Refused {
            refusal, standing, ..
        } => (refusal, standing),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_contract_that_expires_first_serves_first_and_then_the_next_that_has_the_credits() {
    let contracts = [
        made(1, 10),
        Made {
            days: Some(9),
            ..made(2, 3)
        },
        Made {
            days: Some(5),
            ..made(3, 4)
        },
    ];
    let mut world = world(Limits::default(), &contracts);
    assert_eq!(held_on(&world.units(4)), id(3));
    assert_eq!(held_on(&world.units(3)), id(2));
    assert_eq!(held_on(&world.units(10)), id(1));
    let (refusal, standing) = why(world.units(1));
    let none_left = Refusal::InsufficientCredits {
        required: Credits(1),
        available: Credits::ZERO,
    };
    assert_eq!((refusal, standing.unwrap().contract_id), (none_left, id(3)));
}

#[test]
fn a_contract_serves_what_it_covers_from_its_first_day() {
    let contracts = [
        Made {
            starts_in: 2,
            ..made(1, 10)
        },
        Made {
            covers: Endpoint::CompanyEnrich,
            ..made(2, 10)
        },
    ];
    let mut world = world(Limits::default(), &contracts);
    assert_eq!(why(world.units(1)).0, Refusal::NoActiveContract);
    world.at += 86_400_000;
    assert_eq!(held_on(&world.units(1)), id(1));
}

#[test]
fn contracts_without_any_credit_are_exhausted_and_those_with_too_few_insufficient() {
    let mut none = world(Limits::default(), &[made(1, 0), made(2, 0)]);
    let (refusal, standing) = why(none.units(1));
    let exhausted = Refusal::ContractExhausted {
        credits_remaining: Credits::ZERO,
        expiration_date: None,
    };
    assert_eq!((refusal, standing.unwrap().contract_id), (exhausted, id(1)));
    let mut few = world(Limits::default(), &[made(1, 0), made(2, 4), made(3, 2)]);
    let (refusal, standing) = why(few.units(5));
    let insufficient = Refusal::InsufficientCredits {
        required: Credits(5),
        available: Credits(4),
    };
    assert_eq!(
        (refusal, standing.unwrap().contract_id),
        (insufficient, id(2))
    );
}

#[test]
fn an_expired_contract_is_told_of_only_where_no_other_one_is_left() {
    let expired = || Made {
        days: Some(0),
        ..made(1, 10)
    };
    let (refusal, _) = why(world(Limits::default(), &[expired()]).units(1));
    let told = Refusal::ContractExpired {
        credits_remaining: Credits(10),
        expiration_date: day(0),
    };
    assert_eq!(refusal, told);
    let (refusal, _) = why(world(Limits::default(), &[expired(), made(2, 1)]).units(2));
    assert!(matches!(refusal, Refusal::InsufficientCredits { .. }));
}

#[test]
fn a_contract_that_was_ended_serves_no_more_whatever_is_left_on_it() {
    let ended = |n| Made {
        ended: Some(0),
        ..made(n, 10)
    };
    let (refusal, standing) = why(world(Limits::default(), &[ended(1)]).units(1));
    let told = Refusal::ContractExpired {
        credits_remaining: Credits(10),
        expiration_date: day(0),
    };
    assert_eq!((refusal, standing.unwrap().contract_id), (told, id(1)));
    // The one that was over last is told of, whether it was ended or expired.
    let expired = |n, days| Made {
        days: Some(days),
        ..made(n, 10)
    };
    let later = Made {
        ended: Some(1),
        days: Some(9),
        ..made(3, 10)
    };
    let contracts = [ended(1), expired(2, 0), later];
    let (_, standing) = why(world(Limits::default(), &contracts).units(1));
    assert_eq!(standing.unwrap().contract_id, id(3));
    // Of one day, whoever served to its end was over last.
    for contracts in [[ended(1), expired(2, 0)], [expired(2, 0), ended(1)]] {
        let (_, standing) = why(world(Limits::default(), &contracts).units(1));
        assert_eq!(standing.unwrap().contract_id, id(2));
    }
    let never_began = Made {
        starts_in: 9,
        ..ended(1)
    };
    let (refusal, _) = why(world(Limits::default(), &[never_began]).units(1));
    assert!(matches!(refusal, Refusal::ContractExpired { .. }));
    let mut other = world(Limits::default(), &[ended(1), made(2, 10)]);
    match other.units(1) {
        Answer::Admitted { hold, .. } => assert_eq!(hold.contract_id, Some(id(2))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_that_costs_nothing_is_told_of_the_contract_that_has_credits() {
    let standing = |contracts: &[Made]| {
        let outputs = world(Limits::default(), contracts).admit(Wish::Nothing, |_| {});
        match answer(outputs) {
            Answer::Noted { standing, .. } => standing.map(|standing| standing.contract_id),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(standing(&[made(1, 0), made(2, 1)]), Some(id(2)));
    assert_eq!(standing(&[made(1, 1), made(2, 9)]), Some(id(1)));
    assert_eq!(standing(&[made(1, 0), made(2, 0)]), Some(id(1)));
}

/// What `GET /credits` names as the contract that would serve next.
fn serves_next(world: &mut World) -> Option<ContractId> {
    let key = ShownKey {
        id: key(1),
        secret_hmac: [0; 32],
    };
    let outputs = world.step(Input::Ask(1, Ask::Credits(key)));
    match outputs.into_iter().next() {
        Some(Output::Answer(_, Reply::Credits(credits))) => credits.serves_next,
        other => panic!("{other:?}"),
    }
}

/// What a request that costs nothing is told.
fn told_of(world: &mut World) -> Option<ContractId> {
    match answer(world.admit(Wish::Nothing, |_| {})) {
        Answer::Noted { standing, .. } => standing.map(|standing| standing.contract_id),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_contract_whose_credits_are_set_aside_is_not_the_one_that_would_serve() {
    let mut world = world(Limits::default(), &[made(1, 1), made(2, 1)]);
    for left in [1, 2] {
        assert_eq!(serves_next(&mut world), Some(id(left)));
        assert_eq!(told_of(&mut world), Some(id(left)));
        assert_eq!(held_on(&world.units(1)), id(left));
    }
    // Nothing is left: the first.
    assert_eq!(serves_next(&mut world), Some(id(1)));
    assert_eq!(told_of(&mut world), Some(id(1)));
}

#[test]
fn a_contract_that_has_no_room_for_another_hold_is_not_the_one_that_would_serve() {
    let limits = Limits {
        max_holds: 1,
        ..Limits::default()
    };
    let mut world = world(limits, &[made(1, 9), made(2, 9)]);
    assert_eq!(held_on(&world.units(1)), id(1));
    assert_eq!(serves_next(&mut world), Some(id(2)));
    assert_eq!(held_on(&world.units(1)), id(2));
}

#[test]
fn the_contract_that_would_serve_has_the_price_of_a_unit() {
    let dear = Made {
        price: 3,
        ..made(1, 2)
    };
    let mut world = world(Limits::default(), &[dear, made(2, 1)]);
    assert_eq!(serves_next(&mut world), Some(id(2)));
    assert_eq!(told_of(&mut world), Some(id(2)));
    let free = Made {
        price: 0,
        ..made(1, 0)
    };
    let mut world = self::world(Limits::default(), &[free, made(2, 1)]);
    assert_eq!(serves_next(&mut world), Some(id(1)));
    assert_eq!(held_on(&world.units(1)), id(1));
}

#[test]
fn what_serves_next_is_active_and_may_cover_any_endpoint() {
    let over = Made {
        ended: Some(1),
        ..made(1, 9)
    };
    let later = Made {
        starts_in: 9,
        ..made(2, 9)
    };
    let mut world = world(Limits::default(), &[over, later]);
    assert_eq!(serves_next(&mut world), None);
    let other = Made {
        covers: Endpoint::PersonSearch,
        ..made(3, 9)
    };
    let mut world = self::world(Limits::default(), &[other, made(4, 9)]);
    assert_eq!(serves_next(&mut world), Some(id(3)));
    assert_eq!(told_of(&mut world), Some(id(4)));
}

#[test]
fn a_quote_is_of_the_contract_that_would_serve_and_sets_nothing_aside() {
    let mut world = world(Limits::default(), &[made(1, 3), made(2, 100)]);
    let quoted = |world: &mut World, units| match answer(world.admit(Wish::Quote(units), |_| {})) {
        Answer::Admitted { hold, .. } => (hold.contract_id.unwrap(), hold.units),
        other => panic!("{other:?}"),
    };
    assert_eq!(quoted(&mut world, 3), (id(1), 0));
    assert_eq!(quoted(&mut world, 10), (id(2), 0));
    // Whoever lacks the credits is told the price all the same.
    assert_eq!(quoted(&mut world, 1_000), (id(1), 0));
    assert_eq!(held_on(&world.units(3)), id(1));
    assert_eq!(held_on(&world.units(100)), id(2));
}

#[test]
fn a_request_that_costs_nothing_needs_a_contract_all_the_same() {
    let mut none = world(Limits::default(), &[]);
    let (refusal, _) = why(answer(none.admit(Wish::Nothing, |_| {})));
    assert_eq!(refusal, Refusal::NoActiveContract);
}

#[test]
fn a_key_needs_its_secret_and_calls_what_it_may_and_what_is_free() {
    let mut with = world(Limits::default(), &[made(1, 10)]);
    let forged = with.admit(Wish::Units(1), |admit| admit.key.secret_hmac = [1; 32]);
    assert_eq!(why(answer(forged)).0, Refusal::InvalidApiKey);
    let other = with.admit(Wish::Units(1), |admit| {
        admit.endpoint = Endpoint::CompanyEnrich;
    });
    assert_eq!(why(answer(other)).0, Refusal::EndpointNotAllowed);
    // A report needs neither right nor contract.
    let mut without = world(Limits::default(), &[]);
    let report = without.admit(Wish::Units(1), |admit| {
        admit.endpoint = Endpoint::ReportPerson;
    });
    assert!(matches!(answer(report), Answer::Admitted { .. }));
    assert_eq!(why(without.units(1)).0, Refusal::NoActiveContract);
}

#[test]
fn what_is_set_aside_is_free_again_when_its_time_is_over() {
    let mut world = world(Limits::default(), &[made(1, 5)]);
    let began = world.at;
    match world.units(5) {
        Answer::Admitted { hold, .. } => {
            let end = DateTime::UNIX_EPOCH + Duration::from_millis(began + 1 + HOLD_MS);
            assert_eq!(hold.expires_at, end);
        }
        other => panic!("{other:?}"),
    }
    world.at = began + HOLD_MS - 10;
    let (refusal, _) = why(world.units(1));
    assert!(matches!(refusal, Refusal::InsufficientCredits { .. }));
    world.at = began + HOLD_MS + 1;
    assert_eq!(held_on(&world.units(5)), id(1));
}

#[test]
fn a_contract_has_a_limit_of_requests_at_work() {
    let limits = Limits {
        max_holds: 2,
        ..Limits::default()
    };
    let mut world = world(limits, &[made(1, 9)]);
    assert_eq!(held_on(&world.units(1)), id(1));
    assert_eq!(held_on(&world.units(1)), id(1));
    assert!(matches!(world.units(1), Answer::Unavailable { .. }));
}

#[test]
fn a_name_is_taken_until_its_time_is_over_and_by_its_request_alone() {
    let mut world = world(Limits::default(), &[made(1, 9)]);
    let began = world.at;
    let asked = kept(world.named(1, "words"));
    let outputs = world.fetched(asked, Ok(Found::Kept(None)));
    assert_eq!(held_on(&answer(outputs)), id(1));
    world.at = began + HOLD_MS - 10;
    let told = why(answer(world.named(1, "words"))).0;
    assert_eq!(told, Refusal::InProgress);
    let told = why(answer(world.named(1, "other"))).0;
    assert_eq!(told, Refusal::DifferentRequest);
    world.at = began + HOLD_MS + 1;
    // It was charged meanwhile.
    let charged = |words: &str| {
        Ok(Found::Kept(Some(Box::new(KeptCharge {
            request_hash: words.to_owned(),
            receipt: Receipt::default(),
        }))))
    };
    let asked = kept(world.named(1, "words"));
    let outputs = world.fetched(asked, charged("words"));
    assert!(matches!(answer(outputs), Answer::Replay { .. }));
    let asked = kept(world.named(1, "other"));
    let outputs = world.fetched(asked, charged("words"));
    assert_eq!(why(answer(outputs)).0, Refusal::DifferentRequest);
}

#[test]
fn who_waits_for_the_store_until_its_name_is_anothers_is_not_admitted_beside_it() {
    let mut world = world(Limits::default(), &[made(1, 9)]);
    let began = world.at;
    let first = kept(world.named(1, "words"));
    // The store says nothing for so long that the name is the next one's.
    world.at = began + HOLD_MS + 1;
    let second = kept(world.named(2, "words"));
    let outputs = world.fetched(second, Ok(Found::Kept(None)));
    assert_eq!(held_on(&answer(outputs)), id(1));
    let outputs = world.fetched(first, Ok(Found::Kept(None)));
    assert_eq!(why(answer(outputs)).0, Refusal::InProgress);
}

#[test]
fn a_name_is_taken_as_long_as_the_credits_of_its_request_are_held() {
    let mut world = world(Limits::default(), &[made(1, 9)]);
    let began = world.at;
    let asked = kept(world.named(1, "words"));
    world.at = began + HOLD_MS - 10;
    let outputs = world.fetched(asked, Ok(Found::Kept(None)));
    assert_eq!(held_on(&answer(outputs)), id(1));
    world.at = began + HOLD_MS + 1;
    let told = why(answer(world.named(1, "words"))).0;
    assert_eq!(told, Refusal::InProgress);
}

#[test]
fn a_clock_that_is_set_back_or_forward_frees_credits_and_names_neither_early_nor_late() {
    for hours in [-1, 0, 1] {
        let mut world = world(Limits::default(), &[made(1, 9)]);
        world.at += 7_200_000;
        let began = world.at;
        let asked = kept(world.named(1, "words"));
        let outputs = world.fetched(asked, Ok(Found::Kept(None)));
        assert_eq!(held_on(&answer(outputs)), id(1));
        assert_eq!(held_on(&world.units(8)), id(1));
        world.set_by = TimeDelta::hours(hours);
        world.at = began + HOLD_MS - 10;
        assert!(matches!(
            why(world.units(1)).0,
            Refusal::InsufficientCredits { .. } | Refusal::ContractExhausted { .. }
        ));
        let told = why(answer(world.named(1, "words"))).0;
        assert_eq!(told, Refusal::InProgress, "{hours}");
        world.at = began + HOLD_MS + 10;
        assert_eq!(held_on(&world.units(9)), id(1), "{hours}");
        kept(world.named(1, "words"));
    }
}
