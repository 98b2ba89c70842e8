//! Data builds: complete, immutable sets of records.

pub mod v1;
