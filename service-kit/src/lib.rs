//! The machinery that every service shares: configuration, telemetry, sockets, the HTTP edge and its one error body.
//!
//! Guarantee: whatever leaves an [`edge::edge`] carries a `Request-ID`, and every refusal has the one error body of
//! `docs/API.md`, whoever refused: handler, router, limit, timeout or panic.
//!
//! Nothing of the domain may stand here. If a sentence about a module needs a word of docs/GLOSSARY.md, the module
//! belongs elsewhere; slugs of the domain live in `events-schema` and reach a [`Problem`] as a [`problem::Kind`].

/// Of every program that links this crate: services, CLI, tests, benches. What a request or a record takes is thousands of small pieces,
/// allocated by one thread and freed by another, which the allocator of the system is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod body;
pub mod client;
pub mod clock;
pub mod config;
pub mod edge;
pub mod fields;
pub mod kafka;
pub mod objects;
pub mod parameters;
pub mod patience;
pub mod problem;
#[cfg(feature = "postgres")]
pub mod schema;
pub mod serve;
pub mod shutdown;
pub mod tagged;
pub mod telemetry;
pub mod token;
pub mod watched;

pub use clock::{Clock, ManualClock, SystemClock};
pub use edge::{EdgeConfig, Effects, RequestId, edge};
pub use fields::Fields;
pub use parameters::Parameters;
pub use problem::Problem;
pub use watched::Watched;
