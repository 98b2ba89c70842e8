//! The three listeners: public (reports, credits), internal (the other parts), admin (operators).
//!
//! A handler reads and checks its input, calls the application, and writes the answer. Guarantee: every refusal is the
//! one error body (`docs/API.md`, "Errors"), and a 5xx never shows its cause. What belongs to another instance is passed on to it
//! (`forward`, `peers`); a client never sees that.
//!
//! Not here: decisions, SQL, Kafka.

pub mod admin;
mod failure;
mod forward;
mod health;
pub mod internal;
mod peers;
pub mod presence;
pub mod public;
mod records;

pub use failure::Failure;
pub use forward::{ForwardSecrets, Forwarder, Passed, Place, Proofs};
pub use peers::Peers;
pub use presence::Presence;
pub use records::Records;

use service_kit::telemetry::current_traceparent;
use uuid::Uuid;

use crate::application::Cause;

/// Why a command is given: the request, who sent it, and its trace.
fn cause(request_id: Uuid, actor: impl Into<String>) -> Cause {
    Cause {
        request_id,
        actor: actor.into(),
        traceparent: current_traceparent(),
    }
}
