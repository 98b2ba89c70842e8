//! Aggregates in memory: what the store holds of them, with what was decided since.
//!
//! Aggregates that a pending decision or write rests on are pinned, and those that a waiting work has found already stay until it has found
//! the rest. Of the others, those that were not asked for since the clock hand passed them last go first.

use std::collections::BTreeMap;
use std::ops::Bound;

use events_schema::ids::ContractId;
use uuid::Uuid;

use crate::domain::aggregate::{Aggregate, Kind};

/// How many cells are looked at to find one that can go.
const LOOKED_AT: usize = 64;

/// The kind belongs to it: two aggregates of different kinds may have the same id, since callers choose ids.
pub(super) type CellId = (Kind, Uuid);

#[derive(Debug)]
pub(super) struct Cell {
    pub(super) state: Aggregate,
    /// Of the last event.
    pub(super) seq: i64,
    /// Of an account.
    pub(super) contracts: Vec<ContractId>,
    pins: u32,
    is_used: bool,
    /// The step in which it was asked for last.
    used_at: u64,
}

/// An aggregate as the store has it.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) state: Aggregate,
    /// Of the last event.
    pub(super) seq: i64,
    /// Of an account.
    pub(super) contracts: Vec<ContractId>,
}

#[derive(Debug)]
pub(super) struct Cells {
    most: usize,
    cells: BTreeMap<CellId, Cell>,
    hand: Option<CellId>,
    /// Counts the steps of the shard.
    now: u64,
}

impl Cells {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            cells: BTreeMap::new(),
            hand: None,
            now: 0,
        }
    }

    /// The next step begins; its number.
    pub(super) const fn step(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    pub(super) fn get(&mut self, id: CellId) -> Option<&mut Cell> {
        let cell = self.cells.get_mut(&id)?;
        cell.is_used = true;
        cell.used_at = self.now;
        Some(cell)
    }

    /// Without saying that it was used.
    pub(super) fn peek(&self, id: CellId) -> Option<&Cell> {
        self.cells.get(&id)
    }

    /// Keeps a cell. `since` is the step in which the first of the works that still wait ran: what was asked for since then stays.
    pub(super) fn insert(&mut self, id: CellId, loaded: Loaded, since: u64) {
        if self.cells.len() >= self.most {
            self.make_room(since);
        }
        let cell = Cell {
            state: loaded.state,
            seq: loaded.seq,
            contracts: loaded.contracts,
            pins: 0,
            is_used: true,
            used_at: self.now,
        };
        self.cells.insert(id, cell);
    }

    /// Drops up to two cells, so that the map shrinks again after the limit had to be exceeded. If none of the cells looked at can go, the
    /// map grows by one for now.
    fn make_room(&mut self, since: u64) {
        let mut gone = 0;
        for _ in 0..LOOKED_AT {
            let after = self.hand.map_or(Bound::Unbounded, Bound::Excluded);
            let next = self.cells.range_mut((after, Bound::Unbounded)).next();
            let Some((id, cell)) = next else {
                self.hand = None;
                continue;
            };
            let id = *id;
            self.hand = Some(id);
            let is_free = cell.pins == 0 && cell.used_at < since;
            if is_free && !cell.is_used {
                self.cells.remove(&id);
                gone += 1;
                if gone == 2 || self.cells.len() < self.most {
                    return;
                }
            } else {
                cell.is_used = false;
            }
        }
    }

    pub(super) fn pin(&mut self, id: CellId) {
        if let Some(cell) = self.cells.get_mut(&id) {
            cell.pins += 1;
        }
    }

    pub(super) fn unpin(&mut self, id: CellId) {
        if let Some(cell) = self.cells.get_mut(&id) {
            cell.pins = cell.pins.saturating_sub(1);
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> CellId {
        (Kind::Account, Uuid::from_u128(n))
    }

    fn empty() -> Loaded {
        Loaded {
            state: Aggregate::new(Kind::Account),
            seq: 0,
            contracts: Vec::new(),
        }
    }

    fn insert(cells: &mut Cells, n: u128) {
        let since = cells.step();
        cells.insert(id(n), empty(), since);
    }

    #[test]
    fn a_pinned_cell_stays_and_the_rest_never_are_more_than_allowed() {
        let mut cells = Cells::new(4);
        insert(&mut cells, 1);
        cells.pin(id(1));
        for n in 2..100 {
            insert(&mut cells, n);
        }
        assert!(cells.peek(id(1)).is_some());
        assert!(cells.cells.len() <= 5, "{}", cells.cells.len());
        cells.unpin(id(1));
        for n in 100..120 {
            insert(&mut cells, n);
        }
        assert!(cells.peek(id(1)).is_none());
    }

    #[test]
    fn what_a_waiting_work_has_found_stays_however_little_room_there_is() {
        let mut cells = Cells::new(1);
        let since = cells.step();
        for n in 1..=10 {
            cells.insert(id(n), empty(), since);
        }
        assert_eq!(cells.cells.len(), 10);
        // It has all that it needs: they go again, two for each that comes and no more, however many there are.
        for n in 11..=30 {
            let before = cells.cells.len();
            insert(&mut cells, n);
            assert!(cells.cells.len() + 1 >= before, "{before}");
        }
        assert_eq!(cells.cells.len(), 1);
    }

    #[test]
    fn what_is_asked_for_stays_longer() {
        let mut cells = Cells::new(3);
        for n in 1..=3 {
            insert(&mut cells, n);
        }
        for n in 4..20 {
            insert(&mut cells, n);
            assert!(cells.get(id(2)).is_some(), "{n}");
        }
    }
}
