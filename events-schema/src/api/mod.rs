//! Words that services, clients and operators share besides events: endpoints with their prices and rate
//! limits, limits, error codes, and the calls between the services.
//!
//! The one place of every price, limit and slug: REST and MCP read it here, and a test compares `docs/API.md` with it.

pub mod admin;
pub mod caller;
pub mod endpoint;
pub mod error_code;
pub mod internal;
pub mod keyed_hash;
pub mod limits;
pub mod operation;
pub mod parameters;
pub mod refusal;
pub mod usage;
