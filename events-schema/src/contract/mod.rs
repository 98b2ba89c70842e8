//! Billing contracts: grants and charges of credits.

pub mod v1;
