//! Search files as others use them: written, opened, read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod complete;
mod damage;
mod documents;
#[allow(unreachable_pub, reason = "the fuzz targets share it")]
mod everything;
mod folder;
mod forged;
mod order;
mod patterns;
mod round_trip;
mod search;
mod values;
mod writer;
