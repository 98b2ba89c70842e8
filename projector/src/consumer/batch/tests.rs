//! Messages and progress in, what is taken out.
use events_schema::Event;
use events_schema::account::v1::AccountOpened;
use events_schema::envelope::header;
use events_schema::history::{Beginning, Histories};
use events_schema::ids::{AccountId, Shard};
use events_schema::topics::Topic;

use super::*;
use crate::checkpoint::Last;
use crate::consumer::decode::Raw;

const TOPIC: Topic = Topic::Accounts;
const PARTITION: i32 = 7;

fn stream(shard: u8) -> Stream {
    (TOPIC, Shard::new(shard).unwrap())
}

/// An event as the event store gives it; its place in the shard is ten times that in the topic.
fn event(shard: u8, topic_seq: i64) -> Envelope {
    let account_id = AccountId::new([shard; 16]);
    let name = "acme".to_owned();
    Envelope {
        shard: Shard::new(shard).unwrap(),
        pos: topic_seq * 10,
        topic_seq,
        aggregate_id: account_id.uuid(),
        seq: 1,
        occurred_at: chrono::DateTime::UNIX_EPOCH,
        request_id: uuid::Uuid::nil(),
        actor: "operator:ops".to_owned(),
        traceparent: None,
        history: events_schema::history::FIRST,
        event: Event::AccountOpened(AccountOpened { account_id, name }),
    }
}

/// The same as a message.
fn message(shard: u8, topic_seq: i64, offset: i64) -> Received {
    let event = event(shard, topic_seq);
    let headers = [
        (header::TYPE, "account.opened.v1".to_owned()),
        (header::SHARD, shard.to_string()),
        (header::POS, event.pos.to_string()),
        (header::SEQUENCE, topic_seq.to_string()),
        (header::SEQ, "1".to_owned()),
        (header::AGGREGATE_ID, event.aggregate_id.to_string()),
        (header::REQUEST_ID, event.request_id.to_string()),
        (header::TIME, event.occurred_at.to_rfc3339()),
        (header::ACTOR, event.actor),
    ];
    let payload = event.event.payload().unwrap();
    Received {
        topic: TOPIC,
        partition: PARTITION,
        offset,
        key: String::new(),
        raw: Raw {
            headers: headers
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            value: payload,
        },
    }
}

/// The same in a newer history.
fn of_history(message: Received, history: i64) -> Received {
    let mut message = message;
    let headers = &mut message.raw.headers;
    headers.insert(header::HISTORY.to_owned(), history.to_string());
    message
}

/// Everything of a shard up to here was taken before.
fn taken(shard: u8, topic_seq: i64) -> Progress {
    let mut progress = Progress::default();
    progress.last.insert(stream(shard), last(topic_seq));
    progress
}

/// The checkpoint of a shard of which this was the last event.
fn last(topic_seq: i64) -> Last {
    Last {
        seq: topic_seq,
        pos: topic_seq * 10,
        history: events_schema::history::FIRST,
        request_id: Some(uuid::Uuid::nil()),
    }
}

/// Shard and place of what is applied, in order; letters by place 0 where they have none.
fn items(batch: &Batch) -> Vec<(u8, i64)> {
    let place = |item: &Item| match item {
        Item::Event(event) => (event.shard.number(), event.topic_seq),
        Item::Poison(letter) => letter
            .place
            .map_or((0, 0), |place| (place.shard.number(), place.topic_seq)),
    };
    batch.items.iter().map(place).collect()
}

fn next_offset(batch: &Batch) -> Option<i64> {
    batch.advance.offsets.get(&(TOPIC, PARTITION)).copied()
}

#[test]
fn what_comes_next_in_its_shard_is_taken_and_the_checkpoints_follow() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let received = vec![message(5, 4, 90), message(6, 1, 91), message(5, 5, 92)];
    batch.receive(received, &taken(5, 3), &mut stalls);
    assert_eq!(items(&batch), [(5, 4), (6, 1), (5, 5)]);
    assert_eq!(next_offset(&batch), Some(93));
    let taken = BTreeMap::from([(stream(5), last(5)), (stream(6), last(1))]);
    assert_eq!(batch.advance.last, taken);
    assert_eq!((batch.ignored, stalls.len()), (0, 0));
}

#[test]
fn what_was_taken_before_is_ignored_and_its_offset_passed() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let received = vec![message(5, 2, 90), message(5, 3, 91)];
    batch.receive(received, &taken(5, 3), &mut stalls);
    assert_eq!((items(&batch).len(), batch.ignored), (0, 2));
    assert_eq!(next_offset(&batch), Some(92));
    assert!(batch.advance.last.is_empty() && stalls.is_empty());
    assert!(!batch.is_empty(), "the offset is to be written");
    // So is what comes twice in one batch.
    batch.receive(
        vec![message(5, 4, 92), message(5, 4, 93)],
        &taken(5, 3),
        &mut stalls,
    );
    assert_eq!((items(&batch).len(), batch.ignored), (1, 3));
}

#[test]
fn a_gap_stops_its_shard_and_no_other() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let received = vec![
        message(5, 5, 90),
        message(6, 1, 91),
        message(5, 7, 92),
        message(5, 6, 93),
    ];
    batch.receive(received, &taken(5, 3), &mut stalls);
    assert_eq!(items(&batch), [(6, 1)]);
    let stall = Stall {
        partition: PARTITION,
        offset: 90,
        highest_seq: 7,
    };
    assert_eq!(stalls, Stalls::from([(stream(5), stall)]));
    // Not even what is next is taken of a shard that waits: the event store gives it.
    batch.receive(vec![message(5, 4, 94)], &taken(5, 3), &mut stalls);
    assert_eq!(items(&batch), [(6, 1)]);
    assert_eq!(stalls.get(&stream(5)), Some(&stall));
    assert_eq!(next_offset(&batch), Some(95));
}

/// Three events were taken; then the store went back behind the fourth one and began its second history.
fn in_second_history() -> Progress {
    Progress {
        histories: Histories::new(vec![Beginning {
            shard: stream(5).1,
            history: 2,
            first_pos: 40,
        }]),
        ..taken(5, 3)
    }
}

#[test]
fn what_a_newer_history_has_given_up_is_passed_over_and_leaves_no_gap() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let received = vec![
        message(5, 4, 90),
        message(5, 6, 91),
        of_history(message(5, 4, 92), 2),
    ];
    batch.receive(received, &in_second_history(), &mut stalls);
    assert_eq!((items(&batch), batch.ignored), (vec![(5, 4)], 2));
    let of_second = batch.advance.last.get(&stream(5)).map(|last| last.history);
    assert_eq!(of_second, Some(2));
    assert_eq!(next_offset(&batch), Some(93));
    assert!(stalls.is_empty() && !batch.is_of_unknown_history);
}

#[test]
fn an_event_of_a_history_that_is_not_known_yet_is_reported_and_not_taken() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let received = vec![of_history(message(5, 4, 90), 3)];
    batch.receive(received, &in_second_history(), &mut stalls);
    assert!(batch.is_of_unknown_history);
    // It is no gap either, and it has not been known all along.
    assert_eq!((items(&batch), batch.ignored), (vec![], 0));
    assert!(stalls.is_empty());

    let mut batch = Batch::default();
    let unknown = Envelope {
        history: 3,
        ..event(5, 4)
    };
    let given = vec![unknown, event(5, 4)];
    assert_eq!(batch.fill(stream(5), given, &taken(5, 3)), 0);
    assert!(batch.is_of_unknown_history && items(&batch).is_empty());
}

#[test]
fn a_gap_is_filled_with_what_is_next_and_with_nothing_else() {
    let mut batch = Batch::default();
    assert!(batch.is_empty());
    let other_topic = Envelope {
        event: Event::CreditsGranted(events_schema::contract::v1::CreditsGranted {
            contract_id: events_schema::ids::ContractId::new(AccountId::new([5; 16]), [1; 16]),
            account_id: AccountId::new([5; 16]),
            credits: events_schema::Credits(1),
            balance_after: events_schema::Credits(1),
        }),
        ..event(5, 4)
    };
    let given = vec![
        event(5, 3),
        other_topic,
        event(6, 4),
        event(5, 4),
        event(5, 5),
        event(5, 7),
    ];
    assert_eq!(batch.fill(stream(5), given, &taken(5, 3)), 2);
    assert_eq!(items(&batch), [(5, 4), (5, 5)]);
    assert_eq!(batch.last_seq(stream(5), &taken(5, 3)), 5);
    assert_eq!(batch.last_seq(stream(6), &taken(5, 3)), 0);
    assert!(!batch.is_empty(), "events are to be applied");
    // The rest comes later.
    let given = vec![event(5, 6), event(5, 7)];
    assert_eq!(batch.fill(stream(5), given, &taken(5, 3)), 2);
    assert_eq!(batch.advance.last.get(&stream(5)), Some(&last(7)));
}

#[test]
fn a_shard_goes_on_when_it_has_what_it_saw_last_and_the_store_has_no_more() {
    let stall = Stall {
        partition: PARTITION,
        offset: 90,
        highest_seq: 7,
    };
    assert!(stall.is_filled(7, true) && stall.is_filled(8, true));
    assert!(!stall.is_filled(6, true), "the store lacks it as well");
    assert!(!stall.is_filled(7, false), "another page follows");
}

#[test]
fn the_checkpoint_of_a_partition_stays_at_the_first_message_that_waits() {
    let slot = (TOPIC, PARTITION);
    let stall = |offset| Stall {
        partition: PARTITION,
        offset,
        highest_seq: 9,
    };
    let read_to = BTreeMap::from([(slot, 100)]);
    let mut stalls = Stalls::from([(stream(5), stall(90)), (stream(6), stall(80))]);
    let mut progress = Progress::default();
    progress.next_offsets.insert(slot, 70);
    let mut batch = Batch::default();
    batch.hold(&stalls, &read_to, &progress);
    assert_eq!(next_offset(&batch), Some(80));
    // Nothing of it was read by this batch.
    let mut batch = Batch::default();
    batch.hold(&stalls, &BTreeMap::new(), &progress);
    assert_eq!(next_offset(&batch), Some(80));
    stalls.clear();
    let mut batch = Batch::default();
    batch.hold(&stalls, &read_to, &progress);
    assert_eq!(next_offset(&batch), Some(100));
}

#[test]
fn a_checkpoint_that_does_not_move_is_not_written() {
    let slot = (TOPIC, PARTITION);
    let mut progress = Progress::default();
    progress.next_offsets.insert(slot, 100);
    let mut batch = Batch::default();
    batch.hold(&Stalls::new(), &BTreeMap::from([(slot, 100)]), &progress);
    assert!(batch.is_empty());
}

#[test]
fn what_cannot_be_read_is_parked_in_its_place_or_at_once_where_it_has_none() {
    let (mut batch, mut stalls) = (Batch::default(), Stalls::new());
    let broken = |message: Received| Received {
        raw: Raw {
            value: "{".to_owned(),
            ..message.raw
        },
        ..message
    };
    let mut lost = broken(message(5, 4, 91));
    lost.raw.headers.clear();
    let received = vec![
        broken(message(5, 4, 90)),
        lost,
        message(5, 5, 92),
        broken(message(5, 7, 93)),
    ];
    batch.receive(received, &taken(5, 3), &mut stalls);
    assert_eq!(items(&batch), [(5, 4), (0, 0), (5, 5)]);
    assert!(matches!(batch.items.first(), Some(Item::Poison(_))));
    assert!(stalls.contains_key(&stream(5)));
    assert_eq!(next_offset(&batch), Some(94));
}
