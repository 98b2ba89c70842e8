//! Credits under concurrency: never below zero, never charged twice for one key.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use futures::stream;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use tests::records::{email, persons};
use tests::servers::Servers;
use tests::wait::until;
use tests::{Customer, Stack};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_that_is_ended_serves_no_more_and_every_place_says_so() {
    let mut stack = Stack::start().await.unwrap();
    stack.ingest("person", &persons(3)).await.unwrap();
    let customer = stack.customer(5).await.unwrap();
    let contract = customer.contract_id.clone();
    let request = json!({ "email": email(0), "include_fields": "full_name" });
    let enrich = async || customer.post_once("/person/enrich", &request, "a").await;
    let paid = enrich().await.unwrap();
    assert_eq!(paid.status, 200);
    let end = [
        "contract",
        "end",
        &contract,
        "--reason",
        "granted by mistake",
    ];
    let ended = stack.roster(&end).await.unwrap();
    assert_eq!(ended["credits_remaining"], 4);

    let over = customer.enrich(&email(0)).await.unwrap();
    assert_eq!((over.status, over.error()), (402, "contract_expired"));
    assert_eq!(over.at("/details/credits_remaining"), 4);
    assert_eq!(over.at("/details/is_expired"), true);
    assert_eq!(
        over.at("/details/expiration_date"),
        &ended["expiration_date"]
    );
    // What was paid for before is answered again.
    let again = enrich().await.unwrap();
    assert_eq!((again.status, again.body), (200, paid.body));
    let credits = customer.credits().await.unwrap();
    assert_eq!(credits.at("/contract_id"), &Value::Null);
    assert_eq!(credits.at("/contracts/0/is_expired"), true);

    let sums = stack.prove_sums(&contract).await.unwrap();
    assert_eq!((sums.granted, sums.charged, sums.charges), (5, 1, 1));
    let row =
        "select end_reason from contract where contract_id = $1::uuid and ended_at is not null";
    let reason: String = sqlx::query_scalar(row)
        .bind(&contract)
        .fetch_one(stack.read_model())
        .await
        .unwrap();
    assert_eq!(reason, "granted by mistake");
    let summary = stack.roster(&["reconcile"]).await.unwrap();
    assert_eq!(summary["ok"], true, "{summary}");
}

/// Far below the time after which a call that nobody gives up would end by itself.
const GIVEN_UP_WITHIN: Duration = Duration::from_secs(10);

/// The credits that are held, of the credits that are there.
async fn until_held(customer: &Customer, held: i64, of: i64) {
    until("credits are held", GIVEN_UP_WITHIN, async || {
        let credits = customer.credits().await.ok()?;
        let is_so = *credits.at("/credits_held") == held && *credits.at("/credits_remaining") == of;
        is_so.then_some(())
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_an_agent_gives_up_costs_nothing_and_holds_nothing() {
    // Longer than a request: no look-up ends by itself.
    let patient = [("QUERY_SERVICE_STATEMENT_TIMEOUT", "60s")];
    let servers = Servers::of_test_run().unwrap();
    let mut stack = Stack::start_with(&servers, &patient).await.unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let customer = stack.customer(10).await.unwrap();
    let keys = "select schemaname || '.person_key' from pg_tables where tablename = 'person_key'";
    let keys: String = sqlx::query_scalar(keys)
        .fetch_one(stack.read_model())
        .await
        .unwrap();
    let params = json!({ "name": "person_enrich", "arguments": { "email": email(7) } });
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    for says_so in [true, false] {
        // Whoever looks a person up waits for this lock.
        let mut lock = stack.read_model().begin().await.unwrap();
        let held = format!("lock table {keys} in access exclusive mode");
        lock.execute(AssertSqlSafe(held)).await.unwrap();
        let running = {
            let (customer, call) = (customer.clone(), call.clone());
            tokio::spawn(async move { customer.mcp(&call).await })
        };
        let waiting = "select count(*) from pg_locks where relation = $1::regclass and not granted";
        until(
            "the call waits for its look-up",
            GIVEN_UP_WITHIN,
            async || {
                let waiting = sqlx::query_scalar(waiting).bind(&keys);
                let waiting = waiting.fetch_one(stack.read_model()).await;
                (waiting.ok() == Some(1_i64)).then_some(())
            },
        )
        .await
        .unwrap();
        until_held(&customer, 1, 10).await;
        assert!(!running.is_finished());

        if says_so {
            let gone = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": { "requestId": 7 } });
            assert_eq!(customer.mcp(&gone).await.unwrap().status, 202);
            let answer = running.await.unwrap().unwrap();
            assert_eq!(answer.at("/error/code"), -32800, "{}", answer.body);
        } else {
            running.abort();
        }
        until_held(&customer, 0, 10).await;
        lock.rollback().await.unwrap();
        let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
        assert_eq!((sums.charged, sums.charges), (0, 0));
    }
    let arguments = json!({ "email": email(7) });
    let answer = customer
        .call_tool("person_enrich", &arguments)
        .await
        .unwrap();
    assert!(
        answer.at("/result/structuredContent").is_object(),
        "{}",
        answer.body
    );
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.charged, sums.charges), (1, 1));
}
