//! A part of a shard again, on an operator's request, beside the stream of new events.
//!
//! Consumers ignore positions that they have, so a repeat changes nothing for who has lost nothing. Only the owner of the
//! shard does it: its order is what keeps an old value or status from coming after a newer one.

use std::time::{Duration, Instant};

use events_schema::api::admin::Republished;
use events_schema::ids::Shard;

use super::Publisher;
use super::backoff::Backoff;
use super::log::EventLog;
use super::producer::{Session, delivered};
use super::shard::PassFault;

/// Why events could not be sent on request.
#[derive(Debug, thiserror::Error)]
pub enum ResendFault {
    /// Kafka did not take a message, or the store could not be read.
    #[error(transparent)]
    Pass(#[from] PassFault),
    /// Kafka did not answer in time.
    #[error("Kafka did not take the messages in time")]
    TimedOut,
}

/// How much is sent in one go.
#[derive(Debug, Clone, Copy)]
pub struct Portion {
    /// Enough after so many events, to the next read of the store.
    pub events: u64,
    /// Enough after so long, if anything was sent.
    pub time: Duration,
    /// Nothing more is tried after this.
    pub limit: Duration,
}

/// How far a portion came.
struct Progress {
    sent: u64,
    /// Everything from the beginning up to here, exclusive, is in Kafka again.
    next: i64,
    is_all: bool,
}

impl Progress {
    fn is_enough(&self, portion: Portion, started: Instant) -> bool {
        self.sent >= portion.events || (self.sent > 0 && started.elapsed() >= portion.time)
    }
}

impl<L: EventLog> Publisher<L> {
    /// Sends a portion of a shard's events from `from` up to the mark again, with the same `ce_id`, and of its reports the values
    /// and the status that hold now; answers how many events, and where to go on. Where Kafka does not
    /// take them, as of a topic that it has lost, it goes on with a new producer and makes the topics again.
    ///
    /// # Errors
    /// When nothing was sent, since the store fails, the shard is owned elsewhere, or the portion's limit is over.
    pub async fn republish(
        &self,
        shard: Shard,
        from: i64,
        portion: Portion,
    ) -> Result<Republished, ResendFault> {
        let started = Instant::now();
        let mut done = Progress {
            sent: 0,
            next: from.max(1),
            is_all: false,
        };
        let work = async {
            let mut backoff = Backoff::new(self.shared.settings.backoff);
            loop {
                let session = self.shared.link.session();
                let went = self.republish_on(&session, shard, (portion, started), &mut done);
                match went.await {
                    Err(PassFault::Send(fault)) => {
                        tracing::warn!(%shard, %fault, "events are sent again after the last one that Kafka has");
                        self.shared.renew(&session).await;
                        backoff.pause().await;
                    }
                    ended => return ended,
                }
            }
        };
        let ended = tokio::time::timeout(portion.limit, work).await;
        let ended = ended.map_or(Err(ResendFault::TimedOut), |ended| Ok(ended?));
        match ended {
            Err(fault) if done.sent == 0 => return Err(fault),
            // Whoever goes on from there meets it again if it lasts.
            Err(fault) => tracing::warn!(%shard, %fault, "a portion of events ended early"),
            Ok(()) => {}
        }
        Ok(Republished {
            sent: done.sent,
            next: (!done.is_all).then_some(done.next),
        })
    }

    async fn republish_on(
        &self,
        session: &Session,
        shard: Shard,
        (portion, started): (Portion, Instant),
        done: &mut Progress,
    ) -> Result<(), PassFault> {
        let shared = &self.shared;
        let mark = shared.log.published(shard).await.map_err(PassFault::Log)?;
        while done.next <= mark {
            if done.is_enough(portion, started) {
                return Ok(());
            }
            let limit = shared.settings.read_events;
            let read = shared.log.committed_after(shard, done.next - 1, limit);
            let events = read.await.map_err(PassFault::Log)?;
            let (mut deliveries, mut sent) = (Vec::new(), 0);
            shared.still_owned(shard)?;
            if shared.log.has_gone_back() || shared.refusal().is_some() {
                return Err(PassFault::WentBack);
            }
            let mut next = done.next;
            for envelope in events.iter().take_while(|e| e.pos <= mark) {
                deliveries.extend(shared.enqueue(session, envelope).await?);
                next = envelope.pos + 1;
                sent += 1;
            }
            if deliveries.is_empty() {
                break;
            }
            for delivery in deliveries {
                delivered(delivery).await?;
            }
            (done.next, done.sent) = (next, done.sent + sent);
        }
        done.is_all = true;
        Ok(())
    }
}
