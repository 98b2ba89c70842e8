//! Exactly once, gaps, poison, rivals.

use std::collections::BTreeMap;

use events_schema::account::v1::AccountOpened;
use events_schema::topics::Topic;
use projector::checkpoint::{Advance, Last, Moved, Progress};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stack::{Customer, Stack};

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_event_changes_nothing() {
    let stack = Stack::new().await;
    stack.start().await;
    let (customer, shard) = (Customer::new(1), Customer::new(1).shard());
    let created = stack.happen(shard, customer.created(100)).await;
    let charged = stack.happen(shard, customer.charged(3, 97)).await;
    for repeated in [&created, &charged, &created, &charged] {
        stack.send(repeated).await;
    }
    let last = stack.happen(shard, customer.charged(2, 95)).await;
    stack.until_projected(&last).await;
    assert_eq!(stack.number("select balance from contract").await, 95);
    assert_eq!(
        stack
            .number("select credits_granted - credits_charged from contract")
            .await,
        95
    );
    assert_eq!(stack.number("select count(*) from ledger").await, 3);
    assert_eq!(
        stack.number("select sum(case kind when 'grant' then credits else -credits end)::bigint from ledger").await,
        95
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_that_was_ended_says_so_in_its_row_and_moves_no_credits() {
    let stack = Stack::new().await;
    stack.start().await;
    let (customer, shard) = (Customer::new(1), Customer::new(1).shard());
    stack.happen(shard, customer.created(10)).await;
    stack.happen(shard, customer.ended(10)).await;
    // It was admitted before.
    let last = stack.happen(shard, customer.charged(3, 7)).await;
    stack.until_projected(&last).await;
    let ended = "select balance from contract where ended_at = to_timestamp(1795000000) and end_reason = 'cancelled'";
    assert_eq!(stack.number(ended).await, 7);
    assert_eq!(stack.number("select count(*) from ledger").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_message_is_filled_from_the_event_store_and_counted() {
    let stack = Stack::new().await;
    let (lost, sound) = (Customer::new(2), Customer::new(3));
    let (a, b) = (lost.shard(), sound.shard());
    assert_ne!(a, b, "the seeds give different shards");
    let admin = stack.start().await;
    stack.happen(a, lost.created(10)).await;
    stack.stored(a, lost.charged(1, 9));
    stack.stored(a, lost.charged(1, 8));
    let last = stack.happen(a, lost.charged(1, 7)).await;
    let other = stack.happen(b, sound.created(5)).await;
    stack.until_projected(&last).await;
    stack.until_projected(&other).await;
    let after = stack.happen(a, lost.charged(1, 6)).await;
    stack.until_projected(&after).await;
    assert_eq!(
        stack
            .number("select min(balance) from contract where credits_granted = 10")
            .await,
        6
    );
    assert_eq!(stack.number("select count(*) from ledger").await, 6);
    assert!(stack.status.gaps_filled() >= 2);
    let lag = stack.until("everything is read", || async {
        let lag = stack.get(&format!("{admin}/admin/lag")).await;
        let partitions = lag["topics"]["credits.v1"]["partitions"]
            .as_array()
            .unwrap()
            .clone();
        partitions
            .iter()
            .all(|p| p["lag"] == 0 || p["high_watermark"] == 0)
            .then_some(lag)
    });
    assert!(lag.await["gaps_filled"].as_u64().unwrap() >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_end_of_a_topic_is_noticed_and_fetched() {
    let stack = Stack::new().await;
    let (lost, never) = (Customer::new(2), Customer::new(3));
    assert_ne!(lost.shard(), never.shard(), "the seeds give two shards");
    stack.start().await;
    let first = stack.happen(lost.shard(), lost.created(10)).await;
    stack.until_projected(&first).await;
    // Kafka may have been later with it than the look into the store.
    let before = stack.status.gaps_filled();
    // Of one shard the end is lost, of the other everything: no later message will ever show it.
    stack.stored(lost.shard(), lost.charged(1, 9));
    let last = stack.stored(lost.shard(), lost.charged(1, 8));
    let only = stack.stored(never.shard(), never.created(5));
    stack.until_projected(&last).await;
    stack.until_projected(&only).await;
    assert_eq!(stack.status.gaps_filled() - before, 3);
    // What comes later goes on from there, and the lost messages, should they come at last, change nothing.
    stack.send(&last).await;
    let after = stack.happen(lost.shard(), lost.charged(1, 7)).await;
    stack.until_projected(&after).await;
    let balance = "select balance from contract where credits_granted = 10";
    assert_eq!(stack.number(balance).await, 7);
    assert_eq!(stack.number("select count(*) from ledger").await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn lag_counts_what_kafka_has_lost() {
    let stack = Stack::of_kafka_alone().await;
    let admin = stack.start().await;
    let customer = Customer::new(2);
    let first = stack.happen(customer.shard(), customer.created(10)).await;
    stack.until_projected(&first).await;
    let lag = format!("{admin}/admin/lag");
    assert_eq!(
        stack.get(&lag).await["topics"]["credits.v1"]["events_behind"],
        0
    );
    stack.stored(customer.shard(), customer.charged(1, 9));
    stack.stored(customer.shard(), customer.charged(1, 8));
    let told = stack.get(&lag).await;
    assert_eq!(told["topics"]["credits.v1"]["events_behind"], 2, "{told}");
    assert_eq!(told["topics"]["builds.v1"]["events_behind"], 0, "{told}");
    // It tells of all topics.
    let (status, refused) = stack.answer(&format!("{lag}?topic=credits.v1")).await;
    let parameters = &refused["details"]["parameters"];
    assert_eq!((status, parameters), (400, &json!(["topic"])), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poison_event_parks_its_key_and_no_other() {
    let stack = Stack::of_kafka_alone().await;
    let admin = stack.start().await;
    let (bad, good) = (Customer::new(4), Customer::new(5));
    let opened = |customer: &Customer, name: &str| AccountOpened {
        account_id: customer.account,
        name: name.to_owned(),
    };
    let poison = stack.stored(bad.shard(), opened(&bad, "Acme"));
    stack.send_raw(&poison, "{\"account_id\": 5}").await;
    let behind = stack.happen(bad.shard(), opened(&bad, "Acme again")).await;
    let nul = stack
        .happen(good.shard(), opened(&Customer::new(6), "a\0b"))
        .await;
    let fine = stack.happen(good.shard(), opened(&good, "Bolt")).await;
    for envelope in [&behind, &nul, &fine] {
        stack.until_projected(envelope).await;
    }
    assert_eq!(
        stack.number("select count(*) from account").await,
        1,
        "only the sound key went on"
    );
    let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let [of_bad, of_good] = [&bad, &good].map(|customer| i64::from(customer.shard().number()));
    let rows = letters["dead_letters"].as_array().unwrap().iter();
    let listed: BTreeMap<_, _> = rows
        .map(|row| (row["shard"].as_i64().unwrap(), row["letters"].clone()))
        .collect();
    let keys = BTreeMap::from([(of_bad, json!(2)), (of_good, json!(1))]);
    assert_eq!(listed, keys, "one row a key: {letters}");
    let first_of_bad = async || {
        let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
        let mut keys = letters["dead_letters"].as_array().unwrap().iter();
        keys.find(|key| key["shard"] == of_bad).unwrap()["id"].clone()
    };
    let first = first_of_bad().await;
    let (status, retried) = stack
        .post(&format!("{admin}/admin/dead-letters/{first}/retry"))
        .await;
    assert_eq!(
        (status, &retried["applied"], &retried["left"]),
        (200, &0.into(), &2.into())
    );
    assert_eq!(
        stack
            .post(&format!("{admin}/admin/dead-letters/{first}/discard"))
            .await
            .0,
        204
    );
    assert_eq!(
        stack
            .post(&format!("{admin}/admin/dead-letters/{first}/discard"))
            .await
            .0,
        404
    );
    let second = first_of_bad().await;
    let (_, retried) = stack
        .post(&format!("{admin}/admin/dead-letters/{second}/retry"))
        .await;
    assert_eq!(
        (&retried["applied"], &retried["left"]),
        (&1.into(), &0.into())
    );
    assert_eq!(
        stack
            .number("select count(*) from account where name = 'Acme again'")
            .await,
        1
    );
    assert_eq!(stack.number("select count(*) from dead_letter").await, 1);
}

/// What came in its place through Kafka is not the event; the store has it.
#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_cannot_be_read_is_applied_from_the_event_store() {
    let stack = Stack::of_kafka_alone().await;
    let admin = stack.start().await;
    let customer = Customer::new(4);
    let created = stack.stored(customer.shard(), customer.created(10));
    stack.send_raw(&created, "no JSON").await;
    let charged = stack.happen(customer.shard(), customer.charged(1, 9)).await;
    stack.until_projected(&charged).await;
    let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let id = &letters["dead_letters"][0]["id"];
    let retry = async |how: &str| {
        let path = format!("{admin}/admin/dead-letters/{id}/{how}");
        stack.post(&path).await.1
    };
    let retried = retry("retry").await;
    assert_eq!(
        (&retried["applied"], &retried["left"]),
        (&0.into(), &2.into())
    );
    let retried = retry("retry-from-store").await;
    assert_eq!(
        (&retried["applied"], &retried["left"]),
        (&2.into(), &0.into()),
        "{retried}"
    );
    let balance = "select balance from contract";
    assert_eq!(stack.number(balance).await, 9);
    let gone = format!("{admin}/admin/dead-letters/{id}/retry-from-store");
    assert_eq!(stack.post(&gone).await.0, 404);
}

/// The first letter is none of the events that it should be, and one of the charges is refused until its cause is gone.
#[tokio::test(flavor = "multi_thread")]
async fn the_letters_of_a_busy_key_are_applied_portion_by_portion_in_their_order() {
    let stack = Stack::of_kafka_alone().await;
    let admin = stack.start().await;
    let (customer, shard) = (Customer::new(4), Customer::new(4).shard());
    let created = stack.stored(shard, customer.created(2_600));
    stack.send_raw(&created, "no JSON").await;
    for balance in (101..2_600).rev() {
        stack.stored(shard, customer.charged(1, balance));
    }
    let last = stack.happen(shard, customer.charged(1, 100)).await;
    stack.until_projected(&last).await;
    stack
        .change("alter table ledger add constraint poison check (balance_after <> 1200) not valid")
        .await;
    let retry = async |id: &Value| {
        let path = format!("{admin}/admin/dead-letters/{id}/retry-from-store");
        stack.post(&path).await.1
    };
    let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let (id, letters) = (
        &letters["dead_letters"][0]["id"],
        &letters["dead_letters"][0]["letters"],
    );
    assert_eq!(letters, 2_501);
    let first = retry(id).await;
    assert_eq!(
        (&first["applied"], &first["left"]),
        (&1_000.into(), &1_501.into()),
        "{first}"
    );
    // What comes meanwhile waits behind the others.
    let late = stack.happen(shard, customer.charged(1, 99)).await;
    stack.until_projected(&late).await;
    assert_eq!(stack.number("select balance from contract").await, 1_601);
    let refused = retry(&first["next"]).await;
    assert_eq!(
        (&refused["applied"], &refused["left"]),
        (&400.into(), &1_102.into()),
        "{refused}"
    );
    assert_eq!(refused["error"], "SQLSTATE 23514, constraint poison");
    stack
        .change("alter table ledger drop constraint poison")
        .await;
    let second = retry(&refused["next"]).await;
    assert_eq!(second["applied"], 1_000, "{second}");
    let third = retry(&second["next"]).await;
    assert_eq!(
        third,
        json!({"applied": 102, "left": 0, "next": null, "error": null})
    );
    assert_eq!(stack.number("select balance from contract").await, 99);
    assert_eq!(stack.number("select count(*) from ledger").await, 2_502);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_parked_key_is_listed_however_many_letters_one_of_them_has() {
    let stack = Stack::new().await;
    let admin = stack.start().await;
    let letters =
        "insert into dead_letter (topic, partition, message_key, event_type, envelope, error)
                   select 'credits.v1', 0, k, '', '{}', '' from";
    stack
        .change(&format!(
            "{letters} (select 'busy' as k from generate_series(1, 2000)) as busy"
        ))
        .await;
    stack
        .change(&format!(
            "{letters} (select 'key ' || n as k from generate_series(1, 1200) as n) as others"
        ))
        .await;
    let first = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = stack
        .get(&format!("{admin}/admin/dead-letters?cursor={cursor}"))
        .await;
    let rows = |page: &Value| page["dead_letters"].as_array().unwrap().clone();
    assert_eq!((rows(&first).len(), rows(&second).len()), (1_000, 201));
    assert_eq!(second["next_cursor"], Value::Null);
    let waiting: Vec<_> = rows(&first)
        .iter()
        .chain(&rows(&second))
        .map(|row| row["letters"].as_i64().unwrap())
        .collect();
    assert_eq!(
        (waiting[0], waiting[1..].iter().sum::<i64>()),
        (2_000, 1_200)
    );
    assert_eq!(stack.number("select count(*) from parked_key").await, 1_201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_key_no_index_takes_is_parked_and_the_others_go_on() {
    let stack = Stack::new().await;
    stack.start().await;
    let customer = Customer::new(5);
    // Text that cannot be packed.
    let key: String = (0..100)
        .map(|_| Uuid::new_v4().simple().to_string())
        .collect();
    stack
        .send_keyed(Topic::Credits, customer.shard(), &key, "no event")
        .await;
    let created = stack.happen(customer.shard(), customer.created(10)).await;
    stack.until_projected(&created).await;
    stack
        .until("the message is parked", || async {
            let parked = stack
                .number("select count(*) from dead_letter where message_key like 'sha256:%'")
                .await;
            (parked == 1).then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_holds_nothing_takes_nothing() {
    let stack = Stack::new().await;
    stack.start().await;
    let customer = Customer::new(2);
    let first = stack.happen(customer.shard(), customer.created(10)).await;
    stack.until_projected(&first).await;
    // While this projector cannot reach the leases another one takes all of them.
    stack
        .change("alter table partition_lease rename to away")
        .await;
    stack
        .until("the session ends", || async {
            (!stack.status.is_consuming()).then_some(())
        })
        .await;
    stack
        .change(
            "update away set owner = gen_random_uuid(), expires_at = 'infinity';
                  alter table away rename to partition_lease",
        )
        .await;
    stack
        .until("the next session begins", || async {
            stack.status.is_consuming().then_some(())
        })
        .await;
    let opened = AccountOpened {
        account_id: customer.account,
        name: "Acme".to_owned(),
    };
    stack.happen(customer.shard(), opened).await;
    // Two rounds later it would have been read long ago.
    let round = "select max(extract(epoch from expires_at) * 1000)::bigint from projector_instance";
    for _ in 0..2 {
        let before = stack.number(round).await;
        stack
            .until("another round", || async {
                (stack.number(round).await > before).then_some(())
            })
            .await;
    }
    assert_eq!(stack.number("select count(*) from account").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_parked_keys_stop_consuming_until_they_are_fewer() {
    let mut stack = Stack::of_kafka_alone().await;
    stack.config.consumer.max_parked_keys = 0;
    let admin = stack.start().await;
    let bad = Customer::new(7);
    let poison = stack.stored(
        bad.shard(),
        AccountOpened {
            account_id: bad.account,
            name: "x".into(),
        },
    );
    stack.send_raw(&poison, "no JSON").await;
    stack
        .until("consuming stops", || async {
            stack.status.is_stopped().then_some(())
        })
        .await;
    let ready = stack.post(&format!("{admin}/health/ready")).await;
    assert_eq!(ready.0, 405, "the route is a GET");
    assert!(!stack.status.is_consuming());
    let waiting = stack
        .happen(Customer::new(8).shard(), Customer::new(8).created(1))
        .await;
    let letters = stack.get(&format!("{admin}/admin/dead-letters")).await;
    let id = &letters["dead_letters"][0]["id"];
    assert_eq!(stack.number("select count(*) from contract").await, 0);
    stack
        .post(&format!("{admin}/admin/dead-letters/{id}/discard"))
        .await;
    stack.until_projected(&waiting).await;
    assert!(stack.status.is_consuming());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_projectors_at_one_checkpoint_one_writes() {
    let stack = Stack::new().await;
    let stale = Progress::default();
    let shard = Customer::new(9).shard();
    let step = |next: i64| {
        let mut advance = Advance::default();
        advance.offsets.insert((Topic::Credits, 0), next);
        let last = Last {
            seq: next,
            pos: next,
            ..Last::default()
        };
        advance.last.insert((Topic::Credits, shard), last);
        advance
    };
    let mut first = stack.pool.begin().await.unwrap();
    assert_eq!(
        step(5).write(&mut first, &stale).await.unwrap(),
        Moved::Here
    );
    first.commit().await.unwrap();
    let mut second = stack.pool.begin().await.unwrap();
    assert_eq!(
        step(9).write(&mut second, &stale).await.unwrap(),
        Moved::ByARival
    );
    second.rollback().await.unwrap();
    let now = Progress::load(&stack.pool, &[(Topic::Credits, 0)])
        .await
        .unwrap();
    assert_eq!(
        (
            now.next_offset((Topic::Credits, 0)),
            now.last_seq((Topic::Credits, shard))
        ),
        (5, 5)
    );
    let mut third = stack.pool.begin().await.unwrap();
    assert_eq!(step(9).write(&mut third, &now).await.unwrap(), Moved::Here);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_projectors_share_the_partitions_and_apply_each_event_once() {
    let stack = Stack::new().await;
    stack.start().await;
    stack.start().await;
    let customers: Vec<Customer> = (20..40).map(Customer::new).collect();
    let mut last = Vec::new();
    for customer in &customers {
        last.push(stack.happen(customer.shard(), customer.created(10)).await);
    }
    for balance in (0..10).rev() {
        for (customer, last) in customers.iter().zip(&mut last) {
            *last = stack
                .happen(customer.shard(), customer.charged(1, balance))
                .await;
        }
    }
    for envelope in &last {
        stack.until_projected(envelope).await;
    }
    assert_eq!(
        stack
            .number("select count(*) from contract where balance = 0 and credits_charged = 10")
            .await,
        20
    );
    assert_eq!(stack.number("select count(*) from ledger").await, 220);
    stack
        .until("both hold partitions", || async {
            (stack
                .number(
                    "select count(distinct owner) from partition_lease where expires_at > now()",
                )
                .await
                == 2)
                .then_some(())
        })
        .await;
}
