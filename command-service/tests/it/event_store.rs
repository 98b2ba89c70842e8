//! Shards, batches, rivals.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use command_service::application::Once;
use command_service::domain::aggregate::{Aggregate, Kind};
use command_service::shard::{Batch, Found, Wanted, Written};
use command_service::store::{Store, StoreFault, StoreSettings};
use events_schema::api::internal::{Answer, Ask, Call, Hold, Receipt, Settle};
use events_schema::topics::Topic;
use events_schema::{Credits, Envelope};
use serde_json::json;
use service_kit::config::Secret;
use sqlx::migrate::Migrate as _;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use tracing::field::Field;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use uuid::Uuid;

use crate::support::{Process, admit, cause, database, held, until};

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_charges_never_exceed_the_balance_and_each_sees_its_own_balance() {
    let process = Process::alone().await;
    let customer = process.customer(500).await;
    let tries = (0..1_000).map(|_| async {
        match process.admit(&customer.api_key, 1, None).await {
            Answer::Admitted { hold, .. } => match process.settle(hold, 1).await {
                Answer::Settled {
                    standing: Some(standing),
                    ..
                } => Some(standing.credits_remaining.0),
                other => panic!("not settled: {other:?}"),
            },
            Answer::Refused { .. } => None,
            other => panic!("neither admitted nor refused: {other:?}"),
        }
    });
    let balances: Vec<i64> = futures::future::join_all(tries)
        .await
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(balances.len(), 500);
    assert_eq!(
        balances.into_iter().collect::<BTreeSet<_>>(),
        (0..500).collect()
    );
    assert_eq!(process.charged().await, 500);
    process.assert_no_gap().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_rival_owners_of_one_shard_leave_no_gap_and_no_torn_batch() {
    let url = database().await;
    let first = Process::on(&url, "http://one", Duration::from_secs(60)).await;
    first.until_owner_of_all().await;
    let customer = first.customer(100_000).await;
    // The rival takes every lease by force while the first still believes in its own: a zombie, by design.
    sqlx::query("UPDATE shard_lease SET expires_at = now() - interval '1 second'")
        .execute(&first.pool)
        .await
        .unwrap();
    sqlx::query("UPDATE instance SET expires_at = now() - interval '1 second'")
        .execute(&first.pool)
        .await
        .unwrap();
    let rival = Process::on(&url, "http://two", Duration::from_secs(60)).await;
    rival.until_owner_of_all().await;

    let charge = |process: &Process| {
        let (app, key) = (process.application.clone(), customer.api_key.clone());
        async move {
            let call = Call::Admit(admit(&key, Ask::Units(3), None));
            let Answer::Admitted { hold, .. } = app.answer(call).await else {
                return 0;
            };
            let settle = Settle {
                hold,
                units: 3,
                receipt: Receipt::default(),
                traceparent: None,
            };
            match app.answer(Call::Settle(settle)).await {
                Answer::Settled {
                    credits_used: Credits(used),
                    ..
                } => used,
                _ => 0,
            }
        }
    };
    let told = async |process: &Process| -> i64 {
        let charges = (0..300).map(|_| tokio::spawn(charge(process)));
        futures::future::join_all(charges)
            .await
            .into_iter()
            .map(Result::unwrap)
            .sum()
    };
    let (by_first, by_rival) = tokio::join!(told(&first), told(&rival));
    assert!(
        by_first > 0 && by_rival > 0,
        "both wrote: {by_first}, {by_rival}"
    );
    let told = by_first + by_rival;
    // A rival may have been told "unavailable" for a charge that stands; never the other way round.
    assert!(rival.charged().await >= told);
    rival.assert_no_gap().await;
    let last = "SELECT balance_after(event_type, payload) FROM event WHERE aggregate_id = $1 ORDER BY seq DESC LIMIT 1";
    let balance: i64 = sqlx::query_scalar(last)
        .bind(customer.contract.uuid())
        .fetch_one(&rival.pool)
        .await
        .unwrap();
    assert_eq!(balance, 100_000 - rival.charged().await);
}

/// Calls of many customers come in one request, which has one trace.
#[tokio::test(flavor = "multi_thread")]
async fn each_charge_is_stored_with_the_trace_of_its_own_request() {
    let url = database().await;
    let process = Process::on(&url, "http://one", Duration::from_secs(60)).await;
    process.until_owner_of_all().await;
    let customer = process.customer(10).await;
    let mut sent = Vec::new();
    for number in 1..=3 {
        let hold = held(process.admit(&customer.api_key, 1, None).await);
        let trace = format!("00-{number:032x}-00000000000000aa-01");
        sent.push((hold.request_id, Some(trace.clone())));
        let settle = Settle {
            hold,
            units: 1,
            receipt: Receipt::default(),
            traceparent: Some(trace),
        };
        let settle = serde_json::from_value(serde_json::to_value(settle).unwrap());
        let answer = process.application.answer(Call::Settle(settle.unwrap()));
        assert!(matches!(answer.await, Answer::Settled { .. }));
    }
    let stored: Vec<(Uuid, Option<String>)> = sqlx::query_as(
        "SELECT request_id, traceparent FROM event WHERE event_type = 'contract.credits_charged.v1' ORDER BY pos",
    )
    .fetch_all(&process.pool)
    .await
    .unwrap();
    assert_eq!(stored, sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_goes_to_the_next_process_with_its_exact_state() {
    let url = database().await;
    let first = Process::on(&url, "http://one", Duration::from_secs(5)).await;
    first.until_owner_of_all().await;
    let customer = first.customer(10).await;
    let hold = held(first.admit(&customer.api_key, 4, None).await);
    first.settle(hold, 3).await;
    let pending: Hold = held(first.admit(&customer.api_key, 2, None).await);
    first.shutdown.cancel();
    let second = Process::on(&url, "http://two", Duration::from_secs(5)).await;
    second.until_owner_of_all().await;
    let view = second
        .application
        .contract(customer.contract)
        .await
        .unwrap();
    assert_eq!(
        (view.credits_remaining, view.credits_used),
        (Credits(7), Credits(3))
    );
    // A hold of the earlier owner is honoured, since it carries all that settling needs.
    assert!(matches!(
        second.settle(pending, 2).await,
        Answer::Settled {
            credits_used: Credits(2),
            ..
        }
    ));
    assert!(matches!(
        first.admit(&customer.api_key, 1, None).await,
        Answer::Elsewhere { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn state_is_the_same_after_a_snapshot_as_after_every_event() {
    let process = Process::alone().await;
    let customer = process.customer(5_000).await;
    for _ in 0..11 {
        let charges = (0..100).map(|_| async {
            let hold = held(process.admit(&customer.api_key, 1, None).await);
            process.settle(hold, 1).await
        });
        futures::future::join_all(charges).await;
    }
    let pool = &process.pool;
    until(|| async {
        let kept: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM snapshot WHERE aggregate_id = $1 AND seq >= 1000",
        )
        .bind(customer.contract.uuid())
        .fetch_one(pool)
        .await
        .unwrap();
        kept == 1
    })
    .await;
    process.shutdown.cancel();
    let url = {
        let name: String = sqlx::query_scalar("SELECT current_database()")
            .fetch_one(pool)
            .await
            .unwrap();
        let server = std::env::var("TEST_POSTGRES_URL").unwrap();
        format!("{}/{name}", server.rsplit_once('/').unwrap().0)
    };
    let next = Process::on(&url, "http://two", Duration::from_secs(5)).await;
    next.until_owner_of_all().await;
    let view = next.application.contract(customer.contract).await.unwrap();
    assert_eq!(view.credits_remaining, Credits(5_000 - 1_100));
}

/// As one that was kept of events which the store has lost since, and with a balance that no event left.
#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_is_not_what_its_last_event_left_is_not_believed() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    process.settle(hold, 1).await;
    let (store, id) = (process.application.store(), customer.contract.uuid());
    let wanted = Wanted::Aggregate(Kind::Contract, id);
    let shard = customer.account.shard();
    let balance = async || match store.fetch(shard, &wanted).await.unwrap() {
        Found::Aggregate {
            state: Aggregate::Contract(contract),
            seq,
            ..
        } => (contract.balance, seq),
        other => panic!("{other:?}"),
    };
    let Found::Aggregate { state, .. } = store.fetch(shard, &wanted).await.unwrap() else {
        panic!("no aggregate");
    };
    for wrong in ["state = jsonb_set(state, '{balance}', '7')", "seq = 9"] {
        store.keep_snapshot(id, 2, &state).await;
        assert_eq!(balance().await, (Credits(99), 2));
        let change = format!("UPDATE snapshot SET {wrong} WHERE aggregate_id = $1");
        sqlx::query(AssertSqlSafe(change))
            .bind(id)
            .execute(&process.pool)
            .await
            .unwrap();
        assert_eq!(balance().await, (Credits(99), 2), "{wrong}");
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM snapshot WHERE aggregate_id = $1")
            .bind(id)
            .fetch_one(&process.pool)
            .await
            .unwrap();
        assert_eq!(left, 0, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_is_handed_over_in_order_and_can_be_read_again() {
    let process = Process::alone().await;
    let mut handed_over = process.application.store().take_handed_over().unwrap();
    assert!(process.application.store().take_handed_over().is_none());
    let customer = process.customer(10).await;
    process
        .application
        .grant_credits(customer.contract, Credits(5), &Once::default(), &cause())
        .await
        .unwrap();
    let mut seen = Vec::new();
    while seen.len() < 4 {
        seen.extend(handed_over.recv().await.unwrap().iter().cloned());
    }
    let shard = customer.account.shard();
    let stored = process
        .application
        .store()
        .committed_after(shard, 0, 100)
        .await
        .unwrap();
    assert_eq!(seen, stored);
    assert_eq!(
        stored.iter().map(|e| e.pos).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    let credits = process
        .application
        .store()
        .topic_events_after(Topic::Credits, shard, 1, 100)
        .await
        .unwrap();
    assert_eq!(
        credits
            .iter()
            .map(|e| (e.topic_seq, e.event.stored_type()))
            .collect::<Vec<_>>(),
        [(2, "contract.credits_granted.v1")]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_publication_mark_moves_neither_back_nor_past_what_is_there() {
    let process = Process::alone().await;
    let store = process.application.store();
    let shard = events_schema::ids::Shard::new(7).unwrap();
    sqlx::query("UPDATE shard_head SET pos = 9 WHERE shard = 7")
        .execute(&process.pool)
        .await
        .unwrap();
    for mark in [9, 4, 10] {
        store.mark_published(&[(shard, mark)]).await.unwrap();
        assert_eq!(store.published(shard).await.unwrap(), 9, "{mark}");
    }
}

/// Those before it are published all the same.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_cannot_be_read_hides_nothing_but_itself() {
    let process = Process::alone().await;
    let shard = process.customer(10).await.account.shard();
    let spoil =
        "UPDATE event SET event_type = 'account.unheard_of.v1' WHERE shard = $1 AND pos = 2";
    sqlx::query(spoil)
        .bind(i16::from(shard.number()))
        .execute(&process.pool)
        .await
        .unwrap();
    let store = process.application.store();
    let positions = async |after| {
        let read = store.committed_after(shard, after, 10).await?;
        let positions = read.iter().map(|envelope| envelope.pos).collect::<Vec<_>>();
        Ok::<_, StoreFault>(positions)
    };
    assert_eq!(positions(0).await.unwrap(), [1]);
    assert!(matches!(positions(1).await, Err(StoreFault::Unreadable(_))));
    assert_eq!(positions(2).await.unwrap(), [3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_contract_is_refused_and_leaves_nothing() {
    let process = Process::alone().await;
    let customer = process.customer(1).await;
    let nobody = events_schema::ids::ContractId::new(customer.account, *Uuid::new_v4().as_bytes());
    assert!(
        process
            .application
            .grant_credits(nobody, Credits(1), &Once::default(), &cause())
            .await
            .is_err()
    );
    process.assert_no_gap().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_events_of_an_aggregate_are_read_from_its_first_one_on() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let hold = held(process.admit(&customer.api_key, 4, None).await);
    process.settle(hold, 3).await;
    let store = process.application.store();
    let events = store.events_after(customer.contract.uuid(), 0).await;
    let read: Vec<_> = events.unwrap().iter().map(|e| e.stored_type()).collect();
    assert_eq!(read, ["contract.created.v1", "contract.credits_charged.v1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_process_takes_the_place_of_the_one_that_was_killed_at_its_address() {
    let url = database().await;
    // A lease that outlives the test: waiting for its end would not do.
    let lease = Duration::from_secs(600);
    let killed = Process::on(&url, "http://one", lease).await;
    killed.until_owner_of_all().await;
    let customer = killed.customer(10).await;
    let restarted = Process::on(&url, "http://one", lease).await;
    restarted.until_owner_of_all().await;
    held(restarted.admit(&customer.api_key, 1, None).await);
}

/// Else they would take each other's shards once a second for ever, and rate windows would begin anew with each.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_that_live_at_one_address_the_earlier_ends() {
    let url = database().await;
    let lease = Duration::from_secs(5);
    let earlier = Process::on(&url, "http://one", lease).await;
    earlier.until_owner_of_all().await;
    let later = Process::on(&url, "http://one", lease).await;
    let ended = tokio::time::timeout(Duration::from_secs(20), earlier.leases);
    ended.await.unwrap().unwrap();
    assert!(earlier.application.store().owned_shards().is_empty());
    let renewed = async || {
        let at = "SELECT expires_at FROM instance WHERE address = 'http://one'";
        let at: DateTime<Utc> = sqlx::query_scalar(at).fetch_one(&later.pool).await.unwrap();
        at
    };
    for _ in 0..2 {
        let before = renewed().await;
        until(|| async { renewed().await > before }).await;
    }
    assert!(!later.leases.is_finished());
    later.until_owner_of_all().await;
}

/// A connection made as the store makes its own, to a store with 20,000 events in shard 7, every 5,000th of the topic of reports. Nobody
/// has analysed the table: so is one that grows fast.
async fn fast_grown() -> PgConnection {
    let url = database().await;
    let settings = StoreSettings::new(
        Secret::new(url.clone()),
        Uuid::new_v4(),
        "http://one".to_owned(),
    );
    let options = settings.connect_options().unwrap();
    drop(Store::open(settings).await.unwrap());
    let mut connection = PgConnection::connect_with(&options).await.unwrap();
    let fill = "ALTER TABLE event SET (autovacuum_enabled = off);
         INSERT INTO event (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload, request_id, \
         actor, occurred_at) \
         SELECT 7, pos, CASE WHEN pos % 5000 = 0 THEN 3 ELSE 1 END, \
         CASE WHEN pos % 5000 = 0 THEN pos / 5000 ELSE pos - pos / 5000 END, \
         gen_random_uuid(), 1, 'contract.created.v1', jsonb_build_object('credits', 0), gen_random_uuid(), '', now() \
         FROM generate_series(1, 20000) AS pos;
         SET plan_cache_mode = force_generic_plan";
    sqlx::raw_sql(fill).execute(&mut connection).await.unwrap();
    connection
}

/// What Postgres does for a statement on it, as the store will come to run it: by one plan for whatever is bound.
async fn explained(store: &mut PgConnection, statement: &str, bound: &str) -> String {
    let prepare = format!("DEALLOCATE ALL; PREPARE page AS {statement}");
    let prepared = sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *store);
    prepared.await.unwrap();
    let explain = format!("EXPLAIN ANALYZE EXECUTE page({bound})");
    let plan: Vec<String> = sqlx::query_scalar(AssertSqlSafe(explain))
        .persistent(false)
        .fetch_all(store)
        .await
        .unwrap();
    plan.join("\n")
}

#[tokio::test]
async fn a_rare_topic_is_read_without_walking_its_shard() {
    let mut store = fast_grown().await;
    let statement = include_str!("../../sql/rare_topic_events_after.sql");
    let plan = explained(&mut store, statement, "7, 3, 1, 1000").await;
    assert!(plan.contains("event_rare_topic"), "{plan}");
    assert!(!plan.contains("Rows Removed by Filter"), "{plan}");
    assert!(plan.contains("rows=3 loops=1"), "{plan}");
}

/// Else the pages of a backlog cost its square.
#[tokio::test]
async fn a_page_of_events_costs_no_more_for_what_lies_behind_it() {
    let mut store = fast_grown().await;
    let of_shard = include_str!("../../sql/events_after.sql");
    let of_topic = include_str!("../../sql/topic_events_after.sql");
    for (statement, bound) in [(of_shard, "7, 100, 50"), (of_topic, "7, 1, 100, 50")] {
        let plan = explained(&mut store, statement, bound).await;
        let index = plan.lines().find(|line| line.contains("event_pkey"));
        let index = index.unwrap_or_default();
        assert!(
            index.contains("(actual") && index.contains("rows=50 loops=1"),
            "{plan}"
        );
    }
}

/// As by a fault of memory: what it believes is refused by the statement, and decided anew from what stands.
#[tokio::test]
async fn a_balance_that_is_not_what_memory_believes_is_not_charged() {
    let process = Process::alone().await;
    let customer = process.customer(100).await;
    let charge = async || {
        let hold = held(process.admit(&customer.api_key, 1, None).await);
        match process.settle(hold, 1).await {
            Answer::Settled { standing, .. } => standing.unwrap().credits_remaining,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(charge().await, Credits(99));
    for (seq, balance, left) in [(2, 50, 49), (3, 80, 79)] {
        let change = "UPDATE event SET payload = jsonb_set(payload, '{balance_after}', to_jsonb($3)) WHERE aggregate_id = $1 AND seq = $2";
        sqlx::query(change)
            .bind(customer.contract.uuid())
            .bind(seq)
            .bind(balance)
            .execute(&process.pool)
            .await
            .unwrap();
        assert_eq!(charge().await, Credits(left));
    }
    assert_eq!(process.charged().await, 3);
}

/// Whoever asks whether a batch was written is told of all of its events, each by place, aggregate, request and time: another owner's may
/// begin or end like it.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_stands_only_with_each_of_its_events_where_it_put_them() {
    let process = Process::alone().await;
    let shard = process.customer(10).await.account.shard();
    let store = process.application.store();
    let Ok(Found::Head(head)) = store.fetch(shard, &Wanted::Head).await else {
        panic!("there is no head");
    };
    let events = store.committed_after(shard, 0, 10).await.unwrap();
    assert!(events.len() > 2, "{events:?}");
    let stands = async |events: Vec<_>| {
        let (before, after) = (head.clone(), head.clone());
        let (events, rows) = (events.into(), Vec::new());
        let batch = Batch {
            shard,
            before,
            after,
            events,
            rows,
        };
        store.stands(&batch).await.unwrap()
    };
    assert!(stands(events.clone()).await);
    let others: [fn(&mut Envelope); 5] = [
        |event| event.pos += 1,
        |event| event.seq += 1,
        |event| event.aggregate_id = Uuid::new_v4(),
        |event| event.request_id = Uuid::new_v4(),
        |event| event.occurred_at += TimeDelta::microseconds(1),
    ];
    for (number, change) in others.into_iter().enumerate() {
        for place in 0..events.len() {
            let mut events = events.clone();
            change(&mut events[place]);
            assert!(!stands(events).await, "{number} at {place}");
        }
    }
}

/// What goes on from the first event of a new customer's shard: the account of somebody else, opened by `actor`.
async fn next_batch(process: &Process, actor: &str) -> Arc<Batch> {
    let shard = process.customer(10).await.account.shard();
    let store = process.application.store();
    let Ok(Found::Head(before)) = store.fetch(shard, &Wanted::Head).await else {
        panic!("there is no head");
    };
    let mut events = store.committed_after(shard, 0, 1).await.unwrap();
    let topic = events[0].event.topic().index();
    let mut after = before.clone();
    (after.pos, after.topic_seqs[topic]) = (before.pos + 1, before.topic_seqs[topic] + 1);
    events[0].pos = after.pos;
    events[0].topic_seq = after.topic_seqs[topic];
    (events[0].aggregate_id, events[0].request_id) = (Uuid::new_v4(), Uuid::new_v4());
    events[0].actor = actor.to_owned();
    Arc::new(Batch {
        shard,
        before,
        after,
        events: events.into(),
        rows: Vec::new(),
    })
}

/// The shard goes on with other things then, and comes back for the outcome.
#[tokio::test]
async fn a_batch_is_written_before_anybody_asks_how_that_ended() {
    let process = Process::alone().await;
    let batch = next_batch(&process, "operator:ops").await;
    let stands = "SELECT count(*) FROM event WHERE request_id = $1";
    let mut writing = Vec::new();
    until(|| {
        // Again, since those who have no connection yet take nothing; written is what of all these comes first.
        writing.push(process.application.store().write(Arc::clone(&batch)));
        async {
            let stands = sqlx::query_scalar(stands).bind(batch.events[0].request_id);
            let count: i64 = stands.fetch_one(&process.pool).await.unwrap();
            count == 1
        }
    })
    .await;
}

/// What Postgres says of a refusal quotes the row, and a row holds what customers wrote.
#[tokio::test]
async fn a_batch_that_postgres_refuses_for_what_is_in_it_is_refused_and_no_row_is_in_the_log() {
    let logged = Logged::default();
    let subscriber = tracing_subscriber::registry().with(logged.clone());
    let _listening = tracing::subscriber::set_default(subscriber);
    let process = Process::alone().await;
    let batch = next_batch(&process, "operator:quoted").await;
    let store = process.application.store();
    // Data, a rule that is broken, and what may not be done at all.
    for code in ["22P05", "23514", "42501"] {
        let refuse = format!(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             RAISE EXCEPTION 'of %', NEW.actor USING ERRCODE = '{code}', DETAIL = NEW.actor; END $$; \
             CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse()"
        );
        let made = sqlx::raw_sql(AssertSqlSafe(refuse)).execute(&process.pool);
        made.await.unwrap();
        // Together with others, by a thread whose log nobody reads, then alone.
        for _ in 0..2 {
            assert_eq!(
                store.write(Arc::clone(&batch)).await,
                Written::Refused,
                "{code}"
            );
            // That thread may have been the first to ask whether anybody listens.
            tracing::callsite::rebuild_interest_cache();
        }
        let told = logged.take();
        let is_told = |line: &String| line.contains("refused a batch") && line.contains(code);
        assert!(told.iter().any(is_told), "{code}: {told:?}");
        let quotes = |line: &&String| line.contains("quoted");
        assert_eq!(told.iter().find(quotes), None, "{code}");
    }
    // There is nothing wrong with the batch itself.
    let drop = sqlx::query("DROP TRIGGER refuse ON event").execute(&process.pool);
    drop.await.unwrap();
    assert_eq!(store.write(Arc::clone(&batch)).await, Written::Committed);
}

/// What this service logs on the thread of a test, with all its fields.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<String>>>);

impl Logged {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl<S: tracing::Subscriber> Layer<S> for Logged {
    fn on_event(&self, event: &tracing::Event<'_>, _context: Context<'_, S>) {
        if !event.metadata().target().starts_with("command_service") {
            return;
        }
        let mut line = String::new();
        event.record(&mut |field: &Field, value: &dyn Debug| {
            line += &format!("{field}={value:?} ");
        });
        self.0.lock().unwrap().push(line);
    }
}

/// More events than are read at a time, and no snapshot.
#[tokio::test(flavor = "multi_thread")]
async fn an_aggregate_of_very_many_events_is_read_page_by_page() {
    let process = Process::alone().await;
    let customer = process.customer(10).await;
    let (shard, contract) = (customer.account.shard(), customer.contract.uuid());
    let grant = json!({"contract_id": contract, "account_id": customer.account, "credits": 1});
    let many = "INSERT INTO event (shard, pos, topic, topic_seq, aggregate_id, seq, event_type, payload, request_id, actor, occurred_at)
        SELECT shard, 1000 + n, topic, 1000 + n, aggregate_id, seq + n, 'contract.credits_granted.v1',
            $2::jsonb || jsonb_build_object('balance_after', 10 + n), lpad(to_hex(n), 32, '0')::uuid, actor, occurred_at
        FROM event, generate_series(1, 12000) AS n WHERE aggregate_id = $1";
    let made = sqlx::query(many)
        .bind(contract)
        .bind(grant)
        .execute(&process.pool);
    assert_eq!(made.await.unwrap().rows_affected(), 12_000);
    let wanted = Wanted::Aggregate(Kind::Contract, contract);
    let store = process.application.store();
    match store.fetch(shard, &wanted).await.unwrap() {
        Found::Aggregate {
            state: Aggregate::Contract(state),
            seq,
            ..
        } => assert_eq!((seq, state.balance), (12_001, Credits(12_010))),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn no_event_of_a_contract_leaves_it_below_zero_or_says_nothing_of_its_balance() {
    let process = Process::alone().await;
    let customer = process.customer(1).await;
    let hold = held(process.admit(&customer.api_key, 1, None).await);
    process.settle(hold, 1).await;
    for payload in [
        "jsonb_set(payload, '{balance_after}', '-1')",
        "payload - 'balance_after'",
    ] {
        for event_type in [
            "contract.credits_charged.v1",
            "contract.credits_granted.v1",
            "contract.unheard_of.v1",
        ] {
            let wrong = format!(
                "INSERT INTO event SELECT shard, 99, topic, 99, aggregate_id, 99, '{event_type}', {payload}, gen_random_uuid(), actor, \
                 traceparent, occurred_at FROM event WHERE event_type = 'contract.credits_charged.v1'"
            );
            let fault = sqlx::query(AssertSqlSafe(wrong))
                .execute(&process.pool)
                .await
                .unwrap_err();
            let constraint = fault
                .as_database_error()
                .and_then(|fault| fault.constraint());
            assert_eq!(constraint, Some("event_balance"), "{event_type} {payload}");
        }
    }
}

/// Postgres plans checks in every statement that writes: a function of SQL in one is read and taken apart each time.
#[tokio::test]
async fn no_check_of_events_calls_a_function_of_sql() {
    let process = Process::alone().await;
    let called = "SELECT p.proname::text FROM pg_constraint c
        JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_proc'::regclass
        JOIN pg_proc p ON p.oid = d.refobjid
        WHERE c.conrelid = 'event'::regclass";
    let called: Vec<String> = sqlx::query_scalar(called)
        .fetch_all(&process.pool)
        .await
        .unwrap();
    assert!(called.is_empty(), "{called:?}");
}

/// How often heads were moved, and the blocks of heads that statements have looked at. Sessions tell a little later.
async fn hot_rows(pool: &PgPool) -> (i64, i64) {
    sqlx::query_as(
        "SELECT (SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'shard_head'), \
         (SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint FROM pg_statio_user_tables \
         WHERE relname = 'shard_head')",
    )
    .fetch_one(pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_batch_meets_no_versions_that_an_open_snapshot_keeps() {
    let process = Process::alone().await;
    let customer = process.customer(1_000_000).await;
    let charge = async |count: usize| {
        for _ in 0..count {
            let hold = held(process.admit(&customer.api_key, 1, None).await);
            assert!(matches!(
                process.settle(hold, 1).await,
                Answer::Settled { .. }
            ));
        }
    };
    charge(10).await;
    let mut snapshot = process.pool.acquire().await.unwrap();
    for statement in [
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "SELECT count(*) FROM event",
    ] {
        sqlx::query(statement)
            .execute(&mut *snapshot)
            .await
            .unwrap();
    }
    // As 20,000 batches would leave them.
    let batches = format!(
        "DO $$ BEGIN FOR i IN 1..20000 LOOP \
         UPDATE shard_head SET pos = pos + 1 WHERE shard = {shard}; END LOOP; \
         UPDATE shard_head SET pos = pos - 20000 WHERE shard = {shard}; END $$",
        shard = customer.account.shard().number()
    );
    sqlx::query(AssertSqlSafe(batches))
        .execute(&process.pool)
        .await
        .unwrap();
    until(|| async { hot_rows(&process.pool).await.0 > 20_000 }).await;
    let (moves, before) = hot_rows(&process.pool).await;
    charge(50).await;
    until(|| async { hot_rows(&process.pool).await.0 >= moves + 50 }).await;
    let looked_at = hot_rows(&process.pool).await.1 - before;
    assert!((1..50 * 30).contains(&looked_at), "{looked_at} blocks");
    process.assert_no_gap().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_a_locked_schema_no_longer_than_its_limit_and_says_for_whom() {
    let url = database().await;
    let address = "http://one".to_owned();
    let mut settings = StoreSettings::new(Secret::new(url.clone()), Uuid::new_v4(), address);
    settings.schema_timeout = Duration::from_secs(2);
    Store::open(settings.clone()).await.unwrap();
    let somebody: PgConnectOptions = url.parse().unwrap();
    let somebody = somebody.application_name("a tool of ours");
    let mut somebody = PgConnection::connect_with(&somebody).await.unwrap();
    let mut lock = somebody.begin().await.unwrap();
    sqlx::query("LOCK TABLE _sqlx_migrations IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *lock)
        .await
        .unwrap();
    let opened = Store::open(settings.clone()).await;
    let fault = opened.map(drop).unwrap_err();
    assert!(matches!(fault, StoreFault::SchemaWaits(..)), "{fault}");
    let said = fault.to_string();
    assert!(
        said.contains("within 2s: a lock is held by a tool of ours"),
        "{said}"
    );
    lock.rollback().await.unwrap();
    Store::open(settings.clone()).await.unwrap();

    // The turn of another start is waited for while that one works, and no longer.
    somebody.lock().await.unwrap();
    let work = async {
        let longer = sqlx::query("SELECT pg_sleep(4)");
        longer.execute(&mut somebody).await.unwrap();
        somebody.unlock().await.unwrap();
    };
    let (opened, ()) = tokio::join!(Store::open(settings.clone()), work);
    opened.unwrap();
    somebody.lock().await.unwrap();
    let said = Store::open(settings).await.map(drop).unwrap_err();
    assert!(
        said.to_string().contains("held by a tool of ours"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_is_older_than_the_schema_says_so_and_writes_nothing() {
    let url = database().await;
    let address = "http://one".to_owned();
    let settings = StoreSettings::new(Secret::new(url.clone()), Uuid::new_v4(), address);
    Store::open(settings.clone()).await.unwrap();
    let mut newer = PgConnection::connect(&url).await.unwrap();
    let migrated =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                    VALUES (9999, 'of tomorrow', true, '', 0)";
    sqlx::query(migrated).execute(&mut newer).await.unwrap();
    let fault = Store::open(settings.clone()).await.map(drop).unwrap_err();
    assert!(
        matches!(fault, StoreFault::OfAnotherVersion(_)),
        "{fault:?}"
    );
    let said = fault.cause();
    assert!(
        said.starts_with("a newer version has been at work on this database (migration 9999)"),
        "{said}"
    );
    let altered = "DELETE FROM _sqlx_migrations WHERE version = 9999;
                   UPDATE _sqlx_migrations SET checksum = '' WHERE version = 3";
    sqlx::raw_sql(altered).execute(&mut newer).await.unwrap();
    let fault = Store::open(settings).await.map(drop).unwrap_err();
    assert!(
        fault
            .cause()
            .starts_with("migration 3 ran here with another text"),
        "{fault:?}"
    );
}
