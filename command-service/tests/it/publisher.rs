//! The publisher over a real Kafka: at least once, in order, without gaps, through failures and restarts.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use command_service::publisher::{
    BackoffSettings, Portion, Publisher, PublisherSettings, TopicSettings,
};
use events_schema::Envelope;
use events_schema::api::admin::Republished;
use events_schema::ids::Shard;
use http::Method;
use rdkafka::ClientConfig;
use rdkafka::admin::{
    AdminClient, AdminOptions, ConfigResource, NewTopic, ResourceSpecifier, TopicReplication,
};
use rdkafka::client::DefaultClientContext;
use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::event_log::{Log, charge};
use crate::kafka::{Read, brokers, is_known, messages_in, read_to_the_end, read_until};
use crate::service::{ADMIN_TOKEN, Running, Setup, text};
use crate::support::until;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn settings(prefix: &str, brokers: String) -> PublisherSettings {
    PublisherSettings {
        kafka: brokers.into(),
        topics: TopicSettings {
            prefix: prefix.to_owned(),
            partitions: 2,
            replication: 1,
            compaction_lag: DAY,
            tombstone_retention: DAY,
        },
        in_flight_events: 100,
        queue_messages: 1_000,
        feed_events: 50,
        read_events: 30,
        mark_interval: Duration::from_millis(20),
        handover_grace: Duration::from_millis(20),
        poll_interval: Duration::from_secs(1),
        backoff: BackoffSettings {
            first: Duration::from_millis(20),
            longest: Duration::from_millis(200),
        },
    }
}

/// A publisher that owns the given shards, until it is dropped or stopped.
struct Publishing {
    publisher: Publisher<Log>,
    hand_over: mpsc::Sender<Arc<Vec<Envelope>>>,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    owned: watch::Sender<u64>,
}

/// The way to Kafka: closed at first.
struct Door {
    address: String,
    refused: Arc<AtomicUsize>,
    is_open: Arc<AtomicBool>,
}

impl Door {
    async fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let door = Self {
            address: listener.local_addr().unwrap().to_string(),
            refused: Arc::default(),
            is_open: Arc::default(),
        };
        let (refused, is_open) = (door.refused.clone(), door.is_open.clone());
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                if is_open.load(Ordering::Relaxed) {
                    let mut to = TcpStream::connect(brokers()).await.unwrap();
                    tokio::spawn(async move { copy_bidirectional(&mut from, &mut to).await });
                } else {
                    refused.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        door
    }

    fn refused(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }

    fn open(&self) {
        self.is_open.store(true, Ordering::Relaxed);
    }
}

impl Publishing {
    fn start(log: &Log, shards: &[Shard], prefix: &str) -> Self {
        Self::start_at(log, shards, prefix, brokers())
    }

    fn start_at(log: &Log, shards: &[Shard], prefix: &str, brokers: String) -> Self {
        Self::start_with(log, shards, settings(prefix, brokers))
    }

    fn start_with(log: &Log, shards: &[Shard], settings: PublisherSettings) -> Self {
        let publisher = Publisher::new(log.clone(), settings).unwrap();
        let mask = shards
            .iter()
            .fold(0, |mask, shard| mask | 1 << shard.number());
        let (owned, owned_rx) = watch::channel(mask);
        let (hand_over, handed_over) = mpsc::channel(4);
        let stop = CancellationToken::new();
        let run = publisher.clone().run(owned_rx, handed_over, stop.clone());
        Self {
            publisher,
            hand_over,
            stop: stop.clone(),
            task: tokio::spawn(run),
            owned,
        }
    }

    /// As a crash: nothing is flushed and no mark is stored.
    async fn kill(self) {
        self.task.abort();
        let _ = self.task.await;
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

const ALL_AT_ONCE: Portion = Portion {
    events: u64::MAX,
    time: Duration::from_secs(30),
    limit: Duration::from_secs(30),
};

const fn portion(sent: u64, next: Option<i64>) -> Republished {
    Republished { sent, next }
}

fn prefix() -> String {
    format!("t{}.", Uuid::new_v4().simple())
}

fn shard(number: u8) -> Shard {
    Shard::new(number).unwrap()
}

fn of_shard(read: &[Read], shard: Shard) -> Vec<i64> {
    let of = read
        .iter()
        .filter(|m| m.headers["ce_shard"] == shard.to_string());
    of.map(|m| m.number("ce_pos")).collect()
}

/// Every shard's positions 1 to `last` are there, and each first appearance follows the one before it.
fn assert_in_order(read: &[Read], shard: Shard, last: i64) {
    let mut next = 1;
    for pos in of_shard(read, shard) {
        assert!(
            pos <= next,
            "shard {shard}: position {pos} came before {next}"
        );
        next = next.max(pos + 1);
    }
    assert_eq!(next, last + 1, "shard {shard}");
}

fn has_all(read: &[Read], shards: &[Shard], last: i64) -> bool {
    shards
        .iter()
        .all(|shard| of_shard(read, *shard).contains(&last))
}

#[tokio::test]
async fn the_topics_have_the_settings_of_the_language() {
    let (log, prefix) = (Log::new(), prefix());
    let publishing = Publishing::start(&log, &[shard(1)], &prefix);
    log.commit(shard(1), 1);
    until(|| async { log.mark(shard(1)) == 1 }).await;
    for spec in events_schema::topics::all() {
        use events_schema::topics::Retention;
        let wanted: &[(&str, &str)] = match spec.retention {
            Retention::Everything => &[("cleanup.policy", "delete"), ("retention.ms", "-1")],
            Retention::NewestByKey => &[
                ("cleanup.policy", "compact"),
                ("max.compaction.lag.ms", "86400000"),
                ("segment.ms", "43200000"),
                ("delete.retention.ms", "86400000"),
            ],
        };
        // A broker that is slow lists a topic before it has its settings.
        for (key, wanted) in wanted {
            until(|| async {
                let described = described(&format!("{prefix}{}", spec.name)).await;
                let found = described.get(key).and_then(|found| found.value.as_deref());
                found == Some(*wanted)
            })
            .await;
        }
    }
    publishing.end().await;
}

#[tokio::test]
async fn a_topic_of_an_earlier_version_gets_the_settings_of_now_and_keeps_its_own() {
    let (log, prefix) = (Log::new(), prefix());
    let details = format!("{prefix}report-details.v1");
    let topic = NewTopic::new(&details, 2, TopicReplication::Fixed(1))
        .set("cleanup.policy", "compact")
        .set("max.message.bytes", "2000000");
    let made = admin().create_topics([&topic], &AdminOptions::new()).await;
    made.unwrap().remove(0).unwrap();
    until(|| async { is_known(&details).await }).await;

    let publishing = Publishing::start(&log, &[shard(1)], &prefix);
    log.commit(shard(1), 1);
    until(|| async { log.mark(shard(1)) == 1 }).await;
    let lag = async || {
        let described = described(&details).await;
        let lag = described.get("max.compaction.lag.ms");
        lag.and_then(|lag| lag.value.clone())
    };
    until(|| async { lag().await.as_deref() == Some("86400000") }).await;
    let described = described(&details).await;
    for (name, value) in [
        ("max.compaction.lag.ms", "86400000"),
        ("max.message.bytes", "2000000"),
        ("cleanup.policy", "compact"),
    ] {
        let found = described.get(name).unwrap().value.as_deref();
        assert_eq!(found, Some(value), "{name}");
    }
    publishing.end().await;
}

/// The broker's cleaner looks every 15 s.
#[tokio::test]
async fn erased_values_are_gone_from_kafka_after_the_lag_although_no_further_report_comes() {
    let (log, prefix) = (Log::new(), prefix());
    let report = log.file_report();
    let mut settings = settings(&prefix, brokers());
    settings.topics.compaction_lag = Duration::from_secs(2);
    let publishing = Publishing::start_with(&log, &[report.shard()], settings.clone());
    until(|| async { log.mark(report.shard()) == 1 }).await;
    log.erase(report);
    let wait = Duration::from_secs(30);
    assert!(publishing.publisher.until_erased(report, wait).await);
    assert!(log.will_send_any(), "the second one");
    // Who comes after a restart owes it all the same.
    publishing.kill().await;
    let store = log.elsewhere();
    let publishing = Publishing::start_with(&store, &[report.shard()], settings);
    until(|| async { !store.will_send_any() }).await;

    let topic = format!("{prefix}report-details.v1");
    let is_gone = async || {
        let read = read_to_the_end(&topic).await;
        assert!(!read.is_empty(), "the tombstones stay for a while");
        read.iter().all(|message| message.value.is_none())
    };
    let mut looks = 0;
    while !is_gone().await {
        looks += 1;
        assert!(looks < 600, "the values are still there");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    publishing.end().await;
}

fn admin() -> AdminClient<DefaultClientContext> {
    ClientConfig::new()
        .set("bootstrap.servers", brokers())
        .create()
        .unwrap()
}

async fn described(topic: &str) -> ConfigResource {
    let resource = ResourceSpecifier::Topic(topic);
    let described = admin()
        .describe_configs([&resource], &AdminOptions::new())
        .await;
    described.unwrap().remove(0).unwrap()
}

#[tokio::test]
async fn a_message_carries_the_whole_envelope_in_its_headers() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(5));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 1);
    let read = read_until(format!("{prefix}credits.v1"), |read| !read.is_empty()).await;
    let (message, envelope) = (&read[0], charge(shard, 1));
    assert_eq!(message.partition, 1);
    assert_eq!(message.key, envelope.event.message_key());
    let payload = serde_json::from_str(&envelope.event.payload().unwrap()).unwrap();
    assert_eq!(message.value, Some(payload));
    for (name, value) in [
        ("ce_specversion", "1.0"),
        ("ce_id", "5-1"),
        ("ce_source", "/roster/command-service"),
        ("ce_type", "contract.credits_charged.v1"),
        ("ce_time", "2026-11-21T12:01:00.123456Z"),
        ("ce_subject", &envelope.aggregate_id.to_string()),
        ("ce_sequence", "1"),
        ("ce_shard", "5"),
        ("ce_pos", "1"),
        ("ce_seq", "1"),
        ("ce_aggregateid", &envelope.aggregate_id.to_string()),
        ("ce_requestid", &Uuid::nil().to_string()),
        ("ce_actor", "api_key:07abcdefghij"),
        ("traceparent", envelope.traceparent.as_deref().unwrap()),
    ] {
        assert_eq!(
            message.headers.get(name).map(String::as_str),
            Some(value),
            "{name}"
        );
    }
    publishing.end().await;
}

#[tokio::test]
async fn events_from_memory_and_from_the_store_are_one_sequence() {
    let (log, prefix) = (Log::new(), prefix());
    let shards = [shard(0), shard(1), shard(2)];
    for shard in shards {
        log.commit(shard, 40);
    }
    let publishing = Publishing::start(&log, &shards, &prefix);
    for _ in 0..60 {
        for shard in shards {
            let batch = log.commit(shard, 11);
            // Bounded and lossy, as the store hands over: what does not fit is read from the store.
            let _ = publishing.hand_over.try_send(batch);
        }
        tokio::task::yield_now().await;
    }
    let last = 40 + 60 * 11;
    let read = read_until(format!("{prefix}credits.v1"), move |read| {
        has_all(read, &shards, last)
    })
    .await;
    for shard in shards {
        assert_eq!(of_shard(&read, shard), (1..=last).collect::<Vec<_>>());
    }
    until(|| async { shards.iter().all(|shard| log.mark(*shard) == last) }).await;
    publishing.end().await;
}

#[tokio::test]
async fn after_a_crash_between_send_and_mark_events_are_repeated_and_none_is_missing() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(9));
    log.fail_marks(true);
    log.commit(shard, 300);
    let publishing = Publishing::start(&log, &[shard], &prefix);
    until(|| async { publishing.publisher.acknowledged(shard) == 300 }).await;
    assert_eq!(log.mark(shard), 0);
    publishing.kill().await;

    log.fail_marks(false);
    log.commit(shard, 20);
    let publishing = Publishing::start(&log, &[shard], &prefix);
    until(|| async { log.mark(shard) == 320 }).await;
    let read = read_until(format!("{prefix}credits.v1"), |read| read.len() >= 620).await;
    assert_in_order(&read, shard, 320);
    let mut contents: HashMap<&str, &Option<Value>> = HashMap::new();
    for message in &read {
        let first = contents
            .entry(&message.headers["ce_id"])
            .or_insert(&message.value);
        assert_eq!(**first, message.value, "a repeat is the same event");
    }
    assert_eq!(contents.len(), 320);
    publishing.end().await;
}

#[tokio::test]
async fn a_store_that_fails_for_a_while_loses_nothing() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(3));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 50);
    until(|| async { log.mark(shard) == 50 }).await;
    log.fail_marks(true);
    log.commit(shard, 50);
    until(|| async { publishing.publisher.acknowledged(shard) == 100 }).await;
    let failed = log.failed_marks();
    until(|| async { log.failed_marks() > failed }).await;
    assert_eq!(log.mark(shard), 50);
    log.fail_reads(true);
    log.commit(shard, 50);
    until(|| async { log.failed_reads() > 2 }).await;
    assert_eq!(publishing.publisher.acknowledged(shard), 100);
    log.fail_reads(false);
    log.fail_marks(false);
    until(|| async { log.mark(shard) == 150 }).await;
    let read = read_until(format!("{prefix}credits.v1"), |read| read.len() >= 150).await;
    assert_eq!(of_shard(&read, shard), (1..=150).collect::<Vec<_>>());
    publishing.end().await;
}

#[tokio::test]
async fn a_shard_whose_publishing_breaks_off_ends_the_publisher_and_the_next_one_goes_on() {
    let (log, prefix) = (Log::new(), prefix());
    let shards = [shard(1), shard(2)];
    let publishing = Publishing::start(&log, &shards, &prefix);
    log.commit(shard(1), 10);
    until(|| async { log.mark(shard(1)) == 10 }).await;
    log.break_reads();
    log.commit(shard(2), 10);
    until(|| async { publishing.task.is_finished() }).await;

    let log = log.elsewhere();
    let publishing = Publishing::start(&log, &shards, &prefix);
    until(|| async { log.mark(shard(2)) == 10 }).await;
    publishing.end().await;
}

#[tokio::test]
async fn failed_deliveries_are_sent_again_in_order() {
    let (log, prefix) = (Log::new(), prefix());
    let shards = [shard(4), shard(6)];
    let publishing = Publishing::start(&log, &shards, &prefix);
    for shard in shards {
        log.commit(shard, 100);
    }
    until(|| async { shards.iter().all(|shard| log.mark(*shard) == 100) }).await;
    for shard in shards {
        log.commit(shard, 900);
    }
    for round in 2..9 {
        let reached = |shard: &Shard| publishing.publisher.acknowledged(*shard) >= round * 100;
        until(|| async { shards.iter().all(reached) }).await;
        publishing.publisher.fail_deliveries();
    }
    until(|| async { shards.iter().all(|shard| log.mark(*shard) == 1_000) }).await;
    let read = read_until(format!("{prefix}credits.v1"), move |read| {
        has_all(read, &shards, 1_000)
    })
    .await;
    for shard in shards {
        assert_in_order(&read, shard, 1_000);
    }
    publishing.end().await;
}

#[tokio::test]
async fn events_are_sent_again_on_request_with_the_same_id() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(11));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 70);
    until(|| async { log.mark(shard) == 70 }).await;
    // The store is read 30 events at a time.
    let little = Portion {
        events: 1,
        ..ALL_AT_ONCE
    };
    let first = publishing.publisher.republish(shard, 31, little);
    assert_eq!(first.await.unwrap(), portion(30, Some(61)));
    let second = publishing.publisher.republish(shard, 61, little);
    assert_eq!(second.await.unwrap(), portion(10, None));
    let behind = publishing.publisher.republish(shard, 71, little);
    assert_eq!(behind.await.unwrap(), portion(0, None));
    let read = read_until(format!("{prefix}credits.v1"), |read| read.len() >= 110).await;
    assert_eq!(of_shard(&read, shard)[70..], (31..=70).collect::<Vec<_>>());
    assert_eq!(read[30].headers, read[70].headers);
    publishing.end().await;
}

#[tokio::test]
async fn a_republish_that_is_cut_off_says_how_far_it_came() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(12));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 70);
    until(|| async { log.mark(shard) == 70 }).await;
    publishing.kill().await;
    let log = log.elsewhere();
    // Not what the shard's own start reads.
    log.fail_reads_after(shard, 60);
    let publishing = Publishing::start(&log, &[], &prefix);
    let cut_off = publishing.publisher.republish(shard, 1, ALL_AT_ONCE);
    assert_eq!(cut_off.await.unwrap(), portion(60, Some(61)));
    let again = publishing.publisher.republish(shard, 61, ALL_AT_ONCE).await;
    assert!(again.is_err(), "{again:?}");
    publishing.kill().await;
}

#[tokio::test]
async fn a_kafka_that_is_away_delays_events_and_nothing_else() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(2));
    let door = Door::closed().await;
    let publishing = Publishing::start_at(&log, &[shard], &prefix, door.address.clone());
    // Ten times what memory keeps.
    for _ in 0..50 {
        let _ = publishing.hand_over.try_send(log.commit(shard, 10));
        tokio::task::yield_now().await;
    }
    until(|| async { door.refused() > 3 }).await;
    assert_eq!(publishing.publisher.lag(), 500);
    assert_eq!(
        (publishing.publisher.acknowledged(shard), log.mark(shard)),
        (0, 0)
    );
    door.open();
    until(|| async { log.mark(shard) == 500 }).await;
    assert_eq!(publishing.publisher.lag(), 0);
    let read = read_until(format!("{prefix}credits.v1"), |read| read.len() >= 500).await;
    assert_eq!(of_shard(&read, shard), (1..=500).collect::<Vec<_>>());
    publishing.end().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_kafka_that_is_away() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(2));
    let nobody = "127.0.0.1:1".to_owned();
    let publishing = Publishing::start_at(&log, &[shard], &prefix, nobody);
    log.commit(shard, 10);
    until(|| async { publishing.publisher.lag() == 10 }).await;
    tokio::time::timeout(Duration::from_secs(20), publishing.end())
        .await
        .unwrap();
    assert_eq!(log.mark(shard), 0);
}

#[tokio::test]
async fn what_an_earlier_process_left_unsent_is_lag_from_the_start() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(2));
    log.commit(shard, 300);
    let nobody = "127.0.0.1:1".to_owned();
    let publishing = Publishing::start_at(&log.elsewhere(), &[shard], &prefix, nobody);
    until(|| async { publishing.publisher.lag() == 300 }).await;
    publishing.kill().await;
    let publishing = Publishing::start(&log.elsewhere(), &[shard], &prefix);
    until(|| async { log.mark(shard) == 300 }).await;
    until(|| async { publishing.publisher.lag() == 0 }).await;
    publishing.end().await;
}

fn statuses(read: &[Read]) -> Vec<Value> {
    let value = |message: &Read| message.value.as_ref().unwrap()["status"].clone();
    read.iter().map(value).collect()
}

#[tokio::test]
async fn what_is_sent_again_takes_no_report_back_to_an_older_status() {
    let (log, prefix) = (Log::new(), prefix());
    let report = log.file_report();
    let shard = report.shard();
    let publishing = Publishing::start(&log, &[shard], &prefix);
    until(|| async { log.mark(shard) == 1 }).await;
    log.accept_report(report, 2);
    until(|| async { log.mark(shard) == 2 }).await;
    let again = publishing.publisher.republish(shard, 1, ALL_AT_ONCE);
    assert_eq!(again.await.unwrap(), portion(2, None));
    // And by a restart whose marks were lost.
    publishing.kill().await;
    log.forget_marks();
    let publishing = Publishing::start(&log.elsewhere(), &[shard], &prefix);
    until(|| async { log.mark(shard) == 2 }).await;
    let read = read_until(format!("{prefix}report-status.v1"), |read| read.len() >= 6).await;
    let said = statuses(&read);
    assert_eq!(said[0], "received");
    assert!(
        said[1..].iter().all(|status| status == "accepted"),
        "{said:?}"
    );
    publishing.end().await;
}

/// A status is committed after the one before it was read to be sent again, and before that one is sent.
#[tokio::test]
async fn a_status_that_comes_while_the_one_before_is_sent_again_stays_the_newest() {
    let (log, prefix) = (Log::new(), prefix());
    let report = log.file_report();
    let shard = report.shard();
    let publishing = Publishing::start(&log, &[shard], &prefix);
    until(|| async { log.mark(shard) == 1 }).await;
    log.hold_status();
    let publisher = publishing.publisher.clone();
    let again =
        tokio::spawn(async move { publisher.republish(shard, 1, ALL_AT_ONCE).await.unwrap() });
    until(|| async { !log.holds_status() }).await;
    log.accept_report(report, 2);
    // The event itself goes on, and its status must not overtake the one that was read.
    read_until(format!("{prefix}reports.v1"), |read| read.len() >= 3).await;
    let overtaken = async { until(|| async { log.mark(shard) == 2 }).await };
    let overtaken = tokio::time::timeout(Duration::from_millis(500), overtaken).await;
    assert!(overtaken.is_err(), "the newer status was sent before");
    log.let_status_go();
    until(|| async { log.mark(shard) == 2 }).await;
    assert_eq!(again.await.unwrap(), portion(1, None));
    let read = read_until(format!("{prefix}report-status.v1"), |read| read.len() >= 3).await;
    assert_eq!(statuses(&read), ["received", "received", "accepted"]);
    publishing.end().await;
}

#[tokio::test]
async fn who_lost_a_shard_sends_no_erased_values_after_the_tombstone() {
    let (log, prefix) = (Log::new(), prefix());
    let report = log.file_report();
    let shard = report.shard();
    log.hold_details();
    let late = Publishing::start(&log, &[shard], &prefix);
    until(|| async { log.details_read() == 1 }).await;

    // It has read the values, and is replaced before it goes on.
    log.own(false);
    let store = log.elsewhere();
    store.erase(report);
    let owner = Publishing::start(&store, &[shard], &prefix);
    let wait = Duration::from_secs(30);
    assert!(owner.publisher.until_erased(report, wait).await);
    until(|| async { log.mark(shard) == 1 }).await;
    log.let_details_go();
    // It has gone on, or begun again.
    until(|| async { late.publisher.acknowledged(shard) == 1 || log.details_read() > 1 }).await;
    let refused = late.publisher.republish(shard, 1, ALL_AT_ONCE).await;
    assert!(refused.is_err());
    store.accept_report(report, 2);
    until(|| async { store.mark(shard) == 2 }).await;
    let read = read_until(format!("{prefix}report-details.v1"), |read| read.len() >= 2).await;
    assert!(
        read.iter().all(|message| message.value.is_none()),
        "{read:?}"
    );
    late.kill().await;
    owner.end().await;
}

#[tokio::test]
async fn an_owed_tombstone_is_sent_by_whoever_owns_its_shard_once_kafka_is_there() {
    let (log, prefix) = (Log::new(), prefix());
    let report = log.file_report();
    let shard = report.shard();
    let topic = format!("{prefix}report-details.v1");
    let publishing = Publishing::start(&log, &[shard], &prefix);
    until(|| async { log.mark(shard) == 1 }).await;
    publishing.kill().await;

    log.erase(report);
    let door = Door::closed().await;
    let waiting = Publishing::start_at(&log.elsewhere(), &[shard], &prefix, door.address.clone());
    until(|| async { door.refused() > 0 }).await;
    let at_once = Duration::from_millis(1);
    assert!(!waiting.publisher.until_erased(report, at_once).await);
    waiting.kill().await;

    let late = log.elsewhere();
    late.own(false);
    let not_owner = Publishing::start(&late, &[shard], &prefix);
    until(|| async { late.owed_read() >= 2 }).await;
    not_owner.kill().await;
    assert_eq!(messages_in(&topic).await, 1);

    // Kafka has it, and the store is not told: it is sent again.
    let forgetful = log.elsewhere();
    forgetful.fail_forgetting();
    let sending = Publishing::start(&forgetful, &[shard], &prefix);
    until(|| async { forgetful.failed_forgetting() > 0 }).await;
    sending.kill().await;
    assert!(log.owes_any());

    let owner = Publishing::start(&log.elsewhere(), &[shard], &prefix);
    let wait = Duration::from_secs(30);
    assert!(owner.publisher.until_erased(report, wait).await);
    assert!(!log.owes_any());
    let details = read_until(topic, |read| read.len() >= 3).await;
    assert!(details[0].value.is_some(), "{details:?}");
    assert!(details[1..].iter().all(|message| message.value.is_none()));
    owner.end().await;
}

#[tokio::test]
async fn losing_a_shard_delays_the_others_and_nothing_else() {
    let (log, prefix) = (Log::new(), prefix());
    let (lost, kept) = (shard(4), shard(6));
    let publishing = Publishing::start(&log, &[lost, kept], &prefix);
    log.commit(kept, 200);
    log.commit(lost, 200);
    until(|| async { publishing.publisher.acknowledged(kept) >= 30 }).await;
    publishing.owned.send_replace(1 << kept.number());
    log.commit(kept, 100);
    until(|| async { log.mark(kept) == 300 }).await;
    let read = read_until(format!("{prefix}credits.v1"), move |read| {
        has_all(read, &[kept], 300)
    })
    .await;
    assert_in_order(&read, kept, 300);
    publishing.end().await;
}

#[tokio::test]
async fn a_report_has_its_values_and_its_status_beside_its_event_until_they_are_erased() {
    let setup = Setup::with_kafka().await;
    let service = Running::start(&setup).await;
    let (_, _, key) = service.customer().await;
    let id = Uuid::new_v4();
    service
        .records
        .add("person", id, json!("director of operations"));
    let body = json!({"service_id": id, "issue_type": "outdated", "issue_level": "field",
        "field": "job_title", "correct_value": "chief operating officer"});
    let filed = service
        .post("/utility/report/person", &[("API-Key", &key)], &body)
        .await;
    let report = text(&filed.body["report_id"]);
    let topic = |name: &str| format!("{}{name}", setup.topic_prefix);

    let events = read_until(topic("reports.v1"), |read| !read.is_empty()).await;
    assert_eq!(events[0].headers["ce_type"], "report.person.received.v1");
    assert_eq!(events[0].key, id.to_string());
    assert!(
        !events[0]
            .value
            .as_ref()
            .unwrap()
            .to_string()
            .contains("chief")
    );
    let details = read_until(topic("report-details.v1"), |read| !read.is_empty()).await;
    assert_eq!(
        details[0].value,
        Some(
            json!({"observed_value": null, "stored_value": "director of operations",
            "correct_value": "chief operating officer", "comment": null, "report_id": report,
            "subject_type": "person", "service_id": id})
        )
    );
    let accept = format!("/admin/reports/{report}/accept");
    service.ok(Method::POST, &accept, json!({})).await;
    let status = read_until(topic("report-status.v1"), |read| read.len() == 2).await;
    let statuses: Vec<_> = status
        .iter()
        .map(|m| m.value.as_ref().unwrap()["status"].clone())
        .collect();
    assert_eq!(statuses, [json!("received"), json!("accepted")]);

    let erase = format!("/admin/reports/{report}/details");
    assert_eq!(
        service.admin(Method::DELETE, &erase, json!({})).await.0,
        204
    );
    let shard = &events[0].headers["ce_shard"];
    let shard: u8 = shard.parse().unwrap();
    let again = json!({"shard": shard, "from": 1});
    let sent = service.ok(Method::POST, "/admin/republish", again).await;
    assert_eq!(sent["sent"], 2);
    let details = read_until(topic("report-details.v1"), |read| read.len() == 3).await;
    assert_eq!((&details[1].value, &details[2].value), (&None, &None));
    assert!(details.iter().all(|message| message.key == report));
    service.stop().await;
}

#[tokio::test]
async fn values_that_were_erased_by_a_request_that_was_given_up_leave_kafka_after_the_next_start() {
    let setup = Setup::with_kafka().await;
    let service = Running::start(&setup).await;
    let report = service.file_report(json!("director")).await;
    let topic = format!("{}report-details.v1", setup.topic_prefix);
    read_until(topic.clone(), |read| !read.is_empty()).await;
    service.stop().await;

    let without_kafka = Setup {
        brokers: "127.0.0.1:1".to_owned(),
        database: setup.database.clone(),
        topic_prefix: setup.topic_prefix.clone(),
    };
    let service = Running::start(&without_kafka).await;
    let erase = format!("/admin/reports/{report}/details");
    let url = format!("{}{erase}", service.admin);
    let given_up = service.http.delete(url).bearer_auth(ADMIN_TOKEN);
    let given_up = tokio::spawn(given_up.send());
    let pool = sqlx::PgPool::connect(&service.database).await.unwrap();
    until(|| async {
        let kept = sqlx::query_scalar("SELECT count(*) FROM report WHERE details IS NOT NULL");
        let kept: i64 = kept.fetch_one(&pool).await.unwrap();
        kept == 0
    })
    .await;
    given_up.abort();
    // Who waits is told that it will be sent.
    let (status, owed) = service.admin(Method::DELETE, &erase, json!({})).await;
    assert_eq!(status, 202);
    assert_eq!(owed, json!({"report_id": report, "tombstone": "owed"}));
    service.stop().await;

    let service = Running::start(&setup).await;
    let details = read_until(topic, |read| read.len() >= 2).await;
    assert!(details[1].value.is_none(), "{details:?}");
    assert_eq!(
        service.admin(Method::DELETE, &erase, json!({})).await.0,
        204
    );
    service.stop().await;
}

#[tokio::test]
async fn a_planned_restart_repeats_nothing() {
    let setup = Setup::with_kafka().await;
    let service = Running::start(&setup).await;
    service.customer().await;
    service.stop().await;
    let service = Running::start(&setup).await;
    service.customer().await;
    let topic = format!("{}accounts.v1", setup.topic_prefix);
    let read = read_until(topic, |read| read.len() >= 4).await;
    let ids: BTreeSet<_> = read.iter().map(|m| m.headers["ce_id"].clone()).collect();
    assert_eq!((read.len(), ids.len()), (4, 4));
    service.stop().await;
}

#[tokio::test]
async fn a_topic_that_kafka_lost_is_made_again_and_filled_again_on_request() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(13));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 30);
    until(|| async { log.mark(shard) == 30 }).await;
    let admin: AdminClient<DefaultClientContext> = ClientConfig::new()
        .set("bootstrap.servers", brokers())
        .create()
        .unwrap();
    let topic = format!("{prefix}credits.v1");
    let deleted = admin.delete_topics(&[&topic], &AdminOptions::new()).await;
    deleted.unwrap().remove(0).unwrap();
    // Kafka goes on with a topic for a moment after it has said that it is deleted, and what it takes until then is lost.
    until(|| async { !is_known(&topic).await }).await;
    log.commit(shard, 30);
    until(|| async { log.mark(shard) == 60 }).await;
    let again = publishing.publisher.republish(shard, 1, ALL_AT_ONCE);
    assert_eq!(again.await.unwrap(), portion(60, None));
    let read = read_until(topic, |read| read.len() >= 60).await;
    let all: BTreeSet<i64> = of_shard(&read, shard).into_iter().collect();
    assert_eq!(all, (1..=60).collect());
    publishing.end().await;
}

#[tokio::test]
async fn nothing_is_published_from_a_store_that_lacks_what_kafka_has() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(5));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 50);
    until(|| async { log.mark(shard) == 50 }).await;
    publishing.end().await;

    let restored = log.restored(shard, 40);
    let publishing = Publishing::start(&restored, &[shard], &prefix);
    until(|| async { publishing.publisher.refusal().is_some() }).await;
    assert_eq!(publishing.publisher.refusal().as_deref(), Some("5-50"));
    publishing.kill().await;

    // Others stand in the places of what was lost, and behind them.
    restored.commit_for(shard, 30, Uuid::new_v4());
    let publishing = Publishing::start(&restored, &[shard], &prefix);
    until(|| async { publishing.publisher.refusal().is_some() }).await;
    assert_eq!(restored.mark(shard), 40);
    assert_eq!(messages_in(&format!("{prefix}credits.v1")).await, 50);
    publishing.kill().await;
}

#[tokio::test]
async fn what_is_written_in_a_new_history_is_published_under_ids_that_were_never_given() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(6));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 50);
    until(|| async { log.mark(shard) == 50 }).await;
    publishing.end().await;

    let restored = log.restored(shard, 40);
    restored.begin_history(shard, 1_795_262_460);
    restored.commit(shard, 5);
    let publishing = Publishing::start(&restored, &[shard], &prefix);
    until(|| async { restored.mark(shard) == 45 }).await;
    assert_eq!(publishing.publisher.refusal(), None);
    let read = read_until(format!("{prefix}credits.v1"), |read| read.len() >= 55).await;
    let ids: BTreeSet<&str> = read.iter().map(|m| m.headers["ce_id"].as_str()).collect();
    assert_eq!(ids.len(), 55);
    assert!(ids.contains("6-41") && ids.contains("1795262460-6-41"));
    assert_eq!(read[54].headers["ce_history"], "1795262460");
    publishing.end().await;
}

#[tokio::test]
async fn a_store_that_goes_back_under_a_running_process_is_not_published_any_more() {
    let (log, prefix, shard) = (Log::new(), prefix(), shard(7));
    let publishing = Publishing::start(&log, &[shard], &prefix);
    log.commit(shard, 10);
    until(|| async { log.mark(shard) == 10 }).await;
    log.lose_events();
    log.commit(shard, 10);
    until(|| async { publishing.publisher.refusal().is_some() }).await;
    assert_eq!(publishing.publisher.acknowledged(shard), 10);
    assert_eq!(messages_in(&format!("{prefix}credits.v1")).await, 10);
    publishing.kill().await;
}
