//! Two instances of command-service share the shards; when one is killed the other takes over.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::json;
use tests::records::{email, persons};
use tests::wait::until;
use tests::{Customer, Part, Stack};

/// All are made by the first instance, in shards of its own.
const CUSTOMERS: usize = 12;

async fn owners(stack: &Stack) -> HashSet<String> {
    let owners =
        sqlx::query_scalar("select distinct address from shard_lease where expires_at > now()");
    let owners: Vec<String> = owners.fetch_all(stack.event_store()).await.unwrap();
    owners.into_iter().collect()
}

/// Each customer's request, answered at last.
async fn everybody_asks(customers: &[Customer], round: &str) {
    let body = json!({ "email": email(7), "include_fields": "full_name" });
    for customer in customers {
        until(
            "the request is answered",
            Duration::from_secs(60),
            async || {
                let answer = customer
                    .post_once("/person/enrich", &body, round)
                    .await
                    .ok()?;
                assert!(matches!(answer.status, 200 | 409 | 503), "{}", answer.body);
                (answer.status == 200).then_some(())
            },
        )
        .await
        .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_share_the_shards_and_one_takes_over_what_the_other_leaves() {
    let mut stack = Stack::start_pair().await.unwrap();
    until("both own shards", Duration::from_secs(60), async || {
        (owners(&stack).await.len() == 2).then_some(())
    })
    .await
    .unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let mut customers = Vec::new();
    for _ in 0..CUSTOMERS {
        customers.push(stack.customer(10).await.unwrap());
    }
    everybody_asks(&customers, "both").await;

    stack.process(Part::CommandService).kill().unwrap();
    everybody_asks(&customers, "one").await;
    until("one owns all", Duration::from_secs(60), async || {
        (owners(&stack).await.len() == 1).then_some(())
    })
    .await
    .unwrap();

    stack.process(Part::CommandService).start().await.unwrap();
    until(
        "both own shards again",
        Duration::from_secs(60),
        async || (owners(&stack).await.len() == 2).then_some(()),
    )
    .await
    .unwrap();
    everybody_asks(&customers, "both again").await;

    for customer in &customers {
        let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
        assert_eq!((sums.granted, sums.charged, sums.charges), (10, 3, 3));
    }
    stack.roster(&["reconcile"]).await.unwrap();
}
