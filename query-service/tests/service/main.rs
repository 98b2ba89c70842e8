//! query-service from the outside: matching on hand-made records, and every answer over HTTP with a real Postgres and a
//! stand-in for command-service.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod autocomplete;
mod builds;
mod bulk;
mod company_names;
mod discover;
mod documents;
mod evidence;
mod explain;
mod fixture;
mod gate;
mod golden;
mod ledger;
mod ledger_pages;
mod matching;
mod model;
mod model_stub;
mod names;
mod noise;
mod openapi;
mod requests;
mod search;
mod search_files;
mod search_refusals;
mod spending;
mod stack;
mod utility;
mod worked;
