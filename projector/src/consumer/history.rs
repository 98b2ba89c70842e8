//! Whether what the read models hold has ever been: an event store that was restored to an older state gives its places out again.
//!
//! Guarantee: nothing is taken on top of events that the store does not have. The last event of each shard is compared with what
//! the store has in its place; events are taken in order, so that those before it are of the store when it is.

use events_schema::Envelope;
use futures::future::join_all;

use crate::checkpoint::{Last, Progress, Stream};
use crate::consumer::gap::EventStore;
use crate::consumer::tail::Heads;

/// Questions to the event store at a time.
const AT_A_TIME: usize = 8;

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
        let last = progress.last.get(stream).copied().unwrap_or_default();
        let is_abandoned = last.seq > 0
            && progress
                .histories
                .is_abandoned(stream.1, last.pos, last.history);
        if last.seq > *head || is_abandoned {
            return Err(NeverWas::at(*stream, last));
        }
    }
    Ok(())
}

/// Compares the last event of each stream of `heads` with the store's. What the store cannot show is left out: it has the place, and
/// a store that holds something unreadable must not stop everything else.
///
/// # Errors
/// [`NeverWas`]: the first that is another one.
pub async fn prove_events(
    store: &EventStore,
    progress: &Progress,
    heads: &Heads,
) -> Result<(), NeverWas> {
    let held: Vec<(Stream, Last)> = heads
        .keys()
        .filter_map(|stream| Some((*stream, *progress.last.get(stream)?)))
        .filter(|(_, last)| last.seq > 0)
        .collect();
    for few in held.chunks(AT_A_TIME) {
        let compared = few
            .iter()
            .map(|(stream, last)| prove_event(store, *stream, *last));
        for one in join_all(compared).await {
            one?;
        }
    }
    Ok(())
}

async fn prove_event(store: &EventStore, stream: Stream, last: Last) -> Result<(), NeverWas> {
    match store.event_at(stream, last.seq).await {
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
    use events_schema::history::{Beginning, FIRST, Histories};
    use events_schema::ids::Shard;
    use events_schema::topics::Topic;

    use super::*;

    const STREAM: Stream = (Topic::Credits, Shard::DATA_BUILDS);

    fn holding(seq: i64, pos: i64, histories: Histories) -> Progress {
        let last = Last {
            seq,
            pos,
            history: FIRST,
            request_id: None,
        };
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
}
