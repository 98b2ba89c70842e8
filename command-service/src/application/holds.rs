//! Credits set aside on one contract while requests are at work. In the owner's memory only, beside the
//! Contract aggregate and under its lock, so that a charge and the end of its hold are one step.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use events_schema::Credits;
use uuid::Uuid;

/// Holds of one contract. The sum and the order of their ends are kept, so that no request looks at them all.
#[derive(Debug, Default)]
pub(crate) struct Holds {
    by_id: HashMap<Uuid, (Credits, DateTime<Utc>)>,
    by_end: BTreeSet<(DateTime<Utc>, Uuid)>,
    sum: i64,
}

impl Holds {
    /// What is set aside now. Holds whose time is over are given back first.
    pub(super) fn held(&mut self, now: DateTime<Utc>) -> Credits {
        while let Some((until, id)) = self.by_end.first().copied()
            && until <= now
        {
            self.release(id);
        }
        Credits(self.sum)
    }

    /// How many holds there are.
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Sets credits aside.
    pub(super) fn place(&mut self, id: Uuid, credits: Credits, until: DateTime<Utc>) {
        self.release(id);
        self.by_id.insert(id, (credits, until));
        self.by_end.insert((until, id));
        self.sum += credits.0;
    }

    /// Gives a hold back; whether it was known.
    pub(super) fn release(&mut self, id: Uuid) -> bool {
        let Some((credits, until)) = self.by_id.remove(&id) else {
            return false;
        };
        self.by_end.remove(&(until, id));
        self.sum -= credits.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_ends_by_release_or_by_its_time_and_counts_once() {
        let at = |n| DateTime::from_timestamp(n, 0).unwrap();
        let mut holds = Holds::default();
        holds.place(Uuid::from_u128(1), Credits(5), at(10));
        holds.place(Uuid::from_u128(2), Credits(3), at(20));
        assert_eq!(holds.held(at(0)), Credits(8));
        assert!(holds.release(Uuid::from_u128(1)));
        assert!(!holds.release(Uuid::from_u128(1)));
        assert_eq!(holds.held(at(19)), Credits(3));
        assert_eq!(holds.held(at(20)), Credits::ZERO);
        assert_eq!(holds.len(), 0);
    }
}
