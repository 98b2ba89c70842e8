//! A store that goes back: ids are never given twice, and nobody writes on what was read before.

use std::collections::BTreeSet;
use std::time::Duration;

use command_service::restored::{self, RestoredFault};
use command_service::store::Store;
use events_schema::history::FIRST;
use events_schema::ids::Shard;
use sqlx::{AssertSqlSafe, PgPool};

use crate::support::{Customer, Process, database, held, until};

/// The copy of a database, as it is now.
async fn dump(url: &str) -> String {
    let (base, name) = url.rsplit_once('/').unwrap();
    let server = PgPool::connect(&std::env::var("TEST_POSTGRES_URL").unwrap())
        .await
        .unwrap();
    let copy = format!("{name}_copy");
    let disconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
    let copied = format!("CREATE DATABASE {copy} TEMPLATE {name}");
    until(|| async {
        sqlx::query(disconnect)
            .bind(name)
            .execute(&server)
            .await
            .unwrap();
        // Refused while somebody has connected again.
        sqlx::query(AssertSqlSafe(copied.clone()))
            .execute(&server)
            .await
            .is_ok()
    })
    .await;
    format!("{base}/{copy}")
}

async fn charge(process: &Process, customer: &Customer) {
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    process.settle(hold, 1).await;
}

async fn ids(store: &Store, shard: Shard) -> Vec<String> {
    let events = store.committed_after(shard, 0, 1_000).await.unwrap();
    events.iter().map(events_schema::Envelope::ce_id).collect()
}

async fn stop(process: Process) -> Store {
    process.shutdown.cancel();
    let store = process.application.store().clone();
    until(|| async {
        store.living_instances().await.unwrap().is_empty() || expire(&process.pool).await
    })
    .await;
    store
}

/// As on a standby that had not the last charge.
async fn lose_the_last_event(process: &Process, customer: &Customer) {
    for statement in [
        "DELETE FROM event WHERE shard = $1 AND pos = (SELECT pos FROM shard_head WHERE shard = $1)",
        "UPDATE shard_head SET pos = pos - 1, topic_seqs[2] = topic_seqs[2] - 1 WHERE shard = $1",
    ] {
        sqlx::query(statement)
            .bind(i16::from(customer.account.shard().number()))
            .execute(&process.pool)
            .await
            .unwrap();
    }
}

/// Instances that ended keep their row until their lease is over.
async fn expire(pool: &PgPool) -> bool {
    sqlx::query("UPDATE instance SET expires_at = now() - interval '1 second'")
        .execute(pool)
        .await
        .unwrap();
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_restored_store_writes_has_ids_that_were_never_given() {
    let url = database().await;
    let process = Process::on(&url, "http://one", Duration::from_secs(5)).await;
    process.until_owner_of_all().await;
    let customer = process.customer(100).await;
    let shard = customer.account.shard();
    charge(&process, &customer).await;
    let dumped = dump(&url).await;
    let shared = ids(process.application.store(), shard).await;
    charge(&process, &customer).await;
    charge(&process, &customer).await;
    let given: BTreeSet<String> = ids(process.application.store(), shard)
        .await
        .into_iter()
        .collect();
    assert_eq!(given.len(), shared.len() + 2);
    stop(process).await;

    let process = Process::on(&dumped, "http://one", Duration::from_secs(5)).await;
    let history = process
        .application
        .store()
        .begin_history(false)
        .await
        .unwrap();
    assert!(
        history > 1_700_000_000,
        "a restored store cannot have forgotten it"
    );
    process.until_owner_of_all().await;
    for _ in 0..3 {
        charge(&process, &customer).await;
    }
    let now = ids(process.application.store(), shard).await;
    assert_eq!(
        now[..shared.len()],
        shared[..],
        "what both have in common keeps its ids"
    );
    for id in &now[shared.len()..] {
        assert!(!given.contains(id), "{id} was given before");
        assert!(id.starts_with(&format!("{history}-")), "{id}");
    }
    // Twice is once more: no id comes again, and none changes.
    let again = process
        .application
        .store()
        .begin_history(false)
        .await
        .unwrap();
    assert!(again > history);
    assert_eq!(ids(process.application.store(), shard).await, now);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_told_of_the_restore_too_late_gives_new_ids_to_what_was_not_sent() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let shard = customer.account.shard();
    charge(&process, &customer).await;
    let store = process.application.store().clone();
    let sent = ids(&store, shard).await;
    let mark = i64::try_from(sent.len()).unwrap();
    store.mark_published(&[(shard, mark)]).await.unwrap();
    charge(&process, &customer).await;
    let unsent = ids(&store, shard).await.pop().unwrap();
    let history = store.begin_history(true).await.unwrap();
    let now = ids(&store, shard).await;
    assert_eq!(now[..sent.len()], sent[..]);
    assert_eq!(now[sent.len()], format!("{history}-{unsent}"));
    let histories = store.histories().await.unwrap();
    assert!(histories.is_abandoned(shard, mark + 1, FIRST));
    assert!(!histories.is_abandoned(shard, mark, FIRST));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_read_the_store_before_the_new_history_writes_nothing_of_the_old_one() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let shard = customer.account.shard();
    charge(&process, &customer).await;
    let store = process.application.store().clone();
    let before = ids(&store, shard).await.len();
    let mut handed_over = store.take_handed_over().unwrap();
    // A charge is answered before it is handed over.
    let mut seen = 0;
    while seen < before {
        seen += handed_over.recv().await.unwrap().len();
    }
    // Past the check for living instances: the fence alone must do.
    let history = store.begin_history(false).await.unwrap();
    charge(&process, &customer).await;
    let now = ids(&store, shard).await;
    assert_eq!(now.len(), before + 1);
    let published = handed_over.recv().await.unwrap();
    assert_eq!(
        published[0].ce_id(),
        now[before],
        "what is published is what is stored"
    );
    assert!(
        now[before].starts_with(&format!("{history}-")),
        "{}",
        now[before]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_history_begins_while_an_instance_lives() {
    let process = Process::alone().await;
    let store = process.application.store().clone();
    let refused = restored::begin(&store, false, Duration::from_millis(500)).await;
    assert!(
        matches!(&refused, Err(RestoredFault::Alive(alive)) if *alive == ["http://one"]),
        "{refused:?}"
    );
    assert_eq!(
        store.histories().await.unwrap(),
        events_schema::history::Histories::default()
    );
    let store = stop(process).await;
    restored::begin(&store, false, Duration::from_secs(20))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_replaced_by_an_older_one_under_a_process_is_noticed() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    charge(&process, &customer).await;
    let store = process.application.store().clone();
    assert!(!store.has_gone_back());
    lose_the_last_event(&process, &customer).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    process.settle(hold, 1).await;
    assert!(store.has_gone_back());
}

/// What a process has taken over it has not committed.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_goes_back_behind_what_was_taken_over_is_noticed() {
    let first = Process::alone().await;
    let customer = first.customer(100).await;
    charge(&first, &customer).await;
    first.shutdown.cancel();
    let second = Process::beside(&first, "http://two").await;
    second.until_owner_of_all().await;
    let hold = held(second.admit(&customer.api_key, 1, None).await);
    lose_the_last_event(&second, &customer).await;
    second.settle(hold, 1).await;
    assert!(second.application.store().has_gone_back());
}

/// Else what comes there would be taken for sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_history_begins_with_no_mark_behind_which_nothing_is() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let shard = customer.account.shard();
    charge(&process, &customer).await;
    let store = process.application.store().clone();
    let head = i64::try_from(ids(&store, shard).await.len()).unwrap();
    store.mark_published(&[(shard, head)]).await.unwrap();
    lose_the_last_event(&process, &customer).await;
    let history = store.begin_history(false).await.unwrap();
    assert_eq!(store.published(shard).await.unwrap(), head - 1);
    let histories = store.histories().await.unwrap();
    assert!(histories.is_abandoned(shard, head, FIRST));
    assert!(!histories.is_abandoned(shard, head, history));
}
