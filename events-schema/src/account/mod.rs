//! Accounts and their API keys.

pub mod v1;
