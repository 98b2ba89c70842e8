//! The search files of a data build: every column of its records in rank order, written once while the build is ranked,
//! mapped and scanned by query-service ever after.
//!
//! Reading order: [`manifest`] names the files of a build; [`mod@write`] makes them; [`read`] opens and checks them;
//! [`view`] is what a scan sees of a column; [`scan`] runs a [`dialect::Query`] over them,
//! and completes texts.
//!
//! Guarantees: what is opened has the digest that the manifest names, so a file that is damaged when it is opened is an error and
//! never a wrong answer; reading never panics whatever the bytes are; the same records give the same bytes. No SQL and no HTTP here.

mod email_hash;
mod layout;
pub mod manifest;
pub mod read;
pub mod scan;
pub mod view;
pub mod write;

pub use manifest::{FileEntry, Manifest};
pub use read::{Columns, OpenFault};
pub use scan::{Completing, Completion, Found, Page, Search, Start, TooBroad};
pub use write::{WriteFault, Writer, WriterOptions};
