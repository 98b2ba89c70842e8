//! A stopped Kafka delays events and nothing else; one that lost a topic, too; a stopped Postgres is answered with 503 until it is back.

use std::time::Duration;

use events_schema::topics::Topic;
use serde_json::json;
use tests::records::{email, persons};
use tests::servers::{PrivateServers, Servers};
use tests::wait::until;
use tests::{Part, Stack};

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_kafka_delays_events_and_nothing_else() {
    let servers = PrivateServers::start().unwrap();
    let mut stack = Stack::start_on(&servers.servers().unwrap()).await.unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let customer = stack.customer(100).await.unwrap();
    assert_eq!(customer.enrich(&email(0)).await.unwrap().status, 200);
    stack.until_projected().await.unwrap();

    servers.command(&["stop", "kafka"]).unwrap();
    for number in 0..20 {
        let answer = customer.enrich(&email(number)).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(
            answer.number("Credits-Remaining"),
            Some(98 - i64::from(number))
        );
    }
    let newcomer = stack.customer(5).await.unwrap();
    assert_eq!(newcomer.enrich(&email(0)).await.unwrap().status, 200);

    servers.command(&["start", "kafka"]).unwrap();
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.granted, sums.charged, sums.charges), (100, 21, 21));
    assert_eq!(
        stack
            .prove_sums(&newcomer.contract_id)
            .await
            .unwrap()
            .charges,
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_postgres_is_a_503_and_the_services_recover_by_themselves() {
    let servers = PrivateServers::start().unwrap();
    let mut stack = Stack::start_on(&servers.servers().unwrap()).await.unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let customer = stack.customer(100).await.unwrap();
    assert_eq!(customer.enrich(&email(0)).await.unwrap().status, 200);

    for how in ["stop", "kill"] {
        servers.command(&[how, "postgres"]).unwrap();
        for number in 0..3 {
            let answer = customer.enrich(&email(number)).await.unwrap();
            assert_eq!(
                (answer.status, answer.error()),
                (503, "service_unavailable"),
                "{}",
                answer.body
            );
            assert!(
                answer
                    .number("Retry-After")
                    .is_some_and(|seconds| seconds > 0),
                "{:?}",
                answer.headers
            );
            assert_eq!(answer.at("/retryable"), true);
        }
        servers.command(&["start", "postgres"]).unwrap();
        until(
            "enrich answers again",
            Duration::from_secs(60),
            async || {
                customer
                    .enrich(&email(0))
                    .await
                    .ok()
                    .filter(|answer| answer.status == 200)
            },
        )
        .await
        .unwrap();
    }
    for part in [
        Part::CommandService,
        Part::Projector,
        Part::QueryService,
        Part::McpServer,
    ] {
        assert!(
            stack.process(part).is_running(),
            "{part:?}: {}",
            stack.process(part).end_of_log()
        );
    }
    // The read models may have it from the store already.
    until_published(&stack).await;
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!(sums.charges, 3);
}

/// Every event of the store was acknowledged by Kafka.
async fn until_published(stack: &Stack) {
    let waiting = "select count(*) from shard_head join published using (shard) where shard_head.pos > published.pos";
    until(
        "everything is published",
        Duration::from_secs(60),
        async || {
            let count = sqlx::query_scalar::<_, i64>(waiting)
                .fetch_one(stack.event_store())
                .await;
            (count.ok()? == 0).then_some(())
        },
    )
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_kafka_lost_reach_the_read_models_without_a_word_of_an_operator() {
    let servers = Servers::of_test_run().unwrap();
    let settings = [("PROJECTOR_TAIL_LOOK", "500ms")];
    let mut stack = Stack::start_with(&servers, &settings).await.unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let customer = stack.customer(100).await.unwrap();
    assert_eq!(customer.enrich(&email(0)).await.unwrap().status, 200);
    stack.until_projected().await.unwrap();

    stack.process(Part::Projector).kill().unwrap();
    for number in 1..8 {
        assert_eq!(customer.enrich(&email(number)).await.unwrap().status, 200);
    }
    until_published(&stack).await;
    stack.delete_topic(Topic::Credits).await.unwrap();
    stack.process(Part::Projector).start().await.unwrap();

    stack.until_projected().await.unwrap();
    let sums = stack.sums_in_ledger(&customer.contract_id).await.unwrap();
    assert_eq!((sums.granted, sums.charged, sums.charges), (100, 8, 8));
    let status = stack.roster(&["status"]).await.unwrap();
    let behind = status.pointer("/projector/topics/credits.v1/events_behind");
    assert_eq!(behind, Some(&json!(0)), "{status}");
}
