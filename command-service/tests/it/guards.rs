//! What the store guards and what a caller is told when it does not answer: L1 to L6 of the ledger, tried on Postgres.

use command_service::application::{CommandError, Once, Reason};
use events_schema::Credits;
use events_schema::api::admin::{IssueApiKey, OpenAccount};
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::internal::{Answer, Hold, IdempotencyClaim, Refusal};
use futures::future::join_all;

use crate::support::{Process, cause, contract_of, held, until};

fn once(key: &str) -> Once {
    Once::named(key, &cause())
}

fn is_another_request<T>(answer: Result<T, CommandError>) -> bool {
    matches!(answer, Err(CommandError::Refused(Reason::NamedDifferently)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_is_settled_again_is_charged_once_and_told_the_same() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 3, None).await);
    let first = format!("{:?}", process.settle(hold.clone(), 2).await);
    assert!(first.contains("Settled"), "{first}");
    let neighbours: Vec<Hold> = {
        let admits = (0..20).map(|_| process.admit(&customer.api_key, 1, None));
        join_all(admits).await.into_iter().map(held).collect()
    };
    // Again, at the same time as others: none of those is the worse for it.
    let again = process.settle(hold, 2);
    let others = join_all(neighbours.into_iter().map(|hold| process.settle(hold, 1)));
    let (again, others) = tokio::join!(again, others);
    assert_eq!(format!("{again:?}"), first);
    for other in others {
        assert!(matches!(other, Answer::Settled { .. }), "{other:?}");
    }
    assert_eq!(process.charged().await, 22);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_hold_settled_thirty_times_at_once_is_charged_once() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    let answers = join_all((0..30).map(|_| process.settle(hold.clone(), 1))).await;
    let told: std::collections::BTreeSet<String> =
        answers.iter().map(|answer| format!("{answer:?}")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_who_repeats_a_named_command_changes_nothing() {
    let process = Process::alone().await;
    let app = &process.application;
    let name = |name: &str| OpenAccount { name: name.into() };
    let account = app
        .open_account(name("acme"), &once("a"), &cause())
        .await
        .unwrap();
    let again = app
        .open_account(name("acme"), &once("a"), &cause())
        .await
        .unwrap();
    assert_eq!(again.account_id, account.account_id);
    assert_eq!(again.opened_at, account.opened_at);
    assert!(is_another_request(
        app.open_account(name("other"), &once("a"), &cause()).await
    ));

    let id = account.account_id;
    let make = async |credits| {
        let contract = contract_of(id, credits);
        app.create_contract(contract, &once("c"), &cause()).await
    };
    let (made, twice) = tokio::join!(make(100), make(100));
    let (made, twice) = (made.unwrap(), twice.unwrap());
    assert_eq!(made.contract_id, twice.contract_id);
    assert!(is_another_request(make(200).await));

    let grant = async |credits, name: &Once| {
        app.grant_credits(made.contract_id, Credits(credits), name, &cause())
            .await
    };
    let g = once("g");
    for granted in join_all((0..10).map(|_| grant(50, &g))).await {
        assert_eq!(granted.unwrap().credits_remaining, Credits(150));
    }
    assert!(is_another_request(grant(51, &g).await));
    let unnamed = grant(1, &Once::default()).await.unwrap();
    assert_eq!(unnamed.credits_remaining, Credits(151));
    // The contract that is made again is the one that was granted to.
    let again = make(100).await.unwrap();
    assert_eq!(again.credits_remaining, Credits(151));

    let issue = async |limit| {
        let wish = IssueApiKey {
            account_id: id,
            endpoints: EndpointSet::All,
            rate_limits: [(Endpoint::PersonEnrich, limit)].into(),
        };
        app.issue_api_key(wish, &once("k"), &cause()).await
    };
    let key = issue(100).await.unwrap();
    assert_eq!(issue(100).await.unwrap().api_key, key.api_key);
    assert!(is_another_request(issue(101).await));
    held(process.admit(&key.api_key, 1, None).await);
    let operator = command_service::application::Cause {
        actor: "operator:other".into(),
        ..cause()
    };
    let theirs = app
        .open_account(name("acme"), &Once::named("a", &operator), &operator)
        .await;
    assert_ne!(theirs.unwrap().account_id, id);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_is_not_known_is_told_as_unknown_and_its_name_stays_taken() {
    let process = Process::impatient().await;
    let customer = process.customer(10).await;
    let name = Some(IdempotencyClaim {
        key_hash: "k".into(),
        request_hash: "r".into(),
    });
    let hold = held(process.admit(&customer.api_key, 1, name.clone()).await);
    let heads = process.lock_heads().await;
    let answer = process.settle_in_a_task(hold).await.unwrap();
    assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
    // It may still be written: nobody may begin the same.
    let meanwhile = process.admit(&customer.api_key, 1, name.clone()).await;
    assert!(
        matches!(meanwhile, Answer::Unavailable { .. }),
        "{meanwhile:?}"
    );
    heads.rollback().await.unwrap();
    until(|| async {
        matches!(
            process.admit(&customer.api_key, 1, name.clone()).await,
            Answer::Replay { .. }
        )
    })
    .await;
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_behind_an_unknown_batch_is_sent_away_uncharged_and_its_credits_are_free() {
    let process = Process::impatient().await;
    let customer = process.customer(2).await;
    let first = held(process.admit(&customer.api_key, 1, None).await);
    let second = held(process.admit(&customer.api_key, 1, None).await);
    let heads = process.lock_heads().await;
    let first = process.settle_in_a_task(first);
    process.until_a_statement_waits().await;
    let behind = process.settle_in_a_task(second).await.unwrap();
    assert!(matches!(behind, Answer::Unavailable { .. }), "{behind:?}");
    assert!(matches!(first.await.unwrap(), Answer::Unknown { .. }));
    heads.rollback().await.unwrap();
    until(|| async {
        let admitted = process.admit(&customer.api_key, 1, None).await;
        matches!(admitted, Answer::Admitted { .. })
    })
    .await;
    assert_eq!(process.charged().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_whose_operator_hung_up_is_carried_out() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    held(process.admit(&customer.api_key, 1, None).await);
    let heads = process.lock_heads().await;
    let (app, id) = (process.application.clone(), customer.api_key_id.clone());
    let revoking = tokio::spawn(async move { app.revoke_api_key(id, &cause()).await });
    until(|| async {
        let refused = process.admit(&customer.api_key, 1, None).await;
        // Refused from the decision on, though it is not durable yet.
        matches!(
            refused,
            Answer::Refused {
                refusal: Refusal::InvalidApiKey,
                ..
            }
        )
    })
    .await;
    revoking.abort();
    heads.rollback().await.unwrap();
    let keys = process
        .application
        .api_keys(customer.account)
        .await
        .unwrap();
    assert!(keys[0].revoked_at.is_some());
    let after = process.admit(&customer.api_key, 1, None).await;
    assert!(matches!(
        after,
        Answer::Refused {
            refusal: Refusal::InvalidApiKey,
            ..
        }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_cannot_be_read_costs_time_and_nothing_else() {
    let process = Process::alone().await;
    let customer = process.customer(1_000).await;
    let hold = held(process.admit(&customer.api_key, 7, None).await);
    process.settle(hold, 7).await;
    sqlx::query("INSERT INTO snapshot (aggregate_id, seq, state, version) VALUES ($1, 2, '{}', 1), ($2, 3, '{\"keys\": {}}', 99)")
        .bind(customer.contract.uuid())
        .bind(customer.account.uuid())
        .execute(&process.pool)
        .await
        .unwrap();
    process.shutdown.cancel();
    let next = Process::beside(&process, "http://two").await;
    next.until_owner_of_all().await;
    let view = next.application.contract(customer.contract).await.unwrap();
    assert_eq!(view.credits_remaining, Credits(993));
    held(next.admit(&customer.api_key, 1, None).await);
}

/// Accepted, corrected and listed at an instance that owns neither the report nor the build.
#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_read_and_builds_are_seen_by_who_does_not_own_them() {
    let process = Process::alone().await;
    let wish = events_schema::api::admin::StartBuild {
        kind: events_schema::record::RecordKind::Person,
        build: None,
        as_of: None,
    };
    let build = process
        .application
        .start_build(wish, &cause())
        .await
        .unwrap();
    let other = Process::beside(&process, "http://two").await;
    assert!(other.application.store().owned_shards().is_empty());
    let seen = other.application.build(&build.build).await.unwrap();
    assert_eq!(seen.created_at, build.created_at);
    assert_eq!(other.application.builds().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_asks_for_its_credits_too_often_is_told_so() {
    use command_service::application::CreditsOf;
    use events_schema::api::limits::CREDITS_RATE_LIMIT;
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let asks = (0..CREDITS_RATE_LIMIT + 5).map(|_| process.application.credits(&customer.api_key));
    let answers = join_all(asks).await;
    let refused = answers
        .into_iter()
        .filter(|answer| match answer.as_ref().unwrap() {
            CreditsOf::Contracts(contracts) => {
                assert_eq!(contracts[0].credits_remaining, Credits(10));
                false
            }
            CreditsOf::Refused(refusal, rate) => {
                assert_eq!(*refusal, Refusal::RateLimited);
                assert!(rate.unwrap().retry_after_seconds > 0);
                true
            }
        });
    assert_eq!(refused.count(), 5);
    // Requests that are paid for have windows of their own.
    held(process.admit(&customer.api_key, 1, None).await);
}
