//! 401, 429, 403, 409, 402, in this order; holds; named requests.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use command_service::application::Once;
use events_schema::Credits;
use events_schema::api::admin::{CreateContract, IssueApiKey};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{
    Answer, Ask, Call, Hold, IdempotencyClaim, Receipt, Refusal, Settle,
};

use crate::support::{Customer, Process, admit, cause, contract_of, database, held};

fn claim(key: &str, request: &str) -> Option<IdempotencyClaim> {
    Some(IdempotencyClaim {
        key_hash: key.into(),
        request_hash: request.into(),
    })
}

fn refusal(answer: Answer) -> Refusal {
    match answer {
        Answer::Refused { refusal, .. } => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_named_request_thirty_times_at_once_is_charged_once() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let tries = (0..30).map(|_| async {
        match process.admit(&customer.api_key, 1, claim("k", "r")).await {
            Answer::Admitted { hold, .. } => {
                process.settle(hold, 1).await;
                "charged"
            }
            Answer::Replay { .. } => "replayed",
            Answer::Refused {
                refusal: Refusal::InProgress,
                ..
            } => "in progress",
            other => panic!("{other:?}"),
        }
    });
    let answers = futures::future::join_all(tries).await;
    assert_eq!(
        answers
            .iter()
            .filter(|answer| **answer == "charged")
            .count(),
        1,
        "{answers:?}"
    );
    assert_eq!(process.charged().await, 1);
    assert!(matches!(
        process.admit(&customer.api_key, 1, claim("k", "r")).await,
        Answer::Replay { .. }
    ));
    let other = refusal(
        process
            .admit(&customer.api_key, 1, claim("k", "another body"))
            .await,
    );
    assert_eq!(other, Refusal::DifferentRequest);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_request_that_delivered_nothing_leaves_its_key_free() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 1, claim("k", "r")).await);
    process.application.answer(Call::Release { hold }).await;
    held(process.admit(&customer.api_key, 1, claim("k", "r2")).await);
    assert_eq!(process.charged().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn holds_are_taken_off_what_is_available_and_given_back() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let hold = held(process.admit(&customer.api_key, 8, None).await);
    let refused = refusal(process.admit(&customer.api_key, 3, None).await);
    assert_eq!(
        refused,
        Refusal::InsufficientCredits {
            required: Credits(3),
            available: Credits(2)
        }
    );
    process.settle(hold, 1).await;
    let hold = held(process.admit(&customer.api_key, 9, None).await);
    process.application.answer(Call::Release { hold }).await;
    assert_eq!(
        process
            .application
            .contract(customer.contract)
            .await
            .unwrap()
            .credits_held,
        Credits::ZERO
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_at_once_and_is_refused_at_once_when_revoked() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    held(process.admit(&customer.api_key, 1, None).await);
    process
        .application
        .revoke_api_key(customer.api_key_id.clone(), &cause())
        .await
        .unwrap();
    assert_eq!(
        refusal(process.admit(&customer.api_key, 1, None).await),
        Refusal::InvalidApiKey
    );
    for junk in ["", "rk_live_x", &customer.api_key[..40]] {
        assert_eq!(
            refusal(process.admit(junk, 1, None).await),
            Refusal::InvalidApiKey
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rate_limit_comes_before_what_the_key_may_and_refused_requests_count() {
    let process = Process::alone().await;
    let account = process.customer(10).await.account;
    let wish = IssueApiKey {
        account_id: account,
        endpoints: EndpointSet::Only(BTreeSet::from([Endpoint::CompanyEnrich])),
        rate_limits: BTreeMap::from([(Endpoint::PersonEnrich, 2)]),
    };
    let key = process
        .application
        .issue_api_key(wish, &Once::default(), &cause())
        .await
        .unwrap()
        .api_key;
    for _ in 0..2 {
        assert_eq!(
            refusal(process.admit(&key, 1, None).await),
            Refusal::EndpointNotAllowed
        );
    }
    assert_eq!(
        refusal(process.admit(&key, 1, None).await),
        Refusal::RateLimited
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn of_requests_at_once_no_more_than_the_limit_pass() {
    let process = Process::alone().await;
    let customer = process.customer(1_000).await;
    let limit = Endpoint::PersonEnrich.default_rate_limit() as usize;
    // Windows begin with the first request of each key; the race is there.
    for _ in 0..10 {
        let issue = IssueApiKey {
            account_id: customer.account,
            endpoints: EndpointSet::All,
            rate_limits: BTreeMap::new(),
        };
        let issued = process
            .application
            .issue_api_key(issue, &Once::default(), &cause())
            .await
            .unwrap();
        let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(limit + 10));
        let tries = (0..limit + 10).map(|_| {
            let (application, barrier) = (process.application.clone(), barrier.clone());
            let call = Call::Admit(admit(&issued.api_key, Ask::Nothing, None));
            tokio::spawn(async move {
                barrier.wait().await;
                matches!(application.answer(call).await, Answer::Noted { .. })
            })
        });
        let passed = futures::future::join_all(tries).await;
        let passed = passed
            .into_iter()
            .filter(|passed| *passed.as_ref().unwrap());
        assert_eq!(passed.count(), limit);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_at_work_are_no_lack_of_credits() {
    let process = Process::with_holds(2).await;
    let customer = process.customer(10).await;
    let first = held(process.admit(&customer.api_key, 1, None).await);
    held(process.admit(&customer.api_key, 1, None).await);
    let third = process.admit(&customer.api_key, 1, None).await;
    assert!(matches!(third, Answer::Unavailable { .. }), "{third:?}");
    // What no balance allows stays a lack of credits.
    assert!(matches!(
        refusal(process.admit(&customer.api_key, 9, None).await),
        Refusal::InsufficientCredits { .. }
    ));
    process.settle(first, 1).await;
    held(process.admit(&customer.api_key, 1, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_request_is_counted_and_gets_its_headers() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let call = Call::Admit(admit(&customer.api_key, Ask::Nothing, None));
    let Answer::Noted { rate, standing } = process.application.answer(call).await else {
        panic!()
    };
    assert_eq!(rate.remaining, rate.limit - 1);
    assert_eq!(standing.unwrap().credits_remaining, Credits(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract_that_expires_first_serves_first_and_one_request_is_paid_by_one_contract() {
    let process = Process::alone().await;
    let customer = process.customer(5).await;
    let soon = CreateContract {
        expires_on: Some(Utc::now().date_naive()),
        ..contract_of(customer.account, 3)
    };
    let soon = process
        .application
        .create_contract(soon, &Once::default(), &cause())
        .await
        .unwrap()
        .contract_id;
    assert_eq!(
        held(process.admit(&customer.api_key, 2, None).await).contract_id,
        Some(soon)
    );
    assert_eq!(
        held(process.admit(&customer.api_key, 2, None).await).contract_id,
        Some(customer.contract)
    );
    let refused = refusal(process.admit(&customer.api_key, 4, None).await);
    assert_eq!(
        refused,
        Refusal::InsufficientCredits {
            required: Credits(4),
            available: Credits(3)
        }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contracts_that_have_expired_are_named_for_what_they_are() {
    let process = Process::alone().await;
    let customer = process.customer(0).await;
    let refused = refusal(process.admit(&customer.api_key, 1, None).await);
    assert_eq!(
        refused,
        Refusal::ContractExhausted {
            credits_remaining: Credits(0),
            expiration_date: None
        }
    );

    let other = events_schema::api::admin::OpenAccount {
        name: "other".into(),
    };
    let account_id = process
        .application
        .open_account(other, &Once::default(), &cause())
        .await
        .unwrap()
        .account_id;
    let wish = IssueApiKey {
        account_id,
        endpoints: EndpointSet::All,
        rate_limits: BTreeMap::new(),
    };
    let key = process
        .application
        .issue_api_key(wish, &Once::default(), &cause())
        .await
        .unwrap()
        .api_key;
    assert_eq!(
        refusal(process.admit(&key, 1, None).await),
        Refusal::NoActiveContract
    );

    let yesterday = Utc::now().date_naive() - TimeDelta::days(1);
    let expired = CreateContract {
        starts_on: Some(yesterday),
        expires_on: Some(yesterday),
        ..contract_of(account_id, 412)
    };
    process
        .application
        .create_contract(expired, &Once::default(), &cause())
        .await
        .unwrap();
    let refused = refusal(process.admit(&key, 1, None).await);
    assert_eq!(
        refused,
        Refusal::ContractExpired {
            credits_remaining: Credits(412),
            expiration_date: yesterday
        }
    );

    let later = CreateContract {
        starts_on: Some(Utc::now().date_naive() + TimeDelta::days(1)),
        ..contract_of(account_id, 5)
    };
    process
        .application
        .create_contract(later, &Once::default(), &cause())
        .await
        .unwrap();
    assert!(matches!(
        refusal(process.admit(&key, 1, None).await),
        Refusal::ContractExpired { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_of_zero_needs_a_contract_and_no_balance() {
    let process = Process::alone().await;
    let customer = process.customer(0).await;
    let free = CreateContract {
        prices: BTreeMap::from([(Endpoint::PersonEnrich, Credits::ZERO)]),
        expires_on: Some(Utc::now().date_naive()),
        ..contract_of(customer.account, 0)
    };
    process
        .application
        .create_contract(free, &Once::default(), &cause())
        .await
        .unwrap();
    let hold = held(process.admit(&customer.api_key, 10, None).await);
    let settled = process.settle(hold, 10).await;
    assert!(
        matches!(
            settled,
            Answer::Settled {
                credits_used: Credits(0),
                ..
            }
        ),
        "{settled:?}"
    );
}

/// Credits used and credits left, of a settle.
fn settled(answer: Answer) -> (Credits, Credits) {
    match answer {
        Answer::Settled {
            credits_used,
            standing,
        } => (credits_used, standing.unwrap().credits_remaining),
        other => panic!("not settled: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settling_nothing_costs_nothing_and_gives_the_hold_back() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let hold = held(process.admit(&customer.api_key, 10, None).await);
    let answer = process.settle(hold, 0).await;
    assert_eq!(settled(answer), (Credits(0), Credits(10)));
    // Nobody named the request: nothing is kept of it.
    assert_eq!(charges(&process).await, Vec::<(i64, i64, i64)>::new());
    held(process.admit(&customer.api_key, 10, None).await);
}

/// Units, credits and balance after of every charge in the event store, in order.
async fn charges(process: &Process) -> Vec<(i64, i64, i64)> {
    sqlx::query_as(
        "SELECT (payload->>'units')::bigint, (payload->>'credits')::bigint, (payload->>'balance_after')::bigint \
         FROM event WHERE event_type = 'contract.credits_charged.v1' ORDER BY pos",
    )
    .fetch_all(&process.pool)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_request_that_is_settled_for_nothing_is_replayed_and_its_key_taken() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let hold = held(process.admit(&customer.api_key, 10, claim("k", "r")).await);
    let answer = process
        .application
        .answer(Call::Settle(Settle {
            hold,
            units: 0,
            receipt: Receipt {
                total: Some(0),
                ..Receipt::default()
            },
            traceparent: None,
        }))
        .await;
    assert_eq!(settled(answer), (Credits(0), Credits(10)));
    assert_eq!(charges(&process).await, [(0, 0, 10)]);
    match process.admit(&customer.api_key, 10, claim("k", "r")).await {
        Answer::Replay {
            receipt, standing, ..
        } => {
            assert_eq!(receipt.total, Some(0));
            assert_eq!(standing.unwrap().credits_remaining, Credits(10));
        }
        other => panic!("{other:?}"),
    }
    let other = refusal(process.admit(&customer.api_key, 10, claim("k", "r2")).await);
    assert_eq!(other, Refusal::DifferentRequest);
    // All credits are free again.
    held(process.admit(&customer.api_key, 10, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_named_request_thirty_times_at_once_is_settled_for_nothing_once() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let tries = (0..30).map(|_| async {
        match process.admit(&customer.api_key, 1, claim("k", "r")).await {
            Answer::Admitted { hold, .. } => settled(process.settle(hold, 0).await).0.0,
            Answer::Replay { .. }
            | Answer::Refused {
                refusal: Refusal::InProgress,
                ..
            } => 0,
            other => panic!("{other:?}"),
        }
    });
    let used: i64 = futures::future::join_all(tries).await.into_iter().sum();
    assert_eq!(used, 0);
    assert_eq!(charges(&process).await, [(0, 0, 100)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_settle_of_nothing_does_not_replace_the_charge_made_meanwhile() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let first = held(process.admit(&customer.api_key, 2, claim("k", "r")).await);
    assert_eq!(
        settled(process.settle(first.clone(), 2).await),
        (Credits(2), Credits(8))
    );
    // The hold is known no more, as after a change of owners or when its time was over.
    assert!(matches!(
        process.settle(first, 0).await,
        Answer::SettledBefore { .. }
    ));
    assert_eq!(charges(&process).await, [(2, 2, 8)]);
    assert_eq!(process.charged().await, 2);
}

/// A process that admits the same named request as the one before it did, since nothing was charged yet and what was at
/// work was in the memory of that one.
async fn admitted_twice(names: usize) -> (Process, Customer, Vec<[Hold; 2]>) {
    let url = database().await;
    let first = Process::on(&url, "http://one", Duration::from_secs(5)).await;
    first.until_owner_of_all().await;
    let customer = first.customer(1_000).await;
    let admit = async |process: &Process, name: usize| {
        let name = claim(&format!("k{name}"), "r");
        held(process.admit(&customer.api_key, 1, name).await)
    };
    let mut holds = Vec::new();
    for name in 0..names {
        holds.push(admit(&first, name).await);
    }
    first.shutdown.cancel();
    let second = Process::on(&url, "http://two", Duration::from_secs(5)).await;
    second.until_owner_of_all().await;
    let mut pairs = Vec::new();
    for (name, hold) in holds.into_iter().enumerate() {
        pairs.push([hold, admit(&second, name).await]);
    }
    (second, customer, pairs)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_request_that_two_owners_admitted_is_charged_once() {
    let (process, customer, mut pairs) = admitted_twice(2).await;
    let [[early, late], [other_early, other_late]] = [pairs.remove(0), pairs.remove(0)];
    assert!(matches!(
        process.settle(early, 1).await,
        Answer::Settled { .. }
    ));
    assert!(matches!(
        process.settle(late, 1).await,
        Answer::SettledBefore { .. }
    ));
    // The other way round.
    assert!(matches!(
        process.settle(other_late, 1).await,
        Answer::Settled { .. }
    ));
    assert!(matches!(
        process.settle(other_early, 1).await,
        Answer::SettledBefore { .. }
    ));
    assert_eq!(process.charged().await, 2);
    // The credits of the holds that came too late are free again.
    let view = process
        .application
        .contract(customer.contract)
        .await
        .unwrap();
    assert_eq!(
        (view.credits_remaining, view.credits_held),
        (Credits(998), Credits(0))
    );
    // Another request under the name is still another one.
    let other = process
        .admit(&customer.api_key, 1, claim("k0", "other"))
        .await;
    assert_eq!(refusal(other), Refusal::DifferentRequest);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_settled_twice_at_once_is_charged_once_and_its_neighbours_are_charged_too() {
    let names = 40;
    let (process, customer, pairs) = admitted_twice(names).await;
    let mut neighbours = Vec::new();
    for _ in 0..names {
        neighbours.push(held(process.admit(&customer.api_key, 1, None).await));
    }
    let settles = pairs.into_iter().flatten().chain(neighbours);
    let settles = settles.map(|hold| {
        let application = process.application.clone();
        let settle = Settle {
            hold,
            units: 1,
            receipt: Receipt::default(),
            traceparent: None,
        };
        tokio::spawn(async move { application.answer(Call::Settle(settle)).await })
    });
    let (mut now, mut before) = (0, 0);
    for answer in futures::future::join_all(settles).await {
        match answer.unwrap() {
            Answer::Settled { .. } => now += 1,
            Answer::SettledBefore { .. } => before += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((now, before), (2 * names, names));
    assert_eq!(process.charged().await, 2 * names as i64);
    let view = process
        .application
        .contract(customer.contract)
        .await
        .unwrap();
    let left = 1_000 - 2 * names as i64;
    assert_eq!(
        (view.credits_remaining, view.credits_held),
        (Credits(left), Credits(0))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_free_again_when_its_time_is_over() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let first = held(process.admit(&customer.api_key, 1, claim("k", "r")).await);
    process.settle(first, 1).await;
    sqlx::query("UPDATE idempotency SET created_at = created_at - interval '25 hours'")
        .execute(&process.pool)
        .await
        .unwrap();
    let second = held(process.admit(&customer.api_key, 1, claim("k", "r")).await);
    assert!(matches!(
        process.settle(second, 1).await,
        Answer::Settled { .. }
    ));
    assert_eq!(process.charged().await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_statement_refuses_a_second_charge_under_a_live_name_whatever_memory_believes() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let hold = held(process.admit(&customer.api_key, 1, claim("k", "r")).await);
    // The charge has looked for its name and found none; now it waits for the head of its shard.
    let heads = process.lock_heads().await;
    let settling = process.settle_in_a_task(hold);
    process.until_a_statement_waits().await;
    // Meanwhile somebody else charges it, on a contract of another shard.
    let receipt = Receipt {
        total: Some(7),
        ..Receipt::default()
    };
    sqlx::query("INSERT INTO idempotency VALUES ($1, 'person_enrich', 'k', 'r', $2, now())")
        .bind(customer.account.uuid())
        .bind(sqlx::types::Json(&receipt))
        .execute(&process.pool)
        .await
        .unwrap();
    heads.rollback().await.unwrap();
    let answer = settling.await.unwrap();
    let Answer::SettledBefore { receipt: kept } = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(kept, receipt);
    assert_eq!(process.charged().await, 0);
    // Nobody else is the worse for it.
    let next = held(process.admit(&customer.api_key, 1, None).await);
    assert_eq!(
        settled(process.settle(next, 1).await),
        (Credits(1), Credits(9))
    );
}
