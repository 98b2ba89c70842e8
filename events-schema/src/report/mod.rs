//! Data-quality reports on records.

pub mod v1;
