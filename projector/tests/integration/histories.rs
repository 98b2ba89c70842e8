//! An event store that goes back: what it has given up, and what stands in its place since.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::stack::{Customer, Stack};

const BALANCE: &str = "select balance from contract";
const ROWS: &str = "select count(*) from ledger";
const PARKED: &str = "select count(*) from dead_letter";

async fn until_behind_history(stack: &Stack) {
    let is_behind = || async { stack.status.is_behind_history().then_some(()) };
    stack.until("the projector stops", is_behind).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_went_back_without_a_word_stops_the_projector_also_when_it_has_caught_up() {
    let mut stack = Stack::new().await;
    let (customer, shard) = (Customer::new(1), Customer::new(1).shard());
    let first_life = CancellationToken::new();
    let admin = stack.start_until(&first_life).await;
    let kept = stack.happen(shard, customer.created(100)).await;
    stack.happen(shard, customer.charged(1, 99)).await;
    let lost = stack.happen(shard, customer.charged(1, 98)).await;
    stack.until_projected(&lost).await;

    stack.go_back(&kept);
    until_behind_history(&stack).await;
    let (status, body) = stack.answer(&format!("{admin}/health/ready")).await;
    assert_eq!(status, 503, "{body}");
    assert!(body.to_string().contains("went back"), "{body}");

    // Other events stand in the same places now, and one behind them.
    for balance in [90, 80, 70] {
        stack.happen(shard, customer.charged(10, balance)).await;
    }
    first_life.cancel();
    stack.status = Arc::default();
    stack.start().await;
    until_behind_history(&stack).await;
    assert_eq!(stack.number(BALANCE).await, 98);
    assert_eq!(stack.number(ROWS).await, 3);
    assert_eq!(stack.number(PARKED).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_a_newer_history_is_never_ignored_in_the_place_of_one_that_is_held() {
    let stack = Stack::new().await;
    stack.start().await;
    let (customer, shard) = (Customer::new(2), Customer::new(2).shard());
    let kept = stack.happen(shard, customer.created(100)).await;
    let lost = stack.happen(shard, customer.charged(1, 99)).await;
    stack.until_projected(&lost).await;

    stack.go_back(&kept);
    stack.begin_history(1_795_262_460, &kept);
    for balance in [90, 80, 70] {
        stack.happen(shard, customer.charged(10, balance)).await;
    }
    until_behind_history(&stack).await;
    assert_eq!(stack.number(BALANCE).await, 99);
    assert_eq!(stack.number(ROWS).await, 2);
    assert_eq!(stack.number(PARKED).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_history_is_taken_where_only_what_it_shares_is_held() {
    let stack = Stack::new().await;
    stack.start().await;
    let (customer, shard) = (Customer::new(3), Customer::new(3).shard());
    stack.happen(shard, customer.created(100)).await;
    let kept = stack.happen(shard, customer.charged(1, 99)).await;
    stack.until_projected(&kept).await;

    stack.begin_history(1_795_262_460, &kept);
    stack.stored(shard, customer.charged(9, 90));
    let last = stack.happen(shard, customer.charged(10, 80)).await;
    stack.until_projected(&last).await;
    assert_eq!(stack.number(BALANCE).await, 80);
    assert_eq!(stack.number(ROWS).await, 4);
    assert!(stack.status.is_consuming());
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_made_anew_from_topics_of_two_histories_hold_what_the_store_holds() {
    let stack = Stack::new().await;
    let (customer, shard) = (Customer::new(4), Customer::new(4).shard());
    let kept = stack.happen(shard, customer.created(100)).await;
    for balance in [99, 98, 97] {
        stack.happen(shard, customer.charged(1, balance)).await;
    }
    stack.go_back(&kept);
    stack.begin_history(1_795_262_460, &kept);
    let last = stack.happen(shard, customer.charged(10, 90)).await;

    stack.start().await;
    stack.until_projected(&last).await;
    assert_eq!(stack.number(BALANCE).await, 90);
    assert_eq!(stack.number(ROWS).await, 2);
    assert!(stack.status.is_consuming());
}
