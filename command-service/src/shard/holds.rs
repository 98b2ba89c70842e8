//! Credits set aside on one contract while requests are at work. In the owner's memory only: a charge and the end of its hold
//! are one step, and a hold ends by the monotonic clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use events_schema::Credits;
use uuid::Uuid;

/// Holds of one contract. The sum and the order of their ends are kept, so that no request looks at them all.
#[derive(Debug, Default)]
pub(super) struct Holds {
    by_id: BTreeMap<Uuid, (Credits, Instant)>,
    by_end: BTreeSet<(Instant, Uuid)>,
    sum: i64,
}

impl Holds {
    /// What is set aside now. Holds whose time is over are given back first.
    pub(super) fn held(&mut self, now: Instant) -> Credits {
        while let Some((until, id)) = self.by_end.first().copied()
            && until <= now
        {
            self.release(id);
        }
        Credits(self.sum)
    }

    /// Whether a hold is known.
    #[cfg(test)]
    pub(super) fn has(&self, id: Uuid) -> bool {
        self.by_id.contains_key(&id)
    }

    /// How many holds there are.
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Sets credits aside.
    pub(super) fn place(&mut self, id: Uuid, credits: Credits, until: Instant) {
        self.release(id);
        self.by_id.insert(id, (credits, until));
        self.by_end.insert((until, id));
        self.sum += credits.0;
    }

    /// Gives a hold back; what it was, if it was known.
    pub(super) fn release(&mut self, id: Uuid) -> Option<(Credits, Instant)> {
        let (credits, until) = self.by_id.remove(&id)?;
        self.by_end.remove(&(until, id));
        self.sum -= credits.0;
        Some((credits, until))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_hold_ends_by_release_or_by_its_time_and_counts_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut holds = Holds::default();
        holds.place(Uuid::from_u128(1), Credits(5), at(10));
        holds.place(Uuid::from_u128(2), Credits(3), at(20));
        assert_eq!(holds.held(at(0)), Credits(8));
        assert_eq!(
            holds.release(Uuid::from_u128(1)),
            Some((Credits(5), at(10)))
        );
        assert_eq!(holds.release(Uuid::from_u128(1)), None);
        assert_eq!(holds.held(at(19)), Credits(3));
        assert_eq!(holds.held(at(20)), Credits::ZERO);
        assert_eq!(holds.len(), 0);
    }
}
