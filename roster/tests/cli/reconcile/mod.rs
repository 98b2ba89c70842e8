//! `roster reconcile` over a real Postgres and a real Kafka, on rows and messages written by hand: the proof, and each kind
//! of difference.

mod history;
mod world;

use std::time::Duration;

use serde_json::{Value, json};

use crate::run::Ran;
use history::Message;
use world::World;

/// The difference that a run ended with.
fn difference(ran: &Ran) -> (String, String) {
    assert_eq!(ran.code, 1, "{ran:?}");
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["ok"], false);
    let error = ran.error();
    assert_eq!(error["error"], "not_reconciled");
    assert_eq!(error["details"], summary["first_difference"]);
    let text = |key: &str| error["details"][key].as_str().unwrap().to_owned();
    (text("difference"), text("place"))
}

#[tokio::test]
async fn three_equal_copies_are_proved_equal() {
    let world = World::new(history::messages()).await;
    let summary = world.reconcile().await.json();
    let counts = |messages: i64| json!({"messages": messages, "repeats": 0, "early": 0, "younger": 0, "abandoned": 0});
    let expected = json!({
        "ok": true, "events": 20,
        "topics": {
            "accounts.v1": counts(3), "builds.v1": counts(10), "credits.v1": counts(5), "reports.v1": counts(2),
        },
        "accounts": 1, "api_keys": 1, "contracts": 1, "ledger_rows": 4, "credits_granted": 150, "credits_charged": 3,
        "credits_remaining": 147, "reports": 1, "builds": 2, "dead_letters": 0, "first_difference": null,
    });
    assert_eq!(summary, expected);
    world.remove().await;
}

#[tokio::test]
async fn events_that_were_sent_again_in_order_are_no_difference() {
    let mut messages = history::messages();
    let again: Vec<_> = messages
        .iter()
        .filter(|message| message.shard == 5)
        .cloned()
        .collect();
    messages.extend(again);
    let world = World::new(messages).await;
    let summary = world.reconcile().await.json();
    assert_eq!(
        summary["topics"]["credits.v1"],
        json!({"messages": 10, "repeats": 5, "early": 0, "younger": 0, "abandoned": 0})
    );
    assert_eq!(summary["credits_charged"], 3);
    world.remove().await;
}

/// The messages of the contract, in this order of their places in the topic.
fn credits_in_the_order(topic_seqs: &[i64]) -> Vec<Message> {
    let (credits, mut messages): (Vec<_>, Vec<_>) = history::messages()
        .into_iter()
        .partition(|message| message.topic == "credits.v1");
    let at = |seq: &i64| credits.iter().find(|message| message.topic_seq == *seq);
    messages.extend(topic_seqs.iter().filter_map(at).cloned());
    messages
}

#[tokio::test]
async fn a_topic_that_was_filled_again_behind_newer_events_is_no_difference() {
    let lost_at_the_start = [5, 1, 2, 3, 4, 5];
    let lost_in_the_middle = [1, 3, 4, 2, 3, 4, 5];
    for (order, early) in [(&lost_at_the_start[..], 1), (&lost_in_the_middle, 2)] {
        let world = World::new(credits_in_the_order(order)).await;
        let summary = world.reconcile().await.json();
        assert_eq!(
            summary["topics"]["credits.v1"],
            json!({"messages": order.len(), "repeats": 0, "early": early, "younger": 0, "abandoned": 0})
        );
        assert_eq!(summary["credits_charged"], 3);
        world.remove().await;
    }
}

#[tokio::test]
async fn what_came_before_its_turn_and_never_again_is_a_difference() {
    let world = World::new(credits_in_the_order(&[1, 3, 2, 4, 5])).await;
    let (kind, place) = difference(&world.reconcile().await);
    let first_of_them = "credits.v1 partition 1 offset 1, shard 5";
    assert_eq!(
        (kind.as_str(), place.as_str()),
        ("gap_in_topic", first_of_them)
    );
    world.remove().await;
}

#[tokio::test]
async fn events_that_keep_coming_do_not_put_off_what_is_missing() {
    let mut messages = credits_in_the_order(&[1, 2, 3, 4, 5]);
    let newer = messages.pop().map(|missing| Message {
        pos: 99,
        topic_seq: 99,
        ..missing
    });
    let world = World::new(messages).await;
    let sending = async {
        loop {
            world.send(newer.iter().cloned().collect()).await;
        }
    };
    let ran = tokio::select! {
        ran = tokio::time::timeout(Duration::from_secs(30), world.reconcile()) => ran.expect("it ends"),
        () = sending => unreachable!("it is sent for ever"),
    };
    let (kind, place) = difference(&ran);
    assert_eq!(
        (kind.as_str(), place.as_str()),
        ("missing_in_topic", "credits.v1 shard 5")
    );
    world.remove().await;
}

#[tokio::test]
async fn a_partition_that_cannot_be_read_to_its_end_is_a_fault_after_the_wait() {
    let world = World::new(Vec::new()).await;
    let kafka = world.kafka_that_gives_nothing().await;
    let brokers = kafka.bootstrap_servers();
    let ran = world.reconcile_with("KAFKA_BROKERS", &brokers);
    let ran = tokio::time::timeout(Duration::from_secs(30), ran);
    let ran = ran.await.expect("it ends by itself");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let error = ran.error();
    assert_eq!(error["error"], "service_unavailable");
    assert_eq!(error["details"]["component"], "Kafka");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("credits.v1 partition 0"), "{message}");
    world.remove().await;
}

#[tokio::test]
async fn what_a_restored_store_has_given_up_is_a_difference_until_a_new_history_says_so() {
    let mut messages = history::messages();
    let last = messages.iter().rfind(|m| m.topic == "credits.v1").cloned();
    let given_up = last.map(|last| Message {
        pos: 9,
        topic_seq: 6,
        seq: last.seq + 1,
        ..last
    });
    messages.extend(given_up);
    let world = World::new(messages).await;
    let (kind, place) = difference(&world.reconcile().await);
    assert_eq!(
        (kind.as_str(), place.as_str()),
        ("not_in_event_store", "the topics")
    );
    world
        .change_event_store("INSERT INTO history VALUES (5, 1795262460, 9)")
        .await;
    let summary = world.reconcile().await.json();
    assert_eq!(
        summary["topics"]["credits.v1"],
        json!({"messages": 6, "repeats": 0, "early": 0, "younger": 0, "abandoned": 1})
    );
    world.remove().await;
}

#[tokio::test]
async fn what_a_topic_does_not_hold_as_the_store_does_is_named() {
    /// Spoils the messages; `credits` are the indices of those of the contract.
    type Spoil = fn(&mut Vec<Message>, credits: &[usize]);
    let cases: [(Spoil, &str, &str); 6] = [
        (
            |m, credits| drop(m.remove(credits[1])),
            "gap_in_topic",
            "credits.v1 partition 1 offset 1, shard 5",
        ),
        (
            |m, credits| drop(m.remove(credits[4])),
            "missing_in_topic",
            "credits.v1 shard 5",
        ),
        (
            |m, credits| m.swap(credits[1], credits[2]),
            "gap_in_topic",
            "credits.v1 partition 1 offset 1, shard 5",
        ),
        (
            |m, credits| m[credits[1]].payload["credits"] = json!(4),
            "wrong_message",
            "credits.v1 partition 1 offset 1",
        ),
        (
            |m, credits| m[credits[2]].key.push('x'),
            "wrong_message",
            "credits.v1 partition 1 offset 2 key",
        ),
        (
            |m, credits| {
                let mut invented = m[credits[3]].clone();
                invented.pos = 99;
                m.push(invented);
            },
            "not_in_event_store",
            "the topics",
        ),
    ];
    for (spoil, kind, place) in cases {
        let mut messages = history::messages();
        let credits: Vec<_> = (0..messages.len())
            .filter(|n| messages[*n].topic == "credits.v1")
            .collect();
        spoil(&mut messages, &credits);
        let world = World::new(messages).await;
        let found = difference(&world.reconcile().await);
        assert_eq!(found, (kind.to_owned(), place.to_owned()));
        world.remove().await;
    }
}

#[tokio::test]
async fn what_the_event_store_itself_lost_is_named() {
    let cases = [
        (
            "DELETE FROM event WHERE shard = 5 AND pos = 3",
            "gap_in_event_store",
            "event store shard 5",
        ),
        (
            "UPDATE shard_head SET pos = 9 WHERE shard = 5",
            "gap_in_event_store",
            "event store shard 5, last position",
        ),
        (
            "UPDATE event SET topic_seq = 6 WHERE shard = 5 AND pos = 6",
            "gap_in_event_store",
            "event store shard 5 pos 6, topic 1",
        ),
        (
            "UPDATE event SET seq = 9 WHERE shard = 2 AND pos = 2",
            "gap_in_event_store",
            "event store shard 2 aggregate c0b6d6a2-6d0e-8a02-8c1b-1a6d7a2f4e10",
        ),
        (
            "DELETE FROM account_contract",
            "missing_row",
            "event store account_contract 3f6d20b8-71ce-8405-8b52-e09a1c64d7f3",
        ),
        (
            "INSERT INTO account_contract SELECT account_id, '0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c11' FROM account_contract",
            "unknown_row",
            "event store account_contract 0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c11",
        ),
    ];
    spoil_each(World::change_event_store, &cases).await;
}

#[tokio::test]
async fn what_the_read_models_do_not_hold_as_the_store_does_is_named() {
    let contract = "read model contract 3f6d20b8-71ce-8405-8b52-e09a1c64d7f3 (granted, charged, balance, ended)";
    let report = "read model report c0b6d6a2-6d0e-8a02-8c1b-1a6d7a2f4e10 (status, history)";
    let account = "read model account 0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
    let cases = [
        (
            "DELETE FROM ledger WHERE pos = 4",
            "missing_in_ledger",
            "shard 5 pos 4",
        ),
        (
            "UPDATE ledger SET credits = 4 WHERE pos = 4",
            "wrong_row",
            "ledger shard 5 pos 4 credits",
        ),
        (
            "UPDATE ledger SET pos = 70 WHERE pos = 6",
            "missing_in_ledger",
            "shard 5 pos 6",
        ),
        (
            "INSERT INTO ledger SELECT shard, 70, contract_id, account_id, kind, credits, balance_after, endpoint, units, \
             request_id, occurred_at FROM ledger WHERE pos = 6",
            "unknown_row",
            "ledger shard 5 pos 70",
        ),
        (
            "UPDATE contract SET balance = 148",
            "wrong_balance",
            contract,
        ),
        (
            "UPDATE contract SET credits_charged = 4",
            "wrong_balance",
            contract,
        ),
        (
            "UPDATE contract SET ended_at = NULL",
            "wrong_balance",
            contract,
        ),
        ("DELETE FROM contract", "wrong_balance", contract),
        ("UPDATE account SET name = 'x'", "wrong_row", account),
        (
            "UPDATE api_key SET revoked_at = NULL",
            "wrong_row",
            "read model api_key 05Kq7ZtW3mBx (whether revoked)",
        ),
        ("UPDATE report SET status = 'received'", "wrong_row", report),
        (
            "DELETE FROM report_history WHERE seq = 2",
            "wrong_row",
            report,
        ),
        (
            "UPDATE data_build SET status = 'active' WHERE build = 'b-1'",
            "wrong_row",
            "read model data_build b-1",
        ),
        (
            "UPDATE active_build SET build = 'b-1'",
            "wrong_row",
            "read model data_build b-1",
        ),
        (
            "UPDATE data_build SET rows = 6 WHERE build = 'b-2'",
            "wrong_row",
            "read model data_build b-2",
        ),
        (
            "UPDATE data_build SET search_files = search_files || '{\"sha256\": \"first-b-1\"}' WHERE build = 'b-1'",
            "wrong_row",
            "read model data_build b-1",
        ),
        (
            "DELETE FROM build_load WHERE build = 'b-1'",
            "loading_again",
            "read model data_build b-1",
        ),
        (
            "UPDATE build_load SET stage = 'ranked' WHERE build = 'b-2'",
            "loading_again",
            "read model data_build b-2",
        ),
        (
            "UPDATE data_build SET search_files = NULL WHERE build = 'b-2'; UPDATE build_index SET state = 'asked'",
            "loading_again",
            "read model data_build b-2",
        ),
        (
            "UPDATE data_build SET search_files = NULL WHERE build = 'b-2'; UPDATE build_index SET state = 'failed'",
            "wrong_row",
            "read model data_build b-2",
        ),
        // New files, of which no event is here yet.
        (
            "UPDATE data_build SET search_files = '{\"sha256\": \"third-b-2\"}' WHERE build = 'b-2'; \
             UPDATE build_index SET search_files = '{\"sha256\": \"third-b-2\"}'",
            "loading_again",
            "read model data_build b-2",
        ),
        // What is wrong besides is told first.
        (
            "UPDATE build_load SET stage = 'ranked' WHERE build = 'b-1'; UPDATE data_build SET rows = 6 WHERE build = 'b-2'",
            "wrong_row",
            "read model data_build b-2",
        ),
        (
            "INSERT INTO account VALUES (gen_random_uuid(), 'nobody', now())",
            "unknown_row",
            "read model account",
        ),
        (
            "UPDATE shard_checkpoint SET topic_seq = 3 WHERE topic = 'credits.v1' AND shard = 5",
            "read_model_behind",
            "credits.v1 shard 5",
        ),
    ];
    spoil_each(World::change_read_models, &cases).await;
}

/// Each spoiled by one statement, one after the other.
async fn spoil_each(change: impl AsyncFn(&World, &str), cases: &[(&str, &str, &str)]) {
    let world = World::new(history::messages()).await;
    for (statement, kind, place) in cases {
        change(&world, statement).await;
        let found = difference(&world.reconcile().await);
        assert_eq!(
            found,
            ((*kind).to_owned(), (*place).to_owned()),
            "{statement}"
        );
        world.restore().await;
    }
    world.remove().await;
}

#[tokio::test]
async fn a_balance_that_does_not_follow_from_the_events_is_named_though_all_copies_agree() {
    let mut messages = history::messages();
    let charge = messages
        .iter()
        .position(|message| message.topic == "credits.v1" && message.pos == 6)
        .unwrap();
    messages[charge].payload["balance_after"] = json!(146);
    let world = World::new(messages).await;
    world.change_event_store("UPDATE event SET payload = jsonb_set(payload, '{balance_after}', '146') WHERE shard = 5 AND pos = 6").await;
    world
        .change_read_models("UPDATE ledger SET balance_after = 146 WHERE pos = 6")
        .await;
    let found = difference(&world.reconcile().await);
    assert_eq!(
        found,
        (
            "wrong_balance".to_owned(),
            "event store shard 5 pos 6 balance_after".to_owned()
        )
    );
    world.remove().await;
}

#[tokio::test]
async fn a_store_that_cannot_be_reached_is_a_fault_and_no_difference() {
    let world = World::new(Vec::new()).await;
    let ran = world
        .reconcile_with("EVENT_STORE_URL", "postgres://nobody@127.0.0.1:1/none")
        .await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.error()["error"], "service_unavailable");
    world.remove().await;
}
