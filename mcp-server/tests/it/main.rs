//! mcp-server over real sockets, with the REST services and the check of keys played by small servers in the process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub
)]

mod access;
mod calls;
mod card;
mod endings;
mod process;
mod protocol;
mod stack;
