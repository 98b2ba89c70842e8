//! Credits set aside on one contract while requests are at work. In the owner's memory only: a charge and the end of its hold
//! are one step, and a hold ends by the monotonic clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use events_schema::Credits;
use events_schema::ids::ContractId;
use uuid::Uuid;

/// Credits of one hold, and when it ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetAside {
    pub(super) credits: Credits,
    pub(super) until: Instant,
}

/// A hold that is about to be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewHold {
    pub(super) contract: ContractId,
    pub(super) id: Uuid,
    pub(super) set_aside: SetAside,
}

/// Holds of all contracts of a shard that have any.
#[derive(Debug, Default)]
pub(super) struct AllHolds {
    by_contract: BTreeMap<ContractId, Holds>,
    prune_at: usize,
}

/// Contracts whose holds have all expired are dropped when this many contracts have holds, and again when there are twice as many as were
/// left.
const PRUNE_AT: usize = 4_096;

impl AllHolds {
    /// The credits of a contract that are set aside now.
    pub(super) fn held(&mut self, contract: ContractId, now: Instant) -> Credits {
        let holds = self.by_contract.get_mut(&contract);
        holds.map_or(Credits::ZERO, |holds| holds.held(now))
    }

    /// How many holds a contract has.
    pub(super) fn count(&self, contract: ContractId) -> usize {
        self.by_contract.get(&contract).map_or(0, Holds::len)
    }

    /// Sets credits of a contract aside.
    pub(super) fn place(&mut self, hold: NewHold, now: Instant) {
        if self.by_contract.len() >= self.prune_at.max(PRUNE_AT) {
            self.by_contract.retain(|_, holds| {
                holds.held(now);
                holds.len() > 0
            });
            self.prune_at = self.by_contract.len() * 2;
        }
        let holds = self.by_contract.entry(hold.contract).or_default();
        holds.place(hold.id, hold.set_aside);
    }

    /// Gives a hold back and returns what it had set aside, if it was known.
    pub(super) fn release(&mut self, contract: ContractId, id: Uuid) -> Option<SetAside> {
        let holds = self.by_contract.get_mut(&contract)?;
        let was = holds.release(id);
        if holds.len() == 0 {
            self.by_contract.remove(&contract);
        }
        was
    }

    /// The largest number of holds on any one contract.
    #[cfg(test)]
    pub(super) fn most(&self) -> usize {
        let counts = self.by_contract.values().map(Holds::len);
        counts.max().unwrap_or(0)
    }

    /// The credits of a contract that are set aside, expired holds included.
    #[cfg(test)]
    pub(super) fn sum(&self, contract: ContractId) -> Credits {
        let holds = self.by_contract.get(&contract);
        holds.map_or(Credits::ZERO, |holds| Credits(holds.sum))
    }

    /// Whether a hold is known.
    pub(super) fn has(&self, contract: ContractId, id: Uuid) -> bool {
        let holds = self.by_contract.get(&contract);
        holds.is_some_and(|holds| holds.by_id.contains_key(&id))
    }
}

/// Holds of one contract. The sum and the order of their ends are kept, so that no request looks at them all.
#[derive(Debug, Default)]
struct Holds {
    by_id: BTreeMap<Uuid, SetAside>,
    by_end: BTreeSet<(Instant, Uuid)>,
    sum: i64,
}

impl Holds {
    /// The credits set aside now. Expired holds are given back first.
    fn held(&mut self, now: Instant) -> Credits {
        while let Some((until, id)) = self.by_end.first().copied()
            && until <= now
        {
            self.release(id);
        }
        Credits(self.sum)
    }

    /// How many holds there are.
    fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Sets credits aside.
    fn place(&mut self, id: Uuid, set_aside: SetAside) {
        self.release(id);
        self.by_id.insert(id, set_aside);
        self.by_end.insert((set_aside.until, id));
        self.sum += set_aside.credits.0;
    }

    /// Gives a hold back and returns what it had set aside, if it was known.
    fn release(&mut self, id: Uuid) -> Option<SetAside> {
        let set_aside = self.by_id.remove(&id)?;
        self.by_end.remove(&(set_aside.until, id));
        self.sum -= set_aside.credits.0;
        Some(set_aside)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn set_aside(credits: i64, until: Instant) -> SetAside {
        SetAside {
            credits: Credits(credits),
            until,
        }
    }

    fn hold(n: usize, id: u128, credits: i64, until: Instant) -> NewHold {
        NewHold {
            contract: contract(n),
            id: Uuid::from_u128(id),
            set_aside: set_aside(credits, until),
        }
    }

    #[test]
    fn a_hold_ends_by_release_or_by_its_time_and_counts_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut holds = Holds::default();
        holds.place(Uuid::from_u128(1), set_aside(5, at(10)));
        holds.place(Uuid::from_u128(2), set_aside(3, at(20)));
        assert_eq!(holds.held(at(0)), Credits(8));
        assert_eq!(
            holds.release(Uuid::from_u128(1)),
            Some(set_aside(5, at(10)))
        );
        assert_eq!(holds.release(Uuid::from_u128(1)), None);
        assert_eq!(holds.held(at(19)), Credits(3));
        assert_eq!(holds.held(at(20)), Credits::ZERO);
        assert_eq!(holds.len(), 0);
    }

    fn contract(n: usize) -> ContractId {
        let mut random = [0; 16];
        // Its last bytes of eight would be those of the version and of the shard.
        random[..8].copy_from_slice(&n.to_le_bytes());
        ContractId::new(events_schema::ids::AccountId::new([1; 16]), random)
    }

    #[test]
    fn contracts_with_holds_are_looked_through_when_they_are_many_and_again_when_twice_as_many() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut all = AllHolds::default();
        let mut place = |n, now, until| {
            all.place(hold(n, 1, 1, at(until)), at(now));
            all.by_contract.len()
        };
        assert_eq!(place(0, 0, 1), 1);
        for n in 1..PRUNE_AT {
            assert_eq!(place(n, 5, 1_000), n + 1);
        }
        // The first one goes; this one is over soon.
        assert_eq!(place(PRUNE_AT, 5, 6), PRUNE_AT);
        for n in PRUNE_AT + 1..2 * PRUNE_AT - 1 {
            assert_eq!(place(n, 10, 1_000), n);
        }
        assert_eq!(place(2 * PRUNE_AT - 1, 10, 1_000), 2 * PRUNE_AT - 2);
    }

    #[test]
    fn contracts_without_holds_take_no_room() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut all = AllHolds::default();
        let kept = contract(usize::MAX);
        let for_ever = at(1_000_000);
        all.place(hold(usize::MAX, 7, 5, for_ever), at(0));
        for n in 0..3 * PRUNE_AT {
            // Each is over when the next but one comes.
            let now = u64::try_from(n).unwrap();
            all.place(hold(n, 1, 1, at(now + 2)), at(now));
        }
        assert!(
            all.by_contract.len() <= PRUNE_AT,
            "{}",
            all.by_contract.len()
        );
        let last = contract(3 * PRUNE_AT - 1);
        let released = all.release(last, Uuid::from_u128(1)).unwrap();
        assert_eq!(released.credits, Credits(1));
        assert!(!all.by_contract.contains_key(&last));
        assert_eq!(all.held(last, at(0)), Credits::ZERO);
        assert_eq!(all.held(kept, at(0)), Credits(5));
        assert_eq!((all.count(kept), all.count(last)), (1, 0));
    }
}
