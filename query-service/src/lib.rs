//! query-service answers: `/person/enrich`, `/company/enrich` from the read models, `/person/search`, `/company/search`,
//! `/person/discover`, `/company/discover` from search files and read models, `/autocomplete` from search files, and
//! `/utility/{clean,hash,validate}` from the canon, for credits that command-service holds and settles.
//!
//! Reading order, as one request goes: [`http`] (routes, headers, refusals) → [`enrich`] (what is meant; pure) →
//! [`credit_gate`] (admit) → [`read_model`] (candidates; the only SQL) → [`enrich`] (levels, order) → [`credit_gate`]
//! (settle) → [`render`] (the record's shape; pure). [`builds`] says which data build answers.
//! A search goes [`http`] → [`search`] (query, page; pure) → [`credit_gate`] → [`search`] (ranks and total) →
//! [`read_model`] (documents by rank) → [`credit_gate`] → [`render`].
//!
//! [`discover`] makes a query of words, which goes on as a search; [`autocomplete`] reads the dictionaries of the search files.
//! [`utility`] needs no record: it is the canon behind the same act.
//!
//! [`openapi`] describes the whole interface, also what command-service answers of it.
//!
//! It writes nothing and keeps nothing but caches: any number of instances may run side by side.

pub mod autocomplete;
pub mod builds;
pub mod config;
pub mod credit_gate;
pub mod discover;
pub mod enrich;
pub mod http;
pub mod instead;
pub mod metrics;
pub mod openapi;
pub mod pin;
pub mod read_model;
mod region;
pub mod render;
pub mod search;
pub mod spending;
pub mod utility;
