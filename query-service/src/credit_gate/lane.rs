//! One lane an owner: a bounded queue and a few requests in flight. What waits while they are out becomes the next
//! request, so the batch grows with the load and a lone call waits for nothing.
//!
//! Each call is answered as soon as its owner knows, and no slow one holds up those that come after it: a request makes room for the next
//! when its first answers are there, or after [`PROMPT`] without one, and goes on beside the lane. The number of such requests is bounded;
//! further ones keep their slots until one of them has ended.

use std::collections::HashMap;
use std::future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use events_schema::api::internal::{Answer, Answered, Call, Calls, MAX_CALLS};
use service_kit::client::{CallFault, Client};
use tokio::sync::mpsc::error::{SendError, TrySendError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::{Instrument, Span};

use super::{CreditGate, GateConfig, HeldCredits, Patience};
use crate::metrics::Metrics;

/// More owners than this never live at once; beyond it the lanes of old addresses are dropped.
const MAX_LANES: usize = 256;

/// An owner answers sooner unless it is busy, or all calls of the request wait for something slow: a batch that hangs, a key to be looked
/// up in a slow store. Well above a commit, so that batches still grow with the load.
const PROMPT: Duration = Duration::from_millis(25);

/// An answer; the hold of an admitted call, and of a settle that did nothing, is already in a guard, so that it cannot be lost on
/// the way.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) answer: Answer,
    pub(super) held: Option<HeldCredits>,
}

/// Why there is no answer; the hold of a settle as in [`Sent`].
#[derive(Debug)]
pub(super) enum SendFault {
    /// It did not enter the queue.
    QueueFull(Option<HeldCredits>),
    /// The owner has not seen the call.
    NotSeen(Option<HeldCredits>),
    /// The owner may have acted.
    MaybeSeen,
}

struct Waiting {
    call: Call,
    reply: oneshot::Sender<Result<Sent, SendFault>>,
    gate: CreditGate,
    span: Span,
}

#[derive(Debug)]
pub(super) struct Lanes {
    client: Client,
    metrics: Metrics,
    queue_calls: usize,
    requests_in_flight: usize,
    silent_requests: usize,
    late_requests: usize,
    senders: Mutex<HashMap<String, mpsc::Sender<Waiting>>>,
}

impl Waiting {
    /// What it holds, if it is a settle that surely did nothing.
    fn unsettled(&self) -> Option<HeldCredits> {
        match &self.call {
            Call::Settle(settle) => {
                let hold = settle.hold.clone();
                Some(HeldCredits::new(hold, self.gate.clone()))
            }
            _ => None,
        }
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waiting")
    }
}

impl Lanes {
    pub(super) fn new(client: Client, metrics: Metrics, config: &GateConfig) -> Self {
        Self {
            client,
            metrics,
            queue_calls: config.queue_calls,
            requests_in_flight: config.requests_in_flight,
            silent_requests: config.silent_requests,
            late_requests: config.late_requests,
            senders: Mutex::default(),
        }
    }

    /// Queues a call for the owner at `url` and waits for its answer. Calls that wait for room go before those that do not, and
    /// there are no more of them than holds in hand.
    pub(super) async fn send(
        &self,
        gate: &CreditGate,
        url: &str,
        call: Call,
        patience: Patience,
    ) -> Result<Sent, SendFault> {
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            call,
            reply,
            gate: gate.clone(),
            span: Span::current(),
        };
        let lane = self.lane(url);
        let left = match patience {
            Patience::AtOnce => lane.try_send(waiting).map_err(TrySendError::into_inner),
            Patience::ToTheEnd => lane.send(waiting).await.map_err(|SendError(back)| back),
        };
        left.map_err(|waiting| SendFault::QueueFull(waiting.unsettled()))?;
        answer.await.unwrap_or(Err(SendFault::MaybeSeen))
    }

    fn lane(&self, url: &str) -> mpsc::Sender<Waiting> {
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = senders.get(url).filter(|sender| !sender.is_closed()) {
            return sender.clone();
        }
        if senders.len() >= MAX_LANES {
            senders.clear();
        }
        let (sender, queue) = mpsc::channel(self.queue_calls);
        let lane = Lane {
            url: format!("{url}/internal/calls"),
            client: self.client.clone(),
            metrics: self.metrics.clone(),
            slots: Arc::new(Semaphore::new(self.requests_in_flight)),
            silent: Arc::new(Semaphore::new(self.silent_requests)),
            late: Arc::new(Semaphore::new(self.late_requests)),
        };
        tokio::spawn(lane.run(queue));
        senders.insert(url.to_owned(), sender.clone());
        sender
    }
}

#[derive(Clone)]
struct Lane {
    url: String,
    client: Client,
    metrics: Metrics,
    slots: Arc<Semaphore>,
    silent: Arc<Semaphore>,
    late: Arc<Semaphore>,
}

impl Lane {
    /// Waits for a call first and for a slot second: all that came meanwhile joins the request.
    async fn run(self, mut queue: mpsc::Receiver<Waiting>) {
        while let Some(first) = queue.recv().await {
            let Ok(slot) = self.slots.clone().acquire_owned().await else {
                return;
            };
            let mut batch = vec![first];
            while batch.len() < MAX_CALLS
                && let Ok(next) = queue.try_recv()
            {
                batch.push(next);
            }
            // A request carries one trace context, that of the call that waited longest; a settle brings along the one that is stored with
            // it.
            let span = batch
                .first()
                .map_or_else(Span::none, |first| first.span.clone());
            tokio::spawn(self.clone().exchange(batch, slot).instrument(span));
        }
    }

    async fn exchange(self, batch: Vec<Waiting>, slot: OwnedSemaphorePermit) {
        let (calls, waiting): (Vec<Call>, Vec<Option<Waiting>>) = batch
            .into_iter()
            .filter_map(still_wanted)
            .map(|waiting| (waiting.call.clone(), Some(waiting)))
            .unzip();
        if calls.is_empty() {
            return;
        }
        self.metrics.sent(calls.len());
        let calls = Calls { calls };
        let (answered_in_part, in_part) = oneshot::channel();
        let mut open = Open {
            waiting,
            answered_in_part: Some(answered_in_part),
        };
        let exchange = self
            .client
            .post_json_lines(&self.url, &calls, |answered| open.take(answered));
        let result = self.keep_place(slot, in_part, exchange).await;
        self.give_up(open.left(), result);
    }

    /// Runs an exchange in its slot. Once it has been silent for long, or is answered in part, it moves beside the lane as soon as there is
    /// room there.
    async fn keep_place<T>(
        &self,
        slot: OwnedSemaphorePermit,
        mut in_part: oneshot::Receiver<()>,
        exchange: impl Future<Output = T>,
    ) -> T {
        let place = async {
            let place = if tokio::time::timeout(PROMPT, &mut in_part).await.is_ok() {
                slot
            } else {
                tokio::select! {
                    biased;
                    _ = &mut in_part => slot,
                    silent = beside(&self.silent) => {
                        drop(slot);
                        let _part = in_part.await;
                        silent
                    }
                }
            };
            let late = beside(&self.late).await;
            drop(place);
            let ended = future::pending().await;
            drop(late);
            ended
        };
        tokio::select! {
            biased;
            result = exchange => result,
            result = place => result,
        }
    }

    /// Answers the calls that got no answer.
    fn give_up(&self, left: Vec<Waiting>, result: Result<(), CallFault>) {
        if left.is_empty() {
            return;
        }
        let (may_be_seen, why) = match result {
            Ok(()) => (true, "not every call was answered".to_owned()),
            Err(fault @ CallFault::Unreachable(_)) => (false, fault.to_string()),
            // A 4xx of the listener itself means that no call was looked at.
            Err(CallFault::Status(status, _)) if status.is_client_error() => {
                (false, status.to_string())
            }
            Err(fault) => (true, fault.to_string()),
        };
        tracing::warn!(
            calls = left.len(),
            may_be_seen,
            why,
            "command-service did not answer"
        );
        self.metrics.unanswered(left.len());
        for waiting in left {
            let fault = if may_be_seen {
                SendFault::MaybeSeen
            } else {
                SendFault::NotSeen(waiting.unsettled())
            };
            let _gone = waiting.reply.send(Err(fault));
        }
    }
}

/// One of the places beside a lane; they are never closed.
async fn beside(places: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    match places.clone().acquire_owned().await {
        Ok(place) => place,
        Err(_closed) => future::pending().await,
    }
}

/// A request whose answers come line by line.
struct Open {
    /// By the place of the call; none once it is answered.
    waiting: Vec<Option<Waiting>>,
    /// Notified when the first line leaves other calls unanswered.
    answered_in_part: Option<oneshot::Sender<()>>,
}

impl Open {
    /// Hands out what is known.
    fn take(&mut self, line: Answered) {
        for (place, answer) in line.answers {
            if let Some(waiting) = self.waiting.get_mut(place).and_then(Option::take) {
                deliver(waiting, answer);
            }
        }
        if self.waiting.iter().any(Option::is_some)
            && let Some(answered_in_part) = self.answered_in_part.take()
        {
            let _gone = answered_in_part.send(());
        }
    }

    fn left(self) -> Vec<Waiting> {
        self.waiting.into_iter().flatten().collect()
    }
}

/// A caller that went away while its call was queued: an admit is dropped, a settle becomes a release, since nothing
/// can be delivered any more.
fn still_wanted(waiting: Waiting) -> Option<Waiting> {
    if !waiting.reply.is_closed() {
        return Some(waiting);
    }
    let call = match waiting.call {
        Call::Settle(settle) => Call::Release { hold: settle.hold },
        release @ Call::Release { .. } => release,
        Call::Admit(_) | Call::Check { .. } | Call::Look { .. } => return None,
    };
    Some(Waiting { call, ..waiting })
}

/// Hands the answer over; if nobody waits for it any more, the guard in it gives the credits back.
fn deliver(waiting: Waiting, answer: Answer) {
    let held = match &answer {
        Answer::Admitted { hold, .. } => Some(HeldCredits::new(hold.clone(), waiting.gate)),
        Answer::Elsewhere { .. } | Answer::Unavailable { .. } => waiting.unsettled(),
        _ => None,
    };
    let _gone = waiting.reply.send(Ok(Sent { answer, held }));
}
