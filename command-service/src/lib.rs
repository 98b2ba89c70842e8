//! command-service DECIDES: the only writer of the event store.
//!
//! `http → application → domain`; `store` and `publisher` are leaves. Read `domain/` for the rules,
//! `application/` for the acts, `store/` for how an act becomes durable, `publisher/` for how Kafka hears of it,
//! `http/` for the three listeners, and `service.rs` for how it is all put together.

pub mod application;
pub mod config;
pub mod domain;
pub mod http;
pub mod publisher;
pub mod service;
pub mod store;
