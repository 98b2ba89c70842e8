//! Drives the shards: one task each, which does what [`Shard::step`] says over the event store and decides nothing itself.
//!
//! A command lives here and not in the task of its connection: whoever hangs up, what was decided is carried out.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::SubsecRound;
use events_schema::api::internal::{Answer, Hold};
use events_schema::ids;
use futures::FutureExt;
use service_kit::Watched;
use service_kit::clock::Clock;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use crate::shard::{
    Ask, Failing, Input, Limits, Moment, Output, Reply, Shard, Ticket, Wanted, Written,
};
use crate::store::{Store, StoreFault};

/// While anything waits, time is told so often.
const TICK: Duration = Duration::from_millis(250);
/// Asks that a driver takes at a time.
const TAKEN_AT_ONCE: usize = 256;

/// The way to the drivers. Cheap to clone.
#[derive(Clone)]
pub(super) struct Shards(Arc<Vec<mpsc::Sender<Asked>>>);

struct Asked {
    ask: Ask,
    caller: oneshot::Sender<Reply>,
}

impl Shards {
    /// Starts a driver for each shard. None of them ever ends while there is a `Shards`.
    pub(super) fn start(
        store: &Store,
        clock: &Arc<dyn Clock>,
        limits: &Arc<Limits>,
    ) -> (Self, Watched) {
        let mut drivers = Watched::default();
        let start = |shard| {
            let (sender, asks) = mpsc::channel(limits.max_waiting);
            let (done, inputs) = mpsc::unbounded_channel();
            let driver = Driver {
                shard,
                core: Shard::new(shard, Arc::clone(limits)),
                store: store.clone(),
                clock: Arc::clone(clock),
                asks,
                inputs,
                done,
                callers: HashMap::new(),
                tickets: 0,
                lease: None,
            };
            drivers.spawn("driver of a shard", driver.run());
            sender
        };
        let senders = ids::Shard::all().map(start).collect();
        (Self(Arc::new(senders)), drivers)
    }

    /// Asks a shard and waits for its answer.
    pub(super) async fn ask(&self, shard: ids::Shard, ask: Ask) -> Reply {
        let (caller, answer) = oneshot::channel();
        let without_an_answer = if ask.changes_something() {
            Reply::Unknown
        } else {
            Reply::Unavailable(Failing::Ledger)
        };
        let driver = self.0.get(usize::from(shard.number()));
        let is_sent = driver.is_some_and(|driver| driver.try_send(Asked { ask, caller }).is_ok());
        if is_sent {
            answer.await.unwrap_or(without_an_answer)
        } else {
            Reply::Unavailable(Failing::Overloaded)
        }
    }
}

struct Driver {
    shard: ids::Shard,
    core: Shard,
    store: Store,
    clock: Arc<dyn Clock>,
    asks: mpsc::Receiver<Asked>,
    /// What the tasks below bring back: at most one for each work that waits, and one for the batch on its way.
    inputs: mpsc::UnboundedReceiver<Input>,
    done: mpsc::UnboundedSender<Input>,
    callers: HashMap<Ticket, oneshot::Sender<Reply>>,
    tickets: Ticket,
    lease: Option<(Instant, u64)>,
}

impl Driver {
    /// Runs until nobody can ask any more and nothing is on its way.
    async fn run(mut self) {
        let mut asked = Vec::with_capacity(TAKEN_AT_ONCE);
        let mut is_open = true;
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        while is_open || !self.core.is_empty() {
            tokio::select! {
                biased;
                Some(input) = self.inputs.recv() => self.step(input),
                _ = ticks.tick(), if !self.core.is_empty() => self.step(Input::Tick),
                taken = self.asks.recv_many(&mut asked, TAKEN_AT_ONCE), if is_open => {
                    is_open = taken > 0;
                    for asked in asked.drain(..) {
                        self.begin(asked);
                    }
                }
            }
        }
    }

    fn begin(&mut self, asked: Asked) {
        let Asked { ask, caller } = asked;
        // Nobody waits for it, and nothing was decided: what only begins need not begin.
        if caller.is_closed() && !matches!(ask, Ask::Settle(..) | Ask::Release(_)) {
            return;
        }
        self.tickets += 1;
        self.callers.insert(self.tickets, caller);
        self.step(Input::Ask(self.tickets, ask));
    }

    fn step(&mut self, input: Input) {
        let lease = self.store.lease(self.shard);
        if lease != self.lease {
            self.lease = lease;
            let changed = lease.map_or(Input::Disowned, |(until, grant)| Input::Owned {
                until,
                grant,
            });
            self.step_with(changed);
        }
        self.step_with(input);
    }

    fn step_with(&mut self, input: Input) {
        let now = Moment {
            utc: self.clock.now().trunc_subsecs(6),
            monotonic: self.clock.monotonic(),
        };
        let mut lost = Vec::new();
        for output in self.core.step(now, input) {
            lost.extend(self.perform(output));
        }
        // An admission whose caller is gone: nobody else would give its hold back.
        for hold in lost {
            self.tickets += 1;
            self.step_with(Input::Ask(self.tickets, Ask::Release(Box::new(hold))));
        }
    }

    fn perform(&mut self, output: Output) -> Option<Hold> {
        let (store, done) = (self.store.clone(), self.done.clone());
        match output {
            Output::Answer(ticket, reply) => {
                let unheard = self.callers.remove(&ticket)?.send(reply).err()?;
                let Reply::Answer(answer) = unheard else {
                    return None;
                };
                return match *answer {
                    Answer::Admitted { hold, .. } => Some(hold),
                    _ => None,
                };
            }
            Output::Fetch(epoch, wanted) => {
                let shard = self.shard;
                tokio::spawn(async move {
                    let fetch = async {
                        let found = store.fetch(shard, &wanted).await;
                        found.map_err(|fault| failed_look_up(&wanted, &fault))
                    };
                    let found = or_broken(fetch, Err(Failing::Ledger)).await;
                    let _ = done.send(Input::Fetched {
                        epoch,
                        wanted,
                        found,
                    });
                });
            }
            Output::Write(number, batch) => {
                // It stands in line when this returns, before those are told who wait for the batch before it.
                let writing = store.write(batch);
                tokio::spawn(async move {
                    let written = or_broken(writing, Written::Broken).await;
                    let _ = done.send(Input::Written(number, written));
                });
            }
            Output::Probe(number, batch) => {
                tokio::spawn(async move {
                    let probe = async { store.stands(&batch).await.ok() };
                    let stands = or_broken(probe, None).await;
                    let _ = done.send(Input::Probed(number, stands));
                });
            }
            Output::Snapshot(id, seq, state) => {
                tokio::spawn(async move { store.keep_snapshot(id, seq, &state).await });
            }
            Output::Committed(events) => store.hand_over(self.shard, events),
            Output::Wake(pause) => {
                tokio::spawn(async move {
                    tokio::time::sleep(pause).await;
                    let _ = done.send(Input::Tick);
                });
            }
        }
        None
    }
}

/// What a task brings back, or `broken` if it panics: else whatever waits for it would wait for ever.
async fn or_broken<T>(task: impl Future<Output = T>, broken: T) -> T {
    let done = AssertUnwindSafe(task).catch_unwind().await;
    done.unwrap_or_else(|_panic| {
        tracing::error!("a task of a shard panicked");
        broken
    })
}

fn failed_look_up(wanted: &Wanted, fault: &StoreFault) -> Failing {
    let what = match wanted {
        Wanted::Head => "head",
        Wanted::Aggregate(..) => "aggregate",
        Wanted::Key(_) => "key",
        Wanted::Kept(..) => "named charge",
        Wanted::Movement(..) => "movement",
        Wanted::ActiveBuilds(_) => "active builds",
    };
    tracing::warn!(what, %fault, cause = fault.cause(), "a look-up failed");
    fault.failing()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_brings_back_that_it_broke() {
        assert_eq!(or_broken(async { 1 }, 0).await, 1);
        let panics = async { panic!("the test wants it") };
        let written = or_broken(panics, Written::Broken).await;
        assert_eq!(written, Written::Broken);
    }
}
