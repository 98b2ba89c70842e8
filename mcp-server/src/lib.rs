//! mcp-server: the REST operations as tools for agents, over the Model Context Protocol (`docs/AGENTS.md`).
//!
//! Guarantee: a tool call is exactly one request to the REST endpoint of the tool, with the client's own key, so that authentication, rate
//! limits, credits and validation are REST's. A call that its client cancels is cancelled at REST, too, and costs nothing unless it was
//! settled before. The server keeps no state but a one-second memory of which keys are valid, and the calls in progress, so any number of
//! instances may run. `notifications/cancelled` stops a call only on the instance that receives it; closing the connection stops the call
//! on any.
//!
//! No rule of the domain may be put here: what a tool takes, costs or answers is decided by its endpoint; this crate
//! only describes it.

pub mod answer;
pub mod app;
pub mod card;
pub mod config;
pub mod front;
pub mod handler;
pub mod incoming;
pub mod keys;
pub mod running;
pub mod tools;
pub mod upstream;

/// `Retry-After` where a service behind this one gave no answer.
const RETRY_AFTER_SECONDS: u64 = 5;
