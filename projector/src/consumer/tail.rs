//! Whether a topic lacks its end: pure, from what the event store has, what the read models have and where Kafka ends.
//!
//! A gap shows itself when a later event of its shard comes. What Kafka lost at the end of a shard's part has no later
//! event, so it is asked for: a shard that stays behind the event store, although its partition was read to where it ended
//! one look before, has lost something. Nothing is lost by a wrong guess: what comes twice is ignored.

use std::collections::BTreeMap;

use crate::checkpoint::{NOTHING_READ, Stream};

/// The last `topic_seq` of each shard and topic in the event store.
pub type Heads = BTreeMap<Stream, i64>;

/// A shard that was behind at an earlier look and has not moved since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Behind {
    last: i64,
    head: i64,
    /// Where its partition ended at an earlier look.
    end: Option<i64>,
}

/// What earlier looks saw.
#[derive(Debug, Default)]
pub struct Tail {
    behind: BTreeMap<Stream, Behind>,
}

impl Tail {
    /// Takes a look; the shards that have not moved since the last one although the event store had more already then.
    pub fn look(&mut self, heads: &Heads, last_seq: impl Fn(Stream) -> i64) -> Vec<Stream> {
        let mut overdue = Vec::new();
        let mut behind = BTreeMap::new();
        for (stream, head) in heads {
            let now = Behind {
                last: last_seq(*stream),
                head: *head,
                end: None,
            };
            if now.head <= now.last {
                continue;
            }
            let earlier = self.behind.get(stream);
            let known = earlier.filter(|earlier| earlier.last == now.last);
            if known.is_some() {
                overdue.push(*stream);
            }
            behind.insert(*stream, known.copied().unwrap_or(now));
        }
        self.behind = behind;
        overdue
    }

    /// The place up to which an overdue shard is to be filled from the event store; `None` while messages of its partition
    /// may still come: it was read up to `position`, and holds offsets from `low` to below `high`.
    pub fn lost(&mut self, stream: Stream, position: i64, (low, high): (i64, i64)) -> Option<i64> {
        let behind = self.behind.get_mut(&stream)?;
        // Of an empty partition nothing can come, wherever it ends.
        let ends = if low < high { high } else { NOTHING_READ };
        let end = *behind.end.get_or_insert(ends);
        (position >= end).then_some(behind.head)
    }
}

#[cfg(test)]
mod tests {
    use events_schema::ids::Shard;
    use events_schema::topics::Topic;

    use super::*;

    fn stream() -> Stream {
        (Topic::Credits, Shard::DATA_BUILDS)
    }

    fn heads(head: i64) -> Heads {
        Heads::from([(stream(), head)])
    }

    #[test]
    fn a_shard_that_moves_is_never_overdue() {
        let mut tail = Tail::default();
        for last in 0..5 {
            assert_eq!(tail.look(&heads(9), |_| last), []);
        }
        assert_eq!(tail.look(&heads(9), |_| 9), []);
        assert_eq!(tail.look(&heads(9), |_| 9), []);
    }

    #[test]
    fn a_shard_that_stays_behind_what_was_there_at_the_look_before_has_lost_it() {
        let mut tail = Tail::default();
        assert_eq!(tail.look(&heads(3), |_| 1), []);
        assert_eq!(tail.look(&heads(4), |_| 1), [stream()]);
        assert_eq!(tail.lost(stream(), 7, (0, 7)), Some(3));
        // Once it is filled the rest is a new matter.
        assert_eq!(tail.look(&heads(4), |_| 3), []);
        assert_eq!(tail.look(&heads(4), |_| 3), [stream()]);
        assert_eq!(tail.lost(stream(), 7, (0, 7)), Some(4));
    }

    #[test]
    fn a_partition_that_is_not_read_to_its_end_is_waited_for_up_to_where_it_ended() {
        let mut tail = Tail::default();
        tail.look(&heads(3), |_| 1);
        tail.look(&heads(3), |_| 1);
        assert_eq!(tail.lost(stream(), 5, (0, 7)), None);
        tail.look(&heads(3), |_| 1);
        // Others' messages go on coming; what was there then has been read.
        assert_eq!(tail.lost(stream(), 8, (0, 20)), Some(3));
    }

    #[test]
    fn an_empty_partition_is_not_waited_for() {
        let mut tail = Tail::default();
        tail.look(&heads(3), |_| 0);
        tail.look(&heads(3), |_| 0);
        assert_eq!(tail.lost(stream(), NOTHING_READ, (12, 12)), Some(3));
    }
}
