//! One lane an owner: a bounded queue and a few requests in flight. What waits while they are out becomes the next
//! request, so the batch grows with the load and a lone call waits for nothing. No timers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use events_schema::api::internal::{Answer, Answers, Call, Calls, MAX_CALLS};
use service_kit::client::{CallFault, Client};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tracing::{Instrument, Span};

use super::{CreditGate, HeldCredits};
use crate::metrics::Metrics;

/// More owners than this never live at once; beyond it the lanes of old addresses are dropped.
const MAX_LANES: usize = 256;

/// An answer; the hold of an admitted call is already in a guard, so that it cannot be lost on the way.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) answer: Answer,
    pub(super) held: Option<HeldCredits>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum SendFault {
    /// Nothing left the queue.
    QueueFull,
    /// The owner has not seen the call.
    NotSeen,
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

    /// Queues a call for the owner at `url` and waits for its answer.
    pub(super) async fn send(
        &self,
        gate: &CreditGate,
        url: &str,
        call: Call,
    ) -> Result<Sent, SendFault> {
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            call,
            reply,
            gate: gate.clone(),
            span: Span::current(),
        };
        self.lane(url)
            .try_send(waiting)
            .map_err(|_full| SendFault::QueueFull)?;
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
            // A request carries one trace context: that of the call that waited longest.
            let span = batch
                .first()
                .map_or_else(Span::none, |first| first.span.clone());
            tokio::spawn(self.clone().exchange(batch, slot).instrument(span));
        }
    }

    async fn exchange(self, batch: Vec<Waiting>, slot: OwnedSemaphorePermit) {
        let (calls, waiting): (Vec<Call>, Vec<Waiting>) = batch
            .into_iter()
            .filter_map(still_wanted)
            .map(|waiting| (waiting.call.clone(), waiting))
            .unzip();
        if calls.is_empty() {
            return;
        }
        self.metrics.sent(calls.len());
        let result = self
            .client
            .post_json::<_, Answers>(&self.url, &Calls { calls })
            .await;
        drop(slot);
        let (fault, why) = match result {
            Ok(Answers { answers }) if answers.len() == waiting.len() => {
                for (waiting, answer) in waiting.into_iter().zip(answers) {
                    deliver(waiting, answer);
                }
                return;
            }
            Ok(_) => (
                SendFault::MaybeSeen,
                "the answers are not as many as the calls".to_owned(),
            ),
            Err(fault @ CallFault::Unreachable(_)) => (SendFault::NotSeen, fault.to_string()),
            // A 4xx of the listener itself stands before any call was looked at.
            Err(CallFault::Status(status, _)) if status.is_client_error() => {
                (SendFault::NotSeen, status.to_string())
            }
            Err(fault) => (SendFault::MaybeSeen, fault.to_string()),
        };
        tracing::warn!(
            calls = waiting.len(),
            ?fault,
            why,
            "command-service did not answer"
        );
        self.metrics.unanswered(waiting.len());
        for waiting in waiting {
            let _gone = waiting.reply.send(Err(fault));
        }
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
        _ => None,
    };
    let _gone = waiting.reply.send(Ok(Sent { answer, held }));
}
