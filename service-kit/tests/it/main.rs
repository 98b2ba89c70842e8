//! The edge, the accept loop and the client over real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod calls;
mod connections;
mod load;
mod objects;
mod refusals;
mod server;
mod telemetry;
mod tokens;
mod watched;
