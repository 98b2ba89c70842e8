//! The projector folds: events from Kafka into read models, data builds from the object store into tables.
//!
//! It is the only writer of the read-model database. Three works run side by side: the [`consumer`] applies events by the
//! [`projections`], and the [`builds`] loader turns staged chunks into ranked, indexed tables; they meet in the tables
//! `data_build` and `build_chunk` alone. The [`comparison`] reads rows beside events and changes none.
//!
//! Guarantee: exactly once into the read model; kill -9 at any point loses and doubles nothing. What must not be put
//! here: decisions. A refusal is command-service's, an answer is query-service's.

pub mod builds;
pub mod checkpoint;
pub mod comparison;
pub mod config;
pub mod consumer;
pub mod database;
pub mod dead_letter;
pub mod http;
pub mod metrics;
pub mod projection;
pub mod projections;
pub mod schema;
pub mod status;

/// The migrations of the read-model database.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");
