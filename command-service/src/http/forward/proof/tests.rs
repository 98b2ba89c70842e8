use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::ManualClock;

use super::*;

const HERE: &str = "http://10.0.0.1:8083";
const ELSEWHERE: &str = "http://10.0.0.2:8083";
const SECRET: &str = "a secret of sixteen";

fn clock() -> ManualClock {
    ManualClock::at(DateTime::from_timestamp_millis(1_795_262_460_000).unwrap())
}

fn proofs(address: &str, secrets: &str, clock: &ManualClock) -> Proofs {
    Proofs::new(secrets.parse().unwrap(), address, Arc::new(clock.clone()))
}

const POST: Method = Method::POST;
const GRANT: Passed<'static> = Passed {
    actor: "alice",
    request_id: Uuid::from_u128(7),
    method: &POST,
    path: "/internal/forwarded/admin/contracts/1/grants",
    headers: &[None, None],
    body: b"{\"credits\":5}",
};

fn reason(problem: &Problem) -> String {
    assert_eq!(problem.status(), 401);
    problem.details_ref()["reason"].as_str().unwrap().to_owned()
}

/// What `receiver` tells `sender` for the request, or why it does not.
fn line(sender: &Proofs, receiver: &Proofs, passed: &Passed<'_>) -> Result<HeaderMap, String> {
    let ask = sender.ask(&receiver.address, passed.request_id);
    let told = receiver.tell(passed.request_id, &ask);
    told.map_err(|problem| reason(&problem))
}

/// The request as `sender` passes it on to `receiver`, whose line it has asked for.
fn signed(sender: &Proofs, receiver: &Proofs, passed: &Passed<'_>) -> HeaderMap {
    let told = line(sender, receiver, passed).unwrap();
    let at = sender.told_place(&receiver.address, passed.request_id, &told);
    sender.sign(&receiver.address, at.unwrap(), passed)
}

fn take(proofs: &Proofs, headers: &HeaderMap, passed: &Passed<'_>) -> Result<(), String> {
    let taken = proofs
        .fresh(headers)
        .and_then(|at| proofs.take(headers, at, passed));
    taken.map_err(|problem| reason(&problem))
}

fn refused(why: &str) -> Result<(), String> {
    Err(why.to_owned())
}

/// Two instances, on machines of their own.
struct Pair {
    sender: Proofs,
    senders_clock: ManualClock,
    receiver: Proofs,
    clock: ManualClock,
}

fn pair() -> Pair {
    let (senders_clock, clock) = (clock(), clock());
    Pair {
        sender: proofs(&format!("{ELSEWHERE}/"), SECRET, &senders_clock),
        receiver: proofs(&format!("{HERE}/"), SECRET, &clock),
        senders_clock,
        clock,
    }
}

#[test]
fn a_request_is_taken_once_as_it_was_sent() {
    let Pair {
        sender, receiver, ..
    } = pair();
    let headers = signed(&sender, &receiver, &GRANT);
    assert_eq!(take(&receiver, &headers, &GRANT), Ok(()));
    assert_eq!(take(&receiver, &headers, &GRANT), refused("replayed_proof"));
}

#[test]
fn whatever_is_changed_of_it_is_refused() {
    let Pair {
        sender,
        receiver,
        clock,
        ..
    } = pair();
    let earlier = signed(&sender, &receiver, &GRANT);
    clock.advance(Duration::from_millis(1));
    let headers = signed(&sender, &receiver, &GRANT);
    let value = HeaderValue::from_static("application/json");
    for changed in [
        Passed {
            actor: "bob",
            ..GRANT
        },
        Passed { actor: "", ..GRANT },
        Passed {
            request_id: Uuid::from_u128(8),
            ..GRANT
        },
        Passed {
            method: &Method::DELETE,
            ..GRANT
        },
        Passed {
            path: "/internal/forwarded/admin/contracts/2/grants",
            ..GRANT
        },
        Passed {
            headers: &[None, Some(&value)],
            ..GRANT
        },
        Passed {
            body: b"{\"credits\":6}",
            ..GRANT
        },
        Passed { body: b"", ..GRANT },
    ] {
        let taken = take(&receiver, &headers, &changed);
        assert_eq!(taken, refused("invalid_proof"), "{changed:?}");
    }
    let elsewhere = sender.sign(ELSEWHERE, receiver.line.now(), &GRANT);
    assert_eq!(
        take(&receiver, &elsewhere, &GRANT),
        refused("invalid_proof")
    );
    let mut moved = headers.clone();
    moved.insert(AT, earlier[&AT].clone());
    assert_eq!(take(&receiver, &moved, &GRANT), refused("invalid_proof"));
    assert_eq!(take(&receiver, &headers, &GRANT), Ok(()));
}

#[test]
fn without_a_whole_proof_it_is_refused_before_its_body_is_read() {
    let Pair {
        sender, receiver, ..
    } = pair();
    let whole = signed(&sender, &receiver, &GRANT);
    for (name, bad, why) in [
        (&AT, None, "missing_proof"),
        (&AT, Some("now"), "invalid_proof"),
        (&AT, Some("1795262460000"), "invalid_proof"),
        (&PROOF, None, "missing_proof"),
        (&PROOF, Some(""), "invalid_proof"),
        (&PROOF, Some(&*"é".repeat(32)), "missing_proof"),
        (&PROOF, Some(&*"+1".repeat(32)), "invalid_proof"),
    ] {
        let mut headers = whole.clone();
        headers.remove(name);
        if let Some(bad) = bad {
            headers.insert(name, HeaderValue::from_bytes(bad.as_bytes()).unwrap());
        }
        let fresh = receiver.fresh(&headers).map(drop);
        let fresh = fresh.map_err(|problem| reason(&problem));
        assert_eq!(fresh, refused(why), "{bad:?}");
    }
    let mut twice = whole.clone();
    twice.append(PROOF, whole[&PROOF].clone());
    assert_eq!(take(&receiver, &twice, &GRANT), refused("missing_proof"));
    let mut other = whole;
    other.insert(PROOF, HeaderValue::from_str(&"0".repeat(64)).unwrap());
    assert_eq!(take(&receiver, &other, &GRANT), refused("invalid_proof"));
}

#[test]
fn clocks_that_are_set_or_differ_change_nothing() {
    let Pair {
        sender,
        senders_clock,
        receiver,
        clock,
    } = pair();
    // One machine has been up for a month longer.
    senders_clock.advance(Duration::from_hours(30 * 24));
    for (number, hours) in (1..).zip([-1, 1, 24, -48]) {
        let headers = signed(&sender, &receiver, &GRANT);
        let wish = Passed {
            request_id: Uuid::from_u128(number),
            ..GRANT
        };
        let on_its_way = signed(&sender, &receiver, &wish);
        assert_eq!(take(&receiver, &headers, &GRANT), Ok(()));
        for stepped in [&clock, &senders_clock] {
            stepped.step(TimeDelta::hours(hours));
            assert_eq!(take(&receiver, &headers, &GRANT), refused("replayed_proof"));
        }
        assert_eq!(take(&receiver, &on_its_way, &wish), Ok(()));
        // No step makes one fresh again that was forgotten.
        clock.advance(Duration::from_secs(31));
        let next = Passed {
            request_id: Uuid::from_u128(100 + number),
            ..GRANT
        };
        assert_eq!(
            take(&receiver, &signed(&sender, &receiver, &next), &next),
            Ok(())
        );
        clock.step(TimeDelta::hours(-hours));
        assert_eq!(take(&receiver, &headers, &GRANT), refused("stale_proof"));
    }
    let stood: DateTime<Utc> = clock.now();
    assert_ne!(stood, senders_clock.now());
}

#[test]
fn an_old_one_one_that_lies_ahead_and_one_of_an_earlier_process_are_stale() {
    let Pair {
        sender,
        receiver,
        clock,
        ..
    } = pair();
    let headers = signed(&sender, &receiver, &GRANT);
    clock.advance(Duration::from_millis(30_001));
    assert_eq!(take(&receiver, &headers, &GRANT), refused("stale_proof"));
    let ahead = Place {
        at_ms: receiver.line.now().at_ms + 1,
        ..receiver.line.now()
    };
    let ahead = sender.sign(HERE, ahead, &GRANT);
    assert_eq!(take(&receiver, &ahead, &GRANT), refused("stale_proof"));

    let headers = signed(&sender, &receiver, &GRANT);
    let restarted = proofs(HERE, SECRET, &clock);
    assert_eq!(take(&restarted, &headers, &GRANT), refused("stale_proof"));
    // The next request asks for its line.
    let headers = signed(&sender, &restarted, &GRANT);
    assert_eq!(take(&restarted, &headers, &GRANT), Ok(()));
}

#[test]
fn a_replay_is_refused_until_it_is_stale_and_is_then_forgotten() {
    let Pair {
        sender,
        receiver,
        clock,
        ..
    } = pair();
    let headers = signed(&sender, &receiver, &GRANT);
    take(&receiver, &headers, &GRANT).unwrap();
    clock.advance(Duration::from_secs(30));
    // Its body comes slowly: by then the first one is forgotten.
    let held_back = receiver.fresh(&headers).unwrap();
    assert_eq!(take(&receiver, &headers, &GRANT), refused("replayed_proof"));
    clock.advance(Duration::from_secs(1));
    let other = Passed {
        request_id: Uuid::from_u128(9),
        ..GRANT
    };
    take(&receiver, &signed(&sender, &receiver, &other), &other).unwrap();
    assert_eq!(receiver.taken.lock().unwrap().len(), 1);
    let replayed = receiver.take(&headers, held_back, &GRANT);
    assert_eq!(reason(&replayed.unwrap_err()), "stale_proof");
}

#[test]
fn a_line_is_told_to_instances_alone_and_taken_for_the_request_that_asked() {
    let Pair {
        sender,
        receiver,
        clock,
        ..
    } = pair();
    let other = Passed {
        request_id: Uuid::from_u128(8),
        ..GRANT
    };
    let stranger = proofs(ELSEWHERE, "another secret of it", &clock);
    assert_eq!(
        line(&stranger, &receiver, &GRANT).unwrap_err(),
        "invalid_proof"
    );
    let ask = sender.ask(HERE, GRANT.request_id);
    for (ask, id, why) in [
        (&HeaderMap::new(), GRANT.request_id, "missing_proof"),
        (&ask, other.request_id, "invalid_proof"),
        (
            &sender.ask(ELSEWHERE, GRANT.request_id),
            GRANT.request_id,
            "invalid_proof",
        ),
    ] {
        assert_eq!(reason(&receiver.tell(id, ask).unwrap_err()), why);
    }

    let told = receiver.tell(GRANT.request_id, &ask).unwrap();
    assert_eq!(
        sender.told_place(HERE, GRANT.request_id, &told),
        Some(receiver.line.now())
    );
    assert_eq!(sender.told_place(HERE, other.request_id, &told), None);
    assert_eq!(sender.told_place(ELSEWHERE, GRANT.request_id, &told), None);
    // Nobody makes an instance sign for a time that comes yet.
    let mut ahead = told.clone();
    let at = Place {
        at_ms: 60_000,
        ..receiver.line.now()
    };
    ahead.insert(AT, text(at).unwrap());
    assert_eq!(sender.told_place(HERE, GRANT.request_id, &ahead), None);
    // What one says is not what the other says.
    let mut mirrored = ask;
    mirrored.insert(AT, told[&AT].clone());
    assert_eq!(sender.told_place(HERE, GRANT.request_id, &mirrored), None);
    assert_eq!(
        take(&receiver, &told, &GRANT),
        refused("invalid_proof"),
        "a line is no request"
    );
}

#[test]
fn a_line_that_was_held_back_makes_a_request_stale_sooner_and_never_later() {
    let Pair {
        sender,
        receiver,
        clock,
        ..
    } = pair();
    let told = line(&sender, &receiver, &GRANT).unwrap();
    clock.advance(Duration::from_secs(20));
    let at = sender.told_place(HERE, GRANT.request_id, &told).unwrap();
    let headers = sender.sign(HERE, at, &GRANT);
    clock.advance(Duration::from_secs(11));
    assert_eq!(take(&receiver, &headers, &GRANT), refused("stale_proof"));
}

#[test]
fn while_a_secret_is_replaced_both_are_taken_and_no_other() {
    const NEXT: &str = "another secret of it";
    let clock = clock();
    let of = |secrets: &str| proofs(HERE, secrets, &clock);
    let (old, both, new) = (of(SECRET), of(&format!("{NEXT}, {SECRET}")), of(NEXT));
    assert_eq!(take(&both, &signed(&old, &both, &GRANT), &GRANT), Ok(()));
    assert_eq!(take(&new, &signed(&both, &new, &GRANT), &GRANT), Ok(()));
    assert_eq!(line(&old, &new, &GRANT).unwrap_err(), "invalid_proof");
    let headers = old.sign(HERE, new.line.now(), &GRANT);
    assert_eq!(take(&new, &headers, &GRANT), refused("invalid_proof"));
}
