//! Discover: what the words of a request are translated with, and how a request is read (docs/DISCOVER.md). The
//! translation itself is the crate `discover`.

pub mod lexicon;
pub mod model;
pub mod request;
