//! Batches of several shards in one statement. There is no timer: while a statement is on its way, those that come meanwhile wait, and
//! the next one takes them all. They are written by a thread of their own, which Postgres never waits for while others are busy with
//! thousands of requests. A batch that is not taken in time goes alone: a statement that hangs holds up the shards in it, and no others
//! for longer than that.

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
/// Until a connection is asked for again.
const PAUSE: Duration = Duration::from_millis(200);

/// The batches that wait, and the thread that writes them, for as long as this is kept.
pub(super) struct Groups {
    queue: Arc<Queue>,
    _thread: DropGuard,
}

impl Groups {
    /// Starts the thread, with `write_groups` connections of its own.
    pub(super) fn start(settings: &StoreSettings) -> Result<Self, StoreFault> {
        let queue = Arc::new(Queue::new(settings.group_events));
        let options = settings.group_connect_options()?;
        let writers: Vec<Writer> = (0..settings.write_groups)
            .map(|_| Writer {
                queue: Arc::clone(&queue),
                options: options.clone(),
                connect_timeout: settings.acquire_timeout,
                answer_timeout: settings.shard_answer_timeout,
                connection: None,
            })
            .collect();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StoreFault::no_thread)?;
        std::thread::Builder::new()
            .name("group-writer".to_owned())
            .spawn(move || {
                let writing = join_all(writers.into_iter().map(Writer::run));
                runtime.block_on(stopped.run_until_cancelled(writing));
            })
            .map_err(StoreFault::no_thread)?;
        Ok(Self {
            queue,
            _thread: stop.drop_guard(),
        })
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.queue.waiting().len()
    }
}

impl Store {
    /// Writes a batch together with those that wait beside it. None = nothing of it was written, and it had better go alone.
    pub(super) async fn write_in_a_group(&self, batch: &Arc<Batch>) -> Option<Written> {
        let queue = &self.0.groups.queue;
        let mut written = queue.join(batch);
        tokio::select! {
            biased;
            outcome = &mut written => return told(outcome),
            () = tokio::time::sleep(self.0.settings.group_patience) => {}
        }
        if queue.leave(batch) {
            return None;
        }
        told(written.await)
    }
}

/// What the writer says; where it panicked, nobody knows.
fn told(outcome: Result<Written, oneshot::error::RecvError>) -> Option<Written> {
    match outcome {
        Ok(Written::Refused) => None,
        Ok(outcome) => Some(outcome),
        Err(_) => Some(Written::Broken),
    }
}

/// What waits for a statement.
struct Queue {
    waiting: Mutex<VecDeque<Waiting>>,
    come: Notify,
    max_events: usize,
}

struct Waiting {
    batch: Arc<Batch>,
    written: oneshot::Sender<Written>,
}

impl Queue {
    /// Of which about so many events make one statement.
    const fn new(max_events: usize) -> Self {
        Self {
            waiting: Mutex::new(VecDeque::new()),
            come: Notify::const_new(),
            max_events,
        }
    }

    fn join(&self, batch: &Arc<Batch>) -> oneshot::Receiver<Written> {
        let (written, outcome) = oneshot::channel();
        let batch = Arc::clone(batch);
        self.waiting().push_back(Waiting { batch, written });
        self.come.notify_one();
        outcome
    }

    /// Whether the batch waited still; now it does not.
    fn leave(&self, batch: &Arc<Batch>) -> bool {
        let mut waiting = self.waiting();
        let before = waiting.len();
        waiting.retain(|one| !Arc::ptr_eq(&one.batch, batch));
        waiting.len() < before
    }

    /// The longest waiting, as many as make one statement. One that nobody waits for any more is not begun.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        let mut taken: Vec<Waiting> = Vec::new();
        let mut events = 0;
        while let Some(next) = waiting.pop_front() {
            if next.written.is_closed() {
                continue;
            }
            events += next.batch.events.len();
            if events > self.max_events && !taken.is_empty() {
                waiting.push_front(next);
                // For another connection, if there is one.
                self.come.notify_one();
                break;
            }
            taken.push(next);
        }
        taken
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what waits, on one connection.
struct Writer {
    queue: Arc<Queue>,
    options: PgConnectOptions,
    connect_timeout: Duration,
    answer_timeout: Duration,
    /// With the time of its last answer.
    connection: Option<(PgConnection, Instant)>,
}

impl Writer {
    async fn run(mut self) {
        loop {
            // First a connection: those that wait can still leave meanwhile.
            if let Err(fault) = self.connect().await {
                tracing::warn!(%fault, cause = fault.cause(), "no connection for batches that go together");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            let group = self.queue.take();
            if group.is_empty() {
                self.queue.come.notified().await;
                continue;
            }
            let batches: Vec<&Batch> = group.iter().map(|one| &*one.batch).collect();
            let written = AssertUnwindSafe(self.write(&batches)).catch_unwind().await;
            let written = written.unwrap_or_else(|_panic| {
                tracing::error!("writing batches together panicked");
                Written::Broken
            });
            for one in group {
                let _ = one.written.send(written);
            }
        }
    }

    /// Sees to it that there is a connection which answers.
    async fn connect(&mut self) -> Result<(), StoreFault> {
        let connecting = async {
            if let Some((connection, used)) = &mut self.connection {
                if used.elapsed() < TRUSTED_FOR {
                    return Ok(());
                }
                if connection.ping().await.is_ok() {
                    *used = Instant::now();
                    return Ok(());
                }
            }
            let connection = self.options.connect().await?;
            self.connection = Some((connection, Instant::now()));
            Ok(())
        };
        let answered = timeout(self.connect_timeout, connecting).await;
        let connected = match answered {
            Ok(connected) => connected.map_err(StoreFault::not_asked),
            Err(_) => Err(StoreFault::NoAnswer),
        };
        if connected.is_err() {
            self.connection = None;
        }
        connected
    }

    async fn write(&mut self, batches: &[&Batch]) -> Written {
        let statement = match append::group(batches) {
            Ok(statement) => statement,
            Err(fault) => {
                tracing::error!(%fault, "one of several batches cannot be written");
                return Written::Refused;
            }
        };
        // Not put back where its answer is not known: it would be the answer to the next one.
        let Some((mut connection, _)) = self.connection.take() else {
            return Written::NotNow;
        };
        let answered = timeout(self.answer_timeout, statement.fetch_one(&mut connection)).await;
        let answer = match answered {
            Ok(answer) => answer.map_err(StoreFault::from),
            Err(_) => Err(StoreFault::NoAnswer),
        };
        match answer {
            Ok(_) => {
                self.connection = Some((connection, Instant::now()));
                Written::Committed
            }
            Err(fault) => {
                if fault.is_not_done() {
                    self.connection = Some((connection, Instant::now()));
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
        let queue = Queue::new(10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        assert_eq!(shards(&queue.take()), [0, 1, 2]);
        assert!(queue.take().is_empty());
    }

    #[test]
    fn one_goes_alone_if_it_is_too_much_with_the_next() {
        let queue = Queue::new(0);
        let batches: Vec<_> = (0..2).filter_map(of_one_event).collect();
        let _waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        let taken: Vec<_> = batches.iter().map(|_| shards(&queue.take())).collect();
        assert_eq!(taken, [vec![0], vec![1]]);
    }

    #[test]
    fn one_that_nobody_waits_for_is_not_begun() {
        let queue = Queue::new(10);
        let batches: Vec<_> = (0..3).filter_map(batch).collect();
        let mut waits: Vec<_> = batches.iter().map(|batch| queue.join(batch)).collect();
        waits.truncate(1);
        assert_eq!(shards(&queue.take()), [0]);
        assert!(queue.take().is_empty());
    }

    #[test]
    fn one_that_leaves_is_not_taken_and_one_that_was_taken_cannot_leave() {
        let queue = Queue::new(10);
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
}
