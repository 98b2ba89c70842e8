//! The thin adapter that makes a [`Decider`] a cqrs-es aggregate and [`Aggregates`] its event store.

use std::collections::HashMap;

use cqrs_es::event_sink::EventSink;
use cqrs_es::{
    Aggregate, AggregateContext, AggregateError, DomainEvent, EventEnvelope, EventStore,
};
use events_schema::Event;
use events_schema::ids::{AccountId, Shard};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use uuid::Uuid;

use super::{Aggregates, Locked};
use crate::domain::Decider;
use crate::store::StoreFault;

/// A decider as cqrs-es sees it: its state, folded from its events.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Folded<D: Decider>(D);

impl<D: Decider> Folded<D> {
    pub(super) const fn new(state: D) -> Self {
        Self(state)
    }

    /// The state.
    #[must_use]
    pub const fn state(&self) -> &D {
        &self.0
    }
}

/// A decider's event as cqrs-es sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<D: Decider>(pub D::Event);

impl<D: Decider> Serialize for Fact<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let event: Event = self.0.clone().into();
        event.serialize(serializer)
    }
}

impl<'de, D: Decider> Deserialize<'de> for Fact<D> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let event = Event::deserialize(deserializer)?;
        D::Event::try_from(event)
            .map(Self)
            .map_err(de::Error::custom)
    }
}

impl<D: Decider> DomainEvent for Fact<D> {
    fn event_type(&self) -> String {
        let event: Event = self.0.clone().into();
        event.stored_type().to_owned()
    }

    fn event_version(&self) -> String {
        self.event_type()
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

impl<D: Decider> Aggregate for Folded<D> {
    const TYPE: &'static str = D::NAME;
    type Command = D::Command;
    type Event = Fact<D>;
    type Error = D::Refusal;
    type Services = ();

    async fn handle(
        &mut self,
        command: D::Command,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), D::Refusal> {
        for fact in self.0.decide(command)? {
            sink.write(Fact(fact), self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: Fact<D>) {
        self.0.evolve(&event.0);
    }
}

impl<D: Decider, B: Send> AggregateContext<Folded<D>> for Locked<D, B> {
    fn aggregate(&mut self) -> &mut Folded<D> {
        self.changed = true;
        &mut self.cell.folded
    }
}

impl<D, B> EventStore<Folded<D>> for Aggregates<D, B>
where
    D: Decider,
    B: Default + Send + 'static,
{
    type AC = Locked<D, B>;

    async fn load_events(
        &self,
        aggregate_id: &str,
    ) -> Result<Vec<EventEnvelope<Folded<D>>>, AggregateError<D::Refusal>> {
        let id = parse(aggregate_id)?;
        let events = self.events_after(id, 0).await.map_err(unexpected)?;
        let facts = events.into_iter().map(Fact);
        Ok(envelopes(id, 1, facts).collect())
    }

    /// `aggregate_id` is a UUID that carries its shard.
    async fn load_aggregate(
        &self,
        aggregate_id: &str,
    ) -> Result<Locked<D, B>, AggregateError<D::Refusal>> {
        let id = parse(aggregate_id)?;
        self.lock(shard_of(id), id).await.map_err(unexpected)
    }

    /// Durable when it returns. `metadata` is not used: the cause travels in the context
    /// ([`Locked::attach`]), typed.
    async fn commit(
        &self,
        events: Vec<Fact<D>>,
        context: Locked<D, B>,
        _metadata: HashMap<String, String>,
    ) -> Result<Vec<EventEnvelope<Folded<D>>>, AggregateError<D::Refusal>> {
        let aggregate_id = context.aggregate_id;
        let every = self.store.0.settings.snapshot_every.max(1);
        let seq = context.cell.seq + i64::try_from(events.len()).unwrap_or(0);
        let due = context.cell.seq / every != seq / every;
        let snapshot = due.then(|| context.state().clone());
        let queued = context
            .queue(events.iter().map(|fact| fact.0.clone()).collect())
            .map_err(unexpected)?;
        let first_seq = queued.durable().await.map_err(unexpected)?;
        if let Some(state) = snapshot {
            self.snapshot(aggregate_id, state, seq);
        }
        Ok(envelopes(aggregate_id, first_seq, events.into_iter()).collect())
    }
}

/// Facts of one aggregate as cqrs-es carries them, numbered from `first_seq`.
fn envelopes<D: Decider>(
    aggregate_id: Uuid,
    first_seq: i64,
    facts: impl Iterator<Item = Fact<D>>,
) -> impl Iterator<Item = EventEnvelope<Folded<D>>> {
    facts
        .zip(first_seq..)
        .map(move |(payload, seq)| EventEnvelope {
            aggregate_id: aggregate_id.to_string(),
            sequence: usize::try_from(seq).unwrap_or(0),
            payload,
            metadata: HashMap::new(),
        })
}

fn parse<E: std::error::Error>(aggregate_id: &str) -> Result<Uuid, AggregateError<E>> {
    Uuid::parse_str(aggregate_id)
        .map_err(|fault| unexpected(StoreFault::Damaged(fault.to_string())))
}

/// Every aggregate id is a UUIDv8 that carries its shard, or the UUIDv5 of a data build's name.
fn shard_of(id: Uuid) -> Shard {
    if id.get_version_num() == 8 {
        AccountId::from(id).shard()
    } else {
        Shard::DATA_BUILDS
    }
}

fn unexpected<E: std::error::Error>(fault: StoreFault) -> AggregateError<E> {
    AggregateError::UnexpectedError(Box::new(fault))
}
