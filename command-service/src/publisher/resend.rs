//! A part of a shard again, on an operator's request, beside the stream of new events.
//!
//! Consumers ignore positions that they have, so a repeat changes nothing for who has lost nothing. Only the owner of the
//! shard does it: its order is what keeps an old value or status from coming after a newer one.

use std::time::Duration;

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

impl<L: EventLog> Publisher<L> {
    /// Sends a shard's events from `from` up to the mark again, with the same `ce_id`, and of its reports the values and the
    /// status that hold now; answers how many events. Where Kafka does not
    /// take them, as of a topic that it has lost, it begins anew with a new producer and makes the topics again.
    ///
    /// # Errors
    /// When the store fails, the shard is owned elsewhere, or `limit` is over; what was sent until then stays sent.
    pub async fn republish(
        &self,
        shard: Shard,
        from: i64,
        limit: Duration,
    ) -> Result<u64, ResendFault> {
        let work = async {
            let mut backoff = Backoff::new(self.shared.settings.backoff);
            loop {
                let session = self.shared.link.session();
                match self.republish_all(&session, shard, from.max(1)).await {
                    Err(PassFault::Send(fault)) => {
                        tracing::warn!(%shard, %fault, "events are sent again from the beginning");
                        self.shared.renew(&session).await;
                        backoff.pause().await;
                    }
                    done => return done,
                }
            }
        };
        match tokio::time::timeout(limit, work).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(ResendFault::TimedOut),
        }
    }

    async fn republish_all(
        &self,
        session: &Session,
        shard: Shard,
        from: i64,
    ) -> Result<u64, PassFault> {
        let shared = &self.shared;
        let mark = shared.log.published(shard).await.map_err(PassFault::Log)?;
        let mut last = from - 1;
        let mut sent = 0;
        while last < mark {
            let read = shared
                .log
                .committed_after(shard, last, shared.settings.read_events);
            let events = read.await.map_err(PassFault::Log)?;
            let mut deliveries = Vec::new();
            shared.still_owned(shard)?;
            if shared.log.has_gone_back() {
                return Err(PassFault::WentBack);
            }
            for envelope in events.iter().take_while(|e| e.pos <= mark) {
                deliveries.extend(shared.enqueue(session, envelope).await?);
                last = envelope.pos;
                sent += 1;
            }
            if deliveries.is_empty() {
                break;
            }
            for delivery in deliveries {
                delivered(delivery).await?;
            }
        }
        Ok(sent)
    }
}
