//! Which events have been: what a store that went back (a dump, a standby that lacked commits) has in common with what is known of
//! it elsewhere (`docs/BACKUP.md`, "Restoring, commits of the event store lost").

use serde::{Deserialize, Serialize};

use crate::ids::Shard;

/// The history that every store begins with.
pub const FIRST: i64 = 1;

/// From where on a shard's events are of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// The shard.
    pub shard: Shard,
    /// Number of the history, above [`FIRST`].
    pub history: i64,
    /// The first position that is of it, whether there is such an event yet or not.
    pub first_pos: i64,
}

/// Every history of a store, by its beginnings; empty while there is only the first one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histories(Vec<Beginning>);

impl Histories {
    /// The histories that begin so, in any order.
    #[must_use]
    pub const fn new(beginnings: Vec<Beginning>) -> Self {
        Self(beginnings)
    }

    /// Whether there is this history in the shard.
    #[must_use]
    pub fn knows(&self, shard: Shard, history: i64) -> bool {
        history == FIRST || self.of(shard).any(|one| one.history == history)
    }

    /// Whether an event of `history` at `pos` has never been, seen from the store: a newer history begins at or before its
    /// position.
    #[must_use]
    pub fn is_abandoned(&self, shard: Shard, pos: i64, history: i64) -> bool {
        self.of(shard)
            .any(|one| one.history > history && one.first_pos <= pos)
    }

    fn of(&self, shard: Shard) -> impl Iterator<Item = &Beginning> {
        self.0.iter().filter(move |one| one.shard == shard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_before_the_beginning_of_a_history_is_shared_and_the_rest_of_the_older_ones_is_abandoned()
     {
        let (shard, other) = (Shard::new(7).unwrap(), Shard::new(8).unwrap());
        let beginning = |history, first_pos| Beginning {
            shard,
            history,
            first_pos,
        };
        // The second one lost more than the first one had written.
        let histories = Histories::new(vec![beginning(100, 11), beginning(200, 6)]);
        let abandoned = |pos, history| histories.is_abandoned(shard, pos, history);
        assert!(!abandoned(5, FIRST));
        assert!(abandoned(6, FIRST));
        assert!(abandoned(11, 100));
        assert!(!abandoned(6, 200));
        assert!(!histories.is_abandoned(other, 6, FIRST));
        assert!(histories.knows(shard, FIRST) && histories.knows(shard, 200));
        assert!(!histories.knows(shard, 300) && !histories.knows(other, 200));
    }
}
