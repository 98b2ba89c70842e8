//! Processes and what is on its way between them and the store.

use rand::RngExt;

use super::world::{ANSWER, CALM, Event, LEASE, RENEWAL, Statement, World, account};
use crate::shard::{Ask, Failing, Input, Output, Shard, Ticket, Written};

impl World {
    pub(super) fn restart(&mut self, owner: usize) {
        if self.owners[owner].core.is_some() {
            return;
        }
        self.lives += 1;
        let core = Shard::new(account().shard(), self.limits()).with_mutant(self.mutant);
        let life = self.lives;
        let owner_state = &mut self.owners[owner];
        owner_state.core = Some(core);
        owner_state.life = life;
        owner_state.until = 0;
        owner_state.paused_until = 0;
        self.at(self.now, Event::Renew(owner));
    }

    pub(super) fn crash(&mut self, owner: usize) {
        if self.owners[owner].core.take().is_none() {
            return;
        }
        self.history.counts.crashes += 1;
        let asked: Vec<Ticket> = self
            .asked
            .iter()
            .filter(|(_, (of, _))| *of == owner)
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in asked {
            self.after(50, Event::Answered(ticket, None));
        }
        let back = self.rng.random_range(1..3_000);
        self.at(self.now + back, Event::Restart(owner));
    }

    /// The lease of a process: taken when it is free, extended when it is its own.
    pub(super) fn renew(&mut self, owner: usize) {
        if self.owners[owner].core.is_none() {
            return;
        }
        let paused = self.owners[owner].paused_until;
        if paused > self.now {
            return self.at(paused, Event::Renew(owner));
        }
        if self.owners[owner].cut_until > self.now && self.now < CALM {
            // It may be renewed all the same, and the answer lost.
            if self.lease.0 == owner && self.lease.1 > self.now && self.rng.random_bool(0.3) {
                self.lease.1 = self.now + LEASE;
            }
            return self.at(self.now + RENEWAL, Event::Renew(owner));
        }
        let (holder, until) = self.lease;
        let life = self.owners[owner].life;
        if holder == owner && until > self.now && self.owners[owner].until > 0 {
            self.lease.1 = self.now + LEASE;
            if self.owners[owner].until <= self.now {
                self.owners[owner].grant += 1;
            }
        } else if until <= self.now {
            self.lease = (owner, self.now + LEASE);
            self.owners[owner].grant += 1;
        } else {
            if self.owners[owner].until > 0 || self.now < CALM {
                self.at(self.now, Event::Reach(owner, life, Input::Disowned));
            }
            self.owners[owner].until = 0;
            return self.at(self.now + RENEWAL, Event::Renew(owner));
        }
        // Less a fifth, as margin between two clocks' speeds.
        self.owners[owner].until = self.now + LEASE - LEASE / 5;
        let (until, grant) = (self.owners[owner].until, self.owners[owner].grant);
        let until = self.moment(until, 0).monotonic;
        // Another life of the same process is another ownership.
        let grant = grant * 1_000 + life;
        self.at(
            self.now,
            Event::Reach(owner, life, Input::Owned { until, grant }),
        );
        for tick in [0, RENEWAL / 2] {
            self.at(self.now + tick, Event::Reach(owner, life, Input::Tick));
        }
        self.at(self.now + RENEWAL, Event::Renew(owner));
    }

    /// A driver gives its shard an input, and does what comes out.
    pub(super) fn reach(&mut self, owner: usize, life: u64, input: Input) {
        let state = &self.owners[owner];
        if state.core.is_none() || state.life != life {
            return;
        }
        if state.paused_until > self.now {
            let at = state.paused_until;
            return self.at(at, Event::Reach(owner, life, input));
        }
        self.history.counts.steps += 1;
        // Of two inputs the one that read the clock first may come last.
        let late = if matches!(input, Input::Ask(..)) {
            self.rng.random_range(0..3)
        } else {
            0
        };
        let now = self.moment(self.now.saturating_sub(late), state.day_offset);
        match &input {
            Input::Written(_, Written::Behind) => self.history.counts.behind += 1,
            Input::Ask(ticket, Ask::Admit(admit)) => {
                let of = (life, admit.key.id.clone());
                let came = self.history.came.entry(of).or_default();
                came.push((self.now, *ticket));
            }
            Input::Probed(..) => self.history.counts.probes += 1,
            _ => {}
        }
        let Some(core) = self.owners[owner].core.as_mut() else {
            return;
        };
        for output in core.step(now, input) {
            self.perform(owner, life, output);
        }
    }

    pub(super) fn perform(&mut self, owner: usize, life: u64, output: Output) {
        match output {
            Output::Answer(ticket, reply) => self.answer(owner, ticket, reply),
            Output::Fetch(epoch, wanted) => {
                self.ask_store(owner, life, Statement::Fetch(epoch, wanted));
            }
            Output::Write(number, batch) => {
                self.ask_store(owner, life, Statement::Write(number, batch));
            }
            Output::Probe(number, batch) => {
                self.ask_store(owner, life, Statement::Probe(number, batch));
            }
            Output::Snapshot(id, seq, state) => {
                self.ask_store(owner, life, Statement::Snapshot(id, seq, state));
            }
            Output::Committed(events) => {
                for event in events.iter() {
                    let at = usize::try_from(event.pos - 1).unwrap();
                    if self.postgres.events.get(at) != Some(event) {
                        self.broken(format!("position {} is told and not stored", event.pos));
                    }
                }
            }
            Output::Wake(pause) => {
                let at = self.now + u64::try_from(pause.as_millis()).unwrap();
                self.at(at, Event::Reach(owner, life, Input::Tick));
            }
        }
    }

    /// Sends a statement: it may be lost, or carried out when nobody waits for it any more.
    pub(super) fn ask_store(&mut self, owner: usize, life: u64, statement: Statement) {
        let latency = self.faults.latency;
        if self.owners[owner].cut_until > self.now && self.now < CALM {
            // Nothing comes back; what was sent may arrive when the way is open again, or before it was closed.
            self.hang(owner, life, &statement);
            if self.rng.random_bool(0.3) {
                let late = self.rng.random_range(0..9_000);
                let at = self.now + late;
                self.at(at, Event::Statement(owner, life, statement, false));
            }
            return;
        }
        if self.chance(self.faults.lost_before) {
            self.history.counts.lost_writes += 1;
            return self.unheard(owner, life, &statement);
        }
        if self.chance(self.faults.late) {
            self.history.counts.late_writes += 1;
            self.unheard(owner, life, &statement);
            return self.after(6_000, Event::Statement(owner, life, statement, false));
        }
        if self.chance(self.faults.lost_after) {
            self.history.counts.lost_writes += 1;
            self.unheard(owner, life, &statement);
            return self.after(latency, Event::Statement(owner, life, statement, false));
        }
        self.after(latency, Event::Statement(owner, life, statement, true));
    }

    /// The sender waits in vain.
    fn hang(&mut self, owner: usize, life: u64, statement: &Statement) {
        self.gives_up(owner, life, statement, ANSWER);
    }

    /// The sender stops waiting.
    pub(super) fn unheard(&mut self, owner: usize, life: u64, statement: &Statement) {
        let after = self.rng.random_range(1..400);
        self.gives_up(owner, life, statement, after);
    }

    fn gives_up(&mut self, owner: usize, life: u64, statement: &Statement, after: u64) {
        let input = match statement {
            Statement::Fetch(epoch, wanted) => Input::Fetched {
                epoch: *epoch,
                wanted: wanted.clone(),
                found: Err(Failing::Database),
            },
            // For the sender it is one whether the answer is lost or itself breaks off.
            Statement::Write(number, _) if after.is_multiple_of(4) => {
                Input::Written(*number, Written::Broken)
            }
            Statement::Write(number, _) => Input::Written(*number, Written::Lost),
            Statement::Probe(number, _) => Input::Probed(*number, None),
            Statement::Snapshot(..) => return,
        };
        self.at(self.now + after, Event::Reach(owner, life, input));
    }

    pub(super) fn statement(
        &mut self,
        owner: usize,
        life: u64,
        statement: Statement,
        is_heard: bool,
    ) {
        let now = self.moment(self.now, 0).utc;
        let input = match statement {
            Statement::Fetch(epoch, wanted) => Input::Fetched {
                epoch,
                found: Ok(self.postgres.fetch(&wanted, now)),
                wanted,
            },
            Statement::Write(number, batch) => {
                Input::Written(number, self.postgres.append(&batch, now))
            }
            Statement::Probe(number, batch) => {
                Input::Probed(number, Some(self.postgres.stands(&batch)))
            }
            Statement::Snapshot(id, seq, state) => return self.postgres.keep(id, seq, state),
        };
        if is_heard {
            self.after(self.faults.latency, Event::Reach(owner, life, input));
        }
    }
}
