//! The language of Roster: what has happened, who it happened to, and what the parts say to each other.
//!
//! Event types by aggregate ([`account`], [`contract`], [`report`], [`data_build`]), the [`envelope`] that
//! carries them, typed [`ids`], [`credits`], the Kafka [`topics`], the fields of a [`record`], and the words
//! that services, clients and operators share ([`api`]).
//!
//! Guarantee: every event type has a JSON Schema in `schemas/` and golden fixtures in `fixtures/` that are read
//! for ever. Not here: I/O, clocks, decisions.
//!
//! The next change to an event goes into a new version module (`contract/v2.rs`) beside the old one, with a
//! fixture of its own; a field that old events lack is an `Option` or has a default.

pub mod account;
pub mod api;
pub mod contract;
pub mod credits;
pub mod data_build;
pub mod envelope;
pub mod event;
pub mod history;
pub mod ids;
pub mod record;
pub mod report;
pub mod topics;

pub use credits::Credits;
pub use envelope::Envelope;
pub use event::Event;
