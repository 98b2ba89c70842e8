//! Credits under concurrency: never below zero, never charged twice for one key.

use std::collections::BTreeSet;

use futures::StreamExt;
use futures::future::join_all;
use futures::stream;
use serde_json::json;
use tests::Stack;
use tests::records::{email, persons};
use tests::servers::Servers;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_requests_at_once_take_exactly_the_five_hundred_credits_that_are_there() {
    // A debug build answers them in seconds: none may be sent away because it waited for a connection to the read model.
    let patient = [("ACQUIRE_TIMEOUT", "25s")];
    let servers = Servers::of_test_run().unwrap();
    let mut stack = Stack::start_with(&servers, &patient).await.unwrap();
    stack.ingest("person", &persons(100)).await.unwrap();
    let customer = stack.customer(500).await.unwrap();

    let answers: Vec<_> = stream::iter(0..1_000)
        .map(|number| {
            let customer = customer.clone();
            async move { customer.enrich(&email(number % 100)).await.unwrap() }
        })
        .buffer_unordered(1_000)
        .collect()
        .await;

    let (paid, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    let remaining: BTreeSet<_> = paid
        .iter()
        .map(|answer| answer.number("Credits-Remaining").unwrap())
        .collect();
    for answer in refused {
        assert_eq!(answer.status, 402, "{}", answer.body);
        assert!(
            ["insufficient_credits", "contract_exhausted"].contains(&answer.error()),
            "{}",
            answer.body
        );
        assert_eq!(answer.number("Credits-Used"), Some(0));
    }
    assert_eq!(paid.len(), 500);
    assert_eq!(remaining, (0..500).collect());
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.granted, sums.charged, sums.charges), (500, 500, 500));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_idempotency_key_sent_thirty_times_at_once_is_charged_once() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(10)).await.unwrap();
    let customer = stack.customer(50).await.unwrap();
    let body = json!({ "email": email(4) });

    let attempts = (0..30).map(|_| customer.post_once("/person/enrich", &body, "the-only-one"));
    let answers = join_all(attempts).await;

    let mut first = 0;
    for answer in answers.into_iter().map(Result::unwrap) {
        match answer.status {
            200 if answer.header("Idempotency-Replayed") == Some("true") => {
                assert_eq!(answer.number("Credits-Used"), Some(0));
            }
            200 => first += 1,
            409 => assert_eq!(answer.at("/details/reason"), "in_progress"),
            other => panic!("{other}: {}", answer.body),
        }
    }
    assert_eq!(first, 1);

    let replay = customer
        .post_once("/person/enrich", &body, "the-only-one")
        .await
        .unwrap();
    assert_eq!(
        (replay.status, replay.header("Idempotency-Replayed")),
        (200, Some("true"))
    );
    let other_body = json!({ "email": email(5) });
    let conflict = customer
        .post_once("/person/enrich", &other_body, "the-only-one")
        .await
        .unwrap();
    assert_eq!(
        (conflict.status, conflict.error()),
        (409, "idempotency_conflict")
    );
    assert_eq!(conflict.at("/details/reason"), "different_request");

    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.charged, sums.charges), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_works_in_the_next_request() {
    let stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(3)).await.unwrap();
    let customer = stack.customer(1).await.unwrap();
    assert_eq!(customer.enrich(&email(0)).await.unwrap().status, 200);
    let exhausted = customer.enrich(&email(0)).await.unwrap();
    assert_eq!(
        (exhausted.status, exhausted.error()),
        (402, "contract_exhausted")
    );
    assert_eq!(exhausted.at("/details/credits_remaining"), 0);

    stack
        .roster(&["contract", "grant", &customer.contract_id, "--credits", "2"])
        .await
        .unwrap();
    let paid = customer.enrich(&email(0)).await.unwrap();
    assert_eq!(
        (paid.status, paid.number("Credits-Remaining")),
        (200, Some(1))
    );
}
