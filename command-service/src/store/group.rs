//! Batches of several shards in one statement. There is no timer: while a statement is on its way, those that come meanwhile wait, and
//! the next one takes them all. A thread of its own writes them: as a task among those of thousands of requests the writer would wait
//! for its turn after each answer of Postgres. A batch that is not taken in time goes alone: a statement that hangs holds up the shards
//! in it, and no others for longer than that. While the writer has no connection, batches do not wait for it at all.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::join_all;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::runtime;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::write::outcome;
use super::{Store, StoreFault, StoreSettings, append};
use crate::shard::{Batch, Written};

/// A connection that was not used for so long is asked whether it is still one.
const TRUSTED_FOR: Duration = Duration::from_secs(1);
/// Then it is closed: nothing that a session keeps is kept for ever.
const LIFETIME: Duration = Duration::from_secs(30 * 60);
/// Until a connection is asked for again.
const PAUSE: Duration = Duration::from_millis(200);

/// The batches that wait, and the thread that writes them, which ends with this.
pub(super) struct Groups {
    queue: Arc<Queue>,
    ended: CancellationToken,
    _stop: DropGuard,
}

impl Groups {
    /// Starts the thread, which opens `write_groups` connections.
    pub(super) fn start(settings: &StoreSettings) -> Result<Self, StoreFault> {
        let queue = Arc::new(Queue::new(settings.group_events));
        let options = settings.group_connect_options()?;
        let writers: Vec<Writer> = (0..settings.write_groups)
            .map(|_| Writer {
                queue: Arc::clone(&queue),
                options: options.clone(),
                connect_timeout: settings.acquire_timeout,
                ping_timeout: settings.group_patience / 2,
                answer_timeout: settings.shard_answer_timeout,
                session: None,
            })
            .collect();
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let (stopped, at_end) = (stop.clone(), ended.clone().drop_guard());
        let write = move || {
            let _at_end = at_end;
            // Built here: a runtime must not be dropped on a thread of another one.
            match runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => {
                    let writing = join_all(writers.into_iter().map(Writer::run));
                    runtime.block_on(stopped.run_until_cancelled(writing));
                }
                Err(fault) => tracing::error!(%fault, "no runtime for batches that go together"),
            }
        };
        std::thread::Builder::new()
            .name("group-writer".to_owned())
            .spawn(write)
            .map_err(|fault| StoreFault::NoThread(Arc::new(fault)))?;
        Ok(Self {
            queue,
            ended,
            _stop: stop.drop_guard(),
        })
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.queue.state().waiting.len()
    }
}

impl Store {
    /// Puts a batch beside those that wait to be written together. None = it had better go alone.
    pub(super) fn turn_in_a_group(&self, batch: &Arc<Batch>) -> Option<Turn> {
        let outcome = self.0.groups.queue.join(batch)?;
        let begun = Instant::now();
        Some(Turn { outcome, begun })
    }

    /// How that ended. None = nothing of it was written, and it had better go alone.
    pub(super) async fn written_in_a_group(
        &self,
        batch: &Arc<Batch>,
        Turn { mut outcome, begun }: Turn,
    ) -> Option<Written> {
        let patience = self.0.settings.group_patience;
        tokio::select! {
            biased;
            outcome = &mut outcome => return outcome_of(outcome),
            () = tokio::time::sleep_until((begun + patience).into()) => {}
        }
        if self.0.groups.queue.leave(batch) {
            return None;
        }
        outcome_of(outcome.await)
    }

    /// Ends when the thread that writes batches together ends, which it does by itself only by a fault. Does not keep the store.
    pub fn until_group_writer_ends(&self) -> impl Future<Output = ()> + Send + use<> {
        self.0.groups.ended.clone().cancelled_owned()
    }
}

/// Of a batch that waits.
pub(super) struct Turn {
    /// How it was written.
    outcome: oneshot::Receiver<Written>,
    /// Since when it waits.
    begun: Instant,
}

/// What the writer says of a batch: `None` if it refused the whole group, and [`Written::Broken`] if the writer is gone, so that the outcome is
/// unknown.
fn outcome_of(outcome: Result<Written, oneshot::error::RecvError>) -> Option<Written> {
    match outcome {
        Ok(Written::Refused) => None,
        Ok(outcome) => Some(outcome),
        Err(_) => Some(Written::Broken),
    }
}

/// What waits for a statement.
struct Queue {
    state: Mutex<State>,
    arrival: Notify,
    max_events: usize,
}

struct State {
    waiting: VecDeque<Waiting>,
    /// How many writers have a connection. Without any nobody waits.
    connections: usize,
}

struct Waiting {
    batch: Arc<Batch>,
    outcome: oneshot::Sender<Written>,
}

impl Queue {
    /// `max_events`: roughly how many events make one statement.
    const fn new(max_events: usize) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                connections: 0,
            }),
            arrival: Notify::const_new(),
            max_events,
        }
    }

    /// None where no writer has a connection.
    fn join(&self, batch: &Arc<Batch>) -> Option<oneshot::Receiver<Written>> {
        let mut state = self.state();
        if state.connections == 0 {
            return None;
        }
        let (sender, outcome) = oneshot::channel();
        let waiting = Waiting {
            batch: Arc::clone(batch),
            outcome: sender,
        };
        state.waiting.push_back(waiting);
        drop(state);
        self.arrival.notify_one();
        Some(outcome)
    }

    /// Whether the batch waited still; now it does not.
    fn leave(&self, batch: &Arc<Batch>) -> bool {
        let waiting = &mut self.state().waiting;
        let before = waiting.len();
        waiting.retain(|one| !Arc::ptr_eq(&one.batch, batch));
        waiting.len() < before
    }

    /// The longest waiting, as many as make one statement. One that nobody waits for any more is not begun.
    fn take(&self) -> Vec<Waiting> {
        let waiting = &mut self.state().waiting;
        let mut taken: Vec<Waiting> = Vec::new();
        let mut events = 0;
        while let Some(next) = waiting.pop_front() {
            if next.outcome.is_closed() {
                continue;
            }
            events += next.batch.events.len();
            if events > self.max_events && !taken.is_empty() {
                waiting.push_front(next);
                // For another writer, if there is one.
                self.arrival.notify_one();
                break;
            }
            taken.push(next);
        }
        taken
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what waits, on one connection.
struct Writer {
    queue: Arc<Queue>,
    options: PgConnectOptions,
    connect_timeout: Duration,
    ping_timeout: Duration,
    answer_timeout: Duration,
    session: Option<Session>,
}

/// A connection, counted in the queue for as long as it is kept.
struct Session {
    connection: PgConnection,
    opened: Instant,
    used: Instant,
    _counted: Counted,
}

struct Counted(Arc<Queue>);

impl Counted {
    fn new(queue: &Arc<Queue>) -> Self {
        queue.state().connections += 1;
        Self(Arc::clone(queue))
    }
}

impl Drop for Counted {
    /// Those that wait for nobody any more go alone.
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.connections -= 1;
        if state.connections == 0 {
            for one in state.waiting.drain(..) {
                let _ = one.outcome.send(Written::Refused);
            }
        } else {
            drop(state);
            // What woke this writer is for another one.
            self.0.arrival.notify_one();
        }
    }
}

impl Writer {
    async fn run(mut self) {
        let mut is_told = false;
        loop {
            // A session first: those that wait can still leave meanwhile.
            let Some(session) = self.trusted().await else {
                match self.connect().await {
                    Ok(()) => is_told = false,
                    Err(fault) => {
                        if !is_told {
                            tracing::warn!(%fault, cause = fault.cause(), "no connection for batches that go together; each goes alone");
                        }
                        is_told = true;
                        tokio::time::sleep(PAUSE).await;
                    }
                }
                continue;
            };
            let group = self.queue.take();
            if group.is_empty() {
                self.session = Some(session);
                self.queue.arrival.notified().await;
                continue;
            }
            let batches: Vec<&Batch> = group.iter().map(|one| &*one.batch).collect();
            let writing = AssertUnwindSafe(self.write(session, &batches));
            let written = writing.catch_unwind().await.unwrap_or_else(|_panic| {
                tracing::error!("writing batches together panicked");
                Written::Broken
            });
            for one in group {
                let _ = one.outcome.send(written);
            }
        }
    }

    /// The session, if there is one that answers.
    async fn trusted(&mut self) -> Option<Session> {
        let mut session = self.session.take()?;
        if session.opened.elapsed() > LIFETIME {
            return None;
        }
        if session.used.elapsed() > TRUSTED_FOR {
            let answer = timeout(self.ping_timeout, session.connection.ping()).await;
            answer.ok()?.ok()?;
            session.used = Instant::now();
        }
        Some(session)
    }

    async fn connect(&mut self) -> Result<(), StoreFault> {
        let connected = timeout(self.connect_timeout, self.options.connect()).await;
        let connected = connected.map_err(|_elapsed| StoreFault::NoAnswer)?;
        let (opened, used) = (Instant::now(), Instant::now());
        self.session = Some(Session {
            connection: connected.map_err(StoreFault::not_asked)?,
            opened,
            used,
            _counted: Counted::new(&self.queue),
        });
        Ok(())
    }

    /// Keeps the session where the statement was answered, and not by a fault that may be the session's own.
    async fn write(&mut self, mut session: Session, batches: &[&Batch]) -> Written {
        let statement = match append::group(batches) {
            Ok(statement) => statement,
            Err(fault) => {
                tracing::error!(%fault, "one of several batches cannot be written");
                self.session = Some(session);
                return Written::Refused;
            }
        };
        let answer = statement.fetch_one(&mut session.connection);
        let answer = match timeout(self.answer_timeout, answer).await {
            Ok(answer) => answer.map_err(StoreFault::from),
            Err(_elapsed) => Err(StoreFault::NoAnswer),
        };
        session.used = Instant::now();
        match answer {
            Ok(_) => {
                self.session = Some(session);
                Written::Committed
            }
            Err(fault) => {
                if fault.is_of_the_statement() {
                    self.session = Some(session);
                }
                outcome(&fault, batches)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use events_schema::account::v1::AccountOpened;
    use events_schema::ids::{AccountId, Shard};
    use events_schema::{Envelope, history};
    use uuid::Uuid;

    use super::*;
    use crate::shard::Head;

    /// With a connection.
    fn open(max_events: usize) -> Queue {
        let queue = Queue::new(max_events);
        queue.state().connections = 1;
        queue
    }

    fn batch(shard: u8) -> Option<Arc<Batch>> {
        let head = Head {
            pos: 0,
            topic_seqs: Vec::new(),
            fence: 0,
            history: 1,
        };
        Some(Arc::new(Batch::new(Shard::new(shard)?, head)))
    }

    fn of_one_event(shard: u8) -> Option<Arc<Batch>> {
        let mut batch = Arc::unwrap_or_clone(batch(shard)?);
        let account_id = AccountId::new([1; 16]);
        let opened = AccountOpened {
            account_id,
            name: "acme".to_owned(),
        };
        batch.events = Arc::new(vec![Envelope {
            shard: batch.shard,
            pos: 1,
            history: history::FIRST,
            topic_seq: 1,
            aggregate_id: account_id.uuid(),
            seq: 1,
            occurred_at: Utc::now(),
            request_id: Uuid::nil(),
            actor: String::new(),
            traceparent: None,
            event: opened.into(),
        }]);
        Some(Arc::new(batch))
    }

    fn shards(taken: &[Waiting]) -> Vec<u8> {
        append::each(taken, |one| one.batch.shard.number())
    }

    #[test]
    fn those_that_wait_are_taken_together_and_once() {
        let queue = open(10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        assert_eq!(shards(&queue.take()), [0, 1, 2]);
        assert!(queue.take().is_empty());
    }

    #[test]
    fn one_goes_alone_if_it_is_too_much_with_the_next() {
        let queue = open(0);
        let batches: Vec<_> = (0..2).filter_map(of_one_event).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        let taken: Vec<_> = batches.iter().map(|_| shards(&queue.take())).collect();
        assert_eq!(taken, [vec![0], vec![1]]);
    }

    #[test]
    fn one_that_nobody_waits_for_is_not_begun() {
        let queue = open(10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let mut waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        waits.truncate(1);
        assert_eq!(shards(&queue.take()), [0]);
        assert!(queue.take().is_empty());
    }

    #[test]
    fn one_that_leaves_is_not_taken_and_one_that_was_taken_cannot_leave() {
        let queue = open(10);
        let batches: Vec<_> = (1..3).filter_map(batch).collect();
        let [first, second] = batches.as_slice() else {
            unreachable!("two shards");
        };
        let _waits = [queue.join(first), queue.join(second)];
        assert!(queue.leave(first));
        assert!(!queue.leave(first));
        assert_eq!(shards(&queue.take()), [2]);
        assert!(!queue.leave(second));
    }

    #[test]
    fn nobody_waits_for_a_writer_that_has_no_connection() {
        let queue = Arc::new(Queue::new(10));
        let batch = batch(1).unwrap();
        assert!(queue.join(&batch).is_none());
        let counted = [Counted::new(&queue), Counted::new(&queue)];
        let mut outcome = queue.join(&batch).unwrap();
        let [one, other] = counted;
        drop(one);
        assert!(outcome.try_recv().is_err());
        drop(other);
        assert_eq!(
            outcome_of(outcome.try_recv().map_err(|_| unreachable!())),
            None
        );
        assert!(queue.join(&batch).is_none());
    }
}
