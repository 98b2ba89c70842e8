//! The executor against a definition that looks at one record after the other.

mod files;
mod filters;
mod memory;
mod oracle;
mod properties;
mod records;
