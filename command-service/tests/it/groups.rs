//! Batches of several shards in one statement: what one of them suffers is not the others' fate.

use std::collections::BTreeMap;
use std::time::Duration;

use events_schema::api::internal::{Answer, Hold};
use futures::future::join_all;
use sqlx::{AssertSqlSafe, PgPool};
use tokio::time::timeout;

use crate::support::{Customer, Process, held, until};

/// What an answer may take that nobody holds up: far above what it takes, far below the 3 s for which a statement may wait.
const SOON: Duration = Duration::from_secs(2);

/// One customer on each of so many shards.
async fn customers(process: &Process, shards: usize) -> Vec<Customer> {
    let mut by_shard = BTreeMap::new();
    while by_shard.len() < shards {
        for customer in join_all((0..32).map(|_| process.customer(1_000))).await {
            by_shard.insert(customer.account.shard().number(), customer);
        }
    }
    by_shard.into_values().take(shards).collect()
}

async fn holds(process: &Process, customers: &[Customer]) -> Vec<Hold> {
    let admits = customers
        .iter()
        .map(|customer| process.admit(&customer.api_key, 1, None));
    join_all(admits).await.into_iter().map(held).collect()
}

fn is_charged(answer: &Answer) -> bool {
    matches!(answer, Answer::Settled { .. })
}

/// Statements that wrote charges, and shards that have some.
async fn statements_and_shards(pool: &PgPool) -> (i64, i64) {
    sqlx::query_as(
        "SELECT count(DISTINCT xmin::text), count(DISTINCT shard) FROM event WHERE event_type = 'contract.credits_charged.v1'",
    )
    .fetch_one(pool)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_that_wait_together_are_one_statement() {
    let process = Process::patient().await;
    let customers = customers(&process, 24).await;
    let mut holds = holds(&process, &customers).await.into_iter();
    // The others queue up behind the first one, which waits for its head.
    let head = process.lock_head(customers[0].account).await;
    let mut settles: Vec<_> = holds
        .by_ref()
        .take(1)
        .map(|hold| process.settle_in_a_task(hold))
        .collect();
    process.until_a_statement_waits().await;
    settles.extend(holds.map(|hold| process.settle_in_a_task(hold)));
    head.rollback().await.unwrap();
    for answer in join_all(settles).await {
        assert!(is_charged(&answer.unwrap()));
    }
    let (statements, shards) = statements_and_shards(&process.pool).await;
    assert_eq!(shards, 24);
    assert!(statements < shards, "{statements} statements");
    assert_eq!(process.charged().await, 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_whose_head_is_locked_holds_up_no_other() {
    let process = Process::alone().await;
    let customers = customers(&process, 16).await;
    let locked = process.lock_head(customers[3].account).await;
    let mut answers = Vec::new();
    for hold in holds(&process, &customers).await {
        answers.push(process.settle_in_a_task(hold));
    }
    let stuck = answers.remove(3);
    for answer in answers {
        let answer = timeout(SOON, answer).await.unwrap().unwrap();
        assert!(is_charged(&answer), "{answer:?}");
    }
    // Then it goes alone, and the others are not even slowed down.
    assert!(!stuck.is_finished());
    for hold in holds(&process, &customers[4..]).await {
        let answer = timeout(SOON, process.settle(hold, 1)).await.unwrap();
        assert!(is_charged(&answer), "{answer:?}");
    }
    locked.rollback().await.unwrap();
    assert!(is_charged(&stuck.await.unwrap()));
    assert_eq!(process.charged().await, 16 + 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_balance_that_was_changed_by_hand_stops_its_own_contract_alone() {
    let process = Process::alone().await;
    let customers = customers(&process, 12).await;
    let wrong = customers[5].contract.uuid();
    sqlx::query("UPDATE contract_balance SET balance = balance + 1 WHERE contract_id = $1")
        .bind(wrong)
        .execute(&process.pool)
        .await
        .unwrap();
    for _ in 0..3 {
        let holds = holds(&process, &customers).await;
        let answers = join_all(holds.into_iter().map(|hold| process.settle(hold, 1))).await;
        for (place, answer) in answers.iter().enumerate() {
            assert_eq!(is_charged(answer), place != 5, "{place}: {answer:?}");
        }
    }
    assert_eq!(process.charged().await, 3 * 11);
}

/// As a rival that has read the heads: what was sent before must not be carried out after.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_in_which_one_fence_was_raised_charges_each_once() {
    let process = Process::alone().await;
    let customers = customers(&process, 12).await;
    for raised in 0..6 {
        let holds = holds(&process, &customers).await;
        sqlx::query("UPDATE shard_head SET fence = fence + 1 WHERE shard = $1")
            .bind(i16::from(customers[raised].account.shard().number()))
            .execute(&process.pool)
            .await
            .unwrap();
        for answer in join_all(holds.into_iter().map(|hold| process.settle(hold, 1))).await {
            assert!(is_charged(&answer), "{answer:?}");
        }
    }
    assert_eq!(process.charged().await, 6 * 12);
    process.assert_no_gap().await;
}

/// The connection of a group does not answer: those in it go on alone, and nobody is charged twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_is_ended_by_postgres_charges_each_once() {
    let process = Process::alone().await;
    let customers = customers(&process, 12).await;
    for _ in 0..3 {
        let holds = holds(&process, &customers).await;
        let heads = process.lock_heads().await;
        let settles: Vec<_> = holds
            .into_iter()
            .map(|hold| process.settle_in_a_task(hold))
            .collect();
        process.until_a_statement_waits().await;
        let ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                     WHERE datname = current_database() AND wait_event_type = 'Lock'";
        sqlx::query(ended).execute(&process.pool).await.unwrap();
        heads.rollback().await.unwrap();
        for answer in join_all(settles).await {
            assert!(is_charged(&answer.unwrap()));
        }
    }
    assert_eq!(process.charged().await, 36);
    process.assert_no_gap().await;
    // All is well again: groups are formed again.
    until(|| async {
        let (statements, _) = statements_and_shards(&process.pool).await;
        let holds = holds(&process, &customers).await;
        join_all(holds.into_iter().map(|hold| process.settle(hold, 1))).await;
        statements_and_shards(&process.pool).await.0 < statements + 12
    })
    .await;
}

/// A statement that hangs, for whatever reason: the turn is its, but nobody waits for that.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_hangs_holds_up_no_batch_that_is_not_in_it() {
    let process = Process::alone().await;
    let customers = customers(&process, 16).await;
    let mut holds = holds(&process, &customers).await.into_iter();
    let hangs = format!(
        "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2.5); RETURN NEW; END $$; \
         CREATE TRIGGER hang BEFORE INSERT ON event FOR EACH ROW WHEN (NEW.shard = {}) EXECUTE FUNCTION hang()",
        customers[0].account.shard().number()
    );
    sqlx::raw_sql(AssertSqlSafe(hangs))
        .execute(&process.pool)
        .await
        .unwrap();
    let hanging = process.settle_in_a_task(holds.next().unwrap());
    until(|| async {
        let hanging = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
        sqlx::query_scalar::<_, i64>(hanging)
            .fetch_one(&process.pool)
            .await
            .unwrap()
            == 1
    })
    .await;
    for answer in join_all(holds.map(|hold| process.settle(hold, 1))).await {
        assert!(is_charged(&answer), "{answer:?}");
    }
    assert!(!hanging.is_finished());
    assert!(is_charged(&hanging.await.unwrap()));
    assert_eq!(process.charged().await, 16);
}
