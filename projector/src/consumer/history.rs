//! Whether what the read models hold has ever been: an event store that was restored to an older state gives its places out again.
//! Pure, from what is held and what the store answered.
//!
//! Guarantee: nothing is taken on top of events that the store does not have. The last event of each shard is compared with what
//! the store has in its place; events are taken in order, so that those before it are of the store when it is.

use events_schema::Envelope;
use service_kit::client::CallFault;

use crate::checkpoint::{Last, Progress, Stream};
use crate::consumer::tail::Heads;

/// What the read models hold and the event store does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the read models hold event {seq} of shard {shard} in {topic}, which the event store does not have: it went back. \
     They must be made anew from an empty database (docs/BACKUP.md)"
)]
pub struct NeverWas {
    topic: &'static str,
    shard: u8,
    seq: i64,
}

impl NeverWas {
    const fn at((topic, shard): Stream, last: Last) -> Self {
        Self {
            topic: topic.name(),
            shard: shard.number(),
            seq: last.seq,
        }
    }
}

/// Compares what is held of the streams of `heads` with where the store ends and with its histories. `progress` must be older than
/// `heads`.
///
/// # Errors
/// [`NeverWas`]: the first that is not of the store.
pub fn prove_places(progress: &Progress, heads: &Heads) -> Result<(), NeverWas> {
    for (stream, head) in heads {
        let Some(last) = progress.last.get(stream).copied() else {
            continue;
        };
        let is_abandoned = progress
            .histories
            .is_abandoned(stream.1, last.pos, last.history);
        if last.seq > *head || is_abandoned {
            return Err(NeverWas::at(*stream, last));
        }
    }
    Ok(())
}

/// The last event of each stream of `heads` of which one is held: what the store is to be asked for.
#[must_use]
pub fn held(progress: &Progress, heads: &Heads) -> Vec<(Stream, Last)> {
    heads
        .keys()
        .filter_map(|stream| Some((*stream, *progress.last.get(stream)?)))
        .collect()
}

/// Compares the last event of a stream with what the store answered for its place. What the store cannot show is left out: it has
/// the place, and a store that holds something unreadable must not stop everything else.
///
/// # Errors
/// [`NeverWas`]: it is another one, or none.
pub fn prove_event(
    stream: Stream,
    last: Last,
    answer: Result<Option<Envelope>, CallFault>,
) -> Result<(), NeverWas> {
    match answer {
        Ok(Some(event)) if is_same(last, &event) => Ok(()),
        Ok(_) => Err(NeverWas::at(stream, last)),
        Err(fault) => {
            tracing::warn!(
                topic = stream.0.name(),
                shard = stream.1.number(),
                error = &fault as &dyn std::error::Error,
                "the event store does not show the last event of a shard"
            );
            Ok(())
        }
    }
}

fn is_same(last: Last, event: &Envelope) -> bool {
    let is_of_request = last.request_id.is_none_or(|id| id == event.request_id);
    (last.pos, last.history) == (event.pos, event.history) && is_of_request
}

#[cfg(test)]
mod tests {
    use events_schema::Event;
    use events_schema::account::v1::AccountOpened;
    use events_schema::history::{Beginning, FIRST, Histories};
    use events_schema::ids::{AccountId, Shard};
    use events_schema::topics::Topic;
    use uuid::Uuid;

    use super::*;

    const STREAM: Stream = (Topic::Credits, Shard::DATA_BUILDS);
    const LAST: Last = Last {
        seq: 5,
        pos: 9,
        history: FIRST,
        request_id: Some(Uuid::from_u128(1)),
    };

    fn holding(seq: i64, pos: i64, histories: Histories) -> Progress {
        let last = Last { seq, pos, ..LAST };
        Progress {
            last: [(STREAM, last)].into(),
            histories,
            ..Progress::default()
        }
    }

    fn second(first_pos: i64) -> Histories {
        Histories::new(vec![Beginning {
            shard: STREAM.1,
            history: 2,
            first_pos,
        }])
    }

    /// What the store has in the place of [`LAST`].
    fn stored() -> Envelope {
        let account_id = AccountId::new([1; 16]);
        let name = "acme".to_owned();
        Envelope {
            shard: STREAM.1,
            pos: 9,
            topic_seq: 5,
            aggregate_id: account_id.uuid(),
            seq: 1,
            occurred_at: chrono::DateTime::UNIX_EPOCH,
            request_id: Uuid::from_u128(1),
            actor: "operator:ops".to_owned(),
            traceparent: None,
            history: FIRST,
            event: Event::AccountOpened(AccountOpened { account_id, name }),
        }
    }

    fn is_proved(last: Last, answer: Result<Option<Envelope>, CallFault>) -> bool {
        prove_event(STREAM, last, answer).is_ok()
    }

    #[test]
    fn what_a_store_does_not_reach_has_never_been() {
        let (none, heads) = (Histories::default(), Heads::from([(STREAM, 5)]));
        assert_eq!(prove_places(&holding(5, 9, none.clone()), &heads), Ok(()));
        assert!(prove_places(&holding(6, 10, none), &heads).is_err());
    }

    #[test]
    fn what_lies_before_a_newer_history_is_held_by_right_and_what_lies_in_its_place_is_not() {
        let heads = Heads::from([(STREAM, 50)]);
        assert_eq!(prove_places(&holding(5, 9, second(10)), &heads), Ok(()));
        assert!(prove_places(&holding(5, 10, second(10)), &heads).is_err());
    }

    #[test]
    fn a_shard_of_which_nothing_is_held_has_nothing_to_prove() {
        let other = (Topic::Accounts, STREAM.1);
        let heads = Heads::from([(STREAM, 5), (other, 0)]);
        let progress = holding(5, 9, second(10));
        assert_eq!(prove_places(&progress, &heads), Ok(()));
        assert_eq!(held(&progress, &heads), [(STREAM, LAST)]);
    }

    #[test]
    fn another_event_in_the_place_of_the_last_one_shows_that_the_store_went_back() {
        assert!(is_proved(LAST, Ok(Some(stored()))));
        let others = [
            Envelope {
                request_id: Uuid::from_u128(2),
                ..stored()
            },
            Envelope {
                history: 2,
                ..stored()
            },
            Envelope {
                pos: 10,
                ..stored()
            },
        ];
        for other in others {
            assert!(!is_proved(LAST, Ok(Some(other.clone()))), "{other:?}");
        }
        assert!(!is_proved(LAST, Ok(None)));
    }

    #[test]
    fn an_event_whose_request_was_not_kept_is_known_by_its_place_and_history() {
        let last = Last {
            request_id: None,
            ..LAST
        };
        assert!(is_proved(last, Ok(Some(stored()))));
        let other = Envelope {
            history: 2,
            ..stored()
        };
        assert!(!is_proved(last, Ok(Some(other))));
    }

    #[test]
    fn a_store_that_cannot_show_the_event_stops_nothing() {
        assert!(is_proved(LAST, Err(CallFault::TimedOut)));
    }
}
