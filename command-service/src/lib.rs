//! command-service DECIDES: the only writer of the event store.
//!
//! `http → application → domain`; `store` and `publisher` are leaves. Read `domain/` for the rules,
//! `application/` for the acts, `store/` for how an act becomes durable, `publisher/` for how Kafka hears of it.

pub mod application;
pub mod domain;
pub mod store;
