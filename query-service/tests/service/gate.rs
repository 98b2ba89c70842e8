//! What becomes of held credits when a settle gets nowhere.

use std::time::Duration;

use events_schema::api::endpoint::Endpoint;
use events_schema::api::internal::{Admit, Ask, Receipt};
use futures::FutureExt;
use query_service::credit_gate::{Admission, CreditGate, GateConfig, GateFault, HeldCredits};
use query_service::metrics::Metrics;
use service_kit::client::{Client, ClientConfig};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::ledger::{GOOD_KEY, Ledger};

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

async fn until(mut state: impl FnMut() -> bool) {
    let reached = async {
        while !state() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let reached = tokio::time::timeout(Duration::from_secs(20), reached).await;
    reached.expect("the state is reached in 20 s");
}

#[tokio::test]
async fn a_settle_that_meets_a_full_queue_gives_its_credits_back() {
    let world = World::start(GateConfig {
        queue_calls: 1,
        requests_in_flight: 1,
        ..GateConfig::default()
    })
    .await;
    let held = world.held().await;
    world.ledger.stall();
    let mut on_its_way = Box::pin(world.admit("limited"));
    assert!(on_its_way.as_mut().now_or_never().is_none());
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
