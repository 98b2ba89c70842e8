//! One lane an owner: a bounded queue and a few requests in flight. What waits while they are out becomes the next
//! request, so the batch grows with the load and a lone call waits for nothing. No timers.
//!
//! Each call is answered as soon as its owner knows: a request of which only slow calls are left makes room for the next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use events_schema::api::internal::{Answer, Answered, Call, Calls, MAX_CALLS};
use service_kit::client::{CallFault, Client};
use tokio::sync::mpsc::error::{SendError, TrySendError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::{Instrument, Span};

use super::{CreditGate, HeldCredits, Patience};
use crate::metrics::Metrics;

/// More owners than this never live at once; beyond it the lanes of old addresses are dropped.
const MAX_LANES: usize = 256;

/// Requests of one lane of which only slow calls are left. Above it they keep their place; below what one connection may have.
const MAX_LINGERING: usize = 64;

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
    pub(super) fn new(
        client: Client,
        metrics: Metrics,
        queue_calls: usize,
        requests_in_flight: usize,
    ) -> Self {
        Self {
            client,
            metrics,
            queue_calls,
            requests_in_flight,
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
            lingering: Arc::new(Semaphore::new(MAX_LINGERING)),
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
    lingering: Arc<Semaphore>,
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
            // A request carries one trace context, that of the call that waited longest; what a settle stores it brings along.
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
        let mut open = Open {
            waiting,
            place: slot,
            lingers: false,
        };
        let sent = self.client.post_json_lines(&self.url, &calls, |answered| {
            open.take(answered, &self.lingering);
        });
        let result = sent.await;
        self.give_up(open.left(), result);
    }

    /// Tells those that got no answer.
    fn give_up(&self, left: Vec<Waiting>, result: Result<(), CallFault>) {
        if left.is_empty() {
            return;
        }
        let (may_be_seen, why) = match result {
            Ok(()) => (true, "not every call was answered".to_owned()),
            Err(fault @ CallFault::Unreachable(_)) => (false, fault.to_string()),
            // A 4xx of the listener itself stands before any call was looked at.
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

/// A request whose answers come line by line.
struct Open {
    /// By the place of the call; none once it is answered.
    waiting: Vec<Option<Waiting>>,
    /// One of the requests in flight, or of those that linger.
    place: OwnedSemaphorePermit,
    lingers: bool,
}

impl Open {
    /// Hands out what is known, and makes room for the next request if something is not.
    fn take(&mut self, line: Answered, lingering: &Arc<Semaphore>) {
        for (place, answer) in line.answers {
            if let Some(waiting) = self.waiting.get_mut(place).and_then(Option::take) {
                deliver(waiting, answer);
            }
        }
        let is_open = self.waiting.iter().any(Option::is_some);
        if is_open
            && !self.lingers
            && let Ok(place) = lingering.clone().try_acquire_owned()
        {
            self.place = place;
            self.lingers = true;
        }
    }

    fn left(self) -> Vec<Waiting> {
        drop(self.place);
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
        Call::Admit(_) | Call::Check { .. } => return None,
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
