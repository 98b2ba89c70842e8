//! Wires that die in silence, and parts that take connections and never answer: what waits for them ends by itself, and work
//! goes on without help.

use std::time::Duration;

use events_schema::record::RecordKind;
use events_schema::topics::Topic;
use projector::consumer::gap::EventStore;
use projector::database::{self, Limits, within};
use projector::schema::{SchemaFault, bring_up};
use serde_json::json;
use sqlx::migrate::Migrate as _;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use tests::silent_wire::Wire;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::builds::{Build, person};
use crate::stack::{Customer, Stack};

/// Short where a test waits for it. Nothing else of these tests comes near them.
const LIMITS: Limits = Limits {
    answer: Duration::from_secs(2),
    write: Duration::from_secs(2),
    load: Duration::from_secs(60),
    rank: Duration::from_secs(60),
    schema: Duration::from_secs(2),
};

impl Stack {
    /// With the limits of these tests, and the database at the end of a wire.
    async fn wired() -> (Self, Wire, PgPool) {
        let mut stack = Self::new().await;
        stack.config.limits = LIMITS;
        stack.config.consumer.limits = LIMITS;
        stack.config.builds.limits = LIMITS;
        let options = stack.pool.connect_options();
        let server = format!("{}:{}", options.get_host(), options.get_port());
        let wire = Wire::to(server).await.unwrap();
        let over_it = options.as_ref().clone().host("127.0.0.1").port(wire.port);
        let connections = stack.config.connections();
        let pool = database::pool(connections, LIMITS).connect_lazy_with(over_it);
        (stack, wire, pool)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_on_a_wire_that_died_ends_within_its_limit_and_its_connection_is_not_used_again() {
    let (_stack, wire, pool) = Stack::wired().await;
    let limit = Duration::from_millis(100);
    let one = || sqlx::query_scalar::<_, i32>("select 1").fetch_one(&pool);
    assert_eq!(one().await.unwrap(), 1);
    let mut lent = pool.acquire().await.unwrap();
    wire.silence();
    let silent = sqlx::query_scalar::<_, i32>("select 2").fetch_one(&mut *lent);
    let fault = within(limit, silent).await.unwrap_err();
    let sqlx::Error::Io(fault) = fault else {
        panic!("{fault}");
    };
    assert_eq!(fault.kind(), std::io::ErrorKind::TimedOut);
    drop(lent);
    wire.mend();
    assert_eq!(one().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_a_locked_schema_or_a_silent_wire_no_longer_than_its_limit_and_says_for_whom()
 {
    let (stack, wire, pool) = Stack::wired().await;
    let options = stack.pool.connect_options();
    let somebody = options.as_ref().clone().application_name("a tool of ours");
    let mut somebody = PgConnection::connect_with(&somebody).await.unwrap();
    let mut lock = somebody.begin().await.unwrap();
    sqlx::query("lock table _sqlx_migrations in access exclusive mode")
        .execute(&mut *lock)
        .await
        .unwrap();
    let waited = async || match bring_up(&pool, LIMITS).await {
        Err(SchemaFault::Waits(_, why)) => why,
        other => panic!("{other:?}"),
    };
    let why = waited().await;
    assert!(
        why.contains("a tool of ours") && why.contains("idle in transaction"),
        "{why}"
    );
    // What was given up leaves its place, so that the next one is seen to wait.
    let until_waiting = async |wanted: i64| {
        let waiting = "select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        let waiting = || async {
            let waiting = sqlx::query_scalar::<_, i64>(waiting)
                .fetch_one(&stack.pool)
                .await;
            (waiting.unwrap() == wanted).then_some(())
        };
        stack.until("so many wait for a lock", waiting).await;
    };
    until_waiting(0).await;
    // Its connection alone dies: who looks is heard.
    let dead = async {
        until_waiting(1).await;
        wire.silence();
        wire.mend();
        lock.rollback().await.unwrap();
    };
    let (why, ()) = tokio::join!(waited(), dead);
    assert_eq!(why, "its connection is dead");

    // What is dead leaves its turn by itself; the lock is for whoever comes after it.
    stack
        .until("the schema is up to date", || async {
            bring_up(&pool, LIMITS).await.ok()
        })
        .await;
    let mut lock = somebody.begin().await.unwrap();
    sqlx::query("lock table _sqlx_migrations in access exclusive mode")
        .execute(&mut *lock)
        .await
        .unwrap();
    let silence = async {
        until_waiting(1).await;
        wire.silence();
    };
    let (why, ()) = tokio::join!(waited(), silence);
    assert_eq!(why, "Postgres does not answer");

    lock.rollback().await.unwrap();
    wire.mend();

    // What the silent one left in Postgres ends by itself.
    stack
        .until("the schema is up to date", || async {
            bring_up(&pool, LIMITS).await.ok()
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_another_that_is_at_work_as_long_as_it_works_though_it_cannot_look() {
    let stack = Stack::new().await;
    let options = stack.pool.connect_options();
    let mut other =
        PgConnection::connect_with(&options.as_ref().clone().application_name("another"))
            .await
            .unwrap();
    let elsewhere = options.as_ref().clone().database("postgres");
    let mut elsewhere = PgConnection::connect_with(&elsewhere).await.unwrap();
    let name: String = sqlx::query_scalar("select current_database()")
        .fetch_one(&mut other)
        .await
        .unwrap();
    let open = async |is_open: bool, elsewhere: &mut PgConnection| {
        let allow = format!("alter database \"{name}\" allow_connections {is_open}");
        let allow = sqlx::query(AssertSqlSafe(allow)).execute(elsewhere);
        allow.await.unwrap();
    };
    other.lock().await.unwrap();
    let work = async {
        // Longer than the limit, where looks are answered and where they are refused.
        let work = "select pg_sleep(3)";
        sqlx::query(work).execute(&mut other).await.unwrap();
        open(false, &mut elsewhere).await;
        sqlx::query(work).execute(&mut other).await.unwrap();
        open(true, &mut elsewhere).await;
        other.unlock().await.unwrap();
    };
    let (brought_up, ()) = tokio::join!(bring_up(&stack.pool, LIMITS), work);
    brought_up.unwrap();

    // Whoever does nothing in its turn is not waited for.
    other.lock().await.unwrap();
    let Err(SchemaFault::Waits(_, why)) = bring_up(&stack.pool, LIMITS).await else {
        panic!("the turn of another was taken");
    };
    assert!(why.contains("a lock is held by another"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn consuming_and_loading_go_on_once_a_wire_that_died_in_silence_is_mended() {
    let (stack, wire, pool) = Stack::wired().await;
    let stop = CancellationToken::new();
    stack.start_over(pool, &stop).await;
    let customer = Customer::new(1);
    let first = stack.happen(customer.shard(), customer.created(100)).await;
    stack.until_projected(&first).await;

    wire.silence();
    let waiting = stack.config.builds.workers + 3;
    stack
        .until("the consumer and each worker speak in vain", || async {
            (wire.unheard() >= waiting).then_some(())
        })
        .await;
    stack
        .until("consuming ends", || async {
            (!stack.status.is_consuming()).then_some(())
        })
        .await;
    let last = stack
        .happen(customer.shard(), customer.charged(1, 99))
        .await;
    let mut build = Build::start(&stack, "b1-person", RecordKind::Person).await;
    build.stage(&[person(1, "Maya Okafor", json!({}))]).await;

    wire.mend();
    stack.until_projected(&last).await;
    let told = build.seal().await;
    assert_eq!(told["result"], "loaded", "{told}");
    stop.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_service_that_is_frozen_does_not_hide_one_that_answers() {
    let stack = Stack::new().await;
    let customer = Customer::new(1);
    let stored = stack.stored(customer.shard(), customer.created(100));
    // The system takes connections for it, and nobody ever answers.
    let frozen = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut urls = vec![format!("http://{}", frozen.local_addr().unwrap())];
    urls.extend(stack.config.command_service_urls.clone());
    let store = || EventStore::new(stack.client(), urls.clone());
    let stream = (Topic::Credits, customer.shard());

    let (heads, _) = store().heads().await.unwrap();
    assert_eq!(heads.get(&stream), Some(&stored.topic_seq));
    let events = store();
    let asked = tokio::time::timeout(Duration::from_secs(15), events.events_after(stream, 0));
    let events = asked.await.expect("before the frozen one is given up");
    assert_eq!(events.unwrap(), [stored]);
}
