//! One shard's way to Kafka: read on after the mark, enqueue in order, await in order.
//!
//! Guarantee: at least once and in order of position. A position counts only when it and all before it are in Kafka;
//! after a failure everything from the first position that is not known to be there is sent again, with the
//! same `ce_id`. Reading and sending go on while earlier messages are still on their way (pipelined).

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use events_schema::envelope::Envelope;
use events_schema::ids::Shard;
use rdkafka::producer::DeliveryFuture;
use tokio::sync::mpsc;

use super::backoff::Backoff;
use super::feed::Next;
use super::log::{EventLog, LogFault};
use super::message::{self, Message, ReportFact, Unwritable};
use super::producer::{SendFault, Session, delivered};
use super::{Shared, Slot};

/// Why a pass over a shard ended.
#[derive(Debug, thiserror::Error)]
pub enum PassFault {
    /// Kafka did not take a message.
    #[error(transparent)]
    Send(#[from] SendFault),
    /// An event cannot be written.
    #[error(transparent)]
    Event(#[from] Unwritable),
    /// The store could not be read.
    #[error("the event store gave no answer")]
    Log(#[source] LogFault),
    /// The shard has another owner, whose messages may not be followed by older ones of this instance.
    #[error("another instance may own the shard")]
    NotOwned,
    /// The store was replaced by an older state under this process.
    #[error("the event store lacks what it had committed")]
    WentBack,
    /// A loop that only ends with a fault ended without one.
    #[error("a part of the publisher ended")]
    Ended,
}

/// An event on its way: all its messages must arrive before the position counts.
struct InFlight {
    pos: i64,
    deliveries: Vec<DeliveryFuture>,
}

/// Publishes one shard until it is dropped.
pub(super) struct ShardPublisher<L> {
    pub(super) shard: Shard,
    pub(super) shared: Arc<Shared<L>>,
}

impl<L: EventLog> ShardPublisher<L> {
    pub(super) async fn run(self) {
        let mut backoff = Backoff::new(self.shared.settings.backoff);
        self.shared.until_store_is_whole().await;
        loop {
            let session = self.shared.link.session();
            let before = self.acked();
            let Err(fault) = self.pass(&session).await;
            if self.acked() > before {
                backoff.reset();
            }
            self.shared.metrics.restarts.add(1, &[]);
            tracing::warn!(
                shard = %self.shard, %fault, cause = ?std::error::Error::source(&fault),
                "publishing starts again after the last event that Kafka has"
            );
            match fault {
                PassFault::Send(_) => self.shared.renew(&session).await,
                PassFault::WentBack => self.shared.until_store_is_whole().await,
                _ => {}
            }
            backoff.pause().await;
        }
    }

    /// Sends in order from the first position that is not in Kafka; ends only with a fault.
    async fn pass(&self, session: &Session) -> Result<Infallible, PassFault> {
        let marked = self.shared.log.published(self.shard).await;
        let marked = marked.map_err(PassFault::Log)?;
        self.slot().marked.fetch_max(marked, Ordering::Relaxed);
        self.slot().acked.fetch_max(marked, Ordering::Relaxed);
        let (flights, landing) = mpsc::channel(self.shared.settings.in_flight_events);
        tokio::try_join!(
            self.send_from(self.acked(), session, flights),
            self.await_in_order(landing),
        )?;
        Err(PassFault::Ended)
    }

    /// Reads and enqueues; waits when too many events are on their way.
    async fn send_from(
        &self,
        mut sent: i64,
        session: &Session,
        flights: mpsc::Sender<InFlight>,
    ) -> Result<(), PassFault> {
        loop {
            for envelope in self.next_events(sent).await {
                if self.shared.log.has_gone_back() {
                    return Err(PassFault::WentBack);
                }
                let pos = envelope.pos;
                let deliveries = self.shared.enqueue(session, &envelope).await?;
                if flights.send(InFlight { pos, deliveries }).await.is_err() {
                    return Ok(());
                }
                sent = pos;
            }
        }
    }

    /// The events right after `sent`: from memory where they are there, else from the store. Never empty.
    async fn next_events(&self, sent: i64) -> Vec<Envelope> {
        let settings = &self.shared.settings;
        let mut backoff = Backoff::new(settings.backoff);
        // At the start and after a failure memory does not know what comes next.
        let mut ask_store = self.slot().read_to.load(Ordering::Relaxed) != sent;
        loop {
            match self.slot().feed.take_after(sent, settings.read_events) {
                Next::Events(events) => return self.note_read(events),
                Next::InStore => ask_store = true,
                Next::Nothing => {}
            }
            if ask_store {
                match self.read_store(sent).await {
                    Ok(events) if !events.is_empty() => return self.note_read(events),
                    Ok(_) => self.slot().read_to.store(sent, Ordering::Relaxed),
                    Err(fault) => {
                        tracing::warn!(shard = %self.shard, %fault, "committed events could not be read");
                        backoff.pause().await;
                        continue;
                    }
                }
            }
            ask_store = self.wait_for_more(sent).await;
        }
    }

    /// Waits until there may be something after `sent`; answers whether it must be looked for in the store.
    async fn wait_for_more(&self, sent: i64) -> bool {
        let settings = &self.shared.settings;
        let feed = &self.slot().feed;
        let mut committed = self.shared.log.committed(self.shard);
        let announced = async { committed.wait_for(|pos| *pos > sent).await.is_ok() };
        tokio::select! {
            () = feed.changed() => false,
            true = announced => {
                // Committed events are announced and handed over at the same time: memory gets a moment.
                tokio::time::timeout(settings.handover_grace, feed.changed()).await.is_err()
            }
            () = tokio::time::sleep(settings.poll_interval) => true,
        }
    }

    async fn read_store(&self, sent: i64) -> Result<Vec<Envelope>, LogFault> {
        let limit = self.shared.settings.read_events;
        let events = self
            .shared
            .log
            .committed_after(self.shard, sent, limit)
            .await?;
        // A hole here would become a hole in the topic: better to stop than to publish it.
        let is_whole = events.iter().zip(sent + 1..).all(|(e, pos)| e.pos == pos);
        if is_whole {
            Ok(events)
        } else {
            Err("the event store has a gap in its positions".into())
        }
    }

    fn note_read(&self, events: Vec<Envelope>) -> Vec<Envelope> {
        if let Some(last) = events.last() {
            self.slot().read_to.store(last.pos, Ordering::Relaxed);
        }
        events
    }

    /// Awaits the answers in order of position.
    async fn await_in_order(&self, mut landing: mpsc::Receiver<InFlight>) -> Result<(), PassFault> {
        while let Some(flight) = landing.recv().await {
            for delivery in flight.deliveries {
                delivered(delivery).await?;
            }
            self.slot().acked.fetch_max(flight.pos, Ordering::Relaxed);
            self.shared.metrics.sent.add(1, &[]);
        }
        Err(PassFault::Ended)
    }

    fn acked(&self) -> i64 {
        self.slot().acked.load(Ordering::Relaxed)
    }

    fn slot(&self) -> &Slot {
        self.shared.slot(self.shard)
    }
}

impl<L: EventLog> Shared<L> {
    /// Puts all messages of one event into the producer's queue.
    pub(super) async fn enqueue(
        &self,
        session: &Session,
        envelope: &Envelope,
    ) -> Result<Vec<DeliveryFuture>, PassFault> {
        let shard = envelope.shard;
        let event = message::of_event(envelope)?;
        let mut deliveries = vec![self.send(session, shard, &event).await?];
        let Some(fact) = message::report_fact(&envelope.event) else {
            return Ok(deliveries);
        };
        // Held from the reads to the queue: what is read later is queued later, also the tombstone of an erasure.
        let _order = self.slot(shard).report_order.lock().await;
        for message in self.report_messages(envelope, &fact).await? {
            deliveries.push(self.send(session, shard, &message).await?);
        }
        Ok(deliveries)
    }

    /// The values and the status of a report as they are now, not as they were at the event: of these topics the newest
    /// message counts, and an event that is sent again must not take a newer one back. To be called, and what it
    /// gives to be queued, under `report_order`.
    async fn report_messages(
        &self,
        envelope: &Envelope,
        fact: &ReportFact,
    ) -> Result<Vec<Message>, PassFault> {
        let mut messages = Vec::new();
        if let Some(kind) = fact.received {
            let details = self.log.report_details(fact.report_id).await;
            let details = details.map_err(PassFault::Log)?;
            messages.push(message::of_details(envelope, fact, kind, details)?);
        }
        let newest = self.log.newest_of_report(fact.report_id).await;
        let newest = newest.map_err(PassFault::Log)?;
        let newest = newest.as_ref().unwrap_or(envelope);
        let fact = message::report_fact(&newest.event).unwrap_or(*fact);
        messages.push(message::of_status(newest, &fact)?);
        self.still_owned(envelope.shard)?;
        Ok(messages)
    }

    /// After a read and before what was read is queued: who was held up in between may have been replaced.
    pub(super) fn still_owned(&self, shard: Shard) -> Result<(), PassFault> {
        if self.log.owns(shard) {
            Ok(())
        } else {
            Err(PassFault::NotOwned)
        }
    }

    pub(super) async fn send(
        &self,
        session: &Session,
        shard: Shard,
        message: &Message,
    ) -> Result<DeliveryFuture, SendFault> {
        let topic = format!("{}{}", self.settings.topics.prefix, message.topic);
        let partition = shard.partition(self.settings.topics.partitions);
        session.enqueue(&topic, partition, message).await
    }
}
