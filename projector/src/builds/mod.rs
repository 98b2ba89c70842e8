//! Data builds: from chunks in the object store to ranked, indexed tables.
//!
//! A chunk is scanned (what is the newest `last_seen`?), then loaded (`COPY` and the mark `loaded` in one transaction); when all are loaded
//! the build is ranked in one transaction, its search files are written, and the outcome is reported to command-service until it is
//! accepted. Every step can be killed and is then done again from its beginning: nothing is doubled. A step that fails is tried again with
//! pauses; where that cannot help the build ends as failed (`failing`).
//!
//! Guarantee: every line of a build is either a record or a reject with its number and reason. What must not be put
//! here: which build is active (that is the projection's) and what a query needs beyond tables.

pub mod chunk;
pub mod copy;
pub mod edition;
pub mod fault;
pub mod loader;
pub mod lookup;
pub mod outcome;
pub mod record;
pub mod schema;
pub mod search_files;

mod failing;
mod load;
mod rank;
mod refusal;
mod rejects;
mod sweep;
mod tell;
mod workers;
