//! Two instances of command-service share the shards; when one is killed the other takes over.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use events_schema::ids::ContractId;
use serde_json::json;
use tests::gateway::Behind;
use tests::records::{email, persons};
use tests::wait::until;
use tests::{Answer, Customer, Part, Stack};
use tokio::task::JoinHandle;

use crate::gateway::Alone;

/// All are made by the first instance, in shards that follow from the names of the commands: about half of them are the other's.
const CUSTOMERS: usize = 12;
/// So many in a row are never all the other's.
const MAX_CUSTOMERS: usize = 64;

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

/// Of a shard, by default: no test sets another.
const LEASE: Duration = Duration::from_secs(5);
/// Beyond the lease of the dead: a fifth of one until the other looks, the heads to be read, and debug builds on two busy cores.
const MARGIN: Duration = Duration::from_secs(5);

/// A customer who sends one request after the other, each named and again until it is answered, and asks for its credits in
/// between.
struct Charging {
    seen: Arc<Mutex<Vec<Seen>>>,
    stop: Arc<AtomicBool>,
    client: JoinHandle<i64>,
}

/// An answer to a request that was sent then.
struct Seen {
    sent: Instant,
    is_charge: bool,
    answer: Answer,
}

impl Charging {
    fn start(customer: Customer) -> Self {
        let (seen, stop) = (
            Arc::<Mutex<Vec<Seen>>>::default(),
            Arc::<AtomicBool>::default(),
        );
        let (seeing, stopped) = (Arc::clone(&seen), Arc::clone(&stop));
        let client = tokio::spawn(async move {
            let body = json!({ "email": email(7), "include_fields": "full_name" });
            let (mut paid, see) = (0, |is_charge, sent, answer: Answer| {
                let status = answer.status;
                let seen = Seen {
                    sent,
                    is_charge,
                    answer,
                };
                seeing.lock().unwrap().push(seen);
                status == 200
            });
            while !stopped.load(Ordering::Relaxed) {
                let (name, sent) = (format!("request {paid}"), Instant::now());
                let answer = customer.post_once("/person/enrich", &body, &name);
                paid += i64::from(see(true, sent, answer.await.unwrap()));
                let sent = Instant::now();
                see(false, sent, customer.credits().await.unwrap());
            }
            paid
        });
        Self { seen, stop, client }
    }

    /// Both a charge and the credits that were asked for since then.
    async fn until_served_since(&self, then: Instant, within: Duration) {
        until("the customer is served", within, async || {
            let seen = self.seen.lock().unwrap();
            let is_served = |is_charge| {
                seen.iter().any(|seen| {
                    (seen.sent > then && seen.is_charge == is_charge) && seen.answer.status == 200
                })
            };
            (is_served(true) && is_served(false)).then_some(())
        })
        .await
        .unwrap();
    }

    /// All answers, and how many requests were answered 200.
    async fn finish(self) -> (Vec<Seen>, i64) {
        self.stop.store(true, Ordering::Relaxed);
        let paid = self.client.await.unwrap();
        (std::mem::take(&mut *self.seen.lock().unwrap()), paid)
    }
}

/// One whose credits are with the first instance.
async fn customer_of_the_first(stack: &Stack) -> Customer {
    for _ in 0..MAX_CUSTOMERS {
        let customer = stack.customer(10_000).await.unwrap();
        if owner(stack, &customer).await == address(stack.ports.internal) {
            return customer;
        }
    }
    panic!("{MAX_CUSTOMERS} customers are all with the second instance");
}

/// The address of the instance that the customer's credits are with.
async fn owner(stack: &Stack, customer: &Customer) -> String {
    let shard = customer.contract_id.parse::<ContractId>().unwrap().shard();
    sqlx::query_scalar("select address from shard_lease where shard = $1")
        .bind(i16::from(shard.number()))
        .fetch_one(stack.event_store())
        .await
        .unwrap()
}

fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_of_a_killed_owner_is_told_to_come_again_and_served_within_a_lease() {
    let mut stack = Stack::start_pair().await.unwrap();
    stack.until_halves().await.unwrap();
    stack.ingest("person", &persons(20)).await.unwrap();
    let gateway = Alone::before(&Behind {
        query: vec![stack.ports.query],
        command: vec![stack.ports.command, stack.second.unwrap().public],
        mcp: vec![stack.ports.mcp],
    })
    .await;
    let customer = customer_of_the_first(&stack).await;
    let customer = customer.through(&gateway.url());

    let charging = Charging::start(customer.clone());
    charging
        .until_served_since(Instant::now(), Duration::from_secs(30))
        .await;
    let killed = Instant::now();
    stack.process(Part::CommandService).kill().unwrap();
    let left = (LEASE + MARGIN).saturating_sub(killed.elapsed());
    charging.until_served_since(killed, left).await;
    let served = Instant::now();
    charging.until_served_since(served, LEASE).await;

    let (seen, paid) = charging.finish().await;
    // However little of it the customer noticed: who waited for the owner to come back may have been answered by the next one.
    let second = address(stack.second.unwrap().internal);
    assert_eq!(owner(&stack, &customer).await, second);
    for Seen { answer, .. } in &seen {
        match answer.status {
            200 => {}
            503 => {
                let seconds = answer.number("Retry-After").expect("Retry-After");
                let lease = i64::try_from(LEASE.as_secs()).unwrap();
                assert!((1..=lease).contains(&seconds), "{:?}", answer.headers);
            }
            other => panic!("{other}: {}", answer.body),
        }
    }
    let credits = customer.credits().await.unwrap();
    assert_eq!(credits.at("/credits_remaining"), 10_000 - paid);
    // Operators ask the first one.
    stack.process(Part::CommandService).start().await.unwrap();
    let sums = stack.prove_sums(&customer.contract_id).await.unwrap();
    assert_eq!((sums.charged, sums.charges), (paid, paid));
    stack.roster(&["reconcile"]).await.unwrap();
}
