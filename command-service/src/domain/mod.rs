//! The rules: pure `decide` and `evolve` of the four aggregates; [`aggregate::Aggregate`] is any one of them.
//!
//! Guarantee: the same state and command give the same events or the same refusal, everywhere and always.
//! Never here: async, clocks, id generators, logging, SQL. Time and ids come in with the command.

pub mod account;
pub mod aggregate;
pub mod contract;
pub mod data_build;
mod framework;
pub mod reason;
pub mod report;

use std::error::Error;
use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A consistent unit that decides: (state, command) → events or refusal, (state, event) → state.
pub trait Decider:
    Default + Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + Unpin + 'static
{
    /// Name in cqrs-es.
    const NAME: &'static str;
    /// A wish; may be refused.
    type Command: Clone + Send;
    /// A fact of this aggregate.
    type Event: Into<events_schema::Event>
        + TryFrom<events_schema::Event, Error = NotMine>
        + Clone
        + Debug
        + PartialEq
        + Send
        + Sync;
    /// Why a wish is refused.
    type Refusal: Error + Clone + PartialEq + Send + Sync + 'static;

    /// What happens if the command is carried out now.
    ///
    /// # Errors
    /// The refusal; then nothing has changed.
    fn decide(&self, command: Self::Command) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// The state after a fact. Never fails: facts are not argued with.
    fn evolve(&mut self, event: &Self::Event);
}

/// An event of another aggregate stands under this one's id: the store is damaged or misread.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {0} does not belong to this aggregate")]
pub struct NotMine(pub &'static str);

/// Declares an aggregate's events as a subset of [`events_schema::Event`].
macro_rules! facts {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $(
                #[doc = concat!("[`", stringify!($variant), "`]")]
                $variant($variant),
            )+
        }

        impl From<$name> for events_schema::Event {
            fn from(fact: $name) -> Self {
                match fact { $($name::$variant(payload) => Self::$variant(payload),)+ }
            }
        }

        impl TryFrom<events_schema::Event> for $name {
            type Error = $crate::domain::NotMine;

            fn try_from(event: events_schema::Event) -> Result<Self, $crate::domain::NotMine> {
                match event {
                    $(events_schema::Event::$variant(payload) => Ok(Self::$variant(payload)),)+
                    other => Err($crate::domain::NotMine(other.stored_type())),
                }
            }
        }

        $(
            impl From<$variant> for $name {
                fn from(payload: $variant) -> Self {
                    Self::$variant(payload)
                }
            }
        )+
    };
}
pub(crate) use facts;

#[cfg(test)]
pub(crate) mod given {
    //! A state by its events, for tests.

    use super::Decider;

    /// The state after these events.
    pub(crate) fn given<D: Decider>(events: &[D::Event]) -> D {
        let mut state = D::default();
        events.iter().for_each(|event| state.evolve(event));
        state
    }
}
