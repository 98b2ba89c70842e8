//! A decider as an aggregate of cqrs-es.
//!
//! Decisions run through `cqrs_es::Aggregate`: its `handle` asks [`Decider::decide`] and folds what comes out. What else the
//! framework offers (its stores, its queries) waits for I/O, which the shard does not (ADR 18).

use std::sync::Arc;

use cqrs_es::DomainEvent;
use cqrs_es::event_sink::EventSink;
use events_schema::Event;
use futures::FutureExt;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Decider;

/// A decider as cqrs-es sees it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
struct Folded<D: Decider>(D);

/// A decider's event as cqrs-es sees it.
#[derive(Debug, Clone, PartialEq)]
struct Fact<D: Decider>(D::Event);

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
            .map_err(S::Error::custom)
    }
}

impl<D: Decider> DomainEvent for Fact<D> {
    fn event_type(&self) -> String {
        let event: Event = self.0.clone().into();
        event.stored_type().to_owned()
    }

    fn event_version(&self) -> String {
        let stored_type = self.event_type();
        stored_type
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

impl<D: Decider> cqrs_es::Aggregate for Folded<D> {
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

/// Carries out a command: the state follows, and the events say how. A refusal changes nothing.
pub(super) fn carry_out<D: Decider>(
    state: &mut Arc<D>,
    command: D::Command,
) -> Result<Vec<Event>, D::Refusal> {
    let mut folded = Folded(std::mem::take(Arc::make_mut(state)));
    let sink = EventSink::default();
    let decided = async {
        cqrs_es::Aggregate::handle(&mut folded, command, &(), &sink).await?;
        Ok(sink.collect().await)
    };
    // Nothing in there waits: the sink's lock is nobody else's, and `unconstrained` keeps tokio from making a busy task wait.
    let Some(decided) = tokio::task::unconstrained(decided).now_or_never() else {
        unreachable!("a decision waits for nothing")
    };
    *Arc::make_mut(state) = folded.0;
    let facts: Vec<Fact<D>> = decided?;
    Ok(facts.into_iter().map(|fact| fact.0.into()).collect())
}

#[cfg(test)]
mod tests {
    use cqrs_es::test::TestFramework;
    use events_schema::account::v1::AccountOpened;
    use events_schema::ids::AccountId;

    use super::super::account::{Account, AccountCommand};
    use super::super::contract::Contract;
    use super::*;

    fn opened() -> AccountOpened {
        AccountOpened {
            account_id: AccountId::new([3; 16]),
            name: "acme".to_owned(),
        }
    }

    #[test]
    fn the_framework_and_the_shard_decide_alike() {
        let AccountOpened { account_id, name } = opened();
        let command = AccountCommand::Open { account_id, name };
        TestFramework::<Folded<Account>>::with(())
            .given_no_previous_events()
            .when(command.clone())
            .then_expect_events(vec![Fact(opened().into())]);
        let mut account = Arc::new(Account::default());
        let events = carry_out(&mut account, command).unwrap();
        assert_eq!(events, [Event::AccountOpened(opened())]);
        let mut folded = Account::default();
        folded.evolve(&opened().into());
        assert_eq!(folded, *account);
    }

    #[test]
    fn the_framework_names_an_event_as_it_is_stored_and_reads_it_back() {
        let fact = Fact::<Account>(opened().into());
        assert_eq!(fact.event_type(), "account.opened.v1");
        assert_eq!(fact.event_version(), "v1");
        let written = serde_json::to_value(&fact).unwrap();
        let read: Fact<Account> = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(read, fact);
        assert!(serde_json::from_value::<Fact<Contract>>(written).is_err());
    }
}
