//! command-service DECIDES: the only writer of the event store.
//!
//! `http → application → shard → domain`; `store` and `publisher` are leaves. Read `domain/` for the rules, `shard/` for what is decided
//! when and what becomes of it if anything fails, `application/` for the acts, `store/` for how a batch becomes durable, `publisher/` for
//! how Kafka hears of it, `restored.rs` for what follows a store that went back, `http/` for the three listeners, and `service.rs` for how
//! it is all put together.

pub mod application;
pub mod config;
pub mod domain;
pub mod http;
pub mod publisher;
pub mod restored;
pub mod service;
pub mod shard;
pub mod store;
