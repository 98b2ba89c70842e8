//! Who waits for whom on the way to the ledger, and what becomes of held credits when a settle gets nowhere.

use std::pin::Pin;
use std::time::Duration;

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Admit, Ask, Receipt};
use futures::{FutureExt, future};
use query_service::credit_gate::{Admission, CreditGate, GateConfig, GateFault, HeldCredits};
use query_service::metrics::Metrics;
use service_kit::client::{Client, ClientConfig};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::ledger::{GOOD_KEY, Ledger, SLOW_KEY};

struct World {
    ledger: Ledger,
    url: String,
    gate: CreditGate,
    _stop: DropGuard,
}

impl World {
    async fn start(config: GateConfig) -> Self {
        let stop = CancellationToken::new();
        let ledger = Ledger::with_balance(10);
        let url = ledger.start(&stop).await;
        let config = GateConfig {
            urls: vec![url.clone()],
            ..config
        };
        let client = Client::new(ClientConfig::default()).unwrap();
        Self {
            gate: CreditGate::new(config, client, Metrics::default()),
            ledger,
            url,
            _stop: stop.drop_guard(),
        }
    }

    async fn admit(&self, key: &str) -> Result<Admission, GateFault> {
        let admit = Admit {
            api_key: key.to_owned(),
            endpoint: Endpoint::PersonEnrich,
            request_id: Uuid::new_v4(),
            ask: Ask::Units(1),
            idempotency: None,
        };
        self.gate.admit(admit).await
    }

    /// An admission that is in the queue, and has no answer yet.
    fn queued<'a>(
        &'a self,
        key: &'a str,
    ) -> Pin<Box<impl Future<Output = Result<Admission, GateFault>> + 'a>> {
        let mut call = Box::pin(self.admit(key));
        assert!(call.as_mut().now_or_never().is_none(), "it is queued first");
        call
    }

    async fn held(&self) -> HeldCredits {
        match self.admit(GOOD_KEY).await {
            Ok(Admission::Held(held, ..)) => held,
            other => panic!("not admitted: {other:?}"),
        }
    }

    /// Whoever holds credits has given them back, and nothing was settled.
    async fn until_given_back(&self) {
        until(|| self.ledger.holds() == 0).await;
        assert_eq!(self.ledger.calls(), ["admit", "release"]);
        assert_eq!(self.ledger.balance(), 10);
    }
}

pub(crate) async fn until(mut state: impl FnMut() -> bool) {
    let reached = async {
        while !state() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let reached = tokio::time::timeout(Duration::from_secs(20), reached).await;
    reached.expect("the state is reached in 20 s");
}

/// A lane of one request at a time.
fn narrow() -> GateConfig {
    GateConfig {
        requests_in_flight: 1,
        ..GateConfig::default()
    }
}

/// Waits for two calls that are answered, while `slow` is not.
async fn two_pass(world: &World, slow: impl Future + Unpin) {
    let two = tokio::time::timeout(Duration::from_secs(8), async {
        (world.held().await, world.held().await)
    });
    let future::Either::Left((in_time, _slow)) = future::select(Box::pin(two), slow).await else {
        panic!("the slow one is answered");
    };
    let _held = in_time.expect("the others are answered while it waits");
}

/// Calls that queue in one moment go in one request. One that is answered in part needs no place of the silent ones.
#[tokio::test]
async fn a_call_without_an_answer_holds_up_neither_its_neighbours_nor_those_after_it() {
    let world = World::start(GateConfig {
        silent_requests: 0,
        ..narrow()
    })
    .await;
    two_pass(&world, world.queued(SLOW_KEY)).await;
    assert_eq!(world.ledger.batches().first(), Some(&2));
}

#[tokio::test]
async fn calls_without_an_answer_that_went_alone_hold_up_nobody() {
    let world = World::start(narrow()).await;
    let mut slow = Vec::new();
    for sent in 1..=3 {
        slow.push(world.queued(SLOW_KEY));
        until(|| world.ledger.batches().len() == sent).await;
    }
    assert_eq!(world.ledger.batches(), [1, 1, 1]);
    two_pass(&world, future::select_all(slow)).await;
}

/// As many as the customers of one shard send at thirty requests a second while its batch hangs for five.
#[tokio::test]
async fn a_hundred_and_fifty_requests_that_wait_for_one_shard_hold_up_nobody() {
    let world = World::start(narrow()).await;
    let mut slow = Vec::new();
    for _ in 0..150 {
        slow.push(world.queued(SLOW_KEY));
        let _held = world.held().await;
    }
    let answered = future::select_all(slow).now_or_never();
    assert!(answered.is_none(), "somebody waited for a slow one");
}

#[tokio::test]
async fn a_request_that_found_no_place_beside_the_lane_takes_the_first_that_is_free() {
    let world = World::start(GateConfig {
        silent_requests: 1,
        ..narrow()
    })
    .await;
    world.ledger.stall();
    let mut sent = Vec::new();
    for requests in 1..=2 {
        sent.push(world.queued(GOOD_KEY));
        until(|| world.ledger.requests() == requests).await;
    }
    // One is beside the lane, the other one keeps its slot: for many times as long as makes a request silent, nothing is sent.
    let mut third = world.queued(GOOD_KEY);
    let in_vain = tokio::time::timeout(Duration::from_millis(250), &mut third);
    assert!(in_vain.await.is_err());
    assert_eq!(world.ledger.requests(), 2);
    world.ledger.answers_one();
    until(|| world.ledger.requests() == 3).await;
    assert_eq!(world.ledger.calls(), ["admit"]);
    world.ledger.go_on();
    for admitted in sent.into_iter().chain([third]) {
        assert!(matches!(admitted.await, Ok(Admission::Held(..))));
    }
}

#[tokio::test]
async fn a_settle_that_meets_a_full_queue_gives_its_credits_back() {
    let world = World::start(GateConfig {
        queue_calls: 1,
        requests_in_flight: 1,
        silent_requests: 0,
        ..GateConfig::default()
    })
    .await;
    let held = world.held().await;
    world.ledger.stall();
    let _on_its_way = world.queued("limited");
    until(|| world.ledger.requests() == 2).await;
    // One is in the hands of the lane, which waits for its turn, and one fills the queue.
    let mut queued = Vec::new();
    until(|| {
        let mut admit = Box::pin(world.admit("limited"));
        if admit.as_mut().now_or_never().is_none() {
            queued.push(admit);
        }
        queued.len() == 2
    })
    .await;
    let settled = world.gate.settle(held, 1, Receipt::default()).await;
    assert!(
        matches!(settled, Err(GateFault::Unavailable { .. })),
        "{settled:?}"
    );
    assert_eq!(world.ledger.holds(), 1);
    world.ledger.go_on();
    until(|| world.ledger.holds() == 0).await;
    let calls = world.ledger.calls();
    assert!(!calls.contains(&"settle"), "{calls:?}");
}

#[tokio::test]
async fn a_settle_that_no_owner_takes_gives_its_credits_back() {
    let world = World::start(GateConfig {
        settle_attempts: 3,
        ..GateConfig::default()
    })
    .await;
    let held = world.held().await;
    world.ledger.send_elsewhere_for(3, Some(&world.url));
    let settled = world.gate.settle(held, 1, Receipt::default()).await;
    assert!(
        matches!(settled, Err(GateFault::Unavailable { .. })),
        "{settled:?}"
    );
    world.until_given_back().await;
}

#[tokio::test]
async fn a_settle_that_is_given_up_between_two_owners_gives_its_credits_back() {
    let world = World::start(GateConfig {
        retry_pause: Duration::from_secs(3600),
        ..GateConfig::default()
    })
    .await;
    let held = world.held().await;
    world.ledger.send_elsewhere_for(1, None);
    let gate = world.gate.clone();
    let settle = tokio::spawn(async move { gate.settle(held, 1, Receipt::default()).await });
    until(|| world.ledger.elsewhere_left() == 0).await;
    // Its answer may be there or still on its way, and then it is for nobody.
    settle.abort();
    world.until_given_back().await;
}

#[tokio::test]
async fn a_settle_of_unknown_outcome_keeps_its_credits_held() {
    let world = World::start(GateConfig::default()).await;
    let held = world.held().await;
    world.ledger.is_silent_on("settle");
    let gate = world.gate.clone();
    let settle = tokio::spawn(async move { gate.settle(held, 1, Receipt::default()).await });
    until(|| world.ledger.requests() == 2).await;
    settle.abort();
    // Whatever it had left behind would have come before this.
    let next = world.held().await;
    assert_eq!(world.ledger.holds(), 2);
    assert_eq!(world.ledger.calls(), ["admit", "admit"]);
    world.gate.release(next).await.unwrap();
}
