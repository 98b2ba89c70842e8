//! events-schema
