//! One shard of the ledger as a pure machine: [`Shard::step`] takes an input and says what is to be done.
//!
//! Time, the store, callers and leases are inputs; answers, look-ups and batches are outputs. Whoever drives it
//! (`application/driver.rs` over Postgres, `simulation/` over a model that crashes, delays and forgets) decides nothing.
//!
//! Guarantees, whatever the driver and the store do to it:
//! - What was decided is carried out or refused as a whole, whether or not anybody still waits for the answer. An outcome that is not known
//!   is answered as unknown ([`Reply::Unknown`]), and the names and holds concerned stay taken until it is known.
//! - An answer that reports a change leaves when the change is durable. Caches follow decisions, never what a caller does afterwards.
//! - One bad command fails alone: a batch that the store refuses is decided again, command by command.
//! - Memory has limits, and no hold, claim or rate window in use is ever dropped for them.
//!
//! Never here: async, I/O, clocks, random numbers, logging.

mod admit;
mod ask;
mod batch;
mod cells;
mod change;
mod claims;
mod holds;
mod io;
mod keys;
#[cfg(test)]
mod mutant;
mod pipeline;
mod rows;
mod serve;
mod settle;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod windows;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use events_schema::ids;

pub use ask::{
    Admit, Ask, Cause, Change, Failing, HeldContract, OwnCredits, Reply, ShownKey, Ticket,
};
pub use batch::{Batch, Head};
pub use claims::Name;
pub use io::{Found, Input, Limits, Moment, Output, Wanted, Written};
pub use keys::Proof;
#[cfg(test)]
pub use mutant::Mutant;
pub use rows::{IdempotencyRow, KeptCharge, Row, SideRows};

use ask::{Halt, Lock, Step, Work};
use cells::{CellId, Cells, Loaded};
use claims::Claims;
use holds::AllHolds;
use keys::{Keys, Turn};
use pipeline::{Decided, Flight};
use windows::Windows;

/// One shard. See the module.
pub struct Shard {
    shard: ids::Shard,
    limits: Arc<Limits>,
    /// While the lease certainly holds.
    owned_until: Option<Instant>,
    grant: u64,
    /// How often everything known of the store was forgotten.
    epoch: u64,
    head: Option<Head>,
    /// What the store holds, and what was decided on top of it.
    cells: Cells,
    keys: Keys,
    /// What lives in memory alone.
    windows: Windows,
    claims: Claims,
    holds: AllHolds,
    /// Works by what they wait for.
    waiting: BTreeMap<Wanted, Vec<Work>>,
    /// The same by the step in which they ran last.
    ran: BTreeSet<(u64, Ticket)>,
    locks: BTreeMap<Lock, VecDeque<Work>>,
    ready: VecDeque<Work>,
    /// Decided, in order, and not yet on their way.
    queue: VecDeque<Decided>,
    flight: Option<Flight>,
    batches: u64,
    /// Works that wait in any of the above.
    count: usize,
    /// Counts the groups that refused batches were split into.
    groups: u64,
    out: Vec<Output>,
    #[cfg(test)]
    mutant: mutant::State,
}

impl Shard {
    /// A shard of which nothing is known and that is not owned.
    #[must_use]
    pub fn new(shard: ids::Shard, limits: Arc<Limits>) -> Self {
        Self {
            shard,
            owned_until: None,
            grant: 0,
            epoch: 1,
            head: None,
            cells: Cells::new(limits.max_cells),
            keys: Keys::new(limits.max_keys),
            windows: Windows::new(limits.max_windows),
            claims: Claims::new(limits.max_claims),
            holds: AllHolds::default(),
            waiting: BTreeMap::new(),
            ran: BTreeSet::new(),
            locks: BTreeMap::new(),
            ready: VecDeque::new(),
            queue: VecDeque::new(),
            flight: None,
            batches: 0,
            count: 0,
            groups: 0,
            out: Vec::new(),
            limits,
            #[cfg(test)]
            mutant: mutant::State::default(),
        }
    }

    /// What follows from an input. The outputs are to be done in their order.
    pub fn step(&mut self, now: Moment, input: Input) -> Vec<Output> {
        self.cells.step();
        match input {
            Input::Ask(ticket, ask) => self.begin(ticket, ask),
            Input::Fetched {
                epoch,
                wanted,
                found,
            } => self.fetched(epoch, wanted, found, now),
            Input::Written(number, written) => self.written(number, written, now),
            Input::Probed(number, stands) => self.probed(number, stands, now),
            Input::Owned { until, grant } => self.owned(until, grant, now),
            Input::Disowned => self.disowned(now),
            Input::Tick => self.tick(now),
        }
        while let Some(work) = self.ready.pop_front() {
            self.run(work, now);
            self.flush(now);
        }
        self.flush(now);
        std::mem::take(&mut self.out)
    }

    /// How many works wait for anything.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing waits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn begin(&mut self, ticket: Ticket, ask: Ask) {
        self.count += 1;
        let work = Work::new(ticket, ask);
        // Settles and releases still have room when the limit for new requests is reached.
        let most = self.limits.max_waiting;
        let room = match &*work.ask {
            Ask::Settle(_) | Ask::Release(_) => most * 2,
            _ => most,
        };
        if self.count > room {
            return self.finish(work, Reply::Unavailable(Failing::Overloaded));
        }
        self.ready.push_back(work);
    }

    fn is_owned(&self, now: Moment) -> bool {
        self.owned_until.is_some_and(|until| now.monotonic < until)
    }

    fn owned(&mut self, until: Instant, grant: u64, now: Moment) {
        self.owned_until = Some(until);
        if self.grant != grant {
            self.grant = grant;
            self.keys.forget_absent();
            self.reload(now);
        }
    }

    /// A batch in flight stays until its outcome is known; everything else now belongs to the next owner.
    fn disowned(&mut self, now: Moment) {
        self.owned_until = None;
        self.reload(now);
        for work in std::mem::take(&mut self.ready) {
            self.finish(work, Reply::NotOwned);
        }
    }

    /// Goes on with a work as far as it can.
    fn run(&mut self, mut work: Work, now: Moment) {
        if work.epoch != self.epoch {
            // What was looked up for it may be out of date.
            work.epoch = self.epoch;
            work.kept = None;
            work.movement = None;
            work.active_builds = None;
        }
        if !self.is_owned(now) {
            return self.finish(work, Reply::NotOwned);
        }
        if self.flight.as_ref().is_some_and(Flight::is_told) {
            return self.finish(work, Reply::Unavailable(Failing::Database));
        }
        if self.head.is_none() {
            return self.wait(Wanted::Head, work);
        }
        let ask = Arc::clone(&work.ask);
        let step = match &*ask {
            Ask::Admit(admit) => self.admit(&mut work, admit, now),
            Ask::Settle(settle) => self.settle(&mut work, settle, now),
            Ask::Release(hold) => self.release(hold),
            Ask::Check(key) => self.check(key, now),
            Ask::Credits(key) => self.credits(&mut work, key, now),
            Ask::Look(key) => self.look(&mut work, key, now),
            Ask::Contracts(account) => self.contracts(*account, now),
            Ask::Contract(contract) => self.one_contract(*contract, now),
            Ask::Change(change) => self.change(&mut work, change, now),
            Ask::Read(kind, id) => self.read(*kind, *id),
        };
        match step {
            Ok(Step::Answer(reply)) => self.finish(work, reply),
            Ok(Step::Decided(decision)) => self.queue.push_back(Decided::new(work, *decision)),
            Err(Halt::Wants(wanted)) => self.wait(wanted, work),
            Err(Halt::Locked(lock)) => match self.locks.get_mut(&lock) {
                Some(waiting) => waiting.push_back(work),
                None => self.ready.push_back(work),
            },
        }
    }

    fn wait(&mut self, wanted: Wanted, mut work: Work) {
        if !self.waiting.contains_key(&wanted) {
            match self.keys.turn(&wanted, self.limits.max_key_lookups) {
                Turn::Now => self.fetch(wanted.clone()),
                Turn::Later => {}
                Turn::Never => {
                    return self.finish(work, Reply::Unavailable(Failing::Overloaded));
                }
            }
        }
        work.ran_at = self.cells.now();
        self.ran.insert((self.cells.now(), work.number));
        self.waiting.entry(wanted).or_default().push(work);
    }

    /// Asks the store. The head is read only when no batch is on its way, so that it is known what it includes.
    fn fetch(&mut self, wanted: Wanted) {
        if wanted == Wanted::Head && self.flight.is_some() {
            return;
        }
        self.out.push(Output::Fetch(self.epoch, wanted));
    }

    fn fetched(&mut self, epoch: u64, wanted: Wanted, found: Result<Found, Failing>, now: Moment) {
        if epoch != self.epoch {
            return;
        }
        let Some(mut works) = self.waiting.remove(&wanted) else {
            return;
        };
        if let Some(next) = self.keys.looked_up(&wanted) {
            self.fetch(Wanted::Key(next));
        }
        match (wanted, found) {
            (Wanted::Head, Ok(Found::Head(head))) => self.head = Some(head),
            (
                Wanted::Aggregate(kind, id),
                Ok(Found::Aggregate {
                    state,
                    seq,
                    contracts,
                }),
            ) => {
                let since = self.ran.first().map_or(u64::MAX, |(step, _)| *step);
                let loaded = Loaded {
                    state,
                    seq,
                    contracts,
                };
                self.cells.insert((kind, id), loaded, since);
            }
            (Wanted::Key(id), Ok(Found::Key(proof))) => self.keys.keep(id, proof, now),
            (Wanted::Kept(..), Ok(Found::Kept(kept))) => {
                works
                    .iter_mut()
                    .for_each(|work| work.kept = Some(kept.clone()));
            }
            (Wanted::Movement(..), Ok(Found::Movement(movement))) => {
                works
                    .iter_mut()
                    .for_each(|work| work.movement = Some(movement.clone()));
            }
            (Wanted::ActiveBuilds(_), Ok(Found::ActiveBuilds(active))) => {
                works
                    .iter_mut()
                    .for_each(|work| work.active_builds = Some(active.clone()));
            }
            (_, found) => {
                let failing = found.err().unwrap_or(Failing::Ledger);
                for work in works {
                    self.ran.remove(&(work.ran_at, work.number));
                    self.finish(work, Reply::Unavailable(failing));
                }
                return;
            }
        }
        for work in works {
            self.ran.remove(&(work.ran_at, work.number));
            self.ready.push_back(work);
        }
    }

    /// Ends a work: its lock goes to the next one, and a claim without an admission is given back.
    fn finish(&mut self, mut work: Work, mut reply: Reply) {
        if let Ask::Admit(admit) = &*work.ask
            && work.claimed
            && !reply.is_admitted()
            && let Some(name) = work.name.take()
        {
            self.claims.end(&name, admit.request_id);
        }
        if let Ask::Settle(settle) = &*work.ask
            && matches!(reply, Reply::Unavailable(_) | Reply::NotOwned)
        {
            if self.is_settling_elsewhere(&work, &settle.hold) {
                // Another work is settling it, with an outcome of its own.
                reply = match reply {
                    Reply::Unavailable(_) => Reply::Unknown,
                    other => other,
                };
            } else {
                // Nothing is charged here: a caller that tries again does so with the owner or not at all.
                self.end_claim(&settle.hold);
                self.forget_hold(&settle.hold);
            }
        }
        if let Some(lock) = work.lock.take()
            && let Some(waiting) = self.locks.remove(&lock)
        {
            self.ready.extend(waiting);
        }
        self.count -= 1;
        if let Some(ticket) = work.ticket {
            self.out.push(Output::Answer(ticket, reply));
        }
    }

    /// The look-up of the charge under a name, for one work.
    fn kept(&self, work: &Work, name: Name) -> Wanted {
        Wanted::Kept(work.number, name, self.limits.idempotency_for)
    }

    /// Takes the lock for a work, or halts it until the lock is free.
    fn lock(&mut self, work: &mut Work, lock: Lock) -> Result<(), Halt> {
        if work.lock.is_some() {
            return Ok(());
        }
        if self.locks.contains_key(&lock) {
            return Err(Halt::Locked(lock));
        }
        self.locks.insert(lock.clone(), VecDeque::new());
        work.lock = Some(lock);
        Ok(())
    }

    /// Forgets what is known of the store: everything undecided and everything decided on it begins anew.
    fn reload(&mut self, now: Moment) {
        self.epoch += 1;
        self.head = None;
        self.cells.clear();
        self.keys.end_all_lookups();
        let queued: Vec<Decided> = self.queue.drain(..).collect();
        for decided in queued {
            self.again(decided, now);
        }
        self.ran.clear();
        for (_, works) in std::mem::take(&mut self.waiting) {
            self.ready.extend(works);
        }
    }
}

/// A set of aggregates that a decision rests on.
type Pins = BTreeSet<CellId>;
