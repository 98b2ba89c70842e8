//! Batches of several shards in one statement: what one of them suffers is not the others' fate.

use std::collections::BTreeMap;
use std::time::Duration;

use command_service::application::Once;
use events_schema::api::internal::{Answer, Hold};
use futures::future::join_all;
use sqlx::{AssertSqlSafe, Connection as _, PgPool};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::{Customer, Process, cause, contract_of, held, until};

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

async fn assert_charged_soon(answers: Vec<JoinHandle<Answer>>) {
    for answer in timeout(SOON, join_all(answers)).await.unwrap() {
        assert!(is_charged(&answer.unwrap()));
    }
}

/// The answers to settles of which so many, at least, make one statement: they queue up behind the first one, which waits for its head
/// until they have.
async fn settle_together(
    process: &Process,
    together: usize,
    holds: Vec<Hold>,
) -> Vec<JoinHandle<Answer>> {
    let mut holds = holds.into_iter();
    let first = holds.next().unwrap();
    let head = process.lock_head(first.account_id).await;
    let mut answers = vec![process.settle_in_a_task(first)];
    process.until_a_statement_waits().await;
    answers.extend(holds.map(|hold| process.settle_in_a_task(hold)));
    until(|| async { process.application.store().waiting_batches() >= together }).await;
    head.rollback().await.unwrap();
    answers
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
    let holds = holds(&process, &customers).await;
    for answer in join_all(settle_together(&process, 23, holds).await).await {
        assert!(is_charged(&answer.unwrap()));
    }
    let (statements, shards) = statements_and_shards(&process.pool).await;
    assert_eq!(shards, 24);
    // The one that was waited for, and all others.
    assert_eq!(statements, 2);
    assert_eq!(process.charged().await, 24);
    process.assert_no_gap().await;
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
    assert_charged_soon(answers).await;
    // Then it goes alone, and the others are not even slowed down.
    assert!(!stuck.is_finished());
    let holds = holds(&process, &customers[4..]).await;
    let others = join_all(holds.into_iter().map(|hold| process.settle(hold, 1)));
    assert!(timeout(SOON, others).await.unwrap().iter().all(is_charged));
    locked.rollback().await.unwrap();
    assert!(is_charged(&stuck.await.unwrap()));
    assert_eq!(process.charged().await, 16 + 12);
}

/// Has Postgres refuse every event of a contract.
async fn refuse(process: &Process, customer: &Customer) {
    let refuses = format!(
        "ALTER TABLE event ADD CHECK (aggregate_id <> '{}') NOT VALID",
        customer.contract.uuid()
    );
    sqlx::raw_sql(AssertSqlSafe(refuses))
        .execute(&process.pool)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_that_is_refused_stops_nobody_but_itself() {
    let process = Process::patient().await;
    let customers = customers(&process, 12).await;
    refuse(&process, &customers[5]).await;
    for round in 0..3 {
        let holds = holds(&process, &customers).await;
        // In the first round all wait behind the first one; then the refused one goes alone.
        let together = if round == 0 { 11 } else { 10 };
        let answers = join_all(settle_together(&process, together, holds).await).await;
        for (place, answer) in answers.into_iter().enumerate() {
            let answer = answer.unwrap();
            assert_eq!(is_charged(&answer), place != 5, "{place}: {answer:?}");
        }
    }
    assert_eq!(process.charged().await, 3 * 11);
    process.assert_no_gap().await;
}

/// The writer's connection ends and there is no other for it: nobody waits for that.
#[tokio::test(flavor = "multi_thread")]
async fn while_batches_cannot_go_together_each_goes_alone_at_once() {
    let process = Process::alone().await;
    let customer = process.customer(1_000).await;
    let charge = async || {
        let customers = std::slice::from_ref(&customer);
        let hold = holds(&process, customers).await.remove(0);
        assert!(is_charged(&process.settle(hold, 1).await));
    };
    charge().await;
    let database: String = sqlx::query_scalar("SELECT current_database()")
        .fetch_one(&process.pool)
        .await
        .unwrap();
    let server = std::env::var("TEST_POSTGRES_URL").unwrap();
    let mut server = sqlx::PgConnection::connect(&server).await.unwrap();
    let mut are_allowed = async |is_allowed: bool| {
        let allow = format!("ALTER DATABASE {database} WITH ALLOW_CONNECTIONS {is_allowed}");
        let end = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}' \
             AND application_name = 'command-service group-writer'"
        );
        sqlx::raw_sql(AssertSqlSafe(format!("{allow}; {end}")))
            .execute(&mut server)
            .await
            .unwrap();
    };
    are_allowed(false).await;
    // The first finds out; each of the others would wait 400 ms.
    let twenty = async {
        for _ in 0..20 {
            charge().await;
        }
    };
    timeout(Duration::from_secs(4), twenty).await.unwrap();
    are_allowed(true).await;
    assert_eq!(process.charged().await, 21);
}

/// As by a rival that has read one of the heads: what was sent before must not be carried out after.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_in_which_one_fence_was_raised_writes_nothing_and_each_goes_alone() {
    let process = Process::patient().await;
    let customers = customers(&process, 12).await;
    let holds = holds(&process, &customers).await;
    sqlx::query("UPDATE shard_head SET fence = fence + 1 WHERE shard = $1")
        .bind(i16::from(customers[5].account.shard().number()))
        .execute(&process.pool)
        .await
        .unwrap();
    for answer in join_all(settle_together(&process, 11, holds).await).await {
        let answer = answer.unwrap();
        assert!(is_charged(&answer), "{answer:?}");
    }
    let (statements, _) = statements_and_shards(&process.pool).await;
    assert_eq!((statements, process.charged().await), (12, 12));
    process.assert_no_gap().await;
}

/// The connection of a group ends: those in it go on alone, and nobody is charged twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_is_ended_by_postgres_charges_each_once() {
    let process = Process::patient().await;
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
}

/// Makes every event that is written to a shard take a minute.
async fn hang(process: &Process, customer: &Customer) {
    let hangs = format!(
        "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$; \
         CREATE TRIGGER hang BEFORE INSERT ON event FOR EACH ROW WHEN (NEW.shard = {}) EXECUTE FUNCTION hang()",
        customer.account.shard().number()
    );
    sqlx::raw_sql(AssertSqlSafe(hangs))
        .execute(&process.pool)
        .await
        .unwrap();
}

/// The turn is its, but nobody waits for that; and it lets go what it has locked before it is given up.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_hangs_holds_up_neither_those_in_it_nor_those_behind_it() {
    let process = Process::alone().await;
    let customers = customers(&process, 17).await;
    let holds = holds(&process, &customers[..16]).await;
    hang(&process, &customers[5]).await;
    let mut answers = settle_together(&process, 0, holds).await;
    let hanging = answers.remove(5);
    assert_charged_soon(answers).await;
    assert!(!hanging.is_finished());
    // Whoever is no part of it, a contract that begins included.
    let (wish, once, cause) = (
        contract_of(customers[16].account, 1),
        Once::default(),
        cause(),
    );
    let opened = process.application.create_contract(wish, &once, &cause);
    timeout(SOON, opened).await.unwrap().unwrap();
    assert_eq!(process.charged().await, 15);
}
