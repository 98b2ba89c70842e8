//! Single schedules, by hand: each was broken once.
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{Answer, Ask as Wish, Hold, IdempotencyClaim, Receipt, Settle};
use events_schema::data_build::v1::{DataBuildLoaded, DataBuildStarted, LoadReport};
use events_schema::ids::{AccountId, ApiKeyId, BuildName, ContractId};
use events_schema::record::RecordKind;
use events_schema::{Credits, Event};
use uuid::Uuid;

use super::postgres::Postgres;
use crate::domain::account::AccountCommand;
use crate::domain::aggregate::Command;
use crate::domain::contract::{ContractCommand, Terms};
use crate::domain::data_build::DataBuildCommand;
use crate::shard::*;

fn account() -> AccountId {
    AccountId::new([7; 16])
}

fn day(ms: u64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + Duration::from_millis(ms)
}

fn contract() -> ContractId {
    ContractId::new(account(), [1; 16])
}

fn key() -> ApiKeyId {
    ApiKeyId::new(account(), [1; 10])
}

struct One {
    shard: Shard,
    start: Instant,
    writes: Vec<(u64, Arc<Batch>)>,
    probes: Vec<(u64, Arc<Batch>)>,
    answers: Vec<(u64, Reply)>,
}

impl One {
    fn new(start: Instant) -> Self {
        Self {
            shard: Shard::new(account().shard(), Arc::new(Limits::default())),
            start,
            writes: vec![],
            probes: vec![],
            answers: vec![],
        }
    }
    /// Look-ups are answered at once, writes are kept.
    fn step(&mut self, pg: &mut Postgres, ms: u64, input: Input) {
        let mut inputs = vec![input];
        while !inputs.is_empty() {
            let now = Moment {
                utc: day(ms),
                monotonic: self.start + Duration::from_millis(ms),
            };
            let input = inputs.remove(0);
            for output in self.shard.step(now, input) {
                match output {
                    Output::Fetch(epoch, wanted) => inputs.push(Input::Fetched {
                        epoch,
                        found: Ok(pg.fetch(&wanted, now.utc)),
                        wanted,
                    }),
                    Output::Write(n, b) => self.writes.push((n, b)),
                    Output::Probe(n, b) => self.probes.push((n, b)),
                    Output::Answer(t, r) => self.answers.push((t, r)),
                    _ => {}
                }
            }
        }
    }
    fn own(&mut self, pg: &mut Postgres, ms: u64, until: u64, grant: u64) {
        let until = self.start + Duration::from_millis(until);
        self.step(pg, ms, Input::Owned { until, grant });
    }
    fn ask(&mut self, pg: &mut Postgres, ms: u64, ticket: u64, ask: Ask) {
        self.step(pg, ms, Input::Ask(ticket, ask));
    }
    fn write(&mut self, pg: &mut Postgres, ms: u64) {
        while !self.writes.is_empty() {
            let (n, b) = self.writes.remove(0);
            let w = pg.append(&b, day(ms));
            self.step(pg, ms, Input::Written(n, w));
        }
    }
    fn probe(&mut self, pg: &mut Postgres, ms: u64) {
        while !self.probes.is_empty() {
            let (n, b) = self.probes.remove(0);
            let stands = pg.stands(&b);
            self.step(pg, ms, Input::Probed(n, Some(stands)));
        }
    }
    fn answer_to(&self, ticket: u64) -> Option<String> {
        let found = self.answers.iter().find(|(t, _)| *t == ticket);
        found.map(|(_, r)| format!("{r:?}"))
    }
    fn hold(&self, ticket: u64) -> Hold {
        match self.answers.iter().find(|(t, _)| *t == ticket) {
            Some((_, Reply::Answer(a))) => match &**a {
                Answer::Admitted { hold, .. } => hold.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
}

fn change(id: Uuid, command: Command, n: u128) -> Ask {
    Ask::Change(Box::new(Change {
        id,
        command,
        cause: Cause {
            request_id: Uuid::from_u128(n),
            actor: "operator:x".into(),
            traceparent: None,
        },
        row: None,
        named: None,
        once: false,
    }))
}

fn world() -> (Postgres, Instant) {
    let start = Instant::now();
    let mut pg = Postgres::new(None);
    let mut one = One::new(start);
    one.own(&mut pg, 0, 60_000, 1);
    let at = DateTime::UNIX_EPOCH;
    let asks = [
        change(
            account().uuid(),
            Command::Account(AccountCommand::Open {
                account_id: account(),
                name: "a".into(),
            }),
            1001,
        ),
        change(
            account().uuid(),
            Command::Account(AccountCommand::IssueApiKey {
                api_key_id: key(),
                endpoints: EndpointSet::All,
                rate_limits: Default::default(),
                at,
            }),
            1002,
        ),
        change(
            contract().uuid(),
            Command::Contract(ContractCommand::Create {
                terms: Terms {
                    contract_id: contract(),
                    account_id: account(),
                    endpoints: EndpointSet::All,
                    starts_on: at.date_naive(),
                    expires_on: None,
                    prices: [(Endpoint::PersonEnrich, Credits(1))].into(),
                },
                credits: Credits(100),
            }),
            1003,
        ),
    ];
    for (n, ask) in asks.into_iter().enumerate() {
        one.ask(&mut pg, 0, n as u64 + 1, ask);
        one.write(&mut pg, 0);
    }
    pg.keys.insert(
        key(),
        Proof {
            account_id: account(),
            secret_hmac: vec![1; 32],
        },
    );
    (pg, start)
}

fn admit(request: u128, name: Option<&str>) -> Ask {
    Ask::Admit(Box::new(Admit {
        key: ShownKey {
            id: key(),
            secret_hmac: [1; 32],
        },
        endpoint: Endpoint::PersonEnrich,
        request_id: Uuid::from_u128(request),
        hold_id: Uuid::from_u128(request + 10_000),
        ask: Wish::Units(1),
        idempotency: name.map(|name| IdempotencyClaim {
            key_hash: name.into(),
            request_hash: "same".into(),
        }),
    }))
}

fn settle(hold: &Hold) -> Ask {
    let settle = Settle {
        hold: hold.clone(),
        units: 1,
        receipt: Receipt::default(),
        traceparent: None,
    };
    Ask::Settle(Box::new(settle))
}

/// A shard moves while a named settle is queued behind a batch; another owner settles it; the shard comes back.
#[test]
fn a_claim_of_a_settle_that_moved_away_is_left_for_ever() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 4_000, 1);
    a.ask(&mut pg, 1, 1, admit(1, None));
    a.ask(&mut pg, 1, 2, admit(2, Some("n")));
    let (h1, h2) = (a.hold(1), a.hold(2));
    a.ask(&mut pg, 2, 3, settle(&h1)); // on its way
    a.ask(&mut pg, 2, 4, settle(&h2)); // decided, queued behind it
    a.step(&mut pg, 3, Input::Disowned);
    a.write(&mut pg, 4);
    // The other owner settles it.
    let mut b = One::new(start);
    b.own(&mut pg, 5, 9_000, 1);
    b.ask(&mut pg, 5, 1, settle(&h2));
    b.write(&mut pg, 5);
    // An hour later the first has the shard again, and the client repeats its request.
    let hour = 3_600_000;
    a.own(&mut pg, hour, hour + 4_000, 2);
    a.ask(&mut pg, hour, 5, admit(5, Some("n")));
    // Two days later, too: the name is free.
    let days = 2 * 86_400_000;
    a.own(&mut pg, days, days + 4_000, 3);
    a.ask(&mut pg, days, 6, admit(6, Some("n")));
    assert!(a.answer_to(5).unwrap().contains("Replay"));
}

/// A write is lost; the lease runs out and another owner reads; the first one's second try is written and told.
#[test]
fn a_revocation_is_told_and_the_key_is_served_by_the_new_owner() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 4_000, 1);
    let revoke = change(
        account().uuid(),
        Command::Account(AccountCommand::RevokeApiKey {
            api_key_id: key(),
            at: DateTime::UNIX_EPOCH,
        }),
        2001,
    );
    a.ask(&mut pg, 3_900, 1, revoke);
    // The connection to the store breaks before the statement arrives.
    let (n, _lost) = a.writes.remove(0);
    a.step(&mut pg, 3_950, Input::Written(n, Written::Lost));
    // It is tried again, and the store cannot be reached for some time.
    for ms in [4_000, 4_100, 4_200, 4_500, 5_000, 5_600] {
        a.step(&mut pg, ms, Input::Tick);
        while let Some((n, _)) = a.writes.pop() {
            a.step(&mut pg, ms, Input::Written(n, Written::Lost));
        }
    }
    a.step(&mut pg, 5_700, Input::Disowned);
    // B has the lease since 5,000 and a client comes.
    let mut b = One::new(start);
    b.own(&mut pg, 5_800, 9_800, 1);
    b.ask(&mut pg, 5_800, 1, admit(1, None));
    assert!(b.answer_to(1).unwrap().contains("Admitted"));
    b.ask(&mut pg, 5_800, 2, Ask::Contracts(account()));
    // The store can be reached again: A tries again.
    a.step(&mut pg, 6_200, Input::Tick);
    a.write(&mut pg, 6_210);
    a.probe(&mut pg, 6_220);
    // It is not told as done: nobody wrote it, and nobody can any more.
    assert!(
        a.answer_to(1).unwrap().contains("NotOwned"),
        "{:?}",
        a.answer_to(1)
    );
    assert!(
        !pg.events
            .iter()
            .any(|event| matches!(event.event, Event::ApiKeyRevoked(_)))
    );
}

/// The same with a charge: its balance is told by A, and B shows an older one.
#[test]
fn a_charge_is_told_and_the_new_owner_shows_an_older_balance() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 4_000, 1);
    a.ask(&mut pg, 3_000, 1, admit(1, None));
    let h = a.hold(1);
    a.ask(&mut pg, 3_900, 2, settle(&h));
    let (n, _lost) = a.writes.remove(0);
    a.step(&mut pg, 5_200, Input::Written(n, Written::Lost));
    let mut b = One::new(start);
    b.own(&mut pg, 5_100, 60_800, 1);
    b.ask(&mut pg, 5_210, 1, Ask::Contract(contract()));
    a.step(&mut pg, 5_230, Input::Tick);
    a.write(&mut pg, 5_240);
    a.probe(&mut pg, 5_250);
    assert!(
        !a.answer_to(2).unwrap().contains("Settled"),
        "{:?}",
        a.answer_to(2)
    );
    b.ask(&mut pg, 30_000, 2, Ask::Contract(contract()));
    assert!(b.answer_to(2).unwrap().contains("balance: Credits(100)"));
}

/// A hold is settled again while the outcome of its first settling is not known.
#[test]
fn a_second_settle_is_told_that_nothing_was_charged_and_it_is_charged() {
    for how in ["told", "overloaded"] {
        let (mut pg, start) = world();
        let mut a = One::new(start);
        if how == "overloaded" {
            let limits = Limits {
                max_waiting: 1,
                ..Limits::default()
            };
            a.shard = Shard::new(account().shard(), Arc::new(limits));
        }
        a.own(&mut pg, 0, 60_000, 1);
        a.ask(&mut pg, 1, 1, admit(1, Some("n")));
        let h = a.hold(1);
        a.ask(&mut pg, 2, 2, settle(&h));
        let (n, batch) = a.writes.remove(0);
        if how == "told" {
            a.step(&mut pg, 6_000, Input::Written(n, Written::Lost));
        }
        a.ask(&mut pg, 6_001, 3, settle(&h));
        let second = a.answer_to(3);
        assert!(second.is_none_or(|told| told.contains("Unknown")));
        // The first one arrives after all.
        pg.append(&batch, day(6_002));
        if how == "told" {
            a.step(&mut pg, 7_000, Input::Tick);
        } else {
            // Its name is free while its charge is on its way.
            a.ask(&mut pg, 6_002, 4, admit(4, Some("n")));
            assert!(!a.answer_to(4).unwrap().contains("Admitted"));
            a.step(&mut pg, 6_100, Input::Written(n, Written::Committed));
        }
        let charged = pg
            .events
            .iter()
            .filter(|e| matches!(e.event, Event::CreditsCharged(_)));
        assert_eq!(charged.count(), 1);
    }
}

/// Ids of another type poison a cell.
#[test]
fn a_contract_asked_for_by_the_id_of_an_account_that_is_opened_later() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 60_000, 1);
    let new = (0..=255u8)
        .flat_map(|x| {
            (0..=255u8).map(move |y| {
                let mut b = [9; 16];
                b[0] = x;
                b[1] = y;
                AccountId::new(b)
            })
        })
        .find(|id| id.shard() == account().shard())
        .unwrap();
    a.ask(&mut pg, 1, 1, Ask::Contract(ContractId::from(new.uuid())));
    a.ask(
        &mut pg,
        2,
        2,
        change(
            new.uuid(),
            Command::Account(AccountCommand::Open {
                account_id: new,
                name: "n".into(),
            }),
            77,
        ),
    );
    a.write(&mut pg, 3);
    assert!(a.answer_to(2).unwrap().contains("Account"));
}

/// The answer to a write that was carried out is lost; the second try is refused for want of rights; look-ups fail, too.
#[test]
fn a_charge_that_stands_is_told_as_none_after_a_refusal_of_another_kind() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 60_000, 1);
    a.ask(&mut pg, 1, 1, admit(1, None));
    let h = a.hold(1);
    a.ask(&mut pg, 2, 2, settle(&h));
    let (n, batch) = a.writes.remove(0);
    assert_eq!(pg.append(&batch, day(2)), Written::Committed);
    a.step(&mut pg, 10, Input::Written(n, Written::Lost));
    a.step(&mut pg, 40, Input::Tick);
    let (n, _) = a.writes.remove(0);
    let now = Moment {
        utc: DateTime::UNIX_EPOCH + TimeDelta::days(20_000),
        monotonic: start + Duration::from_millis(50),
    };
    let out = a.shard.step(now, Input::Written(n, Written::Refused));
    for output in out {
        if let Output::Fetch(epoch, wanted) = output {
            let now = Moment {
                monotonic: start + Duration::from_millis(60),
                ..now
            };
            for o in a.shard.step(
                now,
                Input::Fetched {
                    epoch,
                    wanted,
                    found: Err(Failing::Database),
                },
            ) {
                let none = matches!(o, Output::Answer(2, Reply::Unavailable(_)));
                assert!(!none, "it stands");
            }
        }
    }
}

/// Forged keys take every place.
#[test]
fn forged_keys_take_every_place_and_a_settle_is_sent_away() {
    let (mut pg, start) = world();
    let mut a = One::new(start);
    a.own(&mut pg, 0, 60_000, 1);
    a.ask(&mut pg, 1, 1, admit(1, None));
    let h = a.hold(1);
    let now = Moment {
        utc: DateTime::UNIX_EPOCH + TimeDelta::days(20_000),
        monotonic: start + Duration::from_millis(5),
    };
    for n in 0..8_192u64 {
        let mut b = [0u8; 10];
        b[..8].copy_from_slice(&n.to_le_bytes());
        for x in &mut b {
            *x %= 62;
        }
        b[8] = (n / 62 % 62) as u8;
        b[9] = (n / 3844 % 62) as u8;
        b[0] = (n % 62) as u8;
        let ask = Ask::Check(ShownKey {
            id: ApiKeyId::new(account(), b),
            secret_hmac: [0; 32],
        });
        a.shard.step(now, Input::Ask(1_000 + n, ask));
    }
    a.ask(&mut pg, 6, 2, settle(&h));
    assert!(a.answer_to(2).is_none());
}

fn build(n: u8) -> BuildName {
    format!("2026.11.{n}-person").parse().unwrap()
}

fn activate(n: u8) -> Ask {
    let at = DateTime::UNIX_EPOCH;
    let is_active = false;
    let command = DataBuildCommand::Activate { is_active, at };
    let Ask::Change(mut ask) = of_build(n, command, 3_000 + u128::from(n)) else {
        panic!("a change");
    };
    ask.row = Some(Row::ActiveBuild {
        kind: RecordKind::Person,
        build: build(n),
    });
    Ask::Change(ask)
}

fn of_build(n: u8, command: DataBuildCommand, request: u128) -> Ask {
    change(build(n).id(), Command::DataBuild(command), request)
}

/// An owner of the shard of builds.
fn keeper(pg: &mut Postgres, start: Instant, ms: u64) -> One {
    let mut one = One::new(start);
    one.shard = Shard::new(events_schema::ids::Shard::DATA_BUILDS, Arc::default());
    one.own(pg, ms, ms + 60_000, 1);
    one
}

/// Two builds that are loaded; the second one is active, and the first one was.
fn builds() -> (Postgres, Instant) {
    let (mut pg, start) = (Postgres::new(None), Instant::now());
    let mut one = keeper(&mut pg, start, 0);
    for n in [1, 2] {
        let started = DataBuildStarted {
            build: build(n),
            kind: RecordKind::Person,
            as_of: None,
            started_at: DateTime::UNIX_EPOCH,
        };
        let loaded = DataBuildLoaded {
            build: build(n),
            rows: 1,
            rejected: 0,
            rejects_object: None,
            reference_date: DateTime::UNIX_EPOCH.date_naive(),
            report: LoadReport::default(),
            search_files: None,
        };
        let asks = [
            of_build(n, DataBuildCommand::Start(started), 1),
            of_build(n, DataBuildCommand::Seal { chunks: 0 }, 2),
            of_build(n, DataBuildCommand::RecordLoaded(Box::new(loaded)), 3),
            activate(n),
        ];
        for (at, ask) in asks.into_iter().enumerate() {
            one.ask(&mut pg, 0, u64::from(n) * 10 + at as u64, ask);
            one.write(&mut pg, 0);
        }
    }
    (pg, start)
}

/// Gives up and drops what is believed not to be active.
fn ends() -> [DataBuildCommand; 2] {
    let (is_active, at) = (false, DateTime::UNIX_EPOCH);
    [
        DataBuildCommand::Abandon { is_active, at },
        DataBuildCommand::Drop { is_active, at },
    ]
}

/// A build is given up; the batch finds that another owner has written: it has made the build active.
#[test]
fn a_build_that_another_owner_made_active_meanwhile_is_given_up() {
    for end in ends() {
        let (mut pg, start) = builds();
        let mut a = keeper(&mut pg, start, 10);
        a.ask(&mut pg, 10, 1, of_build(1, end, 77));
        assert_eq!(a.writes.len(), 1);
        let mut b = keeper(&mut pg, start, 20);
        b.ask(&mut pg, 20, 1, activate(1));
        b.write(&mut pg, 20);
        // A has the shard again before it hears of its batch.
        a.own(&mut pg, 30, 60_000, 2);
        a.write(&mut pg, 30);
        assert!(
            a.answer_to(1)
                .unwrap()
                .contains("Refused(DataBuild(Active))")
        );
    }
}

/// Who activated a build hung up before it was durable, and somebody gives the build up.
#[test]
fn a_build_that_is_just_being_made_active_is_given_up() {
    for end in ends() {
        let (mut pg, start) = builds();
        let mut a = keeper(&mut pg, start, 10);
        a.ask(&mut pg, 10, 1, activate(1));
        a.ask(&mut pg, 11, 2, of_build(1, end, 77));
        a.write(&mut pg, 12);
        assert!(
            a.answer_to(2)
                .unwrap()
                .contains("Refused(DataBuild(Active))")
        );
    }
}
