//! From decided to durable: one batch on its way at a time; what is decided meanwhile is the next one. Two timers: the pause
//! before a batch whose answer was lost, or that could not be sent, is tried again, and the deadline after which its callers are told.
//!
//! If a batch turns out to build on an old head, everything decided on it is decided anew. If the store refuses it for its contents, its
//! halves are sent separately, and theirs in turn, so that only the bad command fails.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use events_schema::Event;
use uuid::Uuid;

use super::ask::{Ask, Cause, Failing, Reply, Work};
use super::batch::{Batch, Facts};
use super::cells::CellId;
use super::rows::{Row, SideRows};
use super::settle::name_of;
use super::{Moment, Output, Pins, Shard, Wanted, Written};
use crate::domain::aggregate::{Aggregate, Kind};

/// How often a command is decided before its caller gets an error.
const TRIES: u32 = 4;
/// Shortest and longest pause before a batch of unknown outcome is tried again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// What a command leads to.
pub(super) struct Outcome {
    pub(super) events: Vec<Event>,
    /// Written beside them.
    pub(super) rows: SideRows,
}

/// What was decided, and the answer that leaves when it is durable.
pub(super) struct Decision {
    /// What it writes, until that is in a batch; `None` = nothing is written: answered when everything before it is durable.
    facts: Option<Facts>,
    writes: bool,
    reply: Reply,
    pins: Pins,
    snapshot: Option<(Uuid, i64, Aggregate)>,
}

impl Decision {
    /// Nothing is written; the reply is true once everything before it is durable.
    pub(super) const fn barrier(reply: Reply) -> Self {
        Self {
            facts: None,
            writes: false,
            reply,
            pins: BTreeSet::new(),
            snapshot: None,
        }
    }
}

/// A work with its decision.
pub(super) struct Decided {
    work: Work,
    decision: Decision,
}

impl Decided {
    pub(super) const fn new(work: Work, decision: Decision) -> Self {
        Self { work, decision }
    }

    fn events(&self) -> usize {
        self.decision
            .facts
            .as_ref()
            .map_or(0, |facts| facts.events.len())
    }
}

/// A batch on its way.
pub(super) struct Flight {
    number: u64,
    batch: Arc<Batch>,
    decided: Vec<Decided>,
    epoch: u64,
    began: Instant,
    pause: Duration,
    /// When it is tried again; `None` while it is being tried.
    again_at: Option<Instant>,
    /// An answer was lost: it may be written although a write found the head moved on.
    is_doubtful: bool,
    is_probing: bool,
    /// Its callers were told that the outcome is unknown.
    is_told: bool,
}

impl Flight {
    pub(super) const fn is_told(&self) -> bool {
        self.is_told
    }

    #[cfg(test)]
    pub(super) fn into_works(self) -> impl Iterator<Item = Work> {
        self.decided.into_iter().map(|decided| decided.work)
    }
}

impl Shard {
    /// Turns what was just carried out on an aggregate in memory into a decision.
    pub(super) fn decision(
        &mut self,
        id: CellId,
        outcome: Outcome,
        cause: Cause,
        reply: Reply,
        now: Moment,
    ) -> Decision {
        let Outcome { events, rows } = outcome;
        let Some(cell) = self.cells.get(id).filter(|_| !events.is_empty()) else {
            return Decision::barrier(reply);
        };
        let every = self.limits.snapshot_every.max(1);
        let before = cell.seq;
        cell.seq += i64::try_from(events.len()).unwrap_or(0);
        let is_due = before / every != cell.seq / every;
        let snapshot = is_due.then(|| (id.1, cell.seq, cell.state.clone()));
        let mut pins = Pins::from([id]);
        for event in &events {
            if let Event::ContractCreated(created) = event {
                // The account's list of contracts depends on this event, too.
                pins.insert((Kind::Account, created.account_id.uuid()));
            }
        }
        for id in &pins {
            self.cells.pin(*id);
        }
        let facts = Facts {
            aggregate_id: id.1,
            seq: before + 1,
            events,
            occurred_at: now.utc,
            cause,
            rows,
        };
        Decision {
            facts: Some(facts),
            writes: true,
            reply,
            pins,
            snapshot,
        }
    }

    /// Sends the next batch on its way, if none is.
    pub(super) fn flush(&mut self, now: Moment) {
        if self.flight.is_some() {
            return;
        }
        while self.queue.front().is_some_and(|first| first.events() == 0) {
            let durable = self.queue.pop_front();
            durable.into_iter().for_each(|decided| self.land(decided));
        }
        if self.queue.is_empty() {
            return;
        }
        let Some(head) = self.head.clone() else {
            // Only after a reload, which decides everything anew.
            return;
        };
        let count = self.fitting();
        let mut decided: Vec<Decided> = self.queue.drain(..count).collect();
        let facts = decided.iter_mut();
        let facts = facts.filter_map(|one| one.decision.facts.take());
        let batch = Arc::new(Batch::of(self.shard, head, facts.collect()));
        self.batches += 1;
        self.out
            .push(Output::Write(self.batches, Arc::clone(&batch)));
        self.flight = Some(Flight {
            number: self.batches,
            batch,
            decided,
            epoch: self.epoch,
            began: now.monotonic,
            pause: PAUSE.0,
            again_at: None,
            is_doubtful: false,
            is_probing: false,
            is_told: false,
        });
    }

    /// How many of the queue from its front make one batch; at least one.
    fn fitting(&self) -> usize {
        let group = self.queue.front().map(|first| first.work.group);
        let mut events = 0;
        let within = self.queue.iter().take_while(|decided| {
            events += decided.events();
            events <= self.limits.batch_events && Some(decided.work.group) == group
        });
        within.count().max(1)
    }

    pub(super) fn written(&mut self, number: u64, written: Written, now: Moment) {
        let Some(mut flight) = self.flight.take_if(|flight| flight.number == number) else {
            return;
        };
        match written {
            Written::Committed => self.arrive(flight, now),
            // An earlier write of it may have been carried out, or still be.
            Written::Behind | Written::Refused if flight.is_doubtful => self.probe(flight),
            Written::Behind => self.fall(flight, now),
            Written::Refused => self.split(flight, now),
            Written::NotNow => self.try_again(flight, now),
            Written::Lost => {
                flight.is_doubtful = true;
                self.try_again(flight, now);
            }
            Written::Broken => {
                flight.is_doubtful = true;
                self.probe(flight);
            }
        }
    }

    /// Finds out whether the batch is written, with an answer that is final.
    fn probe(&mut self, mut flight: Flight) {
        flight.is_probing = true;
        let (number, batch) = (flight.number, Arc::clone(&flight.batch));
        self.flight = Some(flight);
        self.out.push(Output::Probe(number, batch));
    }

    pub(super) fn probed(&mut self, number: u64, stands: Option<bool>, now: Moment) {
        let Some(flight) = self.flight.take_if(|flight| flight.number == number) else {
            return;
        };
        match stands {
            Some(true) => self.arrive(flight, now),
            Some(false) => self.fall(flight, now),
            None => self.try_again(flight, now),
        }
    }

    fn try_again(&mut self, mut flight: Flight, now: Moment) {
        flight.again_at = Some(now.monotonic + flight.pause);
        self.out.push(Output::Wake(flight.pause));
        flight.pause = (flight.pause * 2).min(PAUSE.1);
        self.flight = Some(flight);
        self.tell(now);
    }

    pub(super) fn tick(&mut self, now: Moment) {
        if let Some(flight) = &mut self.flight
            && flight.again_at.is_some_and(|at| at <= now.monotonic)
        {
            flight.again_at = None;
            let batch = Arc::clone(&flight.batch);
            let number = flight.number;
            self.out.push(if flight.is_probing {
                Output::Probe(number, batch)
            } else {
                Output::Write(number, batch)
            });
        }
        self.tell(now);
    }

    /// After its deadline a batch that is not known to be written is answered: as unknown where it may be written, otherwise as not made.
    /// Works queued behind it get an error: nothing of theirs was written. The names and holds of an unknown batch stay taken, and the
    /// shard decides nothing until the outcome is known.
    fn tell(&mut self, now: Moment) {
        let limit = self.limits.commit_deadline;
        let Some(mut flight) = self
            .flight
            .take_if(|flight| now.monotonic.saturating_duration_since(flight.began) >= limit)
        else {
            return;
        };
        if !flight.is_doubtful && flight.again_at.is_some() {
            // No write of it is on its way, and none was carried out.
            for decided in flight.decided {
                self.give_up_on(decided, Failing::Database);
            }
            return self.reload(now);
        }
        let is_first = !flight.is_told;
        flight.is_told = true;
        #[cfg(test)]
        if self.mutant.gives_up() {
            self.flight = Some(flight);
            return self.give_up(now);
        }
        for Decided { work, .. } in &mut flight.decided {
            let reply = if work.ask.changes_something() {
                Reply::Unknown
            } else {
                Reply::Unavailable(Failing::Database)
            };
            if let Some(ticket) = work.ticket.take() {
                self.out.push(Output::Answer(ticket, reply));
            }
        }
        self.flight = Some(flight);
        if is_first {
            self.reload(now);
        }
    }

    /// The batch is durable. What was decided meanwhile is sent before any caller is answered, so that the store need not wait for that.
    fn arrive(&mut self, flight: Flight, now: Moment) {
        if flight.epoch == self.epoch {
            self.head = Some(flight.batch.after.clone());
        }
        self.out
            .push(Output::Committed(Arc::clone(&flight.batch.events)));
        self.want_head();
        self.flush(now);
        for rows in &flight.batch.rows {
            if let Some(Row::ApiKey { api_key_id, proof }) = rows.row.as_deref() {
                self.keys.issued(api_key_id, proof, now);
            }
        }
        for decided in flight.decided {
            self.land(decided);
        }
    }

    /// What a work decided is durable.
    fn land(&mut self, decided: Decided) {
        let Decided { work, decision } = decided;
        self.unpin(&decision);
        if let Some((id, seq, state)) = decision.snapshot {
            self.out.push(Output::Snapshot(id, seq, state));
        }
        if let Ask::Settle(settle) = &*work.ask {
            self.end_claim(&settle.hold);
        }
        self.finish(work, decision.reply);
    }

    /// The batch is not written and never will be: it was decided on a state that was not the last.
    fn fall(&mut self, flight: Flight, now: Moment) {
        for mut decided in flight.decided {
            decided.work.tries += u32::from(decided.decision.writes);
            self.again(decided, now);
        }
        self.reload(now);
    }

    /// The store refuses the batch for something in it: each half is decided anew by itself, until the bad command is alone. Before it is
    /// decided once more, it looks for an effect that it has had already; refused again, it fails for good.
    fn split(&mut self, flight: Flight, now: Moment) {
        let half = flight.decided.len().div_ceil(2);
        let is_one = flight.decided.len() == 1;
        self.groups += 2;
        for (place, mut decided) in flight.decided.into_iter().enumerate() {
            decided.work.group = self.groups + u64::from(place < half);
            if is_one && decided.work.looks {
                self.give_up_on(decided, Failing::Ledger);
                continue;
            }
            decided.work.looks |= is_one;
            self.again(decided, now);
        }
        self.reload(now);
    }

    /// Decides a work anew, unless that was tried too often or no caller waits any more.
    pub(super) fn again(&mut self, mut decided: Decided, now: Moment) {
        if decided.work.ticket.is_none() || decided.work.tries >= TRIES {
            return self.give_up_on(decided, Failing::Ledger);
        }
        if let (Ask::Settle(settle), Some(was)) =
            (&*Arc::clone(&decided.work.ask), decided.work.hold.take())
        {
            self.hold_again(&settle.hold, was, now);
        }
        if let Ask::Settle(settle) = &*decided.work.ask
            && let Some(name) = name_of(&settle.hold)
        {
            // If the work ends here because the lease is lost, the claim expires at its own time again.
            self.claims.undecided(&name, settle.hold.request_id);
        }
        self.unpin(&decided.decision);
        self.ready.push_back(decided.work);
    }

    /// Ends a work whose decision is not written and never will be.
    fn give_up_on(&mut self, decided: Decided, failing: Failing) {
        self.unpin(&decided.decision);
        self.finish(decided.work, Reply::Unavailable(failing));
    }

    fn unpin(&mut self, decision: &Decision) {
        for id in &decision.pins {
            self.cells.unpin(*id);
        }
    }

    /// Works that wait for the head could not ask for it while a batch was in flight.
    fn want_head(&mut self) {
        if self.waiting.contains_key(&Wanted::Head) {
            self.out.push(Output::Fetch(self.epoch, Wanted::Head));
        }
    }
}
